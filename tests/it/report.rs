//! `arbiter report`: the file that it writes, and the page in a real browser.

use crate::support::browser::{Browser, DOWN, END, ENTER, ESCAPE, HOME, LEFT, RIGHT, UP, address};
use crate::support::{arbiter, moves, plays_all, project, run, same_picture, wait_for};
use arbiter::clock::TimeControl;
use arbiter::game::Settings;
use arbiter::record::{Record, read_log};
use arbiter::replay::Timeline;
use arbiter::report::text;
use arbiter::rules::Side;
use arbiter::view::replay::{Filter, GameList, ListPart, WantedGame, list_games};
use serde_json::{Value, json};
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const WHAT: &str = "the report page in a browser";
const GAMES: [&str; 4] = ["loa", "flipflop", "lineup", "gekitai"];

/// A log in this folder of so many games between built-in bots.
fn play(dir: &Path, game: &str, games: usize, more: &[&str]) -> PathBuf {
    let log = dir.join(format!("{game}.pgn"));
    let count = games.to_string();
    let first = [
        "play",
        game,
        "builtin:random",
        "builtin:greedy",
        "-n",
        &count,
        "--log",
        log.to_str().unwrap(),
    ];
    // Games of other seeds are other games, though their ids are the same.
    let seed = GAMES.iter().position(|name| *name == game).unwrap().to_string();
    let ran = arbiter(&first).args(["--seed", &seed]).args(more).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    log
}

/// The page of these logs or folders.
fn report(dir: &Path, paths: &[&Path], more: &[&str]) -> PathBuf {
    let page = dir.join("page.html");
    let ran = arbiter(&["report"]).args(paths).arg("-o").arg(&page).args(more).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    page
}

/// Opens a page, and waits until its data is read.
fn open(browser: &Browser, page: &Path, hash: &str) {
    browser.go("about:blank");
    browser.go(&format!("{}{hash}", address(page)));
    browser.wait(
        "document.documentElement.dataset.ready === 'true' || !document.getElementById('trouble').hidden",
    );
    assert_eq!(browser.console(), [""; 0]);
}

fn records(log: &Path) -> Vec<Record> {
    read_log(&fs::read(log).unwrap()).collect::<Result<_, _>>().unwrap()
}

// The file.

#[test]
fn one_file_without_addresses_is_written_where_it_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), "gekitai", 2, &[]);
    let folder = dir.path().to_str().unwrap();
    fs::rename(dir.path().join("gekitai.pgn"), dir.path().join("games.pgn")).unwrap();
    let ran = run(&["report", folder]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.contains("report.html  2 games  "), "{ran:?}");
    let page = fs::read_to_string(dir.path().join("report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>"));
    let plain = page.replace("http://www.w3.org/2000/svg", "");
    for address in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!plain.contains(address), "{address}");
    }
    assert_eq!(run(&["report", folder, "-o", "-"]).stdout, page);
    let log = dir.path().join("games.pgn");
    assert_eq!(run(&["report", log.to_str().unwrap(), "-o", "/no/page.html"]).status, Some(3));
    for (arguments, why) in
        [(&["report", "-"][..], "logs are read twice"), (&["report", "/no/log"], "/no/log")]
    {
        let ran = run(arguments);
        assert!(ran.status == Some(2) && ran.stderr.contains(why), "{ran:?}");
    }
}

// The order of the sides.

/// The result that each game of the page is shown with, and for each filter the games that it lets
/// through.
const FILTERED: &str = "
    const passing = (text) => games.flatMap((game, at) => filterOf(text)(game) ? [at] : []);
    return { shown: games.map(scoreText), found: ['1-0', '0-1', '1/2', '1/2-1/2', '*'].map(passing) };";

#[test]
fn results_are_shown_and_filtered_with_the_side_in_front_that_moves_first() {
    let browser = Browser::open(WHAT);
    let dir = tempfile::tempdir().unwrap();
    for game in GAMES {
        // Who moves first wins, loses, draws; the last game has no result.
        let white_is_first = game != "loa";
        let (wins, loses) = if white_is_first { ("1-0", "0-1") } else { ("0-1", "1-0") };
        let (first, second) = if white_is_first { ("White", "Black") } else { ("Black", "White") };
        let ends = [
            (wins, "forfeit", "no-start", "1-0"),
            (loses, "forfeit", "no-start", "0-1"),
            ("1/2-1/2", "draw", "max-plies", "1/2-1/2"),
            ("*", "aborted", "aborted", "*"),
        ];
        let log: String = ends
            .iter()
            .map(|(result, outcome, termination, _)| {
                format!(
                    "[{first} \"ann\"]\n[{second} \"bob\"]\n[Result \"{result}\"]\n[Game \"{game}\"]\n\
                     [Outcome \"{outcome}\"]\n[Termination \"{termination}\"]\n\n{result}\n\n"
                )
            })
            .collect();
        let path = dir.path().join("log.pgn");
        fs::write(&path, &log).unwrap();
        let shown = ends.map(|(.., shown)| shown);
        let found = [("1-0", 0), ("0-1", 1), ("1/2", 2), ("1/2-1/2", 2), ("*", 3)];

        // The title in the terminal, which is also the line of a finished game and the title of a
        // picture.
        for (at, shown) in shown.iter().enumerate() {
            let ran = run(&["replay", "--plain", path.to_str().unwrap(), &(at + 1).to_string()]);
            let title = ran.stdout.lines().next().unwrap_or_default();
            let (ann, rest) = title.split_once(&format!(" {shown} bob (")).unwrap_or_default();
            assert!(ann.contains("ann (") && !rest.is_empty(), "{game}: {shown}: {title}");
        }

        // The list of the terminal and its filter.
        let mut list = GameList::default();
        let _ = list_games(log.as_bytes(), &WantedGame::Number(1), |input| {
            if let ListPart::Games(games, _) = input {
                for game in games {
                    list.push(game);
                }
            }
            ControlFlow::Continue(())
        });
        let lines = (0..4).map(|at| list.get(at).unwrap());
        let listed: Vec<_> = lines.map(|line| (line.players, line.result.word())).collect();
        assert_eq!(listed, shown.map(|shown| (["ann", "bob"], shown)), "{game}");
        for (filter, at) in found {
            assert_eq!(list.filtered(&Filter::parse(filter), 0), [at], "{game}: {filter}");
        }

        // The page and its filter.
        if let Some(browser) = &browser {
            open(browser, &report(dir.path(), &[&path], &[]), "");
            let expected = json!({ "shown": shown, "found": found.map(|(_, at)| [at]) });
            assert_eq!(browser.run(FILTERED), expected, "{game}");
        }
    }
}

// The page.

