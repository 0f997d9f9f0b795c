#![cfg(test)]

use super::*;
use crate::report::escape::tests::{HOSTILE, is_safe};
use crate::report::json;
use arbiter_engine::bot_check::Line;
use arbiter_game::{Channel, Fault, Sandbox};
use proptest::prelude::*;

const EVIDENCE: EvidenceOf<'static> = &|finding| {
    let file = format!("check/conny/{}.txt", finding.situation);
    let command = Some(format!("(cd bots/conny && ./conny) < {file}"));
    (!finding.requests.is_empty()).then_some(Evidence { file, command, build: None })
};

fn line(channel: Channel, text: &str) -> Line {
    Line { channel, bytes: text.as_bytes().to_vec() }
}

/// A bot with two causes of faults in two games, a remark, and one situation that was not tried.
fn bot(text: &str) -> CheckedBot {
    let crash = Finding {
        result: CheckResult::Fault,
        fault: Some(Fault::Crash),
        sentence: format!("lost by crash: {text}"),
        cure: "read the last line on its standard error".to_owned(),
        cause: "crash".to_owned(),
        lines: vec![line(Channel::Request, "go"), line(Channel::Stderr, text)],
        requests: "start\nturn 1\ngo\n".to_owned(),
        plies: Some(0),
        other: Other::Fails,
        ..Finding::new("loa", "opening", "it answers the first question")
    };
    let capture = Finding { plies: Some(1), ..Finding::new("gekitai", "push", "it pushes") };
    let late = Finding {
        result: CheckResult::Fault,
        fault: Some(Fault::Timeout),
        sentence: "lost by timeout: nothing came".to_owned(),
        other: Other::Passes(Sandbox::Basic),
        ..capture.clone()
    };
    let alike = Finding { situation: "capture".to_owned(), ..crash.clone() };
    let flush = Finding {
        result: CheckResult::Remark,
        sentence: "it does not flush".to_owned(),
        ..Finding::new("loa", "flushes", "arbiter does not flush for it")
    };
    let reuse =
        Finding { result: CheckResult::Skipped, ..Finding::new("loa", "reuse", "three games") };
    let ready = Finding::new("loa", "ready", "it gets ready");
    CheckedBot { name: "conny".to_owned(), findings: vec![ready, crash, alike, late, flush, reuse] }
}

#[test]
fn a_cause_is_told_once_and_the_sum_comes_last() {
    let bot = bot("ValueError: my bug");
    let expected = "\
FAULT 1: opening of loa: it answers the first question
  lost by crash: ValueError: my bug
  The lines (> to the bot, ! on its standard error):
    > go
    ! ValueError: my bug
  What to do: read the last line on its standard error
  Isolation is not the cause: it fails without it as well.
  To see it without arbiter:
    (cd bots/conny && ./conny) < check/conny/opening.txt
  And 1 situation more fails alike: capture of loa.

FAULT 2: push of gekitai: it pushes
  lost by timeout: nothing came
  Isolation is the cause: under basic it does not fail. `arbiter doctor` says
  what each level forbids.

REMARK 1: flushes of loa: arbiter does not flush for it
  it does not flush

conny: 2 faults, in 3 of 5 situations of loa, gekitai; 1 remark; 1 not tried
";
    assert_eq!(text(&bot, EVIDENCE, 80), expected);
    assert_eq!(
        (result(&bot), few_words(&bot)),
        (CheckResult::Fault, "crash in opening of loa".to_owned())
    );
    assert_eq!(
        row_line(&bot, 6),
        "conny   fault   crash in opening of loa       2 faults, 1 remark"
    );
}

#[test]
fn a_bot_without_a_fault_has_its_sum_alone() {
    let ready = Finding::new("loa", "ready", "it gets ready");
    let bot = CheckedBot { name: "bo".to_owned(), findings: vec![ready] };
    assert_eq!(text(&bot, EVIDENCE, 80), "bo: no fault in 1 situation of loa\n");
    assert_eq!(row_line(&bot, 2), "bo  ok");
    assert!(page(&bot, EVIDENCE).ends_with("\nThere is nothing to fix here.\n"));
}

