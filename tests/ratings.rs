//! Ratings, SPRT and matches compared with all the shared reference data (tournaments.md, Ratings), except
//! for the Swiss tie-breaks, which a unit test of `standings` compares, and the ratings without a first
//! side's advantage, which a unit test of `rating` compares because they are not public.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arbiter::rating::{
    BotRating, GroupRelation, Hypothesis, MatchStatistics, Model, RatingLimit, Ratings, Sprt, Trial,
};
use arbiter::standings::{Encounters, Score};
use serde_json::Value;
use std::fs;
use std::path::Path;

const ELO: f64 = 0.01;
const LLR: f64 = 0.001;
const PROBABILITY: f64 = 1e-5;

fn vectors() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/ratings.json");
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

fn score(value: f64) -> Score {
    Score::ALL[(value * 2.0) as usize]
}

fn encounters(case: &Value) -> Encounters {
    let mut encounters = Encounters::default();
    for pair in list(&case["pairs"]) {
        let [as_first, as_second] = [2, 3].map(|column| score(pair[column].as_f64().unwrap()));
        encounters.add_pair(number(&pair[0]), number(&pair[1]), [as_first, as_second.of_opponent()]);
    }
    encounters
}

#[test]
fn bradley_terry() {
    let vectors = vectors();
    let cases = list(&vectors["bradley_terry"]);
    assert_eq!(cases.len(), 5);
    let [mut relations, mut neighbours, mut limits] = [0; 3];
    for case in cases {
        only(case, &["id", "about", "bots", "pairs_columns", "pairs", "expect"]);
        let names: Vec<&str> = list(&case["bots"]).iter().map(|name| name.as_str().unwrap()).collect();
        let expect = &case["expect"];
        let ratings = Ratings::fit(names.len(), &encounters(case));
        overall(&ratings, expect);

        assert_eq!(list(&expect["bots"]).len(), names.len());
        for ((rated, expect), name) in ratings.bots().iter().zip(list(&expect["bots"])).zip(&names) {
            assert_eq!(expect["name"], *name);
            limits += bot(rated, expect);
        }
        for relation in list(&expect["group_relations"]) {
            let expected = match relation[2].as_str().unwrap() {
                "above" => GroupRelation::Above,
                "below" => GroupRelation::Below,
                "not comparable" => GroupRelation::NotComparable,
                word => panic!("{word}"),
            };
            assert_eq!(ratings.relation(number(&relation[0]), number(&relation[1])), expected);
            relations += 1;
        }
        let groups = ratings.groups().len();
        assert_eq!(list(&expect["group_relations"]).len(), groups * (groups - 1) / 2);
        for neighbour in list(&expect["neighbours"]) {
            only(
                neighbour,
                &["better", "worse", "difference", "half_width", "los", "half_width_pairs", "los_pairs"],
            );
            let [better, worse] =
                ["better", "worse"].map(|key| names.iter().position(|name| neighbour[key] == *name).unwrap());
            let superiority = ratings.superiority(better, worse).unwrap();
            agree(Some(superiority.difference), &neighbour["difference"], ELO);
            agree(Some(superiority.half_width), &neighbour["half_width"], ELO);
            agree(superiority.los, &neighbour["los"], PROBABILITY);
            agree(superiority.half_width_pairs, &neighbour["half_width_pairs"], ELO);
            agree(superiority.los_pairs, &neighbour["los_pairs"], PROBABILITY);
            neighbours += 1;
        }
    }
    assert_eq!([relations, neighbours, limits], [5, 16, 2]);
}

/// Compares the figures of the whole fit. `check` records how the reference data were verified.
fn overall(ratings: &Ratings, expect: &Value) {
    only(
        expect,
        &[
            "h_status",
            "log_likelihood_within_groups",
            "first_side_advantage",
            "first_side_half_width",
            "first_side_half_width_pairs",
            "clusters",
            "parameters",
            "bots",
            "group_relations",
            "neighbours",
            "without_first_side",
            "check",
        ],
    );
    let first_side = ratings.first_side();
    assert_eq!(expect["h_status"], first_side.reason.map_or("finite", |reason| reason.word()));
    agree(first_side.estimate, &expect["first_side_advantage"], ELO);
    agree(first_side.half_width, &expect["first_side_half_width"], ELO);
    agree(first_side.half_width_pairs, &expect["first_side_half_width_pairs"], ELO);
    agree(ratings.log_likelihood(), &expect["log_likelihood_within_groups"], 1e-6);
    assert_eq!(expect["clusters"], ratings.clusters());
    assert_eq!(expect["parameters"], ratings.parameters());
}

/// Compares a bot; returns 1 if it has a limit.
fn bot(rated: &BotRating, expect: &Value) -> usize {
    only(expect, &["name", "group", "rating", "half_width", "half_width_pairs", "at_least", "at_most"]);
    assert_eq!(expect["group"], rated.group);
    agree(rated.rating, &expect["rating"], ELO);
    agree(rated.half_width, &expect["half_width"], ELO);
    agree(rated.half_width_pairs, &expect["half_width_pairs"], ELO);
    let (at_least, at_most) = match rated.limit {
        None => (None, None),
        Some(RatingLimit::AtLeast(elo)) => (Some(elo), None),
        Some(RatingLimit::AtMost(elo)) => (None, Some(elo)),
    };
    agree(at_least, &expect["at_least"], ELO);
    agree(at_most, &expect["at_most"], ELO);
    usize::from(rated.limit.is_some())
}

fn sprt(case: &Value, model: Model) -> Sprt {
    let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|key| case[key].as_f64().unwrap());
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
    let vectors = vectors();
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
    let vectors = vectors();
    let sequence = &vectors["sprt"]["sequence"];
    assert_eq!(sequence["model"], "normalized");
    let sprt = sprt(sequence, Model::Normalized);
    let half_points = list(&sequence["half_points"]);
    assert_eq!((half_points.len(), list(&sequence["llr"]).len()), (32, 32));
    let mut trial = Trial::new(sprt);
    let mut counts = [0; 5];
    for (half_points, llr) in half_points.iter().map(number).zip(list(&sequence["llr"])) {
        counts[half_points] += 1;
        trial.add(half_points);
        agree(Some(sprt.llr(&counts)), llr, LLR);
    }
    assert_eq!(sequence["decided_after_pairs"], trial.counts().iter().sum::<u64>());
    agree(Some(trial.llr()), &sequence["llr"][20], LLR);
    assert_eq!(trial.verdict(), Some(Hypothesis::H1));
}

#[test]
fn matches() {
    let vectors = vectors();
    let cases = list(&vectors["match"]["cases"]);
    assert_eq!(cases.len(), 6);
    for case in cases {
        let figures = ["elo", "elo_low", "elo_high", "elo_error", "nelo", "nelo_error"];
        let others = ["kind", "counts", "score", "variance", "standard_error", "los", "fastchess_published"];
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
        let elo = [found.elo, found.elo_low, found.elo_high, found.elo_error, found.nelo, found.nelo_error];
        for (elo, figure) in elo.into_iter().zip(figures) {
            agree(elo, &case[figure], ELO);
        }
        assert_eq!((found.elo_at_least, found.elo_at_most), (None, None));
    }
}
