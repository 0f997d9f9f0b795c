use super::sprt_figures::StatisticsFigures;
use super::*;
use crate::report::anonymizer::Anonymizer;
use crate::report::escape::tests::{HOSTILE, is_safe};
use crate::tournament::{Absentee, Milestones};
use arbiter_rank::rating::{MatchStatistics, RatingOptions, Ratings};
use arbiter_rank::standings::{Ranking, Score, Scored};
use proptest::prelude::*;
use serde_json::Value;

fn add(standings: &mut Standings, first: &str, second: &str, scores: &[Score]) {
    for (index, &score) in scores.iter().enumerate() {
        let plies = standings.rows().iter().map(|row| row.games).sum::<u64>() + index as u64;
        let game = Scored {
            score: Some(score),
            outcome: "win",
            plies: Some(plies),
            ..Scored::between(first, second)
        };
        standings.add(&game);
    }
}

/// Three bots that can be compared, one that lost everything, one forfeit, one repeated and one
/// aborted game.
fn cup(names: [&str; 4]) -> Standings {
    use Score::{Draw, Loss, Win};
    let [a, b, c, d] = names;
    let mut standings = Standings::new(Ranking::Points);
    for name in &names {
        standings.enter(name);
    }
    add(&mut standings, a, b, &[Win, Loss]);
    add(&mut standings, b, a, &[Draw, Loss]);
    add(&mut standings, b, c, &[Win, Loss]);
    add(&mut standings, c, a, &[Loss, Win]);
    add(&mut standings, a, d, &[Win]);
    add(&mut standings, d, a, &[Loss]);
    let forfeit = Scored {
        score: Some(Loss),
        outcome: "forfeit",
        termination: "timeout",
        ..Scored::between(d, b)
    };
    standings.add(&forfeit);
    let again =
        Scored { score: Some(Win), outcome: "win", plies: Some(99_999), ..Scored::between(c, d) };
    standings.add(&again);
    standings.add(&again);
    standings.add(&Scored::between(c, d));
    standings.end_of_log();
    standings
}

fn report(standings: Standings) -> StandingsReport {
    rated(standings, &RatingOptions::default())
}

fn rated(standings: Standings, options: &RatingOptions) -> StandingsReport {
    let ratings = Ratings::fit(standings.rows().len(), standings.encounters(), options);
    StandingsReport::new(standings, ratings)
}

fn full<T>(names: [&str; 4], text: &str, see: impl FnOnce(&StandingsReport) -> T) -> T {
    let report =
        rated(cup(names), &RatingOptions { anchors: vec![(0, 0.0)], ..RatingOptions::default() });
    let absent = Absentee {
        name: text.to_owned(),
        private: None,
        reason: text.to_owned(),
        folder: None,
        excluded: true,
    };
    see(&StandingsReport {
        name: text.to_owned(),
        game: "loa".to_owned(),
        options: text.to_owned(),
        format: "round-robin",
        isolation: "strict".to_owned(),
        anchors: vec![(names[0].to_owned(), 0.0)],
        complete: Some(false),
        games: Some(GameCounts { played: 11, scheduled: 12, at_most: false }),
        absent: vec![Anonymizer::unchanged().absentee(&absent)],
        notes: vec![text.to_owned()],
        sprt: Some(SprtFigures {
            model: "normalized",
            elo0: Some(0.0),
            elo1: Some(20.0),
            llr: Some(1.25),
            lower: rounding::fine(-2.9444389791664403),
            upper: rounding::fine(2.9444389791664403),
            pairs: 22,
            counts: [1, 4, 9, 6, 2],
            verdict: Some("undecided"),
            statistics: MatchStatistics::of_pairs([1, 4, 9, 6, 2])
                .as_ref()
                .map(StatisticsFigures::new),
        }),
        milestones: Some(Milestones::example()),
        expectations: vec![ExpectationResult { text: text.to_owned(), kept: Kept::No }],
        ..report
    })
}