#[test]
fn every_ply_of_all_games_has_the_board_that_replay_prints() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let logs = GAMES.map(|game| {
        let more: &[&str] =
            if game == "lineup" { &["--set", "n=11", "--set", "s=4", "--set", "b=5"] } else { &[] };
        play(dir.path(), game, if plays_all() { 13 } else { 2 }, more)
    });
    let page = report(dir.path(), &logs.each_ref().map(PathBuf::as_path), &[]);
    open(&browser, &page, "");
    let records: Vec<(&Path, usize, Record)> = logs
        .iter()
        .flat_map(|log| {
            records(log).into_iter().enumerate().map(|(at, record)| (log.as_path(), at + 1, record))
        })
        .collect();
    assert_eq!(browser.run("return games.length;"), records.len());
    for (number, (log, in_log, record)) in records.into_iter().enumerate() {
        let printed =
            run(&["replay", "--plain", log.to_str().unwrap(), &in_log.to_string()]).stdout;
        let boards: Vec<&str> = printed.split("\n\n").skip(1).map(str::trim_end).collect();
        let timeline = Timeline::new(record, &Settings::default().time);
        // The keys of a reader, one ply after the other, to the end.
        browser.run(&format!("location.hash = '#{}';", number + 1));
        browser.wait(&format!("view !== null && view.open.game.number === {}", number + 1));
        let shown = browser.run(STEPPED);
        let shown = shown.as_array().unwrap();
        assert_eq!(shown.len(), timeline.len() + 1);
        for (ply, shown) in shown.iter().enumerate() {
            let place = format!("{}, game {in_log}, ply {ply}", log.display());
            // Above the board `replay` prints the ply.
            let board = if ply == 0 { boards[0] } else { boards[ply].split_once('\n').unwrap().1 };
            assert_eq!(shown["text"], board, "{place}");
            let moment = timeline.moment(ply);
            assert_eq!(shown["position"], moment.position.to_string(), "{place}");
            assert_eq!(shown["drawn"], text::board(&moment.position).replace('.', " "), "{place}");
            let changed = moment.changes.iter().map(|(at, change)| (*at, format!("{change:?}")));
            let won =
                moment.position.winning_squares().into_iter().map(|at| (at, "Won".to_owned()));
            let mut marks: Vec<_> = changed.chain(won).collect();
            marks.sort_by_key(|(at, _)| *at);
            let columns = moment.position.ruleset().columns();
            let marks: Vec<Value> = marks
                .into_iter()
                .map(|((row, column), name)| json!([row * columns + column, name]))
                .collect();
            assert_eq!(shown["marks"], json!(marks), "{place}");
            let said = shown["said"].as_str().unwrap();
            let ply_text = timeline.ply_text(ply).unwrap_or_else(|| "start position".to_owned());
            assert!(said.contains(&ply_text), "{place}: {said}");
        }
    }
    assert_eq!(browser.console(), [""; 0]);
}

/// Steps through the game that is shown, and returns what is on the page after each ply.
const STEPPED: &str = "
    const names = { l: 'Left', a: 'Arrived', t: 'Took', r: 'Recoloured', p: 'PushedTo', f: 'PushedFrom', o: 'PushedOff', w: 'Won' };
    const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
    const drawn = () => {
        const { columns, rows } = view.open.game.board;
        const [label, width] = [rows.at(-1).length, columns.at(-1).length];
        const cells = rows.map(() => columns.map(() => ' '));
        document.querySelectorAll('#board .letter').forEach((letter) => {
            cells[Math.floor(letter.getAttribute('y'))][Math.floor(letter.getAttribute('x'))] = letter.textContent;
        });
        document.querySelectorAll('#board .block').forEach((block) => {
            cells[Math.floor(block.getAttribute('y'))][Math.floor(block.getAttribute('x'))] = '#';
        });
        const line = (head, of) => [head.padStart(label), ...of.map((cell) => cell.padStart(width))].join(' ');
        return [line('', columns), ...cells.map((of, row) => line(rows[row], of))].join('\\n');
    };
    press('Home');
    const plies = [];
    for (;;) {
        const step = view.open.steps[view.ply - 1];
        plies.push({
            text: document.getElementById('text-board').textContent,
            position: view.open.position(view.ply),
            drawn: drawn(),
            said: document.getElementById('said').textContent,
            marks: (step?.changes ?? []).map(([square, mark]) => [square, names[mark]]).sort((a, b) => a[0] - b[0]),
        });
        if (view.ply === view.open.steps.length) {
            return plies;
        }
        press('ArrowRight');
    }";

/// The boards of the page, at the end of the games whose pictures the test of `arbiter replay`
/// compares.
#[test]
fn the_four_boards_of_the_page_are_as_they_were_looked_at() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    for game in GAMES {
        let log = project(&format!("tests/vectors/games/{game}.pgn"));
        open(&browser, &report(dir.path(), &[&log], &[]), "#1");
        browser.press(&END.to_string());
        let board = browser
            .run("return document.querySelector('#board svg').outerHTML.replaceAll('><', '>\\n<') + '\\n';");
        same_picture(&format!("page-{game}.svg"), board.as_str().unwrap());
        // The squares that won are in words too.
        let won = browser
            .run("return document.getElementById('won')?.textContent.split(' ').length ?? 0;");
        let marked = browser.run("return document.querySelectorAll('#board .won').length;");
        let marked = marked.as_u64().unwrap();
        assert_eq!(won, if marked > 0 { marked + 1 } else { 0 }, "{game}");
    }
}

#[test]
fn a_lost_game_says_what_is_proved_of_its_plies() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = project("tests/vectors/games/gekitai.pgn");
    open(&browser, &report(dir.path(), &[&log], &[]), "#2");
    browser.press(&END.to_string());
    browser.run("document.getElementById('where-lost').click();");
    let text = browser.run("return document.getElementById('explanation').textContent;");
    let text = text.as_str().unwrap();
    assert!(text.starts_with("Proved of ply 17: a3 loses by force in 4; "), "{text}");
    assert!(text.ends_with("The proof: 17. a3  18. d2  19. a1  20. b6"), "{text}");
    let said = browser.run("return document.getElementById('slider').value;");
    assert_eq!(said, "16");
    // The list marks it, and what the loser played after it.
    let losing = browser.run(
        "return Array.from(document.querySelectorAll('#plies .loses'), (ply) => ply.closest('li').textContent.split(/[ .]+/, 4));",
    );
    let losing = losing.as_array().unwrap();
    assert_eq!(losing[0].as_array().unwrap()[..3], [json!("17"), json!("X"), json!("a3")]);
    assert_eq!(losing[1][0], "19");
}

/// A part is compared as its elements and texts; how they look is in the style sheet.
#[test]
fn the_parts_of_the_page_are_as_they_were_looked_at() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("games.pgn");
    let mut games = String::new();
    let ends = [
        ("1-0", "forfeit", "timeout"),
        ("0-1", "forfeit", "crash"),
        ("1/2-1/2", "draw", "max-plies"),
        ("1-0", "win", "resign"),
    ];
    let pairs = [("ada", "bob"), ("bob", "cleo"), ("cleo", "ada")];
    for (round, (result, outcome, termination)) in (1..).zip(ends) {
        for (white, black) in pairs {
            games += &format!(
                "\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[Game \"loa\"]\n\
                 [Outcome \"{outcome}\"]\n[Termination \"{termination}\"]\n\n{result}\n"
            );
        }
    }
    fs::write(&log, games).unwrap();
    open(&browser, &report(dir.path(), &[&log], &[]), "#bot/ada");
    let parts = ["section-table", "section-crosstable", "section-ends", "bot"];
    for part in parts {
        let text = browser.run(&format!(
            "return document.getElementById('{part}').outerHTML.replaceAll('><', '>\\n<') + '\\n';"
        ));
        same_picture(&format!("page-{part}.html"), text.as_str().unwrap());
    }
}