#[test]
fn a_long_traceback_leaves_room_for_the_question() {
    let mut bot = bot("boom");
    let line = |channel, number| Line { channel, bytes: format!("{number}").into_bytes() };
    let asked = (1..=9).map(|number| line(Channel::Request, number));
    bot.findings[1].lines =
        asked.chain((1..=20).map(|number| line(Channel::Stderr, number))).collect();
    let text = text(&bot, EVIDENCE, 80);
    let shown: Vec<&str> = text.lines().skip(3).take(12).map(str::trim).collect();
    let expected =
        ["> 4", "> 5", "> 6", "> 7", "> 8", "> 9", "! 15", "! 16", "! 17", "! 18", "! 19", "! 20"];
    assert_eq!(
        (shown, text.lines().nth(2)),
        (expected.to_vec(), Some("  The last lines (> to the bot, ! on its standard error):"))
    );
}

/// Four games of one bot that writes debug lines to its standard output are one remark.
#[test]
fn a_remark_of_one_situation_is_told_once_for_all_games() {
    let remark = |game: &str, situation: &str| Finding {
        result: CheckResult::Remark,
        sentence: format!("words about {situation}"),
        ..Finding::new(game, situation, "what")
    };
    let findings =
        vec![remark("loa", "stdout"), remark("loa", "clock"), remark("gekitai", "stdout")];
    let shown = text(&CheckedBot { name: "conny".to_owned(), findings }, EVIDENCE, 80);
    let first = "REMARK 1: stdout of loa: what\n  words about stdout\n  \
                 And 1 situation more is alike: stdout of gekitai.\n";
    assert!(shown.contains(first), "{shown}");
    assert!(
        shown.ends_with("conny: no fault in 3 situations of loa, gekitai; 2 remarks\n"),
        "{shown}"
    );
}

#[test]
fn an_object_names_the_file_and_the_cause() {
    let bot = bot("boom");
    let object = json::check("conny", &bot.findings[1], EVIDENCE(&bot.findings[1]).as_ref());
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    let word = |key: &str| object[key].as_str().unwrap_or_default();
    let said = ["type", "bot", "game", "situation", "result", "fault", "file"].map(word);
    assert_eq!(
        said,
        ["check", "conny", "loa", "opening", "fault", "crash", "check/conny/opening.txt"]
    );
    assert_eq!((&object["isolation"], &object["plies"]), (&false.into(), &0.into()));
}

/// The text has no line that is too long and could be shorter, and nothing that a stranger wrote
/// does anything.
fn is_shown(words: &str, columns: usize) -> Result<(), TestCaseError> {
    let mut bot = bot(words);
    let shown = text(&bot, EVIDENCE, columns);
    prop_assert!(is_safe(&shown), "{}", shown);
    let is_whole =
        |line: &str| line.trim_start().split(' ').count() == 1 || line.starts_with("    ");
    for line in shown.lines() {
        prop_assert!(line.chars().count() <= columns || is_whole(line), "{}: {}", columns, line);
    }
    bot.findings[1].what = words.to_owned();
    bot.findings[1].cure = words.to_owned();
    let page = page(&bot, EVIDENCE);
    prop_assert!(is_safe(&page), "{}", page);
    let name = CheckedBot { name: words.to_owned(), ..bot };
    let table = table(&[CheckRow { bot: &name, page: "conny/check.md".to_owned() }]);
    prop_assert!(is_safe(&table) && table.lines().count() == 7, "{}", table);
    prop_assert!(is_safe(&row_line(&name, 4)) && !row_line(&name, 4).contains('\n'));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(128)
    })]

    #[test]
    fn any_text_is_shown(
        words in "(\\PC|\\pC|[|`:@#\\[< \n\\\\]){0,60}",
        columns in 24..100_usize,
    ) {
        is_shown(&words, columns)?;
    }
}

#[test]
fn what_strangers_wrote_does_nothing() {
    for words in &HOSTILE {
        is_shown(words, 60).unwrap();
    }
}

#[test]
fn a_long_line_is_cut_to_the_width() {
    let shown = text(&bot(&"a1a7 ".repeat(900)), EVIDENCE, 60);
    let cut = shown.lines().find(|line| line.starts_with("    ! ")).unwrap();
    assert!(cut.chars().count() == 60 && cut.ends_with('…'), "{cut}");
}

#[test]
fn the_table_quotes_nothing_of_a_submission() {
    let bot = bot("my secret");
    let table = table(&[CheckRow { bot: &bot, page: "conny/check.md".to_owned() }]);
    assert!(!table.contains("secret") && !row_line(&bot, 5).contains("secret"), "{table}");
    assert!(
        table.contains("| conny | fault | 2 | 1 | crash in opening of loa | conny/check.md |"),
        "{table}"
    );
    assert!(page(&bot, EVIDENCE).contains("my secret"));
}
