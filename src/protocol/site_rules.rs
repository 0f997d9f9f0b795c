//! The rules of the sites whose bots play here unchanged. A dialect does not set them; `configs/` has them, one file a site.

use super::Dialect;
use crate::clock::TimeControl;
use crate::game::Settings;
use std::time::Duration;

/// The game of the sites.
pub(super) const GAME: &str = "loa";

/// The rules of a site.
struct SiteRules {
    /// The configuration that has them.
    file: &'static str,
    simultaneous: &'static str,
    max_plies: u32,
    /// The time of the first ply and of each other one, in milliseconds, if the site has one for all matches.
    times: Option<[u64; 2]>,
}

const CODINGAME: SiteRules = SiteRules {
    file: "configs/codingame.toml",
    simultaneous: "mover",
    max_plies: 150,
    times: Some([1000, 150]),
};
const RIDDLES: SiteRules =
    SiteRules { file: "configs/riddles.toml", simultaneous: "draw", max_plies: 199, times: None };

/// What differs from the rules of the site of a dialect, and where these are; none if nothing does.
pub(super) fn differences(dialect: Dialect, settings: &Settings) -> Option<String> {
    let site = match dialect {
        Dialect::Codingame => CODINGAME,
        Dialect::Riddles => RIDDLES,
        _ => return None, // there is no site
    };
    let mut differing = Vec::new();
    let options = settings.ruleset.options();
    let here = options.iter().find(|(key, _)| *key == "simultaneous").map_or("", |(_, value)| value);
    if here != site.simultaneous {
        differing.push(format!("simultaneous is {} (here {here})", site.simultaneous));
    }
    if settings.max_plies() != site.max_plies {
        differing.push(format!("{} plies draw (here {})", site.max_plies, settings.max_plies()));
    }
    if settings.rules.repetition != 0 {
        differing.push(format!("repetition does not draw (here {} times)", settings.rules.repetition));
    }
    if let Some([first, others]) = site.times {
        let [first_time, time] = [first, others].map(Duration::from_millis);
        if settings.time.control.common() != Some(TimeControl::Ply(time))
            || settings.time.first_move != Some(first_time)
        {
            differing.push(format!("a ply has {others} ms and the first one {first} ms"));
        }
    }
    (!differing.is_empty()).then(|| format!("{}; {} has these rules", differing.join(", "), site.file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    #[test]
    fn what_differs_is_named_with_the_file() {
        let mut settings = Settings::default();
        assert_eq!(differences(Dialect::Native, &settings), None);
        assert_eq!(
            differences(Dialect::Codingame, &settings).unwrap(),
            "simultaneous is mover (here draw), 150 plies draw (here 400), repetition does not draw (here 3 times), \
             a ply has 150 ms and the first one 1000 ms; \
             configs/codingame.toml has these rules"
        );
        assert_eq!(
            differences(Dialect::Riddles, &settings).unwrap(),
            "199 plies draw (here 400), repetition does not draw (here 3 times); configs/riddles.toml has these rules"
        );
        settings.rules.max_plies = 199;
        settings.rules.repetition = 0;
        assert_eq!(differences(Dialect::Riddles, &settings), None);
        settings.rules.max_plies = 150;
        settings.ruleset = Ruleset::named("loa", "simultaneous=mover").unwrap();
        settings = settings.with_control(TimeControl::Ply(Duration::from_millis(150)));
        settings.time.first_move = Some(Duration::from_secs(1));
        assert_eq!(differences(Dialect::Codingame, &settings), None);
    }
}