#[test]
fn the_scale_of_evaluations_ends_below_those_of_a_game_that_is_won() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("scores.pgn");
    for (scores, said) in [
        ([0.5, 1.25, -2.0, 9999.0, -10000.0], "up to 2"),
        ([0.5, 1.25, -2.0, 9.0, 40.0], "up to 40"),
        ([10000.0, -10000.0, 10000.0, 10000.0, 10000.0], "up to 10000"),
        ([0.0, 0.0, 0.0, 0.0, -10000.0], "up to 10000"),
    ] {
        let plies = ["a1", "f6", "a6", "f1", "c1"].iter().zip(scores);
        let plies: String =
            plies.map(|(ply, score)| format!("{ply} {{0.1s depth 1 score {score}}} ")).collect();
        let head = "[White \"a\"] [Black \"b\"] [Result \"1-0\"] [Game \"gekitai\"] [Outcome \"win\"] [Termination \"resign\"]";
        fs::write(&log, format!("{head} {plies} 1-0\n")).unwrap();
        open(&browser, &report(dir.path(), &[&log], &[]), "#1");
        let shown = browser.run("return document.querySelector('#graphs .most').textContent;");
        assert_eq!(shown, said, "{scores:?}");
        // Nothing is drawn outside.
        let points = browser.run(
            "return Array.from(document.querySelectorAll('#graphs .series'), (line) => line.getAttribute('points').split(' '))
                .flat().map((point) => Number(point.split(',')[1]));",
        );
        let points = points.as_array().unwrap();
        let inside = points.iter().all(|y| (2.9..=97.1).contains(&y.as_f64().unwrap()));
        assert!(points.len() == 5 && inside, "{scores:?}: {points:?}");
    }
}

/// What prints a page or takes a picture of it waits until it is loaded, and no longer.
#[test]
fn a_page_is_loaded_when_it_is_drawn() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let page = report(dir.path(), &[&play(dir.path(), "loa", 20, &[])], &[]);
    for hash in ["", "#greedy~random.3", "", "#greedy~random.4"] {
        open(&browser, &page, hash);
        let [ready, loaded] = ["mark", "navigation"].map(|kind| {
            let entry = format!("performance.getEntriesByType('{kind}')[0]");
            browser
                .run(&format!("return {entry}.loadEventStart ?? {entry}.startTime;"))
                .as_f64()
                .unwrap()
        });
        assert!(0.0 < ready && ready <= loaded, "drawn after {ready} ms, loaded after {loaded} ms");
    }
}

#[test]
fn the_table_of_a_tournament_is_that_of_the_json() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let broken = crate::support::broken("illegal");
    let config = format!(
        "name = 'cup'\ngame = 'lineup'\n[options]\nn = 4\ns = 3\n[schedule]\ngames = 2\nrounds = 2\n[limits]\n\
         sandbox = 'basic'\n[[bot]]\nname = 'ada'\ncommand = 'builtin:greedy'\n[[bot]]\nname = 'bob'\n\
         command = 'builtin:random'\n[[bot]]\nname = 'eve'\ncommand = '{broken}'\n[[bots]]\nfolder = 'in'\n"
    );
    fs::write(dir.path().join("cup.toml"), config).unwrap();
    fs::create_dir_all(dir.path().join("in/zoe")).unwrap();
    let ran = arbiter(&["tournament"]).arg(dir.path().join("cup.toml")).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let folder = dir.path().join("cup");
    open(&browser, &folder.join("report.html"), "");
    let shown = run(&["standings", folder.to_str().unwrap(), "--format", "json"]).stdout;
    let json: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(numbers(browser.run("return table;")), numbers(json.clone()));
    let rows = browser.run(
        "return Array.from(document.querySelectorAll('#section-table tbody tr'), (row) =>
            Object.fromEntries(Array.from(row.children, (cell, at) =>
                [document.querySelectorAll('#section-table thead th')[at].textContent, cell.textContent])));",
    );
    let mut expected: Vec<Value> = json["bots"].as_array().unwrap().iter().map(bot_row).collect();
    // A bot that does not play is a row with its reason, which stands from the third column on.
    let absent = &json["absent"][0];
    expected.push(json!({ "rank": "–", "bot": "zoe", "points": absent["reason"] }));
    for (row, expected) in rows.as_array().unwrap().iter().zip(&expected) {
        for (head, cell) in expected.as_object().unwrap() {
            assert_eq!(row[head], *cell, "{head}: {rows:#}");
        }
    }
    assert_eq!(rows.as_array().unwrap().len(), expected.len());
    // On a phone and in a usual window the table fits up to the interval of the ratings.
    for width in [390, 1280] {
        let window =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500 });
        browser.devtools("Emulation.setDeviceMetricsOverride", &window);
        let widths = browser.run(
            "const cell = document.querySelectorAll('#section-table tbody tr:first-child td')[7];
            const box = document.querySelector('#section-table .scroll').getBoundingClientRect();
            const { right } = cell.getBoundingClientRect();
            return [cell.textContent.includes('…'), right <= box.right + 1, document.documentElement.scrollWidth];",
        );
        assert_eq!(widths, json!([true, true, width]));
    }
    browser.devtools("Emulation.clearDeviceMetricsOverride", &json!({}));
    // A cell of the crosstable leads to the games of the two bots.
    browser.run("document.querySelector('button.cell[aria-label^=\"ada against eve\"]').click();");
    assert_eq!(
        browser.run("return chosenGames().map((game) => game.id);"),
        json!(["ada~eve.1", "ada~eve.2", "ada~eve.3", "ada~eve.4"])
    );
    assert_eq!(
        browser.run("return document.getElementById('found').textContent;"),
        "4 of 12 games"
    );
    // A forfeit is explained on its board. In this game eve moves second, so that there is a ply to
    // draw.
    browser.run("location.hash = '#ada~eve.2';");
    browser.wait("view !== null");
    browser.press(&END.to_string());
    let why = browser.run("return document.getElementById('explanation').textContent;");
    assert!(
        why.as_str().unwrap().contains("forfeit illegal-move")
            && why.as_str().unwrap().contains("expected one of"),
        "{why}"
    );
    assert!(
        browser.run("return document.querySelectorAll('#graphs .forfeit-mark').length;").as_u64()
            > Some(0)
    );
    assert_eq!(browser.console(), [""; 0]);
}

/// Of each round of the page the pairings, each with its names and points.
const PAIRINGS: &str = "return Array.from(document.querySelectorAll('.pairings > div'), (round) =>
    [round.querySelector('h3').textContent, ...Array.from(round.querySelectorAll('.card'), (card) =>
        Array.from(card.querySelectorAll('span'), (line) => Array.from(line.children, (part) => part.textContent)))]);";

