//! The programs with the faults of the table, in a folder of their own.

use crate::support::{has, project, skip};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Programs that are compiled: what rows call their language, the compiler and its arguments.
const COMPILED: [(&str, &str, &[&str]); 5] = [
    ("cc", "cc", &["-o", "DIR/faults-c", "tests/bots/faults.c"]),
    ("g++", "g++", &["-o", "DIR/faults-cpp", "tests/bots/faults.cpp"]),
    (
        "asan",
        "g++",
        &["-g", "-fsanitize=address", "-o", "DIR/faults-asan", "tests/bots/faults.cpp"],
    ),
    ("rustc", "rustc", &["--edition", "2021", "-o", "DIR/faults-rs", "tests/bots/faults.rs"]),
    ("javac", "javac", &["-d", "DIR", "tests/bots/Faults.java", "DIR/pkg/Packaged.java"]),
];

/// The folder of a test with the programs that need no compiler.
pub fn scripts() -> tempfile::TempDir {
    let dir = tempfile::Builder::new().prefix("forky").tempdir().unwrap();
    for file in ["faults.py", "faults.js", "faults.sh"] {
        fs::copy(project("tests/bots").join(file), dir.path().join(file)).unwrap();
    }
    dir
}

/// What rows need of languages that are not installed, which is printed. Samples are taken of the
/// others, as of [the broken bots](super::broken_bots::installed).
pub fn not_installed() -> HashSet<&'static str> {
    let compilers = COMPILED.iter().map(|&(name, compiler, _)| (name, compiler));
    let interpreters = ["python3", "node"].map(|name| (name, name));
    let missing = compilers
        .chain(interpreters)
        .filter(|(_, command)| !has(command, "the faulty bots in its language"));
    missing.map(|(name, _)| name).collect()
}

/// The folder of a test with the programs that these rows need, of languages that are installed;
/// what a compiler cannot make is returned.
pub fn programs(needs: &HashSet<&'static str>) -> (tempfile::TempDir, HashSet<&'static str>) {
    let dir = scripts();
    let mut missing = HashSet::new();
    fs::create_dir(dir.path().join("hides")).unwrap();
    fs::write(dir.path().join("hides/json.py"), "import json\njson.loads('1')\n").unwrap();
    fs::write(dir.path().join("calls.sh"), "best_move || exit 3\n").unwrap();
    for (file, package) in [("pkg/Packaged.java", "package pkg;"), ("Source.java", "")] {
        let class = Path::new(file).file_stem().unwrap().display();
        fs::create_dir_all(dir.path().join("pkg")).unwrap();
        fs::write(dir.path().join(file), format!("{package}\npublic class {class} {{}}\n"))
            .unwrap();
    }
    for (name, compiler, arguments) in COMPILED {
        if !needs.contains(name) {
            continue;
        }
        let arguments =
            arguments.iter().map(|word| word.replace("DIR", dir.path().to_str().unwrap()));
        let output =
            Command::new(compiler).args(arguments).current_dir(project("")).output().unwrap();
        if name == "asan" && !output.status.success() {
            skip("a compiler has no AddressSanitizer: the faulty bots with it");
            missing.insert(name);
            continue;
        }
        assert!(output.status.success(), "{output:?}");
    }
    (dir, missing)
}
