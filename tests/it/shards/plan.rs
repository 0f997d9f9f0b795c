//! `--print-plan` says what there is to play, without playing.

use crate::shards::play_shards;
use crate::support::place::{BOTS, Place, cup};

#[test]
fn the_plan_counts_what_is_left_and_plays_nothing() {
    let place = Place::with_bots();
    let config = cup("games = 4", "[match]\nmax-plies = 30", &BOTS);
    let plan = |out: &str, more: &[&str]| {
        let ran =
            place.ends(0, &config, out, &[&["--print-plan", "--concurrency", "2"], more].concat());
        assert_eq!(ran.stderr, "");
        ran.stdout
    };
    // Thirty plies of two minutes.
    let before = plan("out", &[]);
    assert_eq!(
        before,
        "bots: 4\ngames to play: 24\na game: at most 60.0 min of its bots' time (what the clocks and the ply limit allow; once games are recorded, it is their mean)\nbots' core-hours: at most 24.0\nwall time at 2 games at a time: at \
         most 12.0 h\nshards of about an hour: 12, of 12 pairs at most\n"
    );
    assert!(!place.path("out").exists());
    // A bot that sleeps may take 3 x 120 s + 1 s, and the margin of 20 ms, for each of 30 plies.
    let by_processor_time = config.replace("start = '120s'", "start = '120s'\nclock = 'cpu'");
    let ran = place.ends(0, &by_processor_time, "out", &["--print-plan", "--concurrency", "2"]);
    for line in [
        "a game: at most 60.0 min of its bots' processor time (",
        "wall time at 2 games at a time: at most 36.1 h, if bots sleep at each ply as long as wall-cap allows\n",
        "shards of about an hour: 12, ",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {ran:?}");
    }
    assert!(plan("out", &["--shard", "1/5"]).contains("games to play: 6\n"), "pairs 0, 5 and 10");
    play_shards(&place, &config, 3, "shard", &[]);
    let shard = place.path("shard2").display().to_string();
    let missing = plan("out", &["--missing", &shard]);
    assert!(missing.contains("games to play: 16, besides 8 already recorded\n"), "{missing}");
    assert!(missing.contains("(the mean of the recorded games)\n"), "{missing}");
    assert!(missing.contains("shards of about an hour: 1, of 8 pairs at most\n"), "{missing}");
    // Its own folder counts too.
    assert!(plan("shard1", &["--shard", "1/3"]).contains("games to play: 0, besides 8"));
    let milestones =
        "[milestones]\nsteps = ['ada', 'bea']\nstop = 'decided'\n[match]\nmax-plies = 30";
    let steps = [BOTS[2], BOTS[3], BOTS[0], BOTS[1]];
    let class = cup("format = 'gauntlet'\nchallengers = 2\ngames = 20", milestones, &steps);
    let plan =
        |more: &[&str]| place.ends(0, &class, "class", &[&["--print-plan"], more].concat()).stdout;
    let before = plan(&[]);
    // Two bots, each against two steps.
    assert!(
        before.contains("games to play: at most 80\n") && before.contains("of 2 pairs at most\n"),
        "{before}"
    );
    assert!(plan(&["--shard", "2/2"]).contains("games to play: at most 40\n"));
    place.ends(0, &class, "class", &[]);
    let after = plan(&[]);
    assert!(after.contains("games to play: at most 0, besides "), "{after}");
    let test = cup("format = 'sprt'", "[sprt]\nmax-pairs = 2", &BOTS[2..]);
    let ran = place.ends(2, &test, "out", &["--print-plan"]);
    assert!(ran.stderr.contains("depends on its results"), "{ran:?}");
    let swiss = cup("format = 'swiss'\nrounds = 3", "", &BOTS);
    let ran = place.ends(0, &swiss, "swiss", &["--print-plan"]);
    assert!(
        ran.stdout.contains("games to play: 12\n") && ran.stdout.contains("of 2 pairs at most"),
        "{ran:?}"
    );
}