#[test]
fn a_knockout_has_its_bracket_and_a_swiss_its_rounds() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    for (format, more, sizes) in
        [("knockout", "best-of = 2", &[4, 2, 1][..]), ("swiss", "rounds = 2\ngames = 2", &[3, 3])]
    {
        let mut config = format!(
            "game = 'lineup'\n[options]\nn = 4\ns = 3\n[schedule]\nformat = '{format}'\n{more}\n"
        );
        for bot in ["ada", "bob", "cleo", "dan", "eve"] {
            config += &format!("[[bot]]\nname = '{bot}'\ncommand = 'builtin:random'\n");
        }
        let file = dir.path().join(format!("{format}.toml"));
        fs::write(&file, config).unwrap();
        let ran = arbiter(&["tournament"]).arg(&file).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        let folder = dir.path().join(format);
        open(&browser, &folder.join("report.html"), "");
        let rounds = browser.run(PAIRINGS);
        let rounds: Vec<&Vec<Value>> =
            rounds.as_array().unwrap().iter().map(|round| round.as_array().unwrap()).collect();
        let found: Vec<usize> = rounds.iter().map(|round| round.len() - 1).collect();
        assert_eq!(found, sizes, "{format}: {rounds:?}");
        let json = fs::read(folder.join("standings.json")).unwrap();
        let json: Value = serde_json::from_slice(&json).unwrap();
        let byes = rounds.iter().flat_map(|round| &round[1..]);
        let byes: Vec<&Value> = byes.filter(|lines| lines.as_array().unwrap().len() == 1).collect();
        assert!(byes.iter().all(|lines| lines[0][1] == "bye"), "{rounds:?}");
        let leader = browser.run("return document.getElementById('leader').textContent;");
        let leader = leader.as_str().unwrap();
        if format == "swiss" {
            assert_eq!(byes.len(), 2, "{rounds:?}");
            assert!(leader.contains("first"), "{leader}");
            // Whom a part of the last round does not have need not have a bye in it.
            browser.run("games.length = 6; counts.leftOut = 2; drawTables();");
            let part = browser.run(PAIRINGS);
            assert_eq!(part[1].as_array().unwrap().len(), 2, "{part}");
            continue;
        }
        // The first three of five have a bye, and their neighbours meet the winners.
        assert_eq!(byes.len(), 3, "{rounds:?}");
        assert_eq!(rounds[2][0], "Final");
        for (at, next) in [(1, 1), (2, 1), (3, 2), (4, 2)] {
            let before = rounds[0][at].as_array().unwrap();
            let later = rounds[1][next].as_array().unwrap();
            let goes_on = |line: &Value| later.iter().any(|other| other[0] == line[0]);
            assert!(before.iter().any(goes_on), "{rounds:?}");
        }
        let [winner, loser] = [0, 1].map(|at| json["bots"][at]["name"].as_str().unwrap());
        let points = |name: &str| {
            let line = rounds[2][1].as_array().unwrap().iter().find(|line| line[0] == name);
            line.unwrap()[1].as_str().unwrap().to_owned()
        };
        let final_text =
            format!("{winner} won the final against {loser} {}–{}", points(winner), points(loser));
        assert!(leader.starts_with(&final_text), "{leader}: {final_text}");
        let still_in = browser.run(
            "table.bots.forEach((bot) => { bot.rank = 1; }); table.complete = false; drawHead(); return document.getElementById('leader').textContent;",
        );
        assert!(still_in.as_str().unwrap().ends_with(" and 2 more are still in"), "{still_in}");
        // Neither of the last two has started.
        let over = "table.complete = true; drawHead(); return byId('leader').textContent;";
        assert_eq!(browser.run(over), "Nobody has won the knockout");
        // A pairing leads to its games.
        browser.run("document.querySelector('.pairings > div:last-child a').click();");
        browser.wait("chosenGames().length < games.length");
        let both =
            browser.run("return chosenGames().every(({ round }) => round.startsWith('3.'));");
        assert_eq!(both, true);
    }
    assert_eq!(browser.console(), [""; 0]);
}

/// The same value with every number as a floating-point number, as scripts have them.
fn numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.into_iter().map(numbers).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(key, field)| (key, numbers(field))).collect()
        }
        other => other,
    }
}

/// A number with so many decimals, as the page writes it.
fn shown(number: &Value, decimals: usize) -> String {
    format!("{:.decimals$}", number.as_f64().unwrap()).replace('-', "−")
}

/// The cells of a bot's row, by their heads.
fn bot_row(bot: &Value) -> Value {
    let rating = &bot["rating"];
    let bound = |name: &str, none: &str| {
        if rating[name].is_null() { none.to_owned() } else { shown(&rating[name], 0) }
    };
    json!({
        "rank": bot["rank"].to_string(),
        "bot": bot["name"],
        "points": shown(&bot["points"], 1),
        "games": bot["games"].to_string(),
        "wins": bot["wins"].to_string(),
        "losses": bot["losses"].to_string(),
        "forfeits": bot["forfeits"].to_string(),
        "rating": shown(&rating["rating"], 0),
        "95 %": format!("{} … {}", bound("low", "−∞"), bound("high", "∞")),
    })
}

