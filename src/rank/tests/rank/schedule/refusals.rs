//! Refused formats and names, with their messages.

use super::*;

#[test]
fn every_refusal_names_its_key() {
    let four = ["a", "b", "c", "d"];
    let robin = Format { games: 2, rounds: 1, ..named("round-robin") };
    let gauntlet = |challengers| Format { challengers, games: 2, rounds: 1, ..named("gauntlet") };
    let long = "x".repeat(65);
    let table: &[(Format, &[&str], &str)] = &[
        (robin, &[], "a tournament needs two bots or more, [[bot]] names 0"),
        (robin, &["a"], "a tournament needs two bots or more, [[bot]] names 1"),
        (robin, &["a", ""], "[[bot]] name = \"\": a name is 1 to 64 of"),
        (robin, &["a", ".b"], "[[bot]] name = \".b\": a name is"),
        (robin, &["a", "b~c"], "[[bot]] name = \"b~c\": a name is"),
        (robin, &["a", "é"], "[[bot]] name = \"é\": a name is"),
        (robin, &["a", &long], "a name is 1 to 64"),
        (robin, &["Conny", "b", "conny"], "[[bot]] name = \"conny\": there is \"Conny\" already"),
        (
            Format { games: 0, rounds: 1, ..named("round-robin") },
            &four,
            "[schedule] games = 0: must be at least 1",
        ),
        (
            Format { games: 1, rounds: 0, ..named("round-robin") },
            &four,
            "[schedule] rounds = 0: must be at least 1",
        ),
        (Format { games: 0, rounds: 1, ..named("swiss") }, &four, "[schedule] games = 0"),
        (Format { games: 1, rounds: 0, ..named("swiss") }, &four, "[schedule] rounds = 0"),
        (gauntlet(0), &four, "[schedule] challengers = 0: must be at least 1"),
        (
            gauntlet(4),
            &four,
            "[schedule] challengers = 4: must be less than the number of bots; there are 4 bots",
        ),
        (
            Format { challengers: 1, games: 1, rounds: 0, ..named("gauntlet") },
            &four,
            "[schedule] rounds = 0",
        ),
        (
            Format { best_of: 0, ..named("knockout") },
            &four,
            "[schedule] best-of = 0: must be at least 1",
        ),
        (Format { best_of: 3, ..named("knockout") }, &four, "[schedule] best-of = 3: must be even"),
        (Format { max_pairs: 0, ahead: 1, ..named("sprt") }, &four[..2], "[sprt] max-pairs = 0"),
        (Format { max_pairs: 1, ahead: 0, ..named("sprt") }, &four[..2], "concurrency = 0"),
        (
            Format { max_pairs: 1, ahead: 1, ..named("sprt") },
            &four,
            "[schedule] format = \"sprt\": tests the first [[bot]] against",
        ),
    ];
    for (format, names, message) in table {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let error = Schedule::new(*format, &names).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let names = ["a", "0._-Z", &"x".repeat(64)].map(String::from);
    assert!(Schedule::new(gauntlet(2), &names).is_ok());
}
