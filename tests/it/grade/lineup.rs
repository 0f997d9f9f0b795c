//! `arbiter grade` of programs that play Line 'em Up: right ones by each door, and planted faults.

use super::command::{Place, interrupted};
use crate::support::{processes_with, project, wait_for, wait_until_gone};
use std::fs;
use std::os::unix::fs::symlink;

const PYTHON: &str = r#"
game = "lineup"
files = ["lineup.py"]
command = "python3 lineup.py"
boards = [ {n=5, s=4}, {n=3, s=3} ]
time = "10s"
[[part]]
kind = "games"
points = 40
"#;

fn source(name: &str) -> String {
    fs::read_to_string(project(&format!("tests/grade/lineup/{name}"))).unwrap()
}

/// The right program in Python with another text in place of one.
fn with(text: &str, other: &str) -> String {
    let right = source("right.py");
    assert_eq!(right.matches(text).count(), 1, "{text}");
    right.replace(text, other)
}

#[test]
fn programs_that_play_have_all_points_and_each_fault_costs_its_classes() {
    let Some(place) = Place::for_marks() else { return };
    place.write("mine.toml", PYTHON);
    place.write("class/right/deep/Lineup.py", source("right.py"));
    place.write(
        "class/illegal/lineup.py",
        with("board[row][column] == \".\"", "board[row][column] not in \"OX\""),
    );
    let go = "            row, column = choose(board, s, me, other)\n";
    let over = "            if any(wins(board, 3, y, x, board[y][x]) for y in range(n) \
                for x in range(n) if board[y][x] in \"OX\"):\n                ";
    place.write("class/ends/lineup.py", with(go, &format!("{over}break\n{go}")));
    let resign = "print(\"resign\", flush=True)\n                continue\n";
    place.write("class/resigns/lineup.py", with(go, &format!("{over}{resign}{go}")));
    place.write("class/silent/lineup.py", "raise SystemExit('no')\n");
    place.write("class/other/lineup.py", source("right.py"));
    place.write("class/other/bot.toml", "command = \"python3 lineup.py\"\ngames = [\"loa\"]\n");
    let rows = [("right", "40,40", "All is right"), ("other", "0,0", "Nothing is right yet")];
    place.marks("mine.toml", &rows);
    for (name, most, says) in [
        ("illegal", 32.0, "lost by illegal-move: "),
        ("illegal", 32.0, "only on the board of 5 rows"),
        ("ends", 32.0, "lost by crash: expected an answer; the program ended"),
        ("resigns", 32.0, "it gave up, and the game was not over"),
        ("silent", 0.0, "lost by no-start: "),
    ] {
        let points = &place.points("out")[name];
        let points: f64 = points.split_once(',').unwrap().0.parse().unwrap();
        let page = place.page("out", name);
        assert!(points <= most && page.contains(says), "{name}: {points}\n{page}");
    }
    assert!(!place.page("out", "silent").contains("/source/"));
}

#[test]
fn a_program_that_talks_to_a_person_is_asked_by_the_table_of_its_course() {
    let Some(place) = Place::for_marks() else { return };
    place.write("mine.toml", source("console.toml"));
    let right = source("right.cpp");
    place.write("class/right/lineup.cpp", &right);
    let blind = right.replace("while (game.board[row][column] != '.')", "while (false)");
    assert_ne!(blind, right);
    place.write("class/blind/lineup.cpp", blind);
    place.write("class/typo/lineup.cpp", right.replace("int main()", "int main("));
    place.marks("mine.toml", &[("right", "40,40", "All is right"), ("typo", "0,0", "lineup.cpp:")]);
    let page = place.page("out", "blind");
    assert!(page.contains("lost by illegal-move: "), "{page}");
}

