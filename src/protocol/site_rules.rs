//! The rules of CodinGame, whose bots play unchanged. The dialect does not set them; a file in
//! `configs/` has them.

use super::Dialect;
use crate::clock::TimeControl;
use crate::game::Settings;
use std::time::Duration;

/// The game of the site.
pub(super) const GAME: &str = "loa";

/// The configuration that has the rules of the site.
const FILE: &str = "configs/codingame.toml";
const SIMULTANEOUS: &str = "mover";
const MAX_PLIES: u32 = 150;
/// The time of the first ply and of each other one, in milliseconds.
const TIMES: [u64; 2] = [1000, 150];

/// How these settings differ from the rules of a dialect's site, and which file has those. `None`
/// if they do not differ or there is no site.
pub(super) fn differences(dialect: Dialect, settings: &Settings) -> Option<String> {
    if dialect != Dialect::Codingame {
        return None;
    }
    let mut differing = Vec::new();
    let options = settings.ruleset.options();
    let here =
        options.iter().find(|(key, _)| *key == "simultaneous").map_or("", |(_, value)| value);
    if here != SIMULTANEOUS {
        differing.push(format!("simultaneous is {} (here {here})", SIMULTANEOUS));
    }
    if settings.max_plies() != MAX_PLIES {
        differing.push(format!("{} plies draw (here {})", MAX_PLIES, settings.max_plies()));
    }
    if settings.rules.repetition != 0 {
        differing
            .push(format!("repetition does not draw (here {} times)", settings.rules.repetition));
    }
    let [first, others] = TIMES;
    if settings.time.control.common() != Some(TimeControl::Ply(Duration::from_millis(others)))
        || settings.time.first_move != Some(Duration::from_millis(first))
    {
        differing.push(format!("a ply has {others} ms and the first one {first} ms"));
    }
    (!differing.is_empty()).then(|| format!("{}; {} has these rules", differing.join(", "), FILE))
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
        settings.rules.repetition = 0;
        settings.rules.max_plies = 150;
        settings.ruleset = Ruleset::named("loa", "simultaneous=mover").unwrap();
        settings = settings.with_control(TimeControl::Ply(Duration::from_millis(150)));
        settings.time.first_move = Some(Duration::from_secs(1));
        assert_eq!(differences(Dialect::Codingame, &settings), None);
    }
}