#[test]
fn what_is_chosen_stands_in_the_address() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("games.pgn");
    let mut games = String::new();
    for one in 0..30 {
        for other in (0..30).filter(|other| *other != one) {
            let end = (one * other + one) % 3;
            let result = ["1-0", "0-1", "1/2-1/2"][end];
            let outcome = ["forfeit", "forfeit", "draw"][end];
            let termination = ["timeout", "crash", "max-plies"][end];
            games += &format!(
                "[White \"b{one:02}\"]\n[Black \"b{other:02}\"]\n[Result \"{result}\"]\n[Game \"lineup\"]\n\
                 [Outcome \"{outcome}\"]\n[Termination \"{termination}\"]\n\n{result}\n\n"
            );
        }
    }
    fs::write(&log, games).unwrap();
    let page = report(dir.path(), &[&log], &[]);
    open(&browser, &page, "");
    let text =
        |what: &str| browser.run(&format!("return document.querySelector('{what}').textContent;"));
    let list = |what: &str| {
        browser.run(&format!(
            "return Array.from(document.querySelectorAll('{what}'), (part) => part.textContent);"
        ))
    };

    // Two clicks on a head: the greatest first, then the least first.
    let wins = "#section-table tbody tr td:nth-child(5)";
    let numbers = || -> Vec<u64> {
        list(wins)
            .as_array()
            .unwrap()
            .iter()
            .map(|value| value.as_str().unwrap().parse().unwrap())
            .collect()
    };
    assert_eq!(list("#section-table thead th")[4], "wins");
    let head = "Array.from(document.querySelectorAll('#section-table thead button')).find((one) => one.textContent === 'wins')";
    for (address, is_down) in [("#?sort=-wins", true), ("#?sort=wins", false)] {
        browser.run(&format!("{head}.click();"));
        browser.wait(&format!("location.hash === '{address}'"));
        assert!(numbers().is_sorted_by(|one, other| if is_down {
            one >= other
        } else {
            one <= other
        }));
    }
    let ascending = list("#section-table tbody th");
    open(&browser, &page, "#table?sort=wins");
    assert_eq!(list("#section-table tbody th"), ascending);

    // A name leads to the page of the bot, which has all its games; a choice shows those against
    // another.
    let name = text("#section-table tbody th .name");
    let name = name.as_str().unwrap();
    browser.run("document.querySelector('#section-table tbody th a').click();");
    browser.wait(&format!(
        "location.hash === '#bot/{name}' && !document.getElementById('bot').hidden"
    ));
    assert!(text("#bot-heading").as_str().unwrap().contains(name));
    let figures = text("#bot .figures");
    let counts = browser.run(&format!(
        "const bot = table.bots.find((one) => one.name === '{name}');
        return `${{bot.wins}} won, ${{bot.draws}} drawn, ${{bot.losses}} lost`;"
    ));
    assert!(figures.as_str().unwrap().starts_with(counts.as_str().unwrap()), "{figures} {counts}");
    assert_eq!(list("#bot h3")[0], "By side");
    assert_eq!(
        browser.run("return document.querySelectorAll('#bot tbody th.bot').length > 28;"),
        true
    );
    browser.run("const choice = document.getElementById('against'); choice.value = 'b07'; choice.dispatchEvent(new Event('change'));");
    browser.wait(&format!("location.hash === '#bot/{name}?against=b07' && document.querySelectorAll('#bot .games li').length === 2"));
    browser.press(&ESCAPE.to_string());
    browser.wait("!document.getElementById('overview').hidden");
    open(&browser, &page, "#bot/nobody");
    assert_eq!(text("#trouble"), "This page has no bot nobody.");

    // The filter: a word is a button, and the address has it.
    open(&browser, &page, "#games?filter=0-1&bot=b03");
    let shown = browser.run("return chosenGames().every((game) => scoreText(game) === '0-1' && game.players.includes('b03')) && chosenGames().length > 0;");
    assert_eq!(shown, true);
    assert_eq!(
        browser.run(
            "return document.querySelector('[data-word=\"0-1\"]').getAttribute('aria-pressed');"
        ),
        "true"
    );
    browser.run("document.querySelector('[data-word=\"0-1\"]').click();");
    browser.wait("location.hash === '#games?bot=b03'");
    assert_eq!(browser.run("return chosenGames().length;"), 58);

    // Above 25 bots the crosstable shows those near one, and all as a picture; printed, it is whole
    // and in parts.
    open(&browser, &page, "#crosstable?near=b05");
    let rows = "#section-crosstable .screen-only tbody tr";
    assert_eq!(browser.run(&format!("return document.querySelectorAll('{rows}').length;")), 25);
    assert_eq!(browser.run(&format!("return document.querySelector('{rows}').cells.length;")), 27);
    assert!(
        list("#section-crosstable .screen-only tbody .name")
            .as_array()
            .unwrap()
            .contains(&json!("b05"))
    );
    assert_eq!(browser.run("return document.getElementById('crosstable-picture').width;"), 30);
    let printed = browser.run(
        "window.dispatchEvent(new Event('beforeprint'));
        const parts = Array.from(document.querySelectorAll('#section-crosstable .printed-only table'));
        const columns = parts.flatMap((part) => Array.from(part.tHead.rows[0].cells, (cell) => cell.textContent).slice(2));
        return [columns.length, new Set(columns).size, parts.every((part) => part.tBodies[0].rows.length === 30)];",
    );
    assert_eq!(printed, json!([30, 30, true]));
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn the_keyboard_alone_leads_everywhere() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = play(dir.path(), "loa", 6, &[]);
    let page = report(dir.path(), &[&log], &[]);
    open(&browser, &page, "");
    let focused =
        "return document.activeElement.id || document.activeElement.getAttribute('href');";
    browser.press("/");
    assert_eq!(browser.run(focused), "filter");
    browser.press("greedy random");
    assert_eq!(browser.run("return chosenGames().length;"), 6);
    browser.press(&ENTER.to_string());
    assert_eq!(browser.run(focused), "#greedy~random.1");
    browser.press(&ENTER.to_string());
    browser.wait("view !== null");
    let ply = || browser.run("return view.ply;").as_u64().unwrap();
    let steps = browser.run("return view.open.steps.map((step) => step.side);");
    let sides: Vec<u64> =
        steps.as_array().unwrap().iter().map(|side| side.as_u64().unwrap()).collect();
    // The title of the game is in sight, and a key leads through the games of the same two bots.
    let top =
        browser.run("return document.querySelector('.game-head').getBoundingClientRect().top;");
    assert!((0.0..200.0).contains(&top.as_f64().unwrap()), "{top}");
    browser.press("N");
    browser.wait("view.open.game.id === 'greedy~random.2'");
    browser.press("P");
    browser.wait("view.open.game.id === 'greedy~random.1'");
    browser.press(&format!("{RIGHT}{RIGHT}"));
    assert_eq!(ply(), 2);
    browser.wait("location.hash === '#greedy~random.1/2'");
    browser.press(&DOWN.to_string());
    let next = (3..=sides.len() as u64).find(|&at| sides[at as usize - 1] == sides[1]).unwrap();
    assert_eq!(ply(), next);
    browser.press(&UP.to_string());
    assert_eq!(ply(), 2);
    browser.press(&format!("{LEFT}{END}"));
    assert_eq!(ply(), sides.len() as u64);
    // A key that is held: twelve steps of one ply, then of two.
    browser.press(&HOME.to_string());
    assert!(sides.len() > 16, "{sides:?}");
    for press in 0..14 {
        let key = json!({
            "type": "rawKeyDown",
            "key": "ArrowRight",
            "code": "ArrowRight",
            "windowsVirtualKeyCode": 39,
            "autoRepeat": press > 0,
        });
        browser.devtools("Input.dispatchKeyEvent", &key);
    }
    assert_eq!(ply(), 16);
    let before = browser.run("return document.querySelector('#board').textContent;");
    browser.press("f");
    assert_ne!(browser.run("return document.querySelector('#board').textContent;"), before);
    assert_eq!(browser.run("return document.getElementById('text-board').hidden;"), true);
    browser.press("t");
    assert_eq!(browser.run("return document.getElementById('text-board').hidden;"), false);
    browser.press(&format!("{HOME}+++ "));
    browser.wait("view.ply === view.open.steps.length && !isPlaying()");
    browser.press(&format!("{HOME}r "));
    browser.wait("view.ply === view.open.steps.length && !isPlaying()");
    browser.press("n");
    browser.wait("view.open.game.id === 'greedy~random.2'");
    browser.press("p");
    browser.wait("view.open.game.id === 'greedy~random.1'");
    let announced =
        browser.run("return document.getElementById('said').getAttribute('aria-live');");
    assert_eq!(announced, "polite");
    browser.press("?");
    browser.wait("document.getElementById('keys').open");
    browser.press(&ESCAPE.to_string());
    browser.wait("!document.getElementById('keys').open");
    browser.press(&ESCAPE.to_string());
    browser.wait("view === null");
    assert_eq!(browser.run(focused), "#greedy~random.1");
    // What has the focus can be seen.
    let outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle;");
    assert_eq!(outline, "solid");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_link_leads_to_its_ply_and_an_unknown_one_says_so() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = play(dir.path(), "gekitai", 3, &[]);
    let page = report(dir.path(), &[&log], &["--games", "2"]);
    open(&browser, &page, "#greedy~random.2/3");
    assert_eq!(browser.run("return [view.open.game.id, view.ply];"), json!(["greedy~random.2", 3]));
    let said = browser.run("return document.getElementById('said').textContent;");
    assert!(said.as_str().unwrap().starts_with("3. "), "{said}");
    browser.run("location.hash = '#greedy~random.1/99999';");
    browser.wait("view.open.game.id === 'greedy~random.1' && view.ply === view.open.steps.length");
    browser.run("location.hash = '#greedy~random.3/1';");
    browser.wait("!document.getElementById('trouble').hidden");
    let trouble = browser.run("return document.getElementById('trouble').textContent;");
    assert_eq!(trouble, "This page has no game greedy~random.3/1.");
    let left_out = browser.run("return document.getElementById('left-out').textContent;");
    assert_eq!(
        left_out,
        "This page shows the first 2 games and leaves out 1 that came after them. The table counts all."
    );
    assert_eq!(browser.run("return table.bots[0].games;"), 3);
}

/// What is chosen is still shown, and is in the address, after a way through other views and back.
#[test]
fn the_way_back_leads_to_what_was_chosen() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = play(dir.path(), "loa", 4, &[]);
    let page = report(dir.path(), &[&log], &[]);
    let list = "[document.getElementById('filter').value, chosenGames().length, document.querySelectorAll('#list li').length]";

    // A filter of before does not stay in a view that has none.
    open(&browser, &page, "#games?filter=nothing");
    assert_eq!(browser.run(&format!("return {list};")), json!(["nothing", 0, 0]));
    browser.run("location.hash = addressOfBot(table.bots[0].name);");
    browser.wait("!document.getElementById('bot').hidden");
    browser.press(&ESCAPE.to_string());
    browser.wait("!document.getElementById('overview').hidden");
    assert_eq!(browser.run(&format!("return {list};")), json!(["", 4, 4]));

    // A filter that is typed just before a game is opened.
    browser.run(
        "const filter = document.getElementById('filter'); filter.value = '>1';
        filter.dispatchEvent(new Event('input')); document.querySelector('#list a').click();",
    );
    browser.wait("view !== null");
    browser.run("history.back();");
    browser.wait("view === null");
    assert_eq!(browser.run("return location.hash;"), "#games?filter=%3E1");

    // The browser goes back while the filter has the focus.
    browser.run("location.hash = '#games?filter=nothing';");
    browser.wait("chosenGames().length === 0");
    browser.run("document.getElementById('filter').focus(); history.back();");
    browser.wait("chosenGames().length === 4");
    assert_eq!(browser.run(&format!("return {list};")), json!([">1", 4, 4]));
    let printed = browser.run("return document.getElementById('chosen').textContent;");
    assert!(printed.as_str().unwrap().contains(">1: 4 games"), "{printed}");
    assert_eq!(browser.console(), [""; 0]);
}

