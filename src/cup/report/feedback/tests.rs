use super::super::escape::tests::{HOSTILE, is_safe};
use super::*;
use arbiter_game::content::ContentFile;
use arbiter_game::record::read_log;
use proptest::prelude::*;

fn record() -> Record {
    let log = b"[White \"conny\"] [Black \"randy\"] [Result \"0-1\"] [Game \"gekitai\"] [GameId \"conny~randy.1\"]
        [Outcome \"forfeit\"] [Termination \"illegal-move\"] [Detail \"expected a ply; came \\\"z9\\\"\"]
        1. a1 {0.2s} b2 {0.3s} {0.1s z`9} 0-1";
    read_log(log).next().unwrap().unwrap()
}

fn page(record: &Record, text: &str, losses: u64) -> String {
    page_of(record, text, losses, None)
}

fn page_of(record: &Record, text: &str, losses: u64, content: Option<&Content>) -> String {
    let row = Row { name: text.to_owned(), games: 90, losses, forfeits: losses, ..Row::default() };
    let loss = Loss {
        record: record.clone(),
        side: Side::First,
        stderr: text.to_owned(),
        stderr_last: None,
        file: "conny/1.pgn".to_owned(),
    };
    let losses = vec![loss; losses.min(60) as usize];
    feedback(&Feedback {
        tournament: "cup",
        rank: 2,
        bots: 2,
        row: &row,
        milestones: None,
        told: None,
        sleep: None,
        content,
        losses: &losses,
    })
    .markdown
}

#[test]
fn a_loss_is_shown_with_all_that_helps() {
    let expected = "# conny in cup\n
- Rank 2 of 2, 0.0 points from 90 games: 0 won, 0 drawn, 1 lost
- 1 of the losses by breaking a rule of the match

The logs of these games are in the folder `conny`, beside this page. The commands are for that place; FOLDER is your \
bot's folder, its program, or a command line in quotes.

## 1. Lost by forfeit, illegal-move: 1 game

Game conny\\~randy.1 against randy

| Expected | Came |
| --- | --- |
| a ply | \"z9\" |

- Side: X, the first
- The answer that lost: ``z`9``, after 0.100 s
- All moves (2 of 2): a1 b2
- Position at the end: `X5/1O4/6/6/6/6 X`

```board-1
  a b c d e f
6 . . . . . .
```

Standard error:

```text
conny
```

To play it again:

```sh
arbiter rerun conny/1.pgn conny~randy.1 --bot conny=FOLDER
```
";
    let record = record();
    let page = page(&record, "conny", 1);
    let end = GameEnd::new(&record).position;
    let board = expected.replace("  a b c d e f\n6 . . . . . .", &board(&end));
    assert_eq!(page, board.replace("X5/1O4/6/6/6/6 X", &end.to_string()));
}

#[test]
fn the_answer_that_was_refused_is_an_arrow_and_the_last_output_stands_first() {
    let log =
        b"[White \"w\"] [Black \"conny\"] [Result \"1-0\"] [Game \"loa\"] [GameId \"conny~w.1\"]
        [Outcome \"forfeit\"] [Termination \"illegal-move\"]
        [Detail \"conny: expected one of 36 legal moves; came \\\"move a2a9\\\": too far\"]
        {0.1s move a2d2} 1-0";
    let record = read_log(log).next().unwrap().unwrap();
    let loss = Loss {
        side: Side::First,
        stderr: "loading\nthinking\nhm".to_owned(),
        stderr_last: Some(2),
        file: "1.pgn".to_owned(),
        record,
    };
    let mut page = FeedbackPage::default();
    section(&mut page, "conny=FOLDER", &loss);
    let table =
        "| Expected | Came |\n| --- | --- |\n| one of 36 legal moves | \"move a2a9\": too far |";
    assert!(page.markdown.contains(table), "{}", page.markdown);
    let wrote = "\nStandard error at its last move:\n\n```text\nthinking\nhm\n```\n\n\
                 Before that:\n\n```text\nloading\n```\n";
    assert!(page.markdown.contains(wrote), "{}", page.markdown);
    let svg = page.boards["board-1"].svg();
    assert!(svg.contains("<polygon points=") && svg.contains("and a2d2</title>"), "{svg}");
    for (last, said) in [(0, "at its last move. Before that:"), (3, "at its last move:\n")] {
        let mut markdown = String::new();
        let loss = Loss { stderr_last: Some(last), ..loss.clone() };
        push_stderr(&mut markdown, &loss);
        assert!(markdown.contains(said), "{markdown}");
    }
}

#[test]
fn a_loss_by_the_rules_shows_what_is_proved_of_it() {
    let log = b"[White \"conny\"] [Black \"randy\"] [Result \"0-1\"] [Game \"lineup\"] [GameId \"conny~randy.1\"]
        [Options \"n=4 s=3 blocks=none\"] [Outcome \"win\"] [Termination \"line\"] 1. a0 b1 2. a3 b2 3. d0 b3 0-1";
    let record = read_log(log).next().unwrap().unwrap();
    let page = page(&record, "conny", 1);
    let said = "\nThe loss is proved from ply 3 on:\n\n- Ply 3: `a1` wins by force in 9; `a3` was played, \
                which loses by force in 4\n";
    assert!(page.contains(said), "{page}");
    assert!(!page.contains("To prove more"), "the value of each ply is proved: {page}");
}

#[test]
fn where_more_can_be_proved_the_command_is_named() {
    let log = b"[White \"conny\"] [Black \"randy\"] [Result \"0-1\"] [Game \"gekitai\"]
        [Options \"n=6 p=8 l=3 simultaneous=draw\"] [Outcome \"suicide\"] [Termination \"suicide\"]
        1. c4 f1 2. d6 b6 3. a4 c6 4. b6 c5 5. f5 a2 6. b6 b5 7. d1 d5 8. b1 c5 9. a3 d2 10. e1 0-1";
    let record = read_log(log).next().unwrap().unwrap();
    let page = page(&record, "conny", 1);
    let again = "\nTo prove more of it:\n\n```sh\narbiter turning conny/1.pgn ";
    assert!(page.contains(again), "{page}");
}

#[test]
fn the_command_names_the_bot_as_its_folder_has_it() {
    let content = |command: &[&str], files: &[&str]| Content {
        command: command.iter().map(ToString::to_string).collect(),
        files: files.iter().map(|path| ContentFile::new(*path, false, "")).collect(),
        ..Content::default()
    };
    for (command, files, expected) in [
        (&["python3", "bot.py"][..], &["bot.py", "bot.toml"][..], "FOLDER"),
        (&["python3", "-u", "bot.py", "a b"], &["bot.py"], "python3 -u FOLDER/bot.py 'a b'"),
        (&["python3", "/srv/cup/bot.py"], &["/srv/cup/bot.py"], "FOLDER"),
        (&["java", "Bot"], &["Bot.class"], "FOLDER"),
        (&["builtin:search", "version 1"], &[], "builtin:search"),
    ] {
        assert_eq!(program_of(Some(&content(command, files))), expected);
    }
    let built =
        Content { build: Some("make".into()), ..content(&["./bot"], &["Makefile", "./bot"]) };
    assert_eq!(folder_of(Some(&built)), "your bot's folder, after `make` there");
    assert!(folder_of(None).contains("command line in quotes"));
}

/// Without its adapter the bot would be asked in lines that it does not know.
#[test]
fn the_command_names_the_adapter() {
    let content = Content {
        command: vec!["python3".into(), "bot.py".into()],
        adapter: Some(format!("../course/lines.py {}", "0".repeat(64))),
        ..Content::default()
    };
    let record = record();
    let page = page_of(&record, "conny", 1, Some(&content));
    assert!(page.contains(" --bot conny='adapter:lines.py FOLDER'\n"), "{page}");
    assert!(page.contains("The course's adapter `lines.py` translates"), "{page}");
}

#[test]
fn further_losses_of_a_kind_take_a_line_and_illegal_plies_end_the_game() {
    let mut record = record();
    record.plies.push(record.plies[1].clone());
    let page = page(&record, "conny", 70);
    assert_eq!(page.matches("## ").count(), 1);
    let games = vec!["conny\\~randy.1"; 59].join(", ");
    let line = format!("\n- 59 games ({games}), as in the first: expected a ply; came \"z9\"\n");
    assert!(page.contains(&line), "{page}");
    assert!(page.ends_with("\n10 more losses are not shown.\n"), "{page}");
    assert!(page.contains("- The log is not valid: ply 3 is illegal: "), "{page}");
}

#[test]
fn standard_error_is_readable_and_the_isolation_stands_once_at_the_end() {
    let mut record = record();
    record.isolation = Some("strict fork=denied memory=watched".to_owned());
    // As the journal keeps it.
    let stderr =
        arbiter_rules::text::printable("print(\"a\\nb\") … é 小明 \u{1b}[2J".as_bytes(), 100);
    let page = page(&record, &stderr, 3);
    let shown = "```text\nprint(\"a\\nb\") … é 小明 \\x1b[2J\n```\n";
    assert!(page.contains(shown), "{page}");
    assert!(
        page.ends_with("\nThe isolation of these games: `strict (memory=watched)`\n"),
        "{page}"
    );
    assert_eq!(page.matches("memory=watched").count(), 1, "{page}");
}

#[test]
fn further_losses_share_a_line_if_only_numbers_differ() {
    let details = [
        Some("late by 3 ms"),
        Some("late by 12 ms"),
        None,
        None,
        Some("asleep"),
        Some("late by 0 ms"),
    ];
    let records = details.map(|detail| Record { detail: detail.map(str::to_owned), ..record() });
    let losses = records.map(|record| Loss {
        record,
        side: Side::First,
        stderr: String::new(),
        stderr_last: None,
        file: String::new(),
    });
    let mut out = String::new();
    further(&mut out, &losses.each_ref());
    let id = "conny\\~randy.1";
    let alone = format!("- {id} against randy, as X, 2 plies");
    let together = format!("- 3 games ({id}, {id}, {id}), as in the first: late by 3 ms");
    assert_eq!(out, format!("{together}\n{alone}\n{alone}\n{alone}: asleep\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn any_text_is_safe(text in "(\\PC|\\pC|[|`:@#\\[<\n]){0,40}") {
        hostile(&text)?;
    }
}

fn hostile(text: &str) -> Result<(), TestCaseError> {
    let mut record = record();
    record.players.second = text.to_owned();
    record.detail = Some(text.to_owned());
    record.id = Some(text.to_owned());
    let failed = Some((FailedStep::Build, text.as_bytes().to_vec()));
    let again = Some(text.to_owned());
    let of = AbsenceFeedback { tournament: text, name: text, reason: text, failed, again };
    let page = page(&record, text, 1) + &absence(&of);
    prop_assert!(is_safe(&page), "{}", page);
    prop_assert!(!page.contains("<script>") || page.contains("```"), "{}", page);
    Ok(())
}

#[test]
fn strangers_write_no_page() {
    for text in &HOSTILE {
        hostile(text).unwrap();
    }
}
