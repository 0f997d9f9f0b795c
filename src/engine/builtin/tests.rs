//! The bots in whole games, with the lines that a referee sends.

#![cfg(test)]

use super::native::READY;
use super::*;
use arbiter_game::clock::TimeControl;
use arbiter_game::protocol::{Conversation, Dialect};
use arbiter_game::{End, Outcome, SentLines, Settings, Start, Turn};
use arbiter_rules::seed::Generator;
use arbiter_rules::{BySide, Position, Ruleset, Side};

fn player(name: &str) -> BuiltinBot {
    BuiltinBot::named(name).expect("a bot of that name")
}

fn start() -> Position {
    start_of("loa")
}

fn start_of(game: &str) -> Position {
    Ruleset::named(game, "").expect("a game").start()
}

/// Sends lines to a bot; returns the action after the last one.
fn tell(player: &mut BuiltinBot, lines: &str) -> Option<Action> {
    let mut last = None;
    for line in lines.lines() {
        assert!(matches!(last, None | Some(Action::Say(_))), "nothing comes after {last:?}");
        last = player.receive(line).expect("the bot can follow");
    }
    last
}

/// The ply that a bot answers. Each look at the clock takes `time`.
fn reply(player: &mut BuiltinBot, time: Duration) -> String {
    let mut passed = Duration::ZERO;
    let said = player.think(&mut || {
        passed += time;
        passed
    });
    assert!(said.ends_with('\n'));
    let last = said.lines().last().expect("a line");
    last.strip_prefix("move ").expect("a move").to_owned()
}

/// Plays a game and returns the winner and the plies. There is no winner in draws and in games of
/// 200 plies.
fn game(
    players: &mut BySide<BuiltinBot>,
    position: Position,
    seed: u64,
    time: TimeControl,
) -> (Option<Side>, Vec<Ply>) {
    let settings = Settings::for_ruleset(position.ruleset()).with_control(time);
    let conversation = || Dialect::default().conversation().expect("a dialect");
    let mut conversations: BySide<Box<dyn Conversation>> =
        BySide { first: conversation(), second: conversation() };
    for you in Side::BOTH {
        let seed = seed * 2 + u64::from(you == Side::Second);
        let mut block = String::new();
        let sent = SentLines { id: "1".into(), seeds: BySide { first: seed, second: seed } };
        let start = Start { sent: &sent, position: &position, you, settings: &settings };
        conversations[you].push_start(&mut block, &start).unwrap();
        assert_eq!(tell(&mut players[you], &block), Some(Action::Say("ready reuse lean\n".into())));
        assert!(conversations[you].ready_with(b"reuse lean").is_empty());
    }
    let mut now = position;
    let mut plies = Vec::new();
    while now.ending().is_none() && plies.len() < 200 {
        let side = now.side();
        if let Some(pass) = now.forced_pass() {
            plies.push(pass);
            now.play(pass);
            continue;
        }
        let mut block = String::new();
        let clocks = BySide::from_fn(|_| time.initial());
        let turn = Turn { clocks, ..Turn::unlimited(&now, &plies) };
        conversations[side].push_turn(&mut block, &turn).unwrap();
        assert_eq!(tell(&mut players[side], &block), Some(Action::Think));
        let text = reply(&mut players[side], Duration::from_micros(250));
        let ply = now.ruleset().read_ply(&text).expect("a ply");
        assert!(now.check(ply).is_ok(), "{text} in {now}");
        plies.push(ply);
        now.play(ply);
    }
    for you in Side::BOTH {
        let mut block = String::new();
        let end =
            End { you, position: &now, plies: &plies, outcome: Outcome::MaxPlies, detail: None };
        conversations[you].push_end(&mut block, &end);
        assert_eq!(tell(&mut players[you], &block), None);
    }
    (now.ending().and_then(|ending| ending.winner), plies)
}

/// Wins of the first and of the second bot in `games` games with alternating sides.
fn score(from: Position, names: [&str; 2], games: u64, time: TimeControl) -> [u32; 2] {
    let mut players = BySide { first: player(names[0]), second: player(names[1]) };
    let mut wins = [0; 2];
    for number in 0..games {
        let swapped = number % 2 == 1;
        if let (Some(winner), _) = game(&mut players, from.clone(), number, time) {
            wins[usize::from((winner == Side::Second) != swapped)] += 1;
        }
        players = players.swapped();
    }
    wins
}

