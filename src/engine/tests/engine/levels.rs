//! The levels of `builtin:search` are frozen (docs/reference/search.md, Levels).

use crate::plays_all;
use arbiter_engine::builtin::{Action, BuiltinBot};
use arbiter_game::openings::Openings;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Game, Ruleset};
use std::time::Duration;

/// Tries the levels of a game: the bot's plies in 25 positions, as one number for each level. The
/// numbers never change: who was marked against a level must be able to meet the same one. The
/// highest levels search longest, by the same rules; `.ci/slow` tries them.
fn levels_are_frozen(game: Game, options: &str, plies: &[u64]) {
    let ruleset = Ruleset::named(game.name(), options).expect("a game");
    for (level, is_there) in [(plies.len(), true), (plies.len() + 1, false)] {
        let checked = BuiltinBot::check(&format!("search?level={level}"), &game);
        assert_eq!(checked.is_ok(), is_there, "level {level} of {}", game.name());
    }
    let tried = if plays_all() { plies } else { &plies[..5] };
    for (level, &held) in (1..).zip(tried) {
        let found = plies_of(ruleset.clone(), options, level);
        assert_eq!(found, held, "level {level} of {} plays other plies than it did", game.name());
    }
}

#[test]
fn the_levels_of_loa_are_frozen() {
    levels_are_frozen(Game::Loa, "", LOA_PLIES);
}

#[test]
fn the_levels_of_flipflop_are_frozen() {
    levels_are_frozen(Game::FlipFlop, "", FLIPFLOP_PLIES);
}

#[test]
fn the_levels_of_lineup_are_frozen() {
    levels_are_frozen(Game::Lineup, "n=7 s=4 b=10", LINEUP_PLIES);
}

#[test]
fn the_levels_of_gekitai_are_frozen() {
    levels_are_frozen(Game::Gekitai, "", GEKITAI_PLIES);
}

const LOA_PLIES: &[u64] = &[
    8_412_519_793_679_679_902,
    17_574_992_923_140_188_600,
    10_493_754_626_040_652_757,
    15_054_240_908_694_776_861,
    8_971_831_896_824_153_351,
    9_008_214_505_117_037_770,
    16_167_849_925_248_047_303,
    15_151_645_402_123_031_737,
    17_866_800_200_133_570_434,
];
const FLIPFLOP_PLIES: &[u64] = &[
    12_035_716_422_173_519_239,
    8_851_396_860_364_466_005,
    12_660_481_314_647_571_407,
    15_906_240_723_171_233_410,
    1_593_581_868_820_671_613,
    2_829_460_867_138_213_404,
    3_568_891_151_004_925_141,
    7_079_289_782_410_270_076,
    1_849_958_022_467_219_188,
];
const LINEUP_PLIES: &[u64] = &[
    9_691_371_590_667_143_304,
    5_004_893_917_479_333_422,
    3_386_674_998_254_598_065,
    1_371_729_295_985_812_625,
    2_922_486_929_811_773_188,
    12_047_379_816_053_656_187,
    12_971_475_577_031_859_471,
    6_571_924_714_650_854_872,
];
const GEKITAI_PLIES: &[u64] = &[
    7_601_634_535_480_527_480,
    2_612_893_901_212_923_802,
    11_062_949_387_290_628_117,
    14_774_405_785_167_047_394,
    9_949_609_575_932_780_284,
    11_428_138_044_792_661_418,
    11_857_760_690_386_476_660,
    2_433_849_566_898_230_853,
    4_406_914_967_023_026_488,
];

fn plies_of(ruleset: Ruleset, options: &str, level: usize) -> u64 {
    let mut text = String::new();
    for number in 0..25 {
        let mut openings = Openings::random(ruleset.clone(), 2 + number / 5 * 4, 9);
        let position = openings.get(u64::from(number % 5)).expect("an opening");
        let mut bot = BuiltinBot::named(&format!("search?level={level}")).expect("a level");
        let mut lines = format!("arena 1\ngame {}\n", ruleset.game().name());
        for (key, value) in options.split(' ').filter_map(|option| option.split_once('=')) {
            lines.push_str(&format!("option {key} {value}\n"));
        }
        let side = ruleset.letter(position.side());
        lines.push_str(&format!(
            "you {side}\ntime none\nseed {number}\nstart\nposition {position}\nturn 1\nsince\ngo"
        ));
        let actions: Vec<Option<Action>> =
            lines.lines().map(|line| bot.receive(line).expect("a line of the protocol")).collect();
        assert_eq!(actions.last(), Some(&Some(Action::Think)));
        let said = bot.think(&mut || Duration::ZERO);
        text.push_str(said.lines().last().expect("a ply"));
    }
    Generator::new(&[&text]).next_u64()
}
