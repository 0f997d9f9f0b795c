//! The options of a built-in bot: what stands behind the `?` of `builtin:search?nodes=5000`.

use super::time_management::{SearchLimit, TimeLimit};

/// The greatest width of the noise: far above every static value, and its half is below the value
/// of a win.
const MOST_NOISE: u32 = 1_000_000;

/// The strongest level of a game that has the most of them.
const MOST_LEVEL: usize = 9;

/// The options of `search`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SearchOptions {
    /// The nodes of a ply, in place of the time.
    pub(super) nodes: Option<u64>,
    /// The depth of a ply, in place of the time.
    pub(super) depth: Option<u32>,
    /// The width of what is added to the static values at random, in hundredths of a logit.
    pub(super) noise: u32,
    /// The level, from 1 on, in place of all these.
    pub(super) level: Option<usize>,
}

impl SearchOptions {
    /// The limit of a ply: the nodes or the depth that were asked for in place of those that the
    /// time suggests. The clock still interrupts a search that would lose on time.
    pub(super) fn limit(self, limit: SearchLimit) -> SearchLimit {
        if !self.is_fixed() {
            return limit;
        }
        SearchLimit {
            nodes: self.nodes.unwrap_or(u64::MAX),
            depth: self.depth.unwrap_or(u32::MAX),
            time: limit.time.map(|time| TimeLimit { enough: time.most, ..time }),
        }
    }

    /// Whether the search is limited by nodes or depth in place of the time.
    pub(super) fn is_fixed(self) -> bool {
        self.nodes.is_some() || self.depth.is_some()
    }

    /// Reads `level=N` or `nodes=N`, `depth=N` and `noise=N`, with `&` between them.
    ///
    /// # Errors
    /// A sentence that names the option and what would be right.
    pub(super) fn read(text: &str) -> Result<SearchOptions, String> {
        let mut options = SearchOptions::default();
        let mut keys = Vec::new();
        if text.is_empty() {
            return Ok(options);
        }
        for option in text.split('&') {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            if keys.contains(&key) {
                return Err(format!("`{key}` is given twice; leave one out"));
            }
            keys.push(key);
            match key {
                "level" => options.level = Some(positive(key, value, MOST_LEVEL)?),
                "nodes" => options.nodes = Some(positive(key, value, u64::MAX)?),
                "depth" => options.depth = Some(positive(key, value, u32::MAX)?),
                "noise" => options.noise = positive(key, value, MOST_NOISE)?,
                _ => {
                    return Err(format!(
                        "`{key}` is no option of search; there are level=N, nodes=N, depth=N, \
                         noise=N"
                    ));
                }
            }
        }
        if options.level.is_some() && keys.len() > 1 {
            return Err("a level has no further options".to_owned());
        }
        Ok(options)
    }
}

/// Reads the value of an option: a whole number from 1 to `most`.
fn positive<N>(key: &str, value: &str, most: N) -> Result<N, String>
where
    N: std::str::FromStr + std::fmt::Display + PartialOrd + From<u8> + Copy,
{
    match value.parse() {
        // Written in one way, so that the same options have the same name.
        Ok(number) if (N::from(1)..=most).contains(&number) && number.to_string() == value => {
            Ok(number)
        }
        _ => Err(format!("`{key}={value}`: a whole number from 1 to {most} is needed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_option_is_refused_with_what_would_be_right() {
        let read = |text| SearchOptions::read(text);
        assert_eq!(
            read("nodes=18446744073709551615").map(|options| options.nodes),
            Ok(Some(u64::MAX))
        );
        assert_eq!(
            read("noise=7&depth=3").map(|options| (options.noise, options.depth)),
            Ok((7, Some(3)))
        );
        assert_eq!(read("level=9").map(|options| options.level), Ok(Some(MOST_LEVEL)));
        assert_eq!(read("noise=1000000").map(|options| options.noise), Ok(MOST_NOISE));
        for (text, said) in [
            ("noise=0", "from 1 to 1000000"),
            ("noise=-1", "from 1 to 1000000"),
            ("noise", "from 1 to 1000000"),
            ("noise=1000001", "from 1 to 1000000"),
            ("nodes=x", "from 1 to 18446744073709551615"),
            ("nodes=18446744073709551616", "from 1 to 18446744073709551615"),
            ("depth=0", "from 1 to 4294967295"),
            ("depth=4294967296", "from 1 to 4294967295"),
            ("nodes=5&depth=2&nodes=6", "`nodes` is given twice"),
            ("nodes=5&", "`` is no option"),
            ("&nodes=5", "`` is no option"),
            ("levels=1", "`levels` is no option"),
            ("level=10", "from 1 to 9"),
            ("level=+3", "from 1 to 9"),
            ("level=03", "from 1 to 9"),
            ("level=3&noise=2", "no further options"),
        ] {
            assert!(read(text).is_err_and(|why| why.contains(said)), "{text}");
        }
    }
}
