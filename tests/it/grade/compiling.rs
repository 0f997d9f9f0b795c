//! `arbiter grade`: what is compiled of a submission, which files are taken, and what is asked for
//! and no case shows. Needs g++. `.ci/slow` marks all submissions (`ARBITER_ALL`), otherwise it is
//! a part of them, but for requirements.

use super::command::{ASSIGNMENT, Place, right};
use super::with_small_iostream;
use crate::support::{project, sample};
use std::fs;

/// [`ASSIGNMENT`] up to its parts.
fn head() -> &'static str {
    ASSIGNMENT.split("[[part]]").next().unwrap()
}

/// The right program, in which texts that are there once are replaced.
fn changed(changes: &[(&str, &str)]) -> String {
    let mut text = right();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    text
}

const FUNCTIONS: &str = "[[part]]\nkind = \"functions\"\npoints = { is_valid_move = 8, pieces_on_board = 8, pieces_in_line = 12, move = 16 }\n";

#[test]
fn a_function_that_does_not_compile_costs_itself() {
    let Some(place) = Place::for_marks() else { return };
    let part = "[[part]]\nkind = \"builds\"\npoints = 5\n";
    let boards = head().replace("{n=5, p=6, l=3}", "{n=5, p=6, l=3}, {n=6, p=8, l=3}");
    place.write("mine.toml", format!("{boards}{part}{FUNCTIONS}"));
    let line = "    for (int i = 0; i < L; i++) {";
    let rows = [
        (
            "array",
            changed(&[("    char board[N][N];", "    char board[5][5];")]),
            "5,8,8,12,16,49",
            "functions of gekitai.cpp were called without `main`",
        ),
        (
            "main",
            changed(&[("bool over = false;", "bool over = flase;")]),
            "0,8,8,12,16,44",
            "`flase` was not declared",
        ),
        (
            "open",
            changed(&[("    return 0;\n}", "    return 0;\n")]),
            "0,8,8,12,16,44",
            "functions of gekitai.cpp were called without `main`",
        ),
        (
            "move",
            changed(&[("    board[y][x] = player;", "    board[y][x] = playr;")]),
            "0,8,8,12,0,28",
            "`move` does not compile: gekitai.cpp",
        ),
        (
            "helper",
            changed(&[(line, "    for (int i = 0; i < M; i++) {")]),
            "0,8,8,0,16,32",
            "it may call what is missing: `line_from(",
        ),
        (
            "signature",
            changed(&[("bool pieces_in_line(char", "bool pieces_in_line(Char")]),
            "0,8,8,0,16,32",
            "`pieces_in_line` does not compile: gekitai.cpp",
        ),
        ("outside", right() + "}\n", "0,0,0,0,0,0", "gekitai.cpp does not compile"),
        (
            "try",
            changed(&[("int main() {", "int main() try {")]) + "catch (...) { flase; }\n",
            "0,8,8,12,16,44",
            "were called without `main`",
        ),
        (
            "copy",
            changed(&[
                ("    int count = 0;", "    char a[4]; strcpy_s(a, \"Ada\"); int count = 0;"),
                ("    board[y][x] = player;", "    board[y][x] = playr;"),
            ]),
            "0,8,8,12,0,28",
            "`move` does not compile: gekitai.cpp",
        ),
    ];
    place.marks_each("mine.toml", "gekitai.cpp", sample(rows, 3));
}

/// arbiter's CheckLine is weak, as every inline function is.
#[test]
fn an_inline_check_line_of_a_submission_is_called_in_place_of_arbiters() {
    let Some(place) = Place::for_marks() else { return };
    let assignment = "game = \"flipflop\"\nfiles = [\"flipflop.cpp\"]\nboards = [ {n=8} ]\n\
                      compile = \"g++ -std=c++17 -O0\"\n\
                      [[part]]\nkind = \"functions\"\npoints = { IsThisMoveValid = 15 }\n";
    place.write("mine.toml", assignment);
    let right = fs::read_to_string(project("tests/grade/functions/flipflop.cpp")).unwrap();
    let right = with_small_iostream(&right);
    // No line is trapped.
    let inline = "inline bool CheckLine(int b[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n, \
                  int, int, int, int, int &) { return n == b[0][0]; }\n";
    let same = "a function that returns the same value for every input, so it earns no points";
    let own = format!("{right}{inline}");
    let rows = vec![("none", right, "15,15", ""), ("inline", own, "0,0", same)];
    place.marks_each("mine.toml", "flipflop.cpp", rows);
}

