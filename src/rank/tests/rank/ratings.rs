//! Ratings, SPRT and matches compared with all the shared reference data
//! (src/rank/definitions.md).

use arbiter_rank::rating::{
    Hypothesis, MatchStatistics, Model, RatingOptions, Ratings, Sprt, Trial,
};
use arbiter_rank::schedule::Ranking;
use arbiter_rank::standings::{Cluster, Encounters, Score, Scored, Standings};
use serde_json::Value;
use std::fs;
use std::path::Path;

const ELO: f64 = 0.01;
const LLR: f64 = 0.001;
const PROBABILITY: f64 = 1e-5;

fn vectors(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors").join(file);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[track_caller]
fn agree(found: Option<f64>, expected: &Value, tolerance: f64) {
    match (found, expected.as_f64()) {
        (Some(found), Some(expected)) => {
            assert!((found - expected).abs() <= tolerance, "{found} for {expected}")
        }
        (found, expected) => assert_eq!(found, expected),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn counts<const N: usize>(value: &Value) -> [u64; N] {
    let counts: Vec<u64> = list(value).iter().map(|count| count.as_u64().unwrap()).collect();
    counts.try_into().unwrap()
}

/// Checks that all fields are among these, so that none is left out of the comparison.
#[track_caller]
fn only(value: &Value, known: &[&str]) {
    for name in value.as_object().unwrap().keys() {
        assert!(known.contains(&name.as_str()), "{name} is not compared");
    }
}

fn encounters(case: &Value) -> Encounters {
    let mut encounters = Encounters::default();
    // Points of i in both games, doubled; in game 2 the other bot has the first side.
    let scores = |index: usize| [Score::ALL[index / 3], Score::ALL[index % 3].of_opponent()];
    for pair in list(&case["pairs"]) {
        for (index, count) in counts::<9>(&pair[2]).into_iter().enumerate() {
            (0..count).for_each(|_| {
                encounters.add_pair(number(&pair[0]), number(&pair[1]), scores(index))
            });
        }
    }
    for copies in list(&case["copies"]) {
        let index = number(&copies[2]);
        let cluster = match copies.get(4) {
            Some(_) => Cluster::Single(Score::ALL[index]),
            None => Cluster::Pair(scores(index)),
        };
        let count = u32::try_from(number(&copies[3])).unwrap();
        (0..count)
            .for_each(|copy| encounters.add(number(&copies[0]), number(&copies[1]), cluster, copy));
    }
    for single in list(&case["singles"]) {
        for (count, score) in counts::<3>(&single[2]).into_iter().zip(Score::ALL) {
            (0..count)
                .for_each(|_| encounters.add_single(number(&single[0]), number(&single[1]), score));
        }
    }
    encounters
}

#[test]
fn ratings() {
    let vectors = vectors("ratings3.json");
    let cases = list(&vectors["vectors"]);
    assert_eq!(cases.len(), 24);
    let mut differences = 0;
    for case in cases {
        only(case, &["id", "about", "swiss", "copies", "bots", "pairs", "singles", "expect"]);
        let names: Vec<&str> =
            list(&case["bots"]).iter().map(|name| name.as_str().unwrap()).collect();
        let expect = &case["expect"];
        let options =
            RatingOptions { swiss: case["swiss"].as_bool().unwrap(), ..RatingOptions::default() };
        let ratings = Ratings::fit(names.len(), &encounters(case), &options);
        overall(&ratings, expect);
        assert_eq!(list(&expect["bots"]).len(), names.len());
        for ((rated, row), name) in ratings.bots().iter().zip(list(&expect["bots"])).zip(&names) {
            only(row, &["name", "group", "rating", "low", "high", "half_width"]);
            assert_eq!(row["name"], *name);
            assert_eq!(row["group"], rated.group);
            agree(rated.rating, &row["rating"], ELO);
            agree(rated.low, &row["low"], ELO);
            agree(rated.high, &row["high"], ELO);
            agree(rated.half_width, &row["half_width"], ELO);
        }
        for row in list(&expect["differences"]) {
            let [bot, below] =
                [0, 1].map(|column| names.iter().position(|name| row[column] == *name).unwrap());
            let found = ratings.difference(bot, below).unwrap();
            agree(Some(found.estimate), &row[2], ELO);
            agree(found.low, &row[3], ELO);
            agree(found.high, &row[4], ELO);
            agree(Some(found.superiority), &row[5], PROBABILITY);
            differences += 1;
        }
    }
    assert_eq!(differences, 180);
}

/// Compares the figures of the whole fit.
fn overall(ratings: &Ratings, expect: &Value) {
    let first_side = ratings.first_side();
    let reason = expect["first_side_reason"].as_str();
    assert_eq!(reason, first_side.estimate.is_none().then_some("unidentified"));
    agree(first_side.estimate, &expect["first_side_advantage"], ELO);
    agree(first_side.low, &expect["first_side_low"], ELO);
    agree(first_side.high, &expect["first_side_high"], ELO);
    agree(first_side.half_width, &expect["first_side_half_width"], ELO);
    agree(ratings.scatter(), &expect["scatter"], PROBABILITY);
    agree(ratings.scatter_first_side(), &expect["scatter_first_side"], PROBABILITY);
    assert_eq!(expect["clusters"], ratings.clusters());
    assert_eq!(expect["parameters"], ratings.parameters());
    agree(Some(ratings.virtual_draws()), &expect["virtual_draws"], 1e-6);
    assert_eq!(ratings.kept().len(), list(&expect["kept"]).len());
    ratings
        .kept()
        .zip(list(&expect["kept"]))
        .for_each(|(kept, expect)| agree(kept, expect, PROBABILITY));
    only(
        expect,
        &[
            "first_side_reason",
            "first_side_advantage",
            "first_side_low",
            "first_side_high",
            "first_side_half_width",
            "scatter",
            "scatter_first_side",
            "clusters",
            "parameters",
            "virtual_draws",
            "kept",
            "bots",
            "differences",
        ],
    );
}

fn sprt(case: &Value, model: Model) -> Sprt {
    let [elo0, elo1, alpha, beta] =
        ["elo0", "elo1", "alpha", "beta"].map(|key| case[key].as_f64().unwrap());
    Sprt { elo0, elo1, alpha, beta, model }
}

fn word(verdict: Option<Hypothesis>) -> &'static str {
    match verdict {
        None => "continue",
        Some(Hypothesis::H0) => "H0",
        Some(Hypothesis::H1) => "H1",
    }
}

#[test]
fn likelihood_ratios() {
    let vectors = vectors("ratings.json");
    let section = &vectors["sprt"];
    only(section, &["counts_order", "bounds", "zero_count_replaced_by", "vectors", "sequence"]);
    let cases = list(&section["vectors"]);
    assert_eq!(cases.len(), 8);
    for case in cases {
        for (model, llr, verdict) in [
            (Model::Normalized, "llr_normalized", "verdict_normalized"),
            (Model::Logistic, "llr_logistic", "verdict_logistic"),
        ] {
            let sprt = sprt(case, model);
            let found = sprt.llr(&counts(&case["counts"]));
            agree(Some(found), &case[llr], LLR);
            assert_eq!(case[verdict], word(sprt.verdict(found)));
            let (lower, upper) = sprt.bounds();
            agree(Some(lower), &section["bounds"][0], 1e-12);
            agree(Some(upper), &section["bounds"][1], 1e-12);
        }
    }
}

#[test]
fn the_first_crossing_decides() {
    let vectors = vectors("ratings.json");
    let sequence = &vectors["sprt"]["sequence"];
    assert_eq!(sequence["model"], "normalized");
    let sprt = sprt(sequence, Model::Normalized);
    let half_points = list(&sequence["half_points"]);
    assert_eq!((half_points.len(), list(&sequence["llr"]).len()), (32, 32));
    let mut trial = Trial::new(sprt);
    let mut counts = [0; 5];
    for (scored, llr) in half_points.iter().map(number).zip(list(&sequence["llr"])) {
        counts[scored] += 1;
        trial.add(scored);
        agree(Some(sprt.llr(&counts)), llr, LLR);
    }
    assert_eq!(sequence["decided_after_pairs"], trial.counts().iter().sum::<u64>());
    agree(Some(trial.llr()), &sequence["llr"][20], LLR);
    assert_eq!(trial.verdict(), Some(Hypothesis::H1));
}

#[test]
fn matches() {
    let vectors = vectors("ratings.json");
    let cases = list(&vectors["match"]["cases"]);
    assert_eq!(cases.len(), 6);
    for case in cases {
        let figures = ["elo", "elo_low", "elo_high", "elo_error", "nelo", "nelo_error"];
        let others =
            ["kind", "counts", "score", "variance", "standard_error", "los", "fastchess_published"];
        only(case, &[&figures[..], &others].concat());
        let found = match case["kind"].as_str().unwrap() {
            "wdl" => MatchStatistics::of_games(counts(&case["counts"])),
            "penta" => MatchStatistics::of_pairs(counts(&case["counts"])),
            kind => panic!("{kind}"),
        };
        let found = found.unwrap();
        agree(Some(found.score), &case["score"], 1e-7);
        agree(Some(found.variance), &case["variance"], 1e-7);
        agree(Some(found.standard_error), &case["standard_error"], 1e-7);
        agree(found.los, &case["los"], PROBABILITY);
        let all = [
            found.elo,
            found.elo_low,
            found.elo_high,
            found.elo_error,
            found.nelo,
            found.nelo_error,
        ];
        for (elo, figure) in all.into_iter().zip(figures) {
            agree(elo, &case[figure], ELO);
        }
        assert_eq!((found.elo_at_least, found.elo_at_most), (None, None));
    }
}

#[test]
fn swiss_tie_breaks_agree_with_the_reference() {
    let vectors = vectors("ratings.json");
    let cases = list(&vectors["swiss"]);
    assert_eq!(cases.len(), 1);
    for case in cases {
        let score = |first, second, score| Scored {
            score: Some(score),
            outcome: "win",
            ..Scored::between(first, second)
        };
        let mut standings = Standings::new(Ranking::Swiss);
        for bot in list(&case["bots"]) {
            standings.enter(bot.as_str().unwrap());
        }
        for row in list(&case["rounds"]).iter().flat_map(list) {
            let (bot, opponent) = (row[0].as_str().unwrap(), row[1].as_str().unwrap());
            let half_points = (2.0 * row[2].as_f64().unwrap()) as usize;
            let scores = [half_points.min(2), half_points - half_points.min(2)];
            standings.add(&score(bot, opponent, Score::ALL[scores[0]]));
            standings.add(&score(opponent, bot, Score::ALL[scores[1]].of_opponent()));
            let [one, other] = [bot, opponent].map(|name| standings.enter(name));
            standings.pair(one, other);
        }
        let expect = list(&case["expect"]);
        for placed in standings.table() {
            let expected = expect.iter().find(|bot| bot["name"] == placed.row.name).unwrap();
            let of = |key: &str| expected[key].as_f64().unwrap();
            assert_eq!(placed.row.points(), of("points"));
            assert_eq!(placed.ties.buchholz as f64 / 4.0, of("buchholz"));
            assert_eq!(placed.ties.buchholz_played as f64 / 4.0, of("buchholz_played"));
            assert_eq!(placed.ties.sonneborn_berger as f64 / 4.0, of("sonneborn_berger"));
            assert_eq!(
                placed.ties.sonneborn_berger_played as f64 / 4.0,
                of("sonneborn_berger_played")
            );
            assert_eq!(placed.rank as f64, of("rank"));
        }
    }
}