#[test]
fn milestones_are_told_in_words_and_as_a_table_for_programs() {
    let (texts, csv) =
        full(NAMES, "cup", |report| (milestone_texts(report), milestones_csv(report)));
    let conny =
        "slow passed (95 %), randy undecided: about 12 more games (a step asks 50 % of the points)";
    let greta = "slow not passed (95 %), randy not reached (a step asks 50 % of the points)";
    assert_eq!(texts, [Some(conny.to_owned()), None, Some(greta.to_owned()), None]);
    let expected = "bot,passed,of,step,confidence,next,verdict,next_confidence,more_games,left_out\n\
        conny,1,2,slow,0.955202,randy,undecided,,12,0\n\
        greta,0,2,,,slow,not passed,0.955202,,0\n";
    assert_eq!(csv.unwrap(), expected);
    let bare = report(cup(NAMES));
    assert_eq!((milestone_texts(&bare), milestones_csv(&bare)), (vec![None; 4], None));
}

const NAMES: [&str; 4] = ["conny", "randy", "greta", "slow"];

#[test]
fn the_short_table() {
    let mut standings = Standings::new(Ranking::Points);
    standings.add(&Scored {
        score: Some(Score::Loss),
        outcome: "forfeit",
        ..Scored::between("a|*b", "randy")
    });
    assert_eq!(
        brief(&standings),
        "bot    points  games  wins  draws  losses  forfeits\n\
         randy     1.0      1     1      0       0         0\n\
         a|*b      0.0      1     0      0       1         1\n"
    );
}

#[test]
fn the_standings_as_text() {
    let text = full(NAMES, "cup", |report| text(report, Explanation::Full));
    assert_eq!(text, include_str!("standings.txt"));
}

#[test]
fn the_standings_without_explanations_fit_a_terminal() {
    let short = full(NAMES, "cup", |report| text(report, Explanation::Short));
    assert_eq!(short, include_str!("short.txt"));
    let tables = short.lines().filter(|line| line.contains("  "));
    assert!(tables.clone().count() >= 10);
    assert!(tables.into_iter().all(|line| line.chars().count() <= 80), "{short}");
}

/// The tie-breaks of the short table.
fn tie_breaks(games: &[(&str, &str, Score)]) -> String {
    let mut standings = Standings::new(Ranking::Points);
    for (first, second, score) in games {
        add(&mut standings, first, second, &[*score]);
    }
    let shown = text(&report(standings), Explanation::Short);
    shown.lines().next().unwrap().split_once("95 %").unwrap().1.trim().to_owned()
}

#[test]
fn a_tie_break_is_shown_where_it_decided_a_rank() {
    use Score::{Draw, Win};
    assert_eq!(
        tie_breaks(&[("a", "b", Win), ("a", "c", Win), ("b", "c", Win)]),
        "",
        "points decide"
    );
    assert_eq!(tie_breaks(&[("a", "b", Draw)]), "", "a shared rank is decided by nothing");
    let both_won = [("a", "b", Win), ("b", "c", Win), ("a", "c", Draw), ("b", "c", Draw)];
    assert_eq!(tie_breaks(&both_won), "H2H");
    let apart = [("a", "c", Win), ("b", "d", Win), ("c", "d", Win)];
    assert_eq!(tie_breaks(&apart), "S-B");
}

#[test]
fn sorted_by_rating_ranks_stay() {
    let mut standings = Standings::new(Ranking::Points);
    add(&mut standings, "busy", "weak", &[Score::Win; 4]);
    add(&mut standings, "strong", "busy", &[Score::Win; 3]);
    standings.add(&Scored::between("idle", "weak"));
    let by = |sort| -> Vec<(String, u64)> {
        let report = StandingsReport { sort, ..report(standings.clone()) };
        let object: Value = serde_json::from_str(&json(&report)).unwrap();
        let line =
            |bot: &Value| (bot["name"].as_str().unwrap().to_owned(), bot["rank"].as_u64().unwrap());
        object["bots"].as_array().unwrap().iter().map(line).collect()
    };
    let [busy, strong, weak, idle] =
        [("busy", 1), ("strong", 2), ("weak", 3), ("idle", 3)].map(|(n, r)| (n.to_owned(), r));
    assert_eq!(by(SortBy::Points), [&busy, &strong, &weak, &idle].map(Clone::clone));
    assert_eq!(by(SortBy::Rating), [strong, busy, weak, idle]);
}

