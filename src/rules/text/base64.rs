//! Bytes as text.

/// Base64 with padding (RFC 4648, section 4).
///
/// ```
/// assert_eq!(arbiter_rules::text::base64(b"a2c4"), "YTJjNA==");
/// ```
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |chunk: &[u8]| {
        let bits =
            (0..3).fold(0_usize, |bits, at| bits << 8 | usize::from(*chunk.get(at).unwrap_or(&0)));
        let digit =
            |at: usize| if at <= chunk.len() { DIGITS[bits >> (18 - 6 * at) & 63] } else { b'=' };
        [0, 1, 2, 3].map(|at| char::from(digit(at)))
    };
    bytes.chunks(3).flat_map(group).collect()
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