/// Logs of other programs: a bot without a name, one against itself, names of any length, and an id
/// that looks like a ply of another game.
#[test]
fn odd_names_and_ids_are_shown_as_what_they_are() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let long = "L".repeat(10_000);
    let games =
        [("me", "me", "itself"), ("", "you", "a"), ("me", &long, "a/1"), ("you", "me", "b")];
    let text: String = games
        .iter()
        .map(|(white, black, id)| {
            format!(
                "[Event \"odd\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"0-1\"]\n[Game \"loa\"]\n\
                 [GameId \"{id}\"]\n[Outcome \"forfeit\"]\n[Termination \"illegal-move\"]\n\n1. a2c4 0-1\n\n"
            )
        })
        .collect();
    let log = dir.path().join("odd.pgn");
    fs::write(&log, text).unwrap();
    let page = report(dir.path(), &[&log], &[]);

    for (width, hash) in [(360, "#nothing/"), (360, "#bot/"), (360, "#3"), (360, ""), (1280, "")] {
        let phone =
            json!({ "width": width, "height": 740, "deviceScaleFactor": 1, "mobile": width < 400 });
        browser.devtools("Emulation.setDeviceMetricsOverride", &phone);
        let hash = if hash.ends_with('/') { format!("{hash}{long}") } else { hash.to_owned() };
        open(&browser, &page, &hash);
        let shown = browser.run("return document.documentElement.scrollWidth;");
        assert_eq!(shown, width, "{:.20}", hash);
        // Cards of games cut nothing: names, results and ends wrap.
        let cut = browser.run(
            "return Array.from(document.querySelectorAll('.games *'))
                .filter((part) => part.checkVisibility() && part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1)
                .map((part) => part.textContent);",
        );
        assert_eq!(cut, json!([]), "{:.20}", hash);
    }
    browser.devtools("Emulation.clearDeviceMetricsOverride", &json!({}));

    // The game against itself is in the list, and in no figure.
    assert_eq!(browser.run("return [games.length, gamesOf('me').length];"), json!([4, 2]));
    let ends = browser
        .run("return document.querySelector('#section-ends tbody tr').cells[1].textContent;");
    assert_eq!(ends, "3");
    let least = browser.run(
        "return Math.min(...Array.from(document.querySelectorAll('#section-table .bot-link'), (link) => link.getBoundingClientRect().width));",
    );
    assert!(least.as_f64().unwrap() > 5.0, "a link without letters: {least}");
    let found = browser.run(
        "return games.every((game) => [null, 1].every((ply) => {
            const found = addressed(linkTo(game, ply));
            return found.game === game && found.ply === ply;
        }));",
    );
    assert_eq!(found, true);

    // Figures of a part of the games say so.
    let part = report(dir.path(), &[&log], &["--games", "2"]);
    open(&browser, &part, "");
    let said = "return Array.from(document.querySelectorAll('#overview section'))
        .filter((part) => part.querySelector('.warning')?.textContent.includes('games on this page only')).map(({ id }) => id);";
    assert_eq!(browser.run(said), json!(["section-bots", "section-times", "section-ends"]));
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_saved_game_is_a_valid_log_of_the_same_moves() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let broken = crate::support::broken("info");
    let log = dir.path().join("games.pgn");
    let mut seed = 0;
    for game in GAMES {
        for (bots, more) in [
            (
                ["builtin:search", "builtin:random"],
                &["--move-time", "20ms", "--margin", "60s", "--max-plies", "12"][..],
            ),
            ([&broken, "builtin:random"], &["--opening-plies", "3"]),
            ([&*crate::support::broken("illegal"), "builtin:random"], &["--time", "random=none"]),
            (
                ["builtin:greedy", "builtin:random"],
                &["--time", "greedy=300+1", "--move-time", "random=100s", "--max-plies", "9"],
            ),
        ] {
            seed += 1; // games of another seed are other games, though their ids are the same
            let ran =
                arbiter(&["play", game, bots[0], bots[1], "-n", "2", "--seed", &seed.to_string()])
                    .args(["--log", log.to_str().unwrap()])
                    .args(more)
                    .output()
                    .unwrap();
            assert!(ran.status.success(), "{ran:?}");
        }
    }
    let page = report(dir.path(), &[&log], &[]);
    open(&browser, &page, "");
    let written = browser.run("return games.map((game) => pgnOf(new OpenGame(game)));");
    let written: Vec<&str> =
        written.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let original = fs::read_to_string(&log).unwrap();
    let bodies = |text: &str| {
        let games = text.split("[Event ").filter(|game| !game.is_empty());
        games
            .map(|game| moves(&game.replace("\n\n", "\u{1}").replacen('\u{1}', "\n\n", 1)))
            .collect::<Vec<_>>()
    };
    assert_eq!(bodies(&written.concat()), bodies(&original));
    let again = dir.path().join("again.pgn");
    fs::write(&again, written.concat()).unwrap();
    let verified = run(&["verify", again.to_str().unwrap()]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    let notes = |log: &Path| -> Vec<Vec<u8>> {
        let records = records(log);
        let notes = |record: &Record| {
            record
                .plies
                .iter()
                .filter_map(|ply| Some(ply.note.as_ref()?.text.clone()))
                .collect::<Vec<_>>()
        };
        records
            .iter()
            .flat_map(|record| {
                notes(record)
                    .into_iter()
                    .chain(record.reply.as_ref().map(|reply| reply.text.clone()))
            })
            .collect()
    };
    let [before, after] = [&log, &again].map(|log| notes(log));
    assert_eq!(before.len(), after.len());
    assert!(
        before.iter().any(|note| note.starts_with(b"depth "))
            && before.iter().any(|note| note == b"move a0a0")
    );
    for (before, after) in
        before.iter().zip(&after).filter(|(before, _)| !before.starts_with(b"depth "))
    {
        assert_eq!(String::from_utf8_lossy(after), String::from_utf8_lossy(before));
    }
    // So do the clocks of both sides, in the tags and beside the board. Times are rounded on the
    // page.
    let clocks = browser.run("return games.map((game) => new OpenGame(game).clocks.at(-1));");
    for ((before, after), shown) in
        records(&log).into_iter().zip(records(&again)).zip(clocks.as_array().unwrap())
    {
        assert_eq!(before.time_control, after.time_control);
        let controls = before
            .time_control
            .as_ref()
            .map(|text| TimeControl::parse(text.as_ref().unwrap()).unwrap());
        let mut settings = Settings::default();
        (settings.time.control, settings.time.margin) = (controls, Duration::from_secs(60));
        let timeline = Timeline::new(before, &settings.time);
        for (left, shown) in [(Side::First, &shown[0]), (Side::Second, &shown[1])]
            .map(|(side, shown)| (timeline.moment(timeline.len()).clocks[side], shown))
        {
            match left {
                None => assert!(shown.is_null(), "{shown}"),
                Some(left) => assert!(
                    (shown.as_f64().unwrap() / 1e6 - left.as_secs_f64()).abs() < 1.0,
                    "{shown} {left:?}"
                ),
            }
        }
    }
    // The key writes the file.
    let downloads = browser.downloads();
    browser.run("location.hash = '#1';");
    browser.wait("view !== null");
    browser.press("s");
    let name = browser.run("return gameName(view.open.game);").as_str().unwrap().to_owned();
    let saved = downloads.join(format!("{name}.pgn"));
    let text =
        wait_for("the file", || fs::read_to_string(&saved).ok().filter(|text| !text.is_empty()));
    assert_eq!(text, written[0]);
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn narrow_and_printed_pages_are_whole() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let logs = GAMES.map(|game| play(dir.path(), game, 2, &[]));
    let page = report(dir.path(), &logs.each_ref().map(PathBuf::as_path), &[]);
    let phone = json!({ "width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true });
    browser.devtools("Emulation.setDeviceMetricsOverride", &phone);
    for hash in ["", "#1/5", "#4/2", "#8"] {
        open(&browser, &page, hash);
        let width = browser.run("return document.documentElement.scrollWidth;");
        assert_eq!(width, 360, "{hash}");
        browser.run("document.getElementById('text-board')?.removeAttribute('hidden');");
        assert_eq!(
            browser.run("return document.documentElement.scrollWidth;"),
            360,
            "{hash}, with the text"
        );
    }
    // A finger steps.
    open(&browser, &page, "#1/5");
    let box_ = browser.run(
        "const { left, top, width, height } = document.getElementById('board').getBoundingClientRect();
        return [left + width / 2, top + height / 2];",
    );
    let [x, y] = [0, 1].map(|at| box_[at].as_f64().unwrap());
    let touch = |kind: &str, points: Value| {
        browser
            .devtools("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
    };
    touch("touchStart", json!([{ "x": x, "y": y }]));
    touch("touchMove", json!([{ "x": x - 80.0, "y": y }]));
    touch("touchEnd", json!([]));
    browser.wait("view.ply === 6");
    browser.devtools("Emulation.clearDeviceMetricsOverride", &json!({}));
    browser.devtools("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    for (hash, wanted) in [("", "#section-table"), ("#1/5", "#board")] {
        open(&browser, &page, hash);
        let shown = "const shown = (what) => Array.from(document.querySelectorAll(what)).some((part) => part.checkVisibility());";
        assert_eq!(
            browser.run(&format!(
                "{shown} return [shown('{wanted}'), shown('.tools, .controls'), shown('input')];"
            )),
            json!([true, false, false])
        );
        let pdf = browser.devtools("Page.printToPDF", &json!({ "preferCSSPageSize": true }));
        assert!(pdf["data"].as_str().unwrap().starts_with("JVBERi"), "%PDF");
    }
}

// Untrusted text.

/// Text that would run a script or load something if it was markup.
const ATTACKS: [&str; 8] = [
    "<script>window.pwned = 1</script>",
    "<img src=x onerror=window.pwned=1>",
    "</script><script>window.pwned = 1</script>",
    "javascript:window.pwned=1",
    "'><svg onload=window.pwned=1>",
    "]]></system-out><iframe srcdoc='x'>",
    "<!--<script>",
    "${window.pwned=1} {{title}} \u{202e}evil",
];

#[test]
fn what_strangers_wrote_is_text() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("<img src=x onerror=window.pwned=1>.pgn");
    let mut games = String::new();
    let escaped = |text: &str| {
        let hex = |byte: &u8| format!("\\x{byte:02x}");
        text.as_bytes().iter().map(hex).collect::<String>()
    };
    for (number, attack) in ATTACKS.iter().enumerate() {
        let value = attack.replace('\\', "\\\\").replace('"', "\\\"");
        games += &format!(
            "[Event \"{value}\"]\n[Round \"{value}\"]\n[White \"{value}\"]\n[Black \"b{number}\"]\n[Result \"0-1\"]\n\
             [Game \"loa\"]\n[GameId \"{value}\"]\n[Outcome \"forfeit\"]\n[Termination \"illegal-move\"]\n\
             [Detail \"{value}\"]\n[Isolation \"{value}\"]\n\n1. a2c4 {{0.5s {note}}} {{0.1s {note}}} 0-1\n\n",
            note = escaped(attack)
        );
    }
    fs::write(&log, games).unwrap();
    let page = report(dir.path(), &[&log], &[]);
    open(&browser, &page, "");
    let text = read_everything(&browser);
    for attack in ATTACKS {
        let visible = attack.replace('\u{202e}', "\\u{202e}");
        assert!(text.contains(&visible), "{attack} is not shown");
    }
    assert!(!text.contains('\u{202e}'), "the direction of writing");
    // A link to such a game.
    browser.run("location.hash = linkTo(games[1], 1);");
    browser.wait("view !== null && view.open.game.number === 2 && view.ply === 1");
    expect_nothing_ran(&browser);
}

#[test]
fn output_of_hostile_bots_is_text_and_shown_only_if_it_is_public() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("bot")).unwrap();
    for name in ["hostile.py", "broken.py"] {
        fs::copy(project("tests/bots").join(name), dir.path().join("bot").join(name)).unwrap();
    }
    let bots = [
        "markup",
        "markup-answer",
        "escapes",
        "escapes-answer",
        "injects-tags",
        "injects-tags-answer",
    ];
    let bots = bots.map(|name| {
        format!("[[bot]]\nname = '{name}'\ncommand = 'python3 -S bot/hostile.py {name}'\n")
    });
    for (stderr, names) in [("public", "name"), ("private", "name"), ("public", "alias")] {
        let config = format!(
            "name = '{stderr}-{names}'\ngame = 'lineup'\n[options]\nn = 4\ns = 3\n[schedule]\ngames = 2\n\
             format = 'gauntlet'\n[limits]\nsandbox = 'basic'\n[publish]\nstderr = '{stderr}'\nnames = '{names}'\n\
             [[bot]]\nname = 'random'\ncommand = 'builtin:random'\n{}",
            bots.concat()
        );
        let file = dir.path().join("cup.toml");
        fs::write(&file, config).unwrap();
        let ran = arbiter(&["tournament"]).arg(&file).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        let folder = dir.path().join(format!("{stderr}-{names}"));
        let page = folder.join("report.html");
        open(&browser, &page, "");
        let text = read_everything(&browser);
        let (is_public, is_named) = (stderr == "public", names == "name");
        assert_eq!(text.contains("Standard error, its end:"), is_public, "{stderr} {names}");
        assert_eq!(text.contains("markup-answer"), is_named, "{stderr} {names}");
        assert!(text.contains("<script>") || !is_named, "it was said");
        expect_nothing_ran(&browser);
        // The same page can be written again.
        let again = report(dir.path(), &[&folder], &[]);
        assert!(fs::read(again).unwrap() == fs::read(page).unwrap());
    }
}