#[test]
fn the_match_line_shows_the_difference() {
    full(NAMES, "cup", |report| assert_eq!((match_line(report), match_json(report)), (None, None)));
    let mut standings = Standings::new(Ranking::Points);
    add(&mut standings, "conny", "randy", &[Score::Win]);
    let report = report(standings);
    let line = match_line(&report).unwrap();
    let expected = "conny against randy: 1.0 of 1, too few games to tell the stronger one";
    assert_eq!(line, expected);
    assert_eq!(text(&report, Explanation::Short).lines().last(), Some(expected));
    let object: Value = serde_json::from_str(&match_json(&report).unwrap()).unwrap();
    let fields = serde_json::json!({
        "type": "match", "v": 1, "bot": "conny", "opponent": "randy", "games": 1, "wins": 1, "draws": 0, "losses": 0,
        "points": 1.0, "difference": 190.8485, "low": -595.4578, "high": null, "superiority": 0.682861, "sprt": null,
    });
    assert_eq!(object, fields);
}

#[test]
fn the_standings_as_markdown() {
    let page = full(NAMES, "a|b @all <script>", |report| markdown(report, Explanation::Short));
    assert!(
        page.starts_with("# a\\|b @<!-- -->all \\<script\\>\n\n- loa (a\\|b @<!-- -->all"),
        "{page}"
    );
    assert!(page.contains("\n| rank | bot | points |"), "{page}");
    assert!(page.contains("\n| ---: | --- | ---: |"), "{page}");
    assert!(
        page.contains("\n## Crosstable, points of the row's bot\n\n| no | bot | 1 | 2 | 3 | 4 |\n"),
        "{page}"
    );
    assert!(page.contains("\n- INCOMPLETE: "), "{page}");
}

#[test]
fn logs_alone_leave_out_what_is_not_known() {
    let mut standings = Standings::new(Ranking::Points);
    add(&mut standings, "conny", "randy", &[Score::Win]);
    let report = report(standings);
    let text = text(&report, Explanation::Full);
    let expected = "\
rank  bot    points  games  wins  losses      share %
   1  conny     1.0      1     1       0  100.0 ± 0.0
   2  randy     0.0      1     0       1    0.0 ± 0.0

Ratings:
bot    rating       low      high  to next             95 %  LOS %
conny    95.4    -297.7  and more    190.8  -595.5 and more   68.3
randy   -95.4  and less     297.7        -                -      -

Over all bots, results scatter 1.0 times as widely as independent games would
We add one virtual draw per bot, so that every bot has a rating; the interval holds the strength with 95 % confidence

Notes:
The side that moves first won 1, drew 0 and lost 0: 100.0 %; these games do not show its advantage, which the ratings \
take as 0 Elo
Ranked by points, then head-to-head where all tied bots met equally often, then Sonneborn-Berger, then wins; bots \
equal in all of these share a rank
Share: points by games, with half the 95 % interval over pairs as they were played
Rating: Elo, mean 0 in a group; low and high: its 95 % interval, relative to the group's mean, with \"and more\" or \
\"and less\" where no result bounds it
To next: the rating less that of the line below, with the 95 % interval of this difference
LOS: likelihood of superiority, the probability that a bot is stronger than the one in the line below

conny against randy: 1.0 of 1, too few games to tell the stronger one
";
    assert_eq!(text, expected);
    let object: Value = serde_json::from_str(&json(&report)).unwrap();
    assert!(object["name"].is_null() && object["complete"].is_null());
}

#[test]
fn tables_without_games_are_tables() {
    let mut standings = Standings::new(Ranking::Swiss);
    assert!(text(&report(standings.clone()), Explanation::Short).starts_with("rank  bot  points"));
    standings.enter("conny");
    standings.bye(0, 4);
    let report = report(standings);
    let shown = text(&report, Explanation::Full);
    assert!(shown.contains("byes") && !shown.contains("Rating"), "{shown}");
    assert!(markdown(&report, Explanation::Short).contains("| byes |"));
    let object: Value = serde_json::from_str(&json(&report)).unwrap();
    assert_eq!(object["bots"][0]["bye_points"], 2.0);
    let nulls = serde_json::json!({ "group": 1, "rating": null, "low": null, "high": null, "half_width": null });
    assert_eq!(object["bots"][0]["rating"], nulls);
}

#[test]
fn figures_are_finite_and_rounded() {
    assert_eq!(rounding::elo(f64::INFINITY), None);
    assert_eq!(rounding::fine(f64::NAN), None);
    assert_eq!(rounding::elo(-0.000_01).map(f64::to_bits), Some(0.0_f64.to_bits()));
    assert_eq!(rounding::elo(1.0 / 3.0), Some(0.3333));
}