#[test]
fn what_only_visual_studio_takes_costs_what_the_course_says() {
    let Some(place) = Place::for_marks() else { return };
    let builds =
        "[[part]]\nkind = \"builds\"\npoints = 5\neach-warning = -1\nonly-visual-studio = -2\n";
    let stand_in = "[stand-ins]\n\"graphics.h\" = \"inline void closegraph() {}\"\n";
    let program = "[[part]]\nkind = \"program\"\npoints = 40\n";
    place.write("mine.toml", format!("{}{stand_in}{builds}{program}", head()));
    let header = |name: &str, call: &str| {
        format!("#include <{name}>\n")
            + &changed(&[("    return 0;", &format!("    {call}\n    return 0;"))])
    };
    let rows = [
        ("right", right(), "5,40,45", ""),
        ("sleep", header("Windows.h", "Sleep(100000); Beep(750, 300);"), "3,40,43", "Windows.h"),
        ("getch", header("conio.h", "_getch();"), "3,40,43", "conio.h"),
        (
            "copy",
            changed(&[(
                "    return 0;",
                "    char name[8];\n    strcpy_s(name, \"Ada\");\n    return name[3];",
            )]),
            "3,40,43",
            "compiles only with what Visual Studio includes by itself",
        ),
        ("graphics", header("graphics.h", "closegraph();"), "3,40,43", "graphics.h"),
        ("none", header("none.h", ""), "0,0,0", "none.h: No such file or directory"),
        ("own", header("Pch.h", "close();").replace("<Pch.h>", "\"Pch.h\""), "5,40,45", ""),
    ];
    place.write("class/own/pch.h", "inline void close() {}\n");
    place.marks_each("mine.toml", "gekitai.cpp", sample(rows, 2));
}

#[test]
fn files_under_other_names_are_found_or_named() {
    let Some(place) = Place::for_marks() else { return };
    place.write(
        "mine.toml",
        format!("{}{FUNCTIONS}[[part]]\nkind = \"builds\"\npoints = 5\n", head()),
    );
    let right = right();
    let (functions, main) =
        right.split_once("int main").map(|(a, b)| (a.to_owned(), format!("int main{b}"))).unwrap();
    let including = format!("#include \"funcs.cpp\"\n{main}");
    let wrong = "gekitai.cpp was not handed in; what is there: gekitai.cpp.txt, main.cc, sub.zip (an \
                 archive is not unpacked)";
    let more = "game.cpp was taken for gekitai.cpp: it defines 4 functions that the assignment asks \
                for, more than draft.cpp";
    let includes =
        "main.cpp was taken for gekitai.cpp: it includes another of them, unlike funcs.cpp";
    let old = "const int M = 1;\nint main() { is_valid_move(); }\n";
    let all = "8,8,12,16,5,49";
    let submissions = [
        ("two", vec![("draft.cpp", "int main() {}\n"), ("game.cpp", &*right)], all, more),
        ("older", vec![("gekitai.cpp", &*functions), ("old.cpp", old)], all, ""),
        ("both", vec![("main.cpp", &*including), ("funcs.cpp", &functions)], all, includes),
        ("included", vec![("gekitai.cpp", &including), ("funcs.cpp", &functions)], all, ""),
        (
            "wrong",
            vec![("gekitai.cpp.txt", &right), ("main.cc", &right), ("sub.zip", "PK")],
            "0,0,0,0,0,0",
            wrong,
        ),
    ];
    let mut rows = Vec::new();
    for (name, files, points, says) in sample(submissions, 2) {
        for (file, text) in files {
            place.write(&format!("class/{name}/{file}"), text);
        }
        rows.push((name, points, says));
    }
    place.marks("mine.toml", &rows);
}

