//! Text of sizes with units, as configurations and flags write them.

/// The units of sizes in bytes, the largest first.
pub const SIZE_UNITS: [(&str, u64); 5] =
    [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

/// Reads a whole number and a unit, such as `512MiB`, as a number of bytes.
///
/// ```
/// use arbiter_game::settings::{parse_size, size_text};
/// assert_eq!(parse_size("64KiB"), Some(65_536));
/// assert_eq!(size_text(65_536), "64KiB");
/// assert_eq!(parse_size("1.5GiB"), None);
/// ```
pub fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (_, factor) = SIZE_UNITS.iter().find(|(name, _)| *name == &text[digits.len()..])?;
    // Rust also reads `+1`.
    if !digits.as_bytes().iter().all(u8::is_ascii_digit) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(*factor)
}

/// A number of bytes in the largest unit of which it is a whole number.
pub fn size_text(bytes: u64) -> String {
    for (unit, factor) in SIZE_UNITS {
        if bytes > 0 && bytes.is_multiple_of(factor) {
            return format!("{}{unit}", bytes / factor);
        }
    }
    "0B".to_owned()
}