#[test]
fn the_game_in_the_protocol_is_answered() {
    // A game of docs/reference/protocol.md. These bots ask for no board and no plies, but accept
    // both.
    let start = "arena 1\nid conny~randy.2\ngame loa\noption simultaneous draw\noption stuck \
                 pass\nsize 8\n\
                 you B\nopponent W\n\
                 time 10000 100\nlimit clock wall\nlimit margin 20\nlimit memory 536870912\nlimit \
                 plies 400\n\
                 limit repetition 3\nlimit attempts 1\nlimit pondering off\n\
                 seed 11400714819323198485\nstart\n";
    let board =
        "board\n.WWWWWW.\nB......B\nB......B\nB......B\nB......B\nB......B\nB......B\n.WWWWWW.\n";
    for name in BuiltinBot::NAMES {
        let mut player = player(name);
        assert_eq!(tell(&mut player, start), Some(Action::Say(format!("{READY}\n"))));
        let beginning = "first B\nposition 1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B\n";
        let block = format!(
            "{beginning}turn 1\nsince\nclock 10000 10000\n{board}moves a1a3 a1c1\r\ngo\r\n"
        );
        assert_eq!(tell(&mut player, &block), Some(Action::Think));
        let first = reply(&mut player, Duration::from_secs(1));
        let position = self::start();
        let ply = position.ruleset().read_ply(&first).expect("a ply");
        assert!(position.check(ply).is_ok(), "{name}: {first}");
        assert_eq!(player.think(&mut || Duration::ZERO), "", "one answer a question");
        let theirs = position.after(ply).plies().next().expect("W can move");
        let theirs = position.ruleset().ply_text(theirs);
        let next_turn =
            format!("turn 3\nsince {first} {theirs}\nclock 10088 9991\nsomething new\ngo\n");
        assert_eq!(tell(&mut player, &next_turn), Some(Action::Think));
        reply(&mut player, Duration::from_secs(1));
        assert_eq!(tell(&mut player, "since\nend loss connected\nquit\n"), Some(Action::Quit));
    }
}

#[test]
fn a_new_game_begins_with_nothing_of_the_old_one() {
    let game = |player: &mut BuiltinBot| {
        let start = "arena 1\ngame loa\nyou W\ntime none\nseed 5\nstart\nfirst W\n\
                     position 1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 W\nturn 1\nsince\ngo\n";
        assert_eq!(tell(player, start), Some(Action::Think));
        reply(player, Duration::ZERO)
    };
    for name in BuiltinBot::NAMES {
        let mut fresh = player(name);
        let mut used = player(name);
        let other = "arena 1\ngame loa\noption stuck loss\nyou B\ntime 1000 0\nseed 8\nstart\n\
                     turn 1\nsince\ngo\n";
        assert_eq!(tell(&mut used, other), Some(Action::Think));
        reply(&mut used, Duration::ZERO);
        assert_eq!(tell(&mut used, "since a1c1\nwhy it took too long\nend loss timeout\n"), None);
        assert_eq!(game(&mut used), game(&mut fresh), "{name}");
    }
}

#[test]
fn forced_passes_are_followed() {
    for name in BuiltinBot::NAMES {
        let mut player = player(name);
        let start = "arena 1\ngame loa\nyou W\ntime none\nstart\n";
        assert_eq!(tell(&mut player, start), Some(Action::Say("ready reuse lean\n".into())));
        let beginning = "first B\nposition BW6/WW6/8/8/8/8/6WW/6WB B\n";
        assert_eq!(tell(&mut player, beginning), None);
        assert_eq!(tell(&mut player, "turn 2\nsince pass\ngo\n"), Some(Action::Think));
        let loa = self::start().ruleset();
        let position = loa.read_position("BW6/WW6/8/8/8/8/6WW/6WB W").expect("a position");
        let ply = loa.read_ply(&reply(&mut player, Duration::ZERO)).expect("a ply");
        assert!(position.check(ply).is_ok());
    }
}

#[test]
fn after_an_illegal_answer_comes_another_ply() {
    for name in BuiltinBot::NAMES {
        for since in ["since a1c1", "since"] {
            let mut player = player(name);
            let start = "arena 1\ngame loa\nyou W\ntime 1000 0\nseed 1\nstart\n\
                         turn 2\nsince a1c1\nclock 900 900\ngo\n";
            assert_eq!(tell(&mut player, start), Some(Action::Think));
            let mut said = vec![reply(&mut player, Duration::from_secs(1))];
            for _ in 0..5 {
                // The repeated block is understood with the plies and without them.
                let again = format!("illegal because\nturn 2\n{since}\nclock 800 900\ngo\n");
                assert_eq!(tell(&mut player, &again), Some(Action::Think));
                said.push(reply(&mut player, Duration::from_secs(1)));
            }
            let position = self::start();
            let position = position.after(position.ruleset().read_ply("a1c1").expect("a ply"));
            let legal = |text: &String| {
                position.check(position.ruleset().read_ply(text).expect("a ply")).is_ok()
            };
            assert!(said.iter().all(legal), "{name}: {said:?}");
            said.sort();
            said.dedup();
            assert_eq!(said.len(), 6, "{name}: {said:?}");
        }
    }
}