#[test]
fn requirements_take_their_points_off_once() {
    let Some(place) = Place::for_marks() else { return };
    let requirements = r#"
provided = ["course.h"]
[[part]]
kind = "builds"
points = 9
each-warning = -1
[[requirement]]
kind = "without"
names = ["vector<", "goto"]
except = ["main"]
points = -3
says = "No vectors."
[[requirement]]
kind = "contact"
points = -1
[[requirement]]
kind = "comments"
points = -2
says = "Comments!"
[[requirement]]
kind = "file-names"
points = -20
"#;
    place.write("mine.toml", format!("{}{requirements}", head()));
    let right = format!("// Ada, ada@link.cuhk.edu.hk 1155123456\n{}", right());
    let vectors = "#include <vector>\nvoid f(std::vector<int> a) { std::vector<int> b = a; }\n";
    let commented = "// Ada\nint main() { std::vector<int> a; }\n";
    let mut rows = Vec::new();
    for (name, file, text, expected, says) in [
        ("right", "gekitai.cpp", right.clone(), "9,0,9", ""),
        ("course", "gekitai.cpp", right.clone() + "#include \"course.h\"\n", "9,0,9", ""),
        ("vectors", "gekitai.cpp", right.clone() + vectors, "9,-3,6", "-3: gekitai.cpp:"),
        (
            "allowed",
            "gekitai.cpp",
            format!("#include <vector>\n{commented}"),
            "9,-1,8",
            "-1: gekitai.cpp has no name and no student's number and no e-mail address in a comment at its top",
        ),
        (
            "nameless",
            "gekitai.cpp",
            right
                .replace("Ada, ", "")
                .replace("// A right solution of the assignment gekitai.\n", ""),
            "9,-1,8",
            "-1: gekitai.cpp has no name in a comment at its top",
        ),
        ("bare", "gekitai.cpp", "int main() {}\n".to_owned(), "9,-3,6", "The hand-out: Comments!"),
        (
            "renamed",
            "other.cpp",
            right.clone(),
            "9,-20,0",
            "-20: other.cpp was taken for gekitai.cpp",
        ),
        (
            "two",
            "other.cpp",
            right + "#include \"empty.cpp\"\n",
            "9,-20,0",
            "-20: other.cpp was taken for gekitai.cpp: it includes another",
        ),
    ] {
        place.write(&format!("class/{name}/{file}"), text);
        rows.push((name, expected, says));
    }
    place.write("class/two/empty.cpp", "// nothing\n");
    // Nobody answers for warnings in files of the course.
    place.write("course.h", "static int unused() { return 0; }\n");
    place.marks("mine.toml", &rows);
}

/// The course replaces its header, and a fair marker still sees what the functions do.
#[test]
fn a_class_with_an_added_member_is_called_with_its_own_header() {
    let Some(place) = Place::for_marks() else { return };
    let read = |name: &str| fs::read_to_string(project("src/grade/provided").join(name)).unwrap();
    let header = read("LinesOfAction.h");
    let added =
        header.replace("    char gameOver();", "    char gameOver();\n    bool isInside(int row);");
    let members = added.replace("private:", "private:\n    int turns;");
    let begin = "bool LinesOfAction::move(string from, string to) {";
    let helper = "bool LinesOfAction::isInside(int row) { return row >= 0 && row < 8; }\n";
    let check = "\n    if (!from.empty() && !isInside(from.back() - '0')) return false;";
    let class = read("right.cpp").replace(begin, &format!("{helper}{begin}{check}"));
    assert!(members.contains("turns") && class.contains(check));
    let right = read("right.cpp");
    let with_changed_header = "0,5,0,2,5,5,2,3,25,15,5,25,-5,87";
    let changed_header = "-5: LinesOfAction.cpp compiles only with a changed header";
    let mut rows = Vec::new();
    let submissions = [
        (
            "lacking",
            &class,
            header.clone(),
            "0,5,0,2,5,5,2,3,0,15,5,25,0,67",
            "`move` does not compile: LinesOfAction.cpp",
        ),
        (
            "comment",
            &right,
            format!("// mine\n{header}"),
            "5,5,3,2,5,5,2,3,25,15,5,25,0,100",
            "differs from the file of the course",
        ),
        ("members", &class, members, with_changed_header, ""),
        ("added", &class, added.clone(), with_changed_header, changed_header),
        ("spelt", &class, added, with_changed_header, changed_header),
    ];
    for (name, class, header, points, says) in sample(submissions, 4) {
        place.write(&format!("class/{name}/LinesOfAction.cpp"), class);
        place.write(&format!("class/{name}/gameplay.cpp"), read("gameplay.cpp"));
        place.write(&format!("class/{name}/LinesOfAction.h"), header);
        rows.push((name, points, says));
    }
    // Neither of two spellings takes the place of the course's header.
    place.write("class/spelt/LINESOFACTION.H", header);
    place.marks("loa", &rows);
}
