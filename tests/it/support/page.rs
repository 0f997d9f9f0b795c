//! What is in the data of a report page.

use flate2::read::ZlibDecoder;
use std::io::Read;

/// The page without its data, then the data as text.
pub fn text_of(page: &str) -> String {
    let mut text = String::new();
    let mut blocks = page.split("<script type=\"application/octet-stream;base64\" ");
    text.push_str(blocks.next().unwrap());
    for block in blocks {
        let (head, rest) = block.split_once("\">").unwrap();
        let (data, rest) = rest.split_once("</script>").unwrap();
        let mut bytes = Vec::new();
        ZlibDecoder::new(&*decoded(data)).read_to_end(&mut bytes).unwrap();
        text.push_str(&format!("{head}: {}{rest}", String::from_utf8_lossy(&bytes)));
    }
    text
}

fn decoded(base64: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let value = |letter: u8| DIGITS.iter().position(|&digit| digit == letter).unwrap() as u32;
    let digits: Vec<u32> = base64.trim_end_matches('=').bytes().map(value).collect();
    let group = |chunk: &[u32]| {
        let bits = (0..4).fold(0, |bits, at| bits << 6 | chunk.get(at).unwrap_or(&0));
        bits.to_be_bytes()[1..chunk.len()].to_vec()
    };
    digits.chunks(4).flat_map(group).collect()
}