/// The text of the first view, of every game after its last ply, and of the page of every bot.
fn read_everything(browser: &Browser) -> String {
    let text = browser.run(
        "const texts = ['title', 'facts', 'overview'].map((id) => document.getElementById(id).textContent);
        for (const game of games) {
            openGame(game, Infinity);
            texts.push(document.getElementById('viewer').textContent);
        }
        for (const { name } of table.bots) {
            drawBot(name);
            texts.push(document.getElementById('bot').textContent);
        }
        clearTimeout(addressTimer);
        view = null;
        return texts.join('\\n');",
    );
    text.as_str().unwrap().to_owned()
}

fn expect_nothing_ran(browser: &Browser) {
    let found = browser.run(
        "const strange = 'img, iframe, object, embed, [onerror], [onload], [srcdoc], script[src], link, a[href]:not([href^=\"#\"])';
        return [typeof window.pwned, document.querySelectorAll(strange).length, document.querySelectorAll('script').length
            - document.querySelector('meta[http-equiv]').content.match(/script-src ([^;]*)/)[1].split(' ').length];",
    );
    assert_eq!(found, json!(["undefined", 0, 0]));
    assert_eq!(browser.console(), [""; 0], "nothing was refused, for nothing was tried");
}

#[test]
fn the_policy_refuses_what_is_not_of_the_file() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = play(dir.path(), "gekitai", 1, &[]);
    let page = report(dir.path(), &[&log], &[]);
    let text = fs::read_to_string(&page).unwrap();
    fs::write(
        &page,
        text.replacen(
            "</header>",
            "</header><script>window.pwned = 1</script><img src='x.png'>",
            1,
        ),
    )
    .unwrap();
    browser.go(&address(&page));
    browser.wait("document.documentElement.dataset.ready === 'true'");
    assert_eq!(browser.run("return typeof window.pwned;"), "undefined");
    let console = browser.console().join("\n");
    assert!(console.contains("Content Security Policy"), "{console}");
}

