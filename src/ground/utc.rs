//! Dates and times of the calendar, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// The date as logs have it: `2026.11.29`.
pub fn date(time: SystemTime) -> String {
    let (year, month, day) = civil(seconds(time) / SECONDS_PER_DAY);
    format!("{year:04}.{month:02}.{day:02}")
}

/// A time in the form of RFC 3339, in whole seconds: `2026-11-29T09:50:38Z`.
pub fn timestamp(time: SystemTime) -> String {
    let seconds = seconds(time);
    let (year, month, day) = civil(seconds / SECONDS_PER_DAY);
    let hour = seconds / 3600 % 24;
    let minute = seconds / 60 % 60;
    let second = seconds % 60;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The current time in the form of [`timestamp`].
pub fn now() -> String {
    timestamp(SystemTime::now())
}

/// Seconds since 1970. A clock that is set to an earlier time counts as 1970.
fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Year, month and day of a number of days since 1970-01-01 in the Gregorian calendar (Howard
/// Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`). Years begin on
/// 1 March there, so that the leap day is the last of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468; // since 0000-03-01
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// As `date --utc --date=@SECONDS` prints them.
    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (68_169_599, "1972-02-28T23:59:59Z"),
            (68_169_600, "1972-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (1_798_761_600, "2027-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn dates_have_dots() {
        assert_eq!(date(UNIX_EPOCH + Duration::from_secs(951_868_799)), "2000.02.29");
    }
}