#[test]
fn lines_that_cannot_be_followed_are_errors() {
    let begun = "arena 1\ngame loa\nyou B\nstart\n";
    for (lines, line, error) in [
        ("", "go", "`go` outside a game"),
        ("arena 1\n", "start", "`start` without a `game` line"),
        ("game loa\nyou X\n", "start", "`you X` names no side of loa"),
        ("game loa\nstart\n", "position 8 B", "position: 1 row where 8 are needed"),
        ("game loa\n", "seed x", "`seed x`: `x` is not a number"),
        ("game loa\n", "time often", "`time often`: there is no such time control"),
        (&format!("{begun}turn 2\nsince a1c1\n"), "go", "asked for a move, but W is to move"),
        (
            &format!("{begun}turn 2\nsince a1a1\n"),
            "go",
            "since, `a1a1`: a1 and a1 are not on one line",
        ),
        (
            &format!("{begun}turn 5\nsince a1c1\n"),
            "go",
            "turn 5 cannot come after 0 known plies and 1 since then",
        ),
    ] {
        let mut player = player("random");
        tell(&mut player, lines);
        let said = player.receive(line).expect_err(line).to_string();
        assert!(said.starts_with(error), "{said}");
    }
    for name in ["greedy", "search"] {
        let mut player = player(name);
        tell(&mut player, "game chess\n");
        let said = player.receive("start").expect_err(name).to_string();
        assert!(said.starts_with("unknown game `chess`; the games are: loa"), "{said}");
    }
}

#[test]
fn a_game_whose_rules_are_not_known_is_played_from_its_moves() {
    let start = "arena 1\ngame tictactoe\noption size 3\nsize 3\nyou X\nopponent O\ntime none\n\
                 seed 5\nstart\n";
    let play = |player: &mut BuiltinBot| {
        assert_eq!(tell(player, start), Some(Action::Say("ready reuse\n".into())));
        let turn = "first X\nposition 3/3/3 X\nturn 1\nsince\nboard\n...\n...\n...\nmoves a1 b2 \
                    swap\ngo\n";
        assert_eq!(tell(player, turn), Some(Action::Think));
        let mut said = vec![reply(player, Duration::ZERO)];
        assert_eq!(player.think(&mut || Duration::ZERO), "", "one answer a question");
        for _ in 0..3 {
            assert_eq!(tell(player, &format!("illegal because\n{turn}")), Some(Action::Think));
            said.push(reply(player, Duration::ZERO));
        }
        assert_eq!(tell(player, "since a1\nend draw full-board\n"), None);
        said
    };
    let mut random = player("random");
    let said = play(&mut random);
    assert_eq!(said, play(&mut random), "the next game, with the same seed");
    let mut first_three = said[..3].to_vec();
    first_three.sort();
    assert_eq!(first_three, ["a1", "b2", "swap"]);
    assert_eq!(said[3], "a1", "all were refused");
    let loa = "arena 1\ngame loa\nyou B\ntime none\nseed 5\nstart\n";
    assert_eq!(tell(&mut random, loa), Some(Action::Say(format!("{READY}\n"))));
}

#[test]
fn every_bot_plays_legally_from_anywhere() {
    let stuck = start().ruleset().read_position("BW6/WW6/8/8/8/8/6WW/6WB B").expect("a position");
    let large = Ruleset::named("lineup", "n=9 s=5 b=6").expect("lineup").start();
    let starts =
        [stuck, start(), start_of("flipflop"), start_of("lineup"), start_of("gekitai"), large];
    let mut generator = Generator::from_state(11);
    for names in
        [["search", "random"], ["random", "random"], ["greedy", "search"], ["random", "greedy"]]
    {
        let mut players = BySide { first: player(names[0]), second: player(names[1]) };
        for number in 0..24 {
            let mut position = starts[number as usize % starts.len()].clone();
            for _ in 0..number {
                let ply = random::choose(position.plies().collect(), &mut generator)
                    .expect("not over yet");
                let next = position.after(ply);
                position = if next.ending().is_none() { next } else { position };
            }
            // `game` checks each ply; the time limit allows only a very short search.
            let _ =
                game(&mut players, position, number, TimeControl::Ply(Duration::from_millis(30)));
        }
    }
}

#[test]
fn random_and_greedy_depend_on_the_seed_alone() {
    let play = |seed| {
        let mut players = BySide { first: player("random"), second: player("greedy") };
        game(&mut players, start(), seed, TimeControl::Unlimited).1
    };
    assert_eq!(play(3), play(3));
    assert_ne!(play(3), play(4));
}