#[test]
fn what_cannot_be_shown_is_said() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = play(dir.path(), "loa", 1, &[]);
    let mut text = fs::read_to_string(&log).unwrap();
    // A game of another program, one with an illegal ply, and the rest of a log that breaks off.
    text += "[White \"x\"]\n[Black \"y\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
    text += "[White \"x\"]\n[Black \"y\"]\n[Result \"1-0\"]\n[Game \"loa\"]\n[Outcome \"win\"]\n\
             [Termination \"resign\"]\n\n1. a2c4 a1a1 1-0\n\n[White \"x\"]\n[Black \"y\"]\n[Result \"1-0\"]\n\n1. (";
    fs::write(&log, text).unwrap();
    let page = dir.path().join("page.html");
    let ran = run(&["report", log.to_str().unwrap(), "-o", page.to_str().unwrap()]);
    assert!(ran.status == Some(0) && ran.stderr.contains("2 games cannot be shown: "), "{ran:?}");
    open(&browser, &page, "#2/1");
    let shown = browser.run("return document.getElementById('explanation').textContent;");
    assert!(shown.as_str().unwrap().contains("ply 2, a1a1, is illegal"), "{shown}");
    let notes = browser.run("return document.getElementById('section-notes').textContent;");
    assert!(notes.as_str().unwrap().contains("2 games cannot be shown: "), "{notes}");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn light_and_dark_are_readable() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = play(dir.path(), "loa", 2, &[]);
    let page = report(dir.path(), &[&log], &[]);
    open(&browser, &page, "");
    let ground = || browser.run("return getComputedStyle(document.body).backgroundColor;");
    let mut grounds = Vec::new();
    for theme in ["light", "dark"] {
        browser.run("document.getElementById('theme').click();");
        assert_eq!(browser.run("return document.documentElement.dataset.theme;"), theme);
        grounds.push(ground());
        let contrasts = browser.run(CONTRASTS);
        let contrasts = contrasts.as_object().unwrap();
        assert!(contrasts.len() > 4, "{contrasts:?}");
        for (what, contrast) in contrasts {
            assert!(contrast.as_f64().unwrap() >= 4.5, "{theme}: {what}: {contrast}");
        }
    }
    assert_ne!(grounds[0], grounds[1]);
    assert_eq!(browser.console(), [""; 0]);
}

/// The contrast (WCAG 2) of some texts with what is behind them.
const CONTRASTS: &str = "
    const numbers = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((text) => Number(text) / (colour.startsWith('color(') ? 1 : 255));
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const light = (colour) => {
        const [red, green, blue] = numbers(colour).map(linear);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (part) => {
        const colour = getComputedStyle(part).backgroundColor;
        return /, 0\\)$/.test(colour) ? behind(part.parentElement) : colour;
    };
    const found = {};
    for (const what of ['h1', '#facts', '.hint', 'thead th', 'button', '.score0 button.cell', '.score0 small', '.score10 button.cell', '.score10 small', '#leader', '#menu a', '.words', '#found', '#list .how', '#list .id', '.card .mark']) {
        const part = document.querySelector(what);
        const [one, other] = [getComputedStyle(part).color, behind(part)].map(light).sort((a, b) => b - a);
        found[what] = (one + 0.05) / (other + 0.05);
    }
    return found;";

#[test]
fn what_the_user_names_is_written_and_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let log = play(dir.path(), "lineup", 2, &[]);
    let log = log.to_str().unwrap();
    let at = |name: &str| dir.path().join(name);
    let written = |file: &Path| {
        let ran = run(&["report", log, "-o", file.to_str().unwrap()]);
        assert_eq!(ran.status, Some(0), "{}: {ran:?}", file.display());
    };
    let is_page = |file: &Path| fs::read_to_string(file).unwrap().starts_with("<!doctype html>");
    fs::write(at("page.html"), "an earlier page that is longer than nothing").unwrap();
    fs::set_permissions(at("page.html"), fs::Permissions::from_mode(0o600)).unwrap();
    let inode = fs::metadata(at("page.html")).unwrap().ino();
    symlink("page.html", at("link.html")).unwrap();
    fs::hard_link(at("page.html"), at("hard.html")).unwrap();
    for name in ["page.html", "link.html", "hard.html"] {
        fs::write(at("page.html"), "an earlier page").unwrap();
        written(&at(name));
        assert!(is_page(&at("page.html")), "{name}");
    }
    let meta = fs::metadata(at("page.html")).unwrap();
    assert_eq!((meta.mode() & 0o777, meta.ino()), (0o600, inode));
    assert!(fs::symlink_metadata(at("link.html")).unwrap().is_symlink());
    // Devices and pipes take the page.
    written(Path::new("/dev/null"));
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let printed = run(&["report", log, "-o", "/dev/stdout"]);
    assert!(
        printed.status == Some(0) && printed.stdout.starts_with("<!doctype html>"),
        "{:?}",
        printed.status
    );
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    let pipe = at("pipe");
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
    written(&at("pipe"));
    assert!(reader.join().unwrap().starts_with("<!doctype html>"));
}

#[test]
fn a_report_of_somebody_else_is_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let log = play(dir.path(), "lineup", 2, &[]);
    let own = dir.path().join("report.html");
    let report = |arguments: &[&str]| -> crate::support::Ran {
        let mut command = arbiter(&["report"]);
        command.arg(&log).args(arguments).current_dir(dir.path()).output().unwrap().into()
    };
    for _ in 0..2 {
        let ran = report(&[]);
        assert_eq!(ran.status, Some(0), "a page of arbiter is replaced: {ran:?}");
    }
    fs::write(&own, "<html>my thesis</html>").unwrap();
    let ran = report(&[]);
    assert!(ran.status == Some(2) && ran.stderr.contains("--output"), "{ran:?}");
    assert_eq!(fs::read_to_string(&own).unwrap(), "<html>my thesis</html>");
    assert_eq!(report(&["-o", "report.html"]).status, Some(0));
    assert_ne!(fs::read_to_string(&own).unwrap(), "<html>my thesis</html>");
}
