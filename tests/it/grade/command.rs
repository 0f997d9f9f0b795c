//! `arbiter grade`: submissions that are right, that do not compile, and that end in every bad way.
//! Needs g++. `.ci/slow` marks all submissions (`ARBITER_ALL`), otherwise it is a part of them.

use super::with_small_iostream;
use crate::support::{
    ARBITER, Ran, arbiter, copy_program, has, has_strict, interrupt, plays_all, processes_with,
    project, sample, skip, wait_for, wait_until_gone,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// One small board, and a short time, so that endless programs end soon.
pub(super) const ASSIGNMENT: &str = r#"
game = "gekitai"
files = ["gekitai.cpp"]
compile = "g++ -std=c++17 -O1 -Wall"
boards = [ {n=5, p=6, l=3} ]
constants = { n = "N", p = "P", l = "L" }
time = "300ms"
[[part]]
kind = "builds"
points = 5
each-warning = -1
at-least = 2
[[part]]
kind = "globals"
points = 5
[[part]]
kind = "program"
points = 40
"#;

/// A folder for submissions.
pub(super) struct Place(tempfile::TempDir);

impl Place {
    /// A place for marks of C++; `None`, which is printed, where there can be none.
    pub(super) fn for_marks() -> Option<Place> {
        let is_possible = has("g++", "marks of C++") && has_strict("marking under strict");
        is_possible.then(Place::new)
    }

    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("mine.toml", ASSIGNMENT);
        place
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// Starts marking a submission. What arbiter writes meanwhile is in the folder `scratch`.
    pub(super) fn start_in_scratch(&self, assignment: &str, submission: &str) -> Child {
        fs::create_dir_all(self.path("scratch")).unwrap();
        for folder in ["", "scratch"] {
            fs::set_permissions(self.path(folder), Permissions::from_mode(0o755)).unwrap();
        }
        arbiter(&["grade", assignment, submission])
            .current_dir(self.path(""))
            .env("TMPDIR", self.path("scratch"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    pub(super) fn grade(&self, arguments: &[&str]) -> Ran {
        let arguments = [&["grade"], arguments].concat();
        arbiter(&arguments).current_dir(self.0.path()).output().unwrap().into()
    }

    /// The rows of `class.csv`: the cells behind each name.
    pub(super) fn points(&self, out: &str) -> BTreeMap<String, String> {
        let table = fs::read_to_string(self.path(out).join("class.csv")).unwrap();
        let rows = table.lines().filter_map(|line| line.split_once(','));
        rows.map(|(name, cells)| (name.to_owned(), cells.to_owned())).collect()
    }

    /// The page of a submission without the backslashes of Markdown, and with plain quotes.
    pub(super) fn page(&self, out: &str, name: &str) -> String {
        let page = fs::read_to_string(self.path(out).join(format!("students/{name}.md"))).unwrap();
        page.replace('\\', "").replace(['‘', '’'], "`")
    }

    /// Marks the submissions in `class` into `out`. Fails unless they have these points, where `*`
    /// stands for any number, and their pages say this: name, points, words.
    pub(super) fn marks(&self, assignment: &str, rows: &[(&str, &str, &str)]) {
        let ran = self.grade(&[assignment, "--class", "class", "--out", "out"]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let points = self.points("out");
        for (name, expected, says) in rows {
            let page = self.page("out", name);
            let points = &points[*name];
            assert!(are_points(points, expected), "{name}: {points} {expected}\n{page}");
            assert!(page.contains(says), "{name}: {says:?}\n{page}");
        }
    }

    /// The same of submissions of one file, which are written first: name, text, points, words.
    pub(super) fn marks_each(
        &self,
        assignment: &str,
        file: &str,
        submissions: Vec<(&str, String, &str, &str)>,
    ) {
        let mut rows = Vec::new();
        for (name, text, points, says) in submissions {
            self.write(&format!("class/{name}/{file}"), text);
            rows.push((name, points, says));
        }
        self.marks(assignment, &rows);
    }
}

/// Whether the cells of a row are these, of which `*` stands for any.
fn are_points(cells: &str, expected: &str) -> bool {
    cells.split(',').count() == expected.split(',').count()
        && std::iter::zip(cells.split(','), expected.split(','))
            .all(|(cell, expected)| expected == "*" || cell == expected)
}

/// Our right program, on the board of [`ASSIGNMENT`]; outside of full tests without `<iostream>`.
pub(super) fn right() -> String {
    quick_to_compile(&right_with_iostream())
}

/// A right source, [with less to compile](with_small_iostream) unless all is tried.
fn quick_to_compile(source: &str) -> String {
    if plays_all() { source.to_owned() } else { with_small_iostream(source) }
}

fn right_with_iostream() -> String {
    let right = fs::read_to_string(project("src/grade/provided/gekitai.cpp")).unwrap();
    let text = right.replace("N = 6", "N = 5").replace("P = 8", "P = 6");
    assert_ne!(text, right);
    text
}

/// The right program with a statement at the beginning of its `main`.
fn beginning_with(statement: &str) -> String {
    let (before, after) =
        right().split_once("int main() {").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    format!("#include <cstdlib>\n#include <unistd.h>\n{before}int main() {{ {statement}{after}")
}

/// All files below a folder, with their content.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
        .into_iter()
        .map(|(path, text)| (path.strip_prefix(folder).map(Path::to_owned).unwrap_or(path), text))
        .collect()
}

#[test]
fn right_programs_have_all_points_on_every_board() {
    let Some(place) = Place::for_marks() else { return };
    // The board of the programs, and others, for which their constants are replaced.
    let last = if plays_all() { ", {n=8, p=8, l=4}" } else { "" };
    let boards = format!("{{n=6, p=8, l=3}}, {{n=5, p=6, l=3}}{last}");
    let text = ASSIGNMENT.replace("{n=5, p=6, l=3}", &boards);
    place.write("mine.toml", text.replace("300ms", "10s"));
    let right = fs::read_to_string(project("src/grade/provided/gekitai.cpp")).unwrap();
    if plays_all() {
        place.write("class/plain/gekitai.cpp", &right);
    }
    // As Visual Studio has it: another name, headers of Windows, line ends, no UTF-8.
    let windows = format!(
        "// \u{feff}\n#include \"stdafx.h\"\n#include <Windows.h>\n#include <conio.h>\n#include <cstdlib>\n{right}"
    );
    let windows =
        windows.replace("return 0;", "system(\"pause\");\nreturn 0;").replace('\n', "\r\n");
    // The last byte of the second comment is a backslash for g++.
    let windows = [
        b"// ada@cuhk.edu.hk \xb4\xd1\xa5\x5c \r\nint four(); // \xa5\x5c\r\n".as_slice(),
        windows.as_bytes(),
    ]
    .concat();
    place.write("class/windows/homework/Final.CPP", windows);
    let macros = right
        .replace("const int N = 6;", "#define N 6\n")
        .replace("const int P = 8;", "#define P 8\n");
    assert_ne!(macros, right);
    place.write("class/macros.cpp", macros);
    place.marks("mine.toml", &[]);
    let points = place.points("out");
    let names = if plays_all() { &["plain", "macros.cpp"][..] } else { &["macros.cpp"] };
    for &name in names {
        assert_eq!(points[name], "5,5,40,50", "{}", place.page("out", name));
    }
    let page = place.page("out", "windows");
    assert_eq!(points["windows"], "5,5,40,50", "{page}");
    for remark in ["Final.CPP was taken for gekitai.cpp", "Windows.h", "stdafx.h", "conio.h"] {
        assert!(page.contains(remark), "{remark}: {page}");
    }
    assert!(!page.contains("no comment with an e-mail"), "{page}");
}

#[test]
fn every_bad_end_has_a_sentence_and_the_class_goes_on() {
    let Some(place) = Place::for_marks() else { return };
    let recursion = "volatile int f(volatile int n) { return n == -1 ? 0 : f(n + 1) + 1; }\n";
    let submissions = [
        ("right", right()),
        ("broken", "int main() { this is no C++ }".to_owned()),
        ("void-main", right().replace("int main() {", "void main() {").replace("return 0;", "")),
        ("assembler", right() + "asm(\".incbin \\\"/etc/shadow\\\"\");\n"),
        ("loop", beginning_with("for (volatile int i = 0;; i++) {}")),
        ("output", beginning_with("for (;;) cout << \"more\\n\";")),
        ("recursion", format!("{recursion}{}", beginning_with("if (f(0)) return f(1);"))),
        ("crash", beginning_with("*(volatile int*)8 = 1;")),
        ("early", beginning_with("return 7;")),
        ("fork", beginning_with("fork();")),
    ];
    // The others end as these do, or as those of the test below.
    let alike = ["loop", "recursion", "early"];
    let submissions: Vec<&(&str, String)> =
        submissions.iter().filter(|(name, _)| plays_all() || !alike.contains(name)).collect();
    for (name, text) in &submissions {
        place.write(&format!("class/{name}/gekitai.cpp"), text);
    }
    place.write("class/missing/readme.txt", "nothing");
    place.write("secret.txt", "SECRET");
    fs::create_dir(place.path("class/link")).unwrap();
    symlink(place.path("secret.txt"), place.path("class/link/gekitai.cpp")).unwrap();
    symlink(place.path("class/right"), place.path("class/linked")).unwrap();
    place.write("class/empty/gekitai.cpp", " \r\n");
    place.write("class/two/one.cpp", "int main() { this is no C++ }");
    place.write("class/two/other.cpp", right());
    // Waits are long; the others are marked meanwhile.
    place.write("sleep/gekitai.cpp", beginning_with("sleep(100000);"));
    let waiting = arbiter(&["grade", "mine.toml", "sleep"])
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (printed, mut marks) = marks_by(&place, "4");
    assert_eq!(contents(&place.path("4")).len(), 3 + submissions.len() + 4);
    // One at a time they get the same.
    if !plays_all() {
        for name in ["right", "void-main", "output", "fork", "two"] {
            fs::remove_dir_all(place.path("class").join(name)).unwrap();
            marks.retain(|submission| submission["name"] != name);
        }
    }
    let (printed_again, marks_again) = marks_by(&place, "1");
    assert_eq!(marks_again, marks);
    if plays_all() {
        assert_eq!(printed_again, printed);
        assert_eq!(contents(&place.path("1")), contents(&place.path("4")));
    }
    let points = place.points("4");
    for (name, cells) in place.points("1") {
        assert_eq!(points[&name], cells, "{name}");
        if name != "submission" {
            assert_eq!(place.page("1", &name), place.page("4", &name));
        }
    }
    for (name, expected, says) in [
        ("right", "5,5,40,50", ""),
        ("broken", "0,0,0,0", "gekitai.cpp does not compile"),
        ("void-main", "5,5,40,50", "gekitai.cpp has `void main`, which only Visual Studio takes"),
        ("assembler", "0,0,0,0", "Error: "),
        ("loop", "5,5,0,10", "computes"),
        ("output", "5,5,0,10", "prints without end"),
        ("recursion", "5,5,0,10", "signal 11"),
        ("crash", "5,5,0,10", "signal 11"),
        ("early", "5,5,0,10", "status 7"),
        ("missing", "0,0,0,0", "gekitai.cpp was not handed in"),
        ("link", "0,0,0,0", "gekitai.cpp is a symbolic link, and was not taken"),
        ("empty", "0,0,0,0", "gekitai.cpp is empty"),
        ("two", "5,5,40,50", "as much of what is asked for as one.cpp, and is the last by name"),
    ] {
        if !plays_all() && alike.contains(&name) {
            continue;
        }
        let points = &points[name];
        let page = place.page("4", name);
        assert!(points == expected && page.contains(says), "{name}: {points} {says:?}\n{page}");
        assert!(!page.contains("SECRET") && !page.contains("/tmp/"), "{page}");
    }
    let waited: Ran = waiting.wait_with_output().unwrap().into();
    assert!(
        waited.stdout.contains("\nsleep: 10 of 50\n")
            && waited.stdout.contains("waits and does nothing"),
        "{waited:?}"
    );
}

/// [`ASSIGNMENT`] without the part of the program.
fn without_program() -> String {
    ASSIGNMENT.split("[[part]]").take(3).collect::<Vec<_>>().join("[[part]]")
}

#[test]
fn warnings_and_global_variables_cost_their_points() {
    let Some(place) = Place::for_marks() else { return };
    place.write("mine.toml", without_program());
    let rows = vec![
        ("right", right(), "5,5,10", ""),
        // The compiler shows the line of a warning, and this one quotes another warning.
        (
            "warns",
            right()
                .replace("int main() {", "int main() { int a; int b; // a.cpp:1:1: warning: none"),
            "3,5,8",
            "unused variable",
        ),
        (
            "globals",
            format!(
                "#include <string>\nint turns;\nstatic char last[3];\nnamespace {{ double x = 1; }}\n\
                 const std::string NAME = \"a\"; typedef const int Fixed; Fixed y = 3; const char LETTERS[2] = {{'a', 'b'}};\n\
                 #line 1 \"/usr/include/x.h\"\nstatic union {{ int one; float other; }};\n\
                 int used() {{ one = 1; static int calls; return ++calls + turns + last[0] + int(x) + y + LETTERS[0] + int(NAME.size()); }}\n{}",
                right()
            ),
            "5,0,5",
            "gekitai.cpp:2: turns is a global variable",
        ),
    ];
    place.marks_each("mine.toml", "gekitai.cpp", rows);
    let globals = place.page("out", "globals");
    for (name, is_named) in [
        ("last", true),
        ("x", true),
        ("a union", true),
        ("NAME", false),
        ("y", false),
        ("LETTERS", false),
        ("calls", false),
    ] {
        assert_eq!(
            globals.contains(&format!(": {name} is a global variable")),
            is_named,
            "{name}\n{globals}"
        );
    }
}

/// Marks the class with this concurrency, into the folder of that name. Returns what was printed
/// and the marks of each submission.
fn marks_by(place: &Place, cores: &str) -> (String, Vec<Value>) {
    let output = ["--out", cores, "--concurrency", cores, "--format", "json"];
    let ran = place.grade(&[&["mine.toml", "--class", "class"][..], &output].concat());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("class/linked is a symbolic link, and is left out"), "{ran:?}");
    let marks = fs::read(place.path(cores).join("marks.json")).unwrap();
    let marks: Value = serde_json::from_slice(&marks).unwrap();
    (ran.stdout, marks["submissions"].as_array().unwrap().clone())
}

/// In the middle of the game, and at an end of input that is not looked for.
#[test]
fn every_bad_end_has_a_sentence_however_a_program_reads() {
    let Some(place) = Place::for_marks() else { return };
    let checked = "if (!(cin >> letter >> number)) {\n                return 1;\n            }";
    let styles = [
        ("cin", "cin >> letter >> number;"),
        (
            "getline",
            "string line; getline(cin, line); letter = line[0]; number = atoi(line.c_str() + 1);",
        ),
        ("scanf", "(void)!scanf(\" %c%d\", &letter, &number);"),
    ];
    let ends = [
        ("loop", "for (volatile int i = 0;; i++) {}", "computes without end"),
        ("output", "for (;;) cout << \"more\\n\";", "prints without end"),
        ("recursion", "return f(0);", "signal 11"),
        ("crash", "*(volatile int*)8 = 1;", "signal 11"),
        ("early", "return 7;", "status 7"),
    ];
    let functions = "#include <cstdio>\n#include <cstdlib>\n#include <string>\n\
                     volatile int f(volatile int n) { return n == -1 ? 0 : f(n + 1) + 1; }\n";
    let reads = |read: &str, statement: &str| {
        // The small header has no `getline`.
        let right = if read.contains("getline") { right_with_iostream() } else { right() };
        assert!(right.contains(checked));
        functions.to_owned() + &right.replace(checked, &format!("{read} {statement}"))
    };
    let mut programs = Vec::new();
    for (style, read) in styles {
        for (end, statement, says) in ends {
            let third = format!("static int turns; if (++turns == 3) {{ {statement} }}");
            programs.push((format!("{style}-{end}"), reads(read, &third), says));
        }
        let refuses = reads(read, "letter = 'Z';");
        programs.push((
            format!("{style}-refuses"),
            refuses,
            "goes on asking after its input has ended",
        ));
    }
    // One in nine: of two styles, and of two ends.
    let programs = sample(programs, 9);
    for (name, text, _) in &programs {
        place.write(&format!("class/{name}/gekitai.cpp"), text);
    }
    place.marks("mine.toml", &[]);
    let points = place.points("out");
    for (name, _, says) in programs {
        let page = place.page("out", &name);
        assert!(
            points[&name] == "5,5,0,10" && page.contains(says),
            "{name}: {} {says:?}\n{page}",
            points[&name]
        );
        // The case that is shown is one that was run.
        assert!(
            !page.contains("before it has printed") && !page.contains(": it was not run"),
            "{page}"
        );
    }
}

#[test]
fn constants_that_are_not_found_cost_their_boards() {
    let Some(place) = Place::for_marks() else { return };
    place.write(
        "mine.toml",
        ASSIGNMENT.replace("[ {n=5, p=6, l=3} ]", "[ {n=5, p=6, l=3}, {n=6, p=8, l=3} ]"),
    );
    let text = right().replace("const int N = 5;", "const int Size = 5;").replace('N', "Size");
    place.write("ada/gekitai.cpp", text);
    let ran = place.grade(&["mine.toml", "ada"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("no constant N was found"), "{ran:?}");
    assert!(!ran.stdout.contains("50/50"), "{ran:?}");
}

#[test]
fn bad_usage_ends_with_status_2() {
    let place = Place::new();
    place.write("wrong.toml", "game = 'gekitai'\nfiels = ['gekitai.cpp']\n");
    for (arguments, says) in [
        (&["chess", "mine.toml"][..], "there is no such assignment"),
        (&["flipflop"], "give a SUBMISSION, or --class DIR"),
        (&["flipflop", "nowhere"], "nowhere"),
        (&["nowhere.toml", "mine.toml"], "nowhere.toml: "),
        (&["wrong.toml", "mine.toml"], "wrong.toml:2: unknown key `fiels`"),
        (
            &["flipflop", "mine.toml", "wrong.toml", "--format", "autolab"],
            "is about one submission",
        ),
        (&["--print-default", "chess"], "possible values"),
        (&["flipflop", "--class", ".", "--out", "."], "--out and --class are one folder"),
    ] {
        let ran = place.grade(arguments);
        assert!(ran.status == Some(2) && ran.stderr.contains(says), "{arguments:?}: {ran:?}");
    }
    // Before anything is marked.
    let ran = place.grade(&["flipflop", "--class", ".", "--out", "mine.toml"]);
    assert!(
        ran.status == Some(2) && ran.stderr.contains("--out mine.toml") && ran.stdout.is_empty(),
        "{ran:?}"
    );
    for name in ["loa", "gekitai", "flipflop", "lineup"] {
        let ran = place.grade(&["--print-default", name]);
        assert!(
            ran.status == Some(0) && ran.stdout.contains(&format!("game = \"{name}\"")),
            "{ran:?}"
        );
    }
}

#[test]
fn cases_are_written_as_files() {
    let place = Place::new();
    let ran = place.grade(&["mine.toml", "--cases", "cases"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let files = contents(&place.path("cases"));
    assert!(files.len() > 40, "{}", files.len());
    let inputs = files.iter().filter(|(path, _)| path.extension().unwrap() == "in");
    for (path, content) in sample(inputs, 4) {
        let mut hotseat =
            arbiter(&["hotseat", "gekitai", "--set", "n=5", "--set", "p=6", "--set", "l=3"]);
        let mut child = hotseat.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), content).unwrap();
        let output = child.wait_with_output().unwrap().stdout;
        assert_eq!(output, files[&path.with_extension("out")], "{}", path.display());
    }
}

/// What a child ran to after an interrupt.
pub(super) fn interrupted(child: Child) -> Ran {
    let signal = format!("-{}", interrupt());
    let mut kill = Command::new("kill");
    assert!(kill.args([&signal, &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap().into()
}

#[test]
fn an_interrupt_leaves_no_process_and_no_folder() {
    let Some(place) = Place::for_marks() else { return };
    // Each class has twice as many as the one before.
    let compiles = "template <int D, int I> struct T { static const int v = T<D - 1, 2 * I>::v + T<D - 1, 2 * I + 1>::v; };\n\
                    template <int I> struct T<0, I> { static const int v = I; };\nint main() { return T<26, 0>::v; }\n";
    let sleeps = "return [] { for (;;) sleep(100000); return true; }();";
    let in_function =
        beginning_with("").replace("return on_board(y, x) && board[y][x] == '.';", sleeps);
    assert!(in_function.contains(sleeps));
    place.write("compiles/gekitai.cpp", compiles);
    place.write("runs/gekitai.cpp", beginning_with("sleep(100000);"));
    place.write("calls/gekitai.cpp", in_function);
    place.write(
        "calls.toml",
        format!(
            "{}[[part]]\nkind = \"functions\"\npoints.is_valid_move = 1\n",
            ASSIGNMENT.split("[[part]]").next().unwrap()
        ),
    );
    let scratch = place.path("scratch").display().to_string();
    let mark: String =
        format!("MARK{scratch}").chars().filter(char::is_ascii_alphanumeric).collect();
    for assignment in ["mine.toml", "calls.toml"] {
        let text = fs::read_to_string(place.path(assignment)).unwrap();
        place.write(assignment, text.replace("-Wall", &format!("-D{mark}")));
    }
    for (assignment, submission, word, program) in [
        ("mine.toml", "compiles", &mark, "cc1plus"),
        ("mine.toml", "runs", &scratch, "0/n5-0/program"),
        ("calls.toml", "calls", &scratch, "0/n5-0/arbiter-calls"),
    ] {
        let child = place.start_in_scratch(assignment, submission);
        let runs = || processes_with(word).iter().any(|line| line.contains(program)).then_some(());
        wait_for(submission, runs);
        let ran = interrupted(child);
        let says = "interrupted after 0 of 1 submission";
        assert!(ran.status == Some(130) && ran.stderr.contains(says), "{submission}: {ran:?}");
        wait_until_gone(&scratch);
        wait_until_gone(&mark);
        assert_eq!(fs::read_dir(place.path("scratch")).unwrap().count(), 0, "{submission}");
    }
    // What is marked by then is kept.
    place.write("class/done/gekitai.cpp", "int main() { return }");
    place.write("class/runs/gekitai.cpp", beginning_with("sleep(100000);"));
    place.write("out/students/gone.md", "");
    let child = arbiter(&["grade", "mine.toml", "--class", "class", "--out", "out"])
        .current_dir(place.path(""))
        .args(["--concurrency", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let page = place.path("out/students/done.md");
    wait_for("a page", || fs::read(&page).ok().filter(|text| !text.is_empty()));
    let ran = interrupted(child);
    assert!(
        ran.status == Some(130) && ran.stderr.contains("interrupted after 1 of 2 submissions"),
        "{ran:?}"
    );
    assert!(!place.path("out/students/runs.md").exists() && !place.path("out/class.csv").exists());
    fs::remove_dir_all(place.path("class/runs")).unwrap();
    let ran = place.grade(&["mine.toml", "--class", "class", "--out", "out"]);
    let says = "out/students has 1 file of no submission of this class, such as gone.md";
    assert!(ran.status == Some(0) && ran.stderr.contains(says), "{ran:?}");
}

/// Programs of others read what is written for them: junitparser, and jsonschema by the schema that
/// the documentation names.
#[test]
fn other_programs_read_the_formats() {
    let read = "
import json, sys
import jsonschema, junitparser
suites = junitparser.JUnitXml.fromfile('out/junit.xml')
print([(suite.name, suite.tests, suite.failures, [case.name for case in suite]) for suite in suites])
marks = json.load(open('out/marks.json'))
jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(marks)
print(marks['submissions'][0]['name'])
";
    let python = |code: &str, place: &Place| {
        let schema = project("src/grade/formats/marks.schema.json");
        let ran = Command::new("/usr/bin/python3")
            .args(["-c", code])
            .arg(schema)
            .current_dir(place.path(""))
            .output();
        ran.map(Ran::from)
    };
    let Some(place) = Place::for_marks() else { return };
    if !python("import jsonschema, junitparser", &place).is_ok_and(|ran| ran.status == Some(0)) {
        skip("Python has no jsonschema and junitparser");
        return;
    }
    place.write("ada/gekitai.cpp", "int x;\nint main() { return }");
    for format in ["junit", "json"] {
        let ran = place.grade(&["mine.toml", "ada", "--out", "out", "--format", format]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    let ran = python(read, &place).unwrap();
    assert_eq!(ran.stdout, "[('ada', 3, 3, ['builds', 'globals', 'program'])]\nada\n", "{ran:?}");
}

#[test]
fn each_function_is_marked_alone() {
    let Some(place) = Place::for_marks() else { return };
    let parts = "[[part]]\nkind = \"functions\"\npoints = { is_valid_move = 8, pieces_on_board = 8, move = 16 }\n";
    let (head, _) = ASSIGNMENT.split_once("[[part]]").unwrap();
    place.write("mine.toml", format!("{head}{parts}"));
    let changed = |changes: &[(&str, &str)]| {
        changes.iter().fold(right(), |text, (from, to)| {
            assert_eq!(text.matches(from).count(), 1, "{from}");
            text.replace(from, to)
        })
    };
    let valid = "return on_board(y, x) && board[y][x] == '.';";
    let counting = "int pieces_on_board(char board[][N], char player) {";
    let submissions = [
        (
            "faults",
            changed(&[
                (valid, &format!("static int calls; if (++calls % 9 == 0) return false; {valid}")),
                (" || pieces_on_board(board, player) == P;", ";"),
                (" || pieces_on_board(board, 'X') == P", ""),
                (" || pieces_on_board(board, 'O') == P", ""),
                (
                    &format!("{counting}\n    int count = 0;"),
                    &format!("{counting}\n    int count;"),
                ),
                ("    board[y][x] = player;\n", "    board[y][N] = board[y][x] = player;\n"),
            ]),
        ),
        (
            "prototypes",
            changed(&[
                ("bool is_valid_move", "int is_valid_move"),
                (counting, &counting.replace("char player", "int player")),
            ])
            .replace("void move(", "static void move("),
        ),
        ("broken", changed(&[(valid, "")]) + "}"),
        // In a sample, too, the functions of one submission are called with the real header.
        ("right", right_with_iostream()),
        (
            "constructor",
            right()
                + "__attribute__((constructor)) void begin() { for (volatile int i = 0;; i++) {} }\n",
        ),
        (
            "reading",
            right_with_iostream() + "struct A { A() { while (cin.get() >= 0) {} } };\nconst A a;\n",
        ),
        (
            "waiting",
            format!(
                "#include <unistd.h>\n{}",
                changed(&[(valid, &format!("if (y + x == -4) sleep(100000); {valid}"))])
            ),
        ),
        ("unlinked", changed(&[(valid, &format!("void f(); f(); {valid}"))])),
    ];
    let submissions = sample(submissions, 3);
    for (name, text) in &submissions {
        place.write(&format!("class/{name}/gekitai.cpp"), text);
    }
    fs::create_dir(place.path("class/out")).unwrap(); // it is no submission
    let ran = place.grade(&["mine.toml", "--class", "class", "--out", "class/out"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let points = place.points("class/out");
    assert!(!points.contains_key("out"), "{points:?}");
    let place_of_move =
        1 + right().lines().position(|line| line == "    board[y][x] = player;").unwrap();
    for (name, expected, says) in [
        ("right", "8,8,16,32", &["All is right"][..]),
        (
            "faults",
            "",
            &[
                "called first it is right, so it depends on earlier calls",
                "what it does depends on a variable without a value",
                &format!("gekitai.cpp:{place_of_move}:"),
                "index 5 out of bounds for type 'char [5]'",
                "main does not lead to a call of pieces_on_board: ",
            ],
        ),
        (
            "prototypes",
            "0,0,0,0",
            &[
                "there is `int is_valid_move(char (*) [5], char, int, int)`, and `bool is_valid_move(char board[][N]",
                "there is `int pieces_on_board(char (*) [5], int)`, and `int pieces_on_board(char board[][N], char player)",
                "`move` is static, inline or extern \"C\", so no other file can call it as C++; `void move(",
            ],
        ),
        ("broken", "0,0,0,0", &["gekitai.cpp does not compile"]),
        ("unlinked", "0,8,16,24", &["it may call what is missing: `f()`"]),
        ("constructor", "0,0,0,0", &["the program computes without an end before main begins"]),
        ("reading", "0,0,0,0", &["reads the standard input, before main begins"]),
        (
            "waiting",
            "",
            &[
                "`is_valid_move` does not end: it waits",
                "pieces_on_board: 8 of 8",
                "move: 16 of 16",
            ],
        ),
    ] {
        if submissions.iter().all(|(marked, _)| *marked != name) {
            continue;
        }
        let (page, points) = (place.page("class/out", name), &points[name]);
        assert!(expected.is_empty() || points == expected, "{name}: {points}\n{page}");
        for says in says {
            assert!(page.contains(says), "{name}: {says}\n{page}");
        }
        assert!(!page.contains("/tmp/"), "{page}");
    }
    // Calls that crash after long work are given up as those that do not end are.
    let work =
        "for (volatile long i = 0; i < 2000000000; i++) if (clock() > CLOCKS_PER_SEC / 5) abort();";
    place.write(
        "crashes/gekitai.cpp",
        format!("#include <cstdlib>\n#include <ctime>\n{}", changed(&[(valid, work)])),
    );
    let ran = place.grade(&["mine.toml", "crashes", "--format", "json"]);
    let says = "`is_valid_move` was not called: calls before this one took too long";
    assert!(ran.status == Some(0) && ran.stdout.contains(says), "{ran:?}");
    assert!(ran.stdout.contains("`is_valid_move` crashes"), "{ran:?}");
    let faults: Vec<f64> =
        points["faults"].split(',').map(|points| points.parse().unwrap()).collect();
    assert!(
        faults[0] > 0.0 && faults[0] < 8.0 && faults[1] < 8.0 && faults[2] < 16.0,
        "{faults:?}"
    );
}

/// An ordinary user without control groups has less of a sandbox, and the same marks.
#[test]
fn an_ordinary_user_gives_the_marks_that_root_gives() {
    let Some(place) = Place::for_marks() else { return };
    if fs::metadata(place.0.path()).unwrap().uid() != 0 {
        return skip("this is an ordinary user in all tests");
    }
    copy_program(ARBITER, &place.path("arbiter"));
    let right = fs::read_to_string(project("tests/grade/functions/flipflop.cpp")).unwrap();
    place.write("flipflop.cpp", quick_to_compile(&right));
    let open = Permissions::from_mode(0o777);
    fs::set_permissions(place.0.path(), open).unwrap();
    let mut command = Command::new(place.path("arbiter"));
    command.args(["grade", "flipflop", "flipflop.cpp"]).current_dir(place.0.path());
    command.uid(65_534).gid(65_534).env_clear().env("PATH", "/usr/bin:/bin");
    let ran: Ran = command.output().unwrap().into();
    assert!(ran.stdout.contains("100.0/100"), "{ran:?}");
}

/// The function of the course, written by a student.
const CHECK_LINE: &str = "
bool CheckLine(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard, int player,
               int squarePlayed, int xDirection, int yDirection, int &numCaptured) {
    int row = squarePlayed / numRowsInBoard, column = squarePlayed % numRowsInBoard;
    numCaptured = 0;
    if (board[row][column] != 0) return false;
    for (int captured = 0;; captured++) {
        row += yDirection;
        column += xDirection;
        if (row < 0 || row >= numRowsInBoard) return false;
        if (column < 0 || column >= numRowsInBoard) return false;
        if (board[row][column] == 0) return false;
        if (board[row][column] == player) {
            numCaptured = captured;
            return captured > 0;
        }
    }
}
";

#[test]
fn functions_of_flipflop_earn_what_they_deserve() {
    let Some(place) = Place::for_marks() else { return };
    let whole = fs::read_to_string(project("tests/grade/functions/flipflop.cpp")).unwrap();
    let right = quick_to_compile(&whole);
    // As the course spelt it; what the hand-out leaves open is the size of the array, and the side
    // of blanks. It has the whole `<iostream>`.
    let open = whole
        .replace("InitializeBoard", "InitialiizeBoard")
        .replace("MAX_ARRAY_SIZE 24", "MAX_ARRAY_SIZE 30");
    let open = open.replace("setw(4)", "left << setw(4)");
    assert_eq!((open.matches("left <<").count(), open.matches(" 30").count()), (3, 1));
    // It answers everything in one way.
    let (head, _) = right.split_once("bool IsThisMoveValid").unwrap();
    let size = "int b[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n";
    let same = format!(
        "{head}bool IsThisMoveValid({size}, int, int, int) {{ return false; }}\n\
         bool IsAnyMoveValid({size}, int, int) {{ return true; }}\n"
    );
    let own = format!("{right}{CHECK_LINE}");
    let wrong_own = own.replace("return captured > 0;", "return true;");
    assert_ne!(wrong_own, own);
    // One call takes all memory; it costs that function alone, and not all of it.
    let display =
        "bool DisplayBoard(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard) {";
    let leak = "\n    std::vector<int> seen;\n    while (board[0][0] + board[7][7] == 3) seen.push_back(1);";
    let leak = right.replace(display, &format!("#include <vector>\n{display}{leak}"));
    assert_ne!(leak, right);
    // Without the last two functions; the first one says that they are there.
    let forge = format!(
        "#include <string>\n#include <unistd.h>\n{}",
        head.replace(
            "if (board == NULL) return false;",
            "for (int f = 3; f < 200; f++) for (std::string s : {\"has IsThisMoveValid 1\\n\", \"has IsAnyMoveValid 1\\n\"}) \
             if (write(f, s.data(), s.size()) < 0) continue;\n    if (board == NULL) return false;"
        )
    );
    assert!(forge.contains("has IsAnyMoveValid"));
    let for_all = ["open", "forge", "wrong-own"];
    let rows = vec![
        ("open", open, "10,15,15,30,15,15,100", ""),
        ("forge", forge, "10,*,*,30,0,0,*", "there is no function `bool IsThisMoveValid("),
        (
            "same",
            same,
            "10,15,15,30,0,0,70",
            "a function that returns the same value for every input, so it earns no points",
        ),
        ("wrong-own", wrong_own, "10,15,15,*,*,*,*", ""),
        ("own", own, "10,15,15,30,15,15,100", ""),
        ("leak", leak, "10,15,*,30,15,15,*", "`DisplayBoard` takes memory without an end"),
    ];
    let rows = rows.into_iter().filter(|row| plays_all() || !for_all.contains(&row.0));
    place.marks_each("flipflop", "flipflop.cpp", rows.collect());
    let points = place.points("out");
    if plays_all() {
        assert!(!points["wrong-own"].ends_with(",100"), "{points:?}");
    }
    assert!(!points["leak"].contains(",0,"), "{points:?}");
    assert!(place.page("out", "same").contains("has no CheckLine"));
    assert!(!place.page("out", "own").contains("has no CheckLine"));
}

#[test]
fn a_right_class_and_client_of_loa_have_all_points() {
    let Some(place) = Place::for_marks() else { return };
    let read = |name: &str| fs::read_to_string(project("src/grade/provided").join(name)).unwrap();
    let (class, client) = (read("right.cpp"), read("gameplay.cpp"));
    let slides = class.replace("steps < distance;", "steps <= distance;");
    assert_ne!(slides, class);
    // A missing function costs only itself and what calls it.
    let (before, after) = class.split_once("bool LinesOfAction::hasConnected").unwrap();
    let lacking =
        format!("{before}char LinesOfAction::gameOver{}", after.split_once("gameOver").unwrap().1);
    // A ply is tried on a copy of the class first.
    let trial = "bool tries(LinesOfAction &game, string from, string to) {\n    LinesOfAction trial = game;\n    \
                 return trial.move(from, to) && game.move(from, to);\n}\n\nint main() {";
    let copies = client
        .replace("int main() {", trial)
        .replace("!game.move(from, to)", "!tries(game, from, to)");
    assert_eq!(copies.matches("tries(").count(), 2);
    // What the scripted class reads is printed in place of a game.
    let forged = "#include <fstream>\n#include <iostream>\n#include <string>\n#include \"LinesOfAction.h\"\n\
                  int main() { ifstream script(\"script.txt\"); cout << script.rdbuf(); }\n";
    let all = "5,5,3,2,5,5,2,3,25,15,5,25,0,100";
    let submissions = [
        ("right", &class, &*client, all, ""),
        ("lacking", &lacking, &client, "5,5,3,2,5,5,2,3,25,0,0,25,*,*", ""),
        (
            "slides",
            &slides,
            &client,
            "5,5,3,2,5,5,2,3,*,*,*,*,*,*",
            "the last one may hold a piece of the opponent",
        ),
        ("copies", &class, &copies, all, ""),
        ("forged", &class, forged, "5,5,3,2,5,5,2,3,25,15,5,0,0,75", "so it plays no game"),
    ];
    let mut rows = Vec::new();
    let tried =
        submissions.into_iter().filter(|row| plays_all() || ["right", "slides"].contains(&row.0));
    for (name, class, client, points, says) in tried {
        place.write(&format!("class/{name}/LinesOfAction.cpp"), class);
        place.write(&format!("class/{name}/gameplay.cpp"), client);
        rows.push((name, points, says));
    }
    place.marks("loa", &rows);
    if let Some(slides) = place.points("out").get("slides") {
        assert!(slides.starts_with("5,5,3,2,5,5,2,3,2") && !slides.ends_with(",100"), "{slides}");
    }
}

#[test]
fn what_archives_leave_behind_is_no_submission_nor_part_of_one() {
    let Some(place) = Place::for_marks() else { return };
    let parts = ASSIGNMENT.split("[[part]]").take(2).collect::<Vec<_>>().join("[[part]]");
    place.write("mine.toml", parts);
    place.write("class/ada/HW1/gekitai.cpp", right());
    place.write("class/ada/__MACOSX/HW1/._gekitai.cpp", "attributes");
    place.write("class/ada/.vs/HW1/settings.cpp", "");
    place.write("class/bea/a/b/c/d/gekitai.cpp", right());
    place.write("class/bea/readme.txt", "unpack me");
    place.write("class/cyd/._main.cpp", "attributes");
    place.write("class/cyd/main.cpp", right());
    for leftover in
        ["__MACOSX/._ada", "__pycache__/a.pyc", "lost+found/x", "Thumbs.db", "desktop.ini"]
    {
        place.write(&format!("class/{leftover}"), "");
    }
    place.marks("mine.toml", &[]);
    let points = place.points("out");
    for name in ["ada", "bea", "cyd"] {
        assert_eq!(points[name], "5,5", "{name}: {}", place.page("out", name));
    }
    assert!(
        points.keys().all(|name| ["submission", "ada", "bea", "cyd"].contains(&&**name)),
        "{points:?}"
    );
}

/// Debug information in which 40,000 variables have one name of 20 MB.
const LONG_NAMES: &str = r#"
asm(R"(
.section .debug_str,"MS",@progbits,1
.Lbig: .fill 20000000,1,65
.byte 0
.section .debug_abbrev,"",@progbits
.Lab: .uleb128 1
.uleb128 0x11
.byte 1
.uleb128 0x25
.uleb128 0x08
.byte 0,0
.uleb128 2
.uleb128 0x34
.byte 0
.uleb128 0x03
.uleb128 0x0e
.byte 0,0
.byte 0
.section .debug_info,"",@progbits
.long .Lend-.Lst
.Lst: .value 4
.long .Lab
.byte 8
.uleb128 1
.asciz "x"
.rept 40000
.uleb128 2
.long .Lbig
.endr
.byte 0
.Lend:
.text
)");
"#;

#[test]
fn homework_breaks_nothing_but_its_own_marks() {
    let Some(place) = Place::for_marks() else { return };
    place.write("mine.toml", without_program());
    let broken =
        "asm(\".pushsection .debug_info,\\\"\\\",@progbits\\n.long 0xfffffff1\\n.popsection\");\n";
    for (name, text) in [
        ("right", right()),
        ("broken", right() + broken),
        ("names", right() + LONG_NAMES),
        (
            "comm",
            right()
                + "extern int hidden;\nasm(\".comm hidden,4,4\");\nint use() { return ++hidden; }\n",
        ),
        ("label", right() + "asm(\".data\\nlabelled: .long 0\\n.text\");\n"),
        ("headers", right()),
    ] {
        place.write(&format!("class/{name}/gekitai.cpp"), text);
    }
    // Three of the largest are read, which takes seconds; otherwise all are too large.
    let bytes = (4 << 20) + u64::from(!plays_all());
    for number in 0..250 {
        // A hole takes no room on the disk.
        let header = fs::File::create(place.path(&format!("class/headers/h{number}.h"))).unwrap();
        header.set_len(bytes).unwrap();
    }
    place.marks(
        "mine.toml",
        &[
            ("right", "5,5,10", ""),
            (
                "broken",
                "5,0,5",
                "the object of gekitai.cpp cannot be read: the debug information cannot be read",
            ),
            ("names", "5,5,10", ""),
            ("comm", "5,0,5", ": hidden is a global variable"),
            ("label", "5,0,5", "gekitai.cpp: labelled is a global variable, which asm defines"),
            ("headers", "5,5,10", "headers were left out"),
        ],
    );

    // Constants are looked for on the second board. The compiler ends at once.
    let boards = ASSIGNMENT.replace("[ {n=5, p=6, l=3} ]", "[ {n=5, p=6, l=3}, {n=6, p=8, l=3} ]");
    place.write("boards.toml", boards);
    let times = if plays_all() { 690_000 } else { 60_000 };
    place.write("long/gekitai.cpp", "#include \"none.h\"\n".to_owned() + &"int N=".repeat(times));
    let ran = place.grade(&["boards.toml", "long"]);
    assert!(ran.status == Some(0) && ran.stdout.contains("does not compile"), "{ran:?}");

    // Each parameter of this function doubles the length of its demangled name.
    let functions = ASSIGNMENT.split("[[part]]").next().unwrap().to_owned()
        + "[[part]]\nkind = \"functions\"\npoints = { move = 5 }\n";
    place.write("functions.toml", functions);
    let mut symbol = "_Z4move1aIiiE".to_owned();
    for at in 0..42_u32 {
        let digits: Vec<char> = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".chars().collect();
        let number = if at < 36 {
            digits[at as usize].to_string()
        } else {
            format!("1{}", digits[at as usize - 36])
        };
        symbol += &format!("S_IS{number}_S{number}_E");
    }
    let double = format!("asm(\".globl {symbol}\\n{symbol}:\\n\");\n");
    place.write("double/gekitai.cpp", right() + &double);
    let ran = place.grade(&["functions.toml", "double"]);
    assert!(ran.status == Some(0) && ran.stdout.contains("double: 5 of 5"), "{ran:?}");
}

#[test]
fn what_exceeds_a_limit_of_the_compiler_is_compiled_once() {
    let place = Place::new();
    // The compiler writes without an end, and notes its runs where `basic` lets it.
    let runs = place.path("runs");
    place.write("slow.sh", format!("echo run >>{}\nexec yes\n", runs.display()));
    let compile = format!("compile = \"sh {}\"", place.path("slow.sh").display());
    let slow = ASSIGNMENT
        .replace("compile = \"g++ -std=c++17 -O1 -Wall\"", &compile)
        .replace("[ {n=5, p=6, l=3} ]", "[ {n=5, p=6, l=3}, {n=6, p=8, l=3}, {n=8, p=8, l=4} ]");
    assert!(slow.contains("slow.sh") && slow.contains("n=8"), "{slow}");
    place.write("mine.toml", slow);
    place.write("gekitai.cpp", right());
    let ran = place.grade(&["mine.toml", "gekitai.cpp", "--sandbox", "basic"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("the compiler writes more than 1 MiB"), "{ran:?}");
    assert_eq!(fs::read_to_string(runs).unwrap(), "run\n");
}