#[test]
fn search_reads_the_limits_that_it_is_told() {
    let score = |limits: &str| {
        let mut bot = player("search?depth=1");
        let start = format!(
            "arena 1\ngame loa\nyou B\ntime none\n{limits}seed 5\nstart\nturn 1\nsince\ngo\n"
        );
        assert_eq!(tell(&mut bot, &start), Some(Action::Think));
        let said = bot.think(&mut || Duration::ZERO);
        said.split(" score ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next())
            .expect("a score")
            .to_owned()
    };
    assert_eq!(score("limit plies 1\n"), "0.00", "every ply draws");
    assert_ne!(score("limit plies 0\nlimit repetition 0\n"), "0.00");
    let mut bot = player("search").speaking_ugi();
    assert_eq!(tell(&mut bot, "position startpos\ngo nodes 50\n"), Some(Action::Think));
    assert!(
        bot.think(&mut || Duration::ZERO).contains(" nodes 51 "),
        "the node after the last one ends the search"
    );
}

#[test]
fn search_goes_on_while_its_opponent_is_on_move_where_that_is_allowed() {
    // How often it asks whether a line waits, before one does, and its next answer.
    let game = |name: &str, pondering: &str, time: &str| {
        let mut bot = player(name);
        let start =
            format!("arena 1\ngame loa\nyou B\n{time}limit pondering {pondering}\nseed 5\nstart\n");
        let _ = tell(&mut bot, &start);
        assert_eq!(tell(&mut bot, "turn 1\nsince\nclock 60 60\ngo\n"), Some(Action::Think));
        let first = reply(&mut bot, Duration::from_millis(1));
        let mut asked = 0;
        bot.ponder(&mut || {
            asked += 1;
            asked == 100
        });
        let theirs = self::start().after(self::start().ruleset().read_ply(&first).expect("a ply"));
        let theirs = theirs.ruleset().ply_text(theirs.plies().next().expect("W can move"));
        let turn = format!("turn 3\nsince {first} {theirs}\nclock 60 60\ngo\n");
        assert_eq!(tell(&mut bot, &turn), Some(Action::Think));
        (asked, reply(&mut bot, Duration::from_millis(1)))
    };
    let on_a_clock = "time move 60\n";
    assert_eq!(game("search", "on", on_a_clock).0, 100);
    assert_eq!(game("search", "off", on_a_clock).0, 0);
    for name in ["search?nodes=300", "search?depth=2", "greedy", "random"] {
        assert_eq!(game(name, "on", on_a_clock).0, 0, "{name}");
    }
}

#[test]
fn greedy_beats_random() {
    for (game, least) in [("loa", 20), ("flipflop", 14), ("lineup", 16), ("gekitai", 18)] {
        let [greedy, random] =
            score(start_of(game), ["greedy", "random"], 20, TimeControl::Unlimited);
        assert!(greedy >= least, "{game}: {greedy} to {random}");
    }
}

#[test]
fn search_beats_greedy() {
    // `reply` takes 250 µs for each 32 nodes, so 50 ms are enough for some 4,000 nodes a ply.
    let open = Ruleset::named("lineup", "n=6 s=4").expect("lineup").start();
    for (from, least) in
        [(start(), 9), (start_of("flipflop"), 8), (open, 8), (start_of("gekitai"), 9)]
    {
        let time = TimeControl::Ply(Duration::from_millis(50));
        let [search, greedy] = score(from.clone(), ["search", "greedy"], 10, time);
        assert!(search >= least, "{from}: {search} to {greedy}");
    }
}

/// The plies of each bot against `random` in the games that were there when the values were
/// entered. If they change, the games of the old algorithm are games of another bot: raise
/// `content::BUILTIN_VERSION`, then enter the new values here.
#[test]
fn a_bot_that_plays_otherwise_has_another_version() {
    let plays = |name: &str| {
        let mut players = BySide { first: player(name), second: player("random") };
        let mut text = String::new();
        for known in ["loa", "flipflop", "lineup", "gekitai"] {
            let from = start_of(known);
            let (_, plies) =
                game(&mut players, from.clone(), 11, TimeControl::Ply(Duration::from_millis(5)));
            text.extend(plies.iter().map(|&ply| format!("{} ", from.ruleset().ply_text(ply))));
        }
        Generator::new(&[&text]).next_u64()
    };
    assert_eq!(
        BuiltinBot::NAMES.map(plays),
        [2_151_027_914_937_267_483, 11_413_421_512_985_467_139, 5_558_270_237_890_338_243]
    );
}
