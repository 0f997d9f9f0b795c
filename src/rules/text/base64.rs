//! Bytes as text.

/// Base64 with padding (RFC 4648, section 4).
///
/// ```
/// assert_eq!(arbiter_rules::text::base64(b"a2c4"), "YTJjNA==");
/// ```
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        // Three bytes are four digits of six bits. A byte alone has two digits, two have three.
        let mut three = [0; 3];
        three[..chunk.len()].copy_from_slice(chunk);
        let [a, b, c] = three.map(usize::from);
        let bits = a << 16 | b << 8 | c;
        for at in 0..4 {
            let digit = if at <= chunk.len() { DIGITS[bits >> (18 - 6 * at) & 63] } else { b'=' };
            text.push(char::from(digit));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }
}