/// A file of another spelling is taken for the one of the assignment, whose name may be a link.
#[test]
fn a_link_in_the_place_of_a_file_is_not_written_through() {
    let Some(place) = Place::for_marks() else { return };
    place.write("mine.toml", PYTHON.replace("{n=5, s=4}, ", ""));
    place.write("grades.csv", "ada,100\n");
    for (name, target) in [("old", "grades.csv"), ("new", "made.csv")] {
        place.write(&format!("class/{name}/Lineup.py"), source("right.py"));
        symlink(place.path(target), place.path(&format!("class/{name}/lineup.py"))).unwrap();
    }
    place.marks("mine.toml", &[("old", "40,40", ""), ("new", "40,40", "")]);
    assert_eq!(fs::read_to_string(place.path("grades.csv")).unwrap(), "ada,100\n");
    assert!(!place.path("made.csv").exists());
}

/// A submission has its own one, another none, and another a link in its place.
#[test]
fn files_of_the_course_are_beside_the_program() {
    let Some(place) = Place::for_marks() else { return };
    let text = PYTHON.replace("{n=5, s=4}, ", "");
    place.write("mine.toml", format!("provided = [\"course.py\"]\n{text}"));
    place.write("course.py", "def is_of_course(): pass\n");
    place.write("grades.csv", "ada,100\n");
    let imports = with("import sys", "import sys\nimport course\ncourse.is_of_course()");
    for name in ["own", "without", "link"] {
        place.write(&format!("class/{name}/lineup.py"), &imports);
    }
    place.write("class/own/course.py", "raise SystemExit\n");
    symlink(place.path("grades.csv"), place.path("class/link/course.py")).unwrap();
    place.marks(
        "mine.toml",
        &[
            ("own", "40,40", "course.py differs from the file of the course, which was used"),
            ("without", "40,40", ""),
            ("link", "40,40", ""),
        ],
    );
    assert_eq!(fs::read_to_string(place.path("grades.csv")).unwrap(), "ada,100\n");
}

/// Without an end to it a game would go on for minutes, and a build for five.
#[test]
fn an_interrupt_ends_a_game_and_a_build_and_leaves_nothing() {
    let Some(place) = Place::for_marks() else { return };
    let go = "            row, column = choose";
    let sleeps = with(go, &format!("            time.sleep(100000)\n{go}"));
    place.write("ada/lineup.py", sleeps.replace("import sys", "import sys\nimport time"));
    let word = place.path("").display().to_string().replace('/', "-");
    let game = PYTHON.replace("lineup.py\"\nboards", &format!("lineup.py {word}\"\nboards"));
    let build = format!("build = \"python3 -c 'import time; time.sleep(100000)' {word}\"\n");
    for assignment in [game, build + PYTHON] {
        place.write("mine.toml", assignment);
        let child = place.start_in_scratch("mine.toml", "ada");
        wait_for("the program", || (!processes_with(&word).is_empty()).then_some(()));
        let ran = interrupted(child);
        let says = "interrupted after 0 of 1 submission";
        assert!(ran.status == Some(130) && ran.stderr.contains(says), "{ran:?}");
        wait_until_gone(&word);
        assert_eq!(fs::read_dir(place.path("scratch")).unwrap().count(), 0);
    }
}

/// The time of a move is a class of its own; the moves of a slow program still count.
#[test]
fn a_program_that_exceeds_the_time_of_a_move_loses_that_class() {
    let Some(place) = Place::for_marks() else { return };
    let weights = "weights = { \"whole games\" = 0, \"end of the program\" = 0 }\n";
    let text = format!("{PYTHON}{weights}").replace("{n=5, s=4}, ", "");
    place.write("mine.toml", text.replace("10s", "100ms"));
    let go = "            row, column = choose";
    let slow = with(go, &format!("            time.sleep(1)\n{go}"));
    place.write("class/slow/lineup.py", slow.replace("import sys", "import sys\nimport time"));
    // Both classes of moves, 2 and 3, without that of the time, 4.
    place.marks("mine.toml", &[("slow", "22.2,22.2", "lost by timeout: ")]);
    let page = place.page("out", "slow");
    assert!(page.contains("**What fails: time of a move.**"), "{page}");
}