/// The first difference between a value and its schema, in type, keys or descriptions, at any
/// depth.
fn differs(schema: &Value, value: &Value, path: &str) -> Option<String> {
    if !schema["description"].is_string() {
        return Some(format!("{path}: not described"));
    }
    if let Some(only) = schema.get("const") {
        return (only != value).then(|| format!("{path}: {value}"));
    }
    if let Some(values) = schema.get("enum") {
        return (!values.as_array().unwrap().contains(value)).then(|| format!("{path}: {value}"));
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    let of = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() && types.contains(&"integer".into()) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !types.contains(&of.into()) {
        return Some(format!("{path}: {of}, not {types:?}"));
    }
    match value {
        Value::Array(items) => {
            items.iter().find_map(|item| differs(&schema["items"], item, &format!("{path}[]")))
        }
        Value::Object(fields) => {
            let properties = schema["properties"].as_object().unwrap();
            let keys: Vec<&String> = fields.keys().collect();
            let is_optional = |key: &str| ["display", "excluded"].contains(&key);
            let is_there = |key: &&String| !is_optional(key) || fields.contains_key(*key);
            if keys != properties.keys().filter(is_there).collect::<Vec<_>>() {
                return Some(format!("{path}: {keys:?}"));
            }
            let required: Vec<&str> = schema["required"]
                .as_array()
                .unwrap()
                .iter()
                .map(|key| key.as_str().unwrap())
                .collect();
            let mut sorted = required.clone();
            sorted.sort_unstable();
            let always: Vec<&String> = keys.into_iter().filter(|key| !is_optional(key)).collect();
            if always != sorted || schema["additionalProperties"] != Value::Bool(false) {
                return Some(format!("{path}: required is {required:?}"));
            }
            fields
                .iter()
                .find_map(|(key, field)| differs(&properties[key], field, &format!("{path}.{key}")))
        }
        _ => None,
    }
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../standings.schema.json")).unwrap()
}

#[test]
fn the_object_is_what_its_schema_says() {
    let schema = schema();
    let object: Value = serde_json::from_str(&full(NAMES, "cup", json)).unwrap();
    assert_eq!(differs(&schema, &object, ""), None);
    assert_eq!(object["bots"].as_array().unwrap().len(), 4);
    for list in ["crosstable", "groups", "neighbours", "expectations", "absent", "notes"] {
        assert!(!object[list].as_array().unwrap().is_empty(), "{list} is not tried out");
    }
    let empty = report(Standings::new(Ranking::Points));
    let mut bare: Value = serde_json::from_str(&json(&empty)).unwrap();
    assert_eq!(differs(&schema, &bare, ""), None);
    bare["more"] = Value::Null;
    assert!(differs(&schema, &bare, "").is_some());
}

#[test]
fn the_same_games_give_the_same_bytes() {
    assert_eq!(full(NAMES, "cup", json), full(NAMES, "cup", json));
}

fn hostile(stranger: &str) -> Result<(), TestCaseError> {
    full([stranger, "b", "c", "d"], stranger, |report| {
        let display_names = vec![None, Some(stranger.to_owned())];
        let report = &StandingsReport { display_names, ..report.clone() };
        let written = json(report);
        prop_assert!(is_safe(&written), "{}", written);
        let object: Value = serde_json::from_str(&written).unwrap();
        for key in ["name", "display"] {
            prop_assert!(object["bots"].as_array().unwrap().iter().any(|bot| bot[key] == stranger));
        }
        prop_assert_eq!(differs(&schema(), &object, ""), None);
        let shown = text(report, Explanation::Full);
        prop_assert!(is_safe(&shown), "{shown}");
        let page = markdown(report, Explanation::Full);
        let plain =
            page.replace("\\\\", "").replace("\\<", "").replace("\\|", "").replace("<!-- -->", "");
        prop_assert!(is_safe(&page) && !plain.contains('<'), "{}", page);
        let rows = plain.lines().filter(|line| line.starts_with("| ")).take(6);
        let table: Vec<usize> = rows.map(|row| row.matches('|').count()).collect();
        prop_assert!(table.iter().all(|&count| count == table[0]), "{}", page);
        Ok(())
    })
}

#[test]
fn hostile_names_are_escaped() {
    for text in &HOSTILE {
        hostile(text).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn any_names_are_safe(text in "(\\PC|\\pC|[|`:@#\\[<\n]){4,40}") {
        hostile(&text)?;
    }
}
