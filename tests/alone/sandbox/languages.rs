//! Bots in every language that courses allow play under `strict`, if the runtime is installed.

use crate::sandbox::{folder, plays, python, strict, strict_options, without_namespaces, write};
use crate::support::{has, run, skip};
use std::process::Command;

/// A bot in a language: the program that must be installed, the command that compiles it, its file,
/// its command, its text.
type Language = (&'static str, &'static [&'static str], &'static str, &'static str, &'static str);

/// A bot in Java, `Play.java`.
pub const JAVA: &str = "public class Play { public static void main(String[] a) throws Exception { \
     var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)); String[] m = {}; String l; \
     while ((l = in.readLine()) != null) { String[] w = l.split(\" \"); \
     if (w[0].equals(\"start\")) System.out.println(\"ready\"); else if (w[0].equals(\"moves\")) m = w; \
     else if (w[0].equals(\"go\")) System.out.println(\"move \" + m[1]); \
     else if (w[0].equals(\"quit\")) break; } } }\n";

/// A bot in JavaScript, `bot.js`.
pub const NODE: &str = "let m = []; const say = (t) => process.stdout.write(t + '\\n'); \
     require('readline').createInterface({ input: process.stdin }).on('line', (l) => { \
     const [w, ...r] = l.split(' '); if (w == 'start') say('ready'); else if (w == 'moves') m = r; \
     else if (w == 'go') say('move ' + m[0]); else if (w == 'quit') process.exit(); });\n";

/// A bot in C, `bot.c`.
pub const C: &str = "#include <stdio.h>\n#include <string.h>\n\
     int main(void) { static char l[65536], m[32]; while (fgets(l, sizeof l, stdin)) {\n\
     if (!strncmp(l, \"start\", 5)) puts(\"ready\"); else if (!strncmp(l, \"moves \", 6)) sscanf(l + 6, \"%31s\", m);\n\
     else if (!strncmp(l, \"go\", 2)) printf(\"move %s\\n\", m); else if (!strncmp(l, \"quit\", 4)) break;\n\
     fflush(stdout); } }\n";

const LANGUAGES: &[Language] = &[
    ("sh", &[], "bot.sh", "sh DIR/bot.sh", "exec python3 bot.py\n"),
    (
        "perl",
        &[],
        "bot.pl",
        "perl DIR/bot.pl",
        "$| = 1; my @m; while (<STDIN>) { my ($w, @r) = split; \
         if ($w eq 'start') { print \"ready\\n\" } elsif ($w eq 'moves') { @m = @r } \
         elsif ($w eq 'go') { print \"move $m[0]\\n\" } elsif ($w eq 'quit') { exit } }\n",
    ),
    (
        "ruby",
        &[],
        "bot.rb",
        "ruby DIR/bot.rb",
        "$stdout.sync = true; m = []; while l = gets; w, *r = l.split; case w \
         when 'start' then puts 'ready' when 'moves' then m = r when 'go' then puts \"move #{m[0]}\" \
         when 'quit' then break end; end\n",
    ),
    ("cc", &["cc", "-o", "DIR/bot", "DIR/bot.c"], "bot.c", "DIR/bot", C),
    (
        "g++",
        &["g++", "-o", "DIR/bot", "DIR/bot.cpp"],
        "bot.cpp",
        "DIR/bot",
        "#include <iostream>\n#include <sstream>\n\
         int main() { std::string l, w, m; while (std::getline(std::cin, l)) { std::istringstream s(l); w = \"\"; s >> w;\n\
         if (w == \"start\") std::cout << \"ready\" << std::endl; else if (w == \"moves\") s >> m;\n\
         else if (w == \"go\") std::cout << \"move \" << m << std::endl; else if (w == \"quit\") break; } }\n",
    ),
    ("node", &[], "bot.js", "node DIR/bot.js", NODE),
    ("javac", &["javac", "-d", "DIR", "DIR/Play.java"], "Play.java", "java -cp DIR Play", JAVA),
    (
        "go",
        &["go", "build", "-o", "DIR/bot", "DIR/bot.go"],
        "bot.go",
        "DIR/bot",
        "package main\nimport (\"bufio\"; \"fmt\"; \"os\"; \"strings\")\nfunc main() {\n\
         in := bufio.NewScanner(os.Stdin); in.Buffer(nil, 1<<20); var m []string\n\
         for in.Scan() { w := strings.Fields(in.Text()); if len(w) == 0 { continue }\n\
         switch w[0] { case \"start\": fmt.Println(\"ready\"); case \"moves\": m = w[1:]\n\
         case \"go\": fmt.Println(\"move \" + m[0]); case \"quit\": return } } }\n",
    ),
    (
        "rustc",
        &["rustc", "-o", "DIR/bot", "DIR/bot.rs"],
        "bot.rs",
        "DIR/bot",
        "fn main() { let mut m = String::new(); for l in std::io::stdin().lines() { let l = l.unwrap(); \
         let (w, r) = l.split_once(' ').unwrap_or((&l, \"\")); match w { \"start\" => println!(\"ready\"), \
         \"moves\" => m = r.split(' ').next().unwrap().into(), \"go\" => println!(\"move {m}\"), \
         \"quit\" => return, _ => {} } } }\n",
    ),
];

#[test]
fn bots_in_every_language_play_under_strict() {
    for (program, compiler, file, command, text) in LANGUAGES {
        if !has(program, "a bot in its language under strict") {
            continue;
        }
        let folder = folder();
        let dir = folder.path().join("bot");
        write(&dir.join("bot.py"), &python(""));
        write(&dir.join(file), text);
        let fill = |word: &str| word.replace("DIR", dir.to_str().unwrap());
        if let Some((compiler, arguments)) = compiler.split_first() {
            let compiled = Command::new(compiler)
                .args(arguments.iter().map(|word| fill(word)))
                .output()
                .unwrap();
            assert!(compiled.status.success(), "{compiled:?}");
        }
        let options = strict_options(&fill(command), "builtin:random");
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        // Without namespaces more system calls are refused.
        for ran in [Some(run(&options)), without_namespaces(&options)].into_iter().flatten() {
            assert_eq!(ran.status, Some(0), "{program}: {ran:?}");
            assert!(!ran.stdout.contains("forfeit"), "{program}: {ran:?}");
        }
    }
}

/// numpy starts threads and maps libraries of its own; a virtual environment finds it through
/// links.
#[test]
fn numpy_plays_under_strict_also_in_a_virtual_environment() {
    let imports = |python: &&str| {
        let tried = Command::new(python).args(["-c", "import numpy"]).output();
        tried.is_ok_and(|tried| tried.status.success())
    };
    let Some(python3) = ["python3", "/usr/bin/python3"].into_iter().find(imports) else {
        return skip("numpy is not installed: a bot that uses it under strict");
    };
    let folder = folder();
    let dir = folder.path().join("bot");
    let uses = "import numpy\nsquare = numpy.random.default_rng(1).random((64, 64))\n\
                assert numpy.allclose(numpy.linalg.inv(square) @ square, numpy.eye(64), atol=1e-6)\nseen('inverted')";
    let bot = write(&dir.join("bot.py"), &python(uses));
    let venv = dir.join("venv").display().to_string();
    let options = ["-m", "venv", "--system-site-packages", "--without-pip", &venv];
    let made = Command::new(python3).args(options).output().unwrap();
    let mut interpreters = vec![python3.to_owned()];
    if made.status.success() {
        interpreters.push(format!("{venv}/bin/python3"));
    } else {
        skip("python3 makes no virtual environments: numpy in one under strict");
    }
    for interpreter in interpreters {
        let options = strict_options(&format!("{interpreter} {bot}"), "builtin:random");
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        for ran in [Some(run(&options)), without_namespaces(&options)].into_iter().flatten() {
            plays(&ran);
        }
    }
}

#[test]
fn the_bots_that_come_along_play_under_strict() {
    for bot in ["bots/greedy-python", "bots/minimal-shell", "bots/random-python"] {
        plays(&strict(bot, "builtin:random", &[]));
    }
}

#[test]
fn programs_of_the_system_work_for_a_bot_of_several_processes() {
    let folder = folder();
    let dir = folder.path().join("bot");
    write(&dir.join("bot.py"), &python(""));
    let bot = write(
        &dir.join("bot.sh"),
        "set -e\nexec 3>&1 >&2\nmkdir $TMPDIR/copies\ncp bot.py $TMPDIR/copies/one\ncat bot.py > $TMPDIR/copies/two\n\
         cmp $TMPDIR/copies/one $TMPDIR/copies/two\nsort -r $TMPDIR/copies/one | head -n 3 | tail -n 1 | wc -c\n\
         cut -c1-3 bot.py | tr a-z A-Z | uniq -c\nls -l $TMPDIR/copies\nstat bot.py\ndate\nnproc\nid\nenv true\n\
         mv $TMPDIR/copies/one $TMPDIR/copies/three\nrm -r $TMPDIR/copies\nexec timeout 600 python3 bot.py >&3\n",
    );
    let options = strict_options(&format!("sh {bot}"), "builtin:random");
    let options: Vec<&str> =
        options.iter().map(String::as_str).chain(["--processes", "16"]).collect();
    for ran in [Some(run(&options)), without_namespaces(&options)].into_iter().flatten() {
        plays(&ran);
    }
}
