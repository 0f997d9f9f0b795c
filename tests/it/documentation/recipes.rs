//! Runs the commands of the README and of the pages of docs/ that show how things are done, as they
//! stand there: there is no copy of them that could differ.
//!
//! A block of code with a file name behind its language is that file; the `run:` lines of one in
//! YAML are run in the recipes of docs/guides/nightly-league.md. In a block `console` each line
//! behind a `$` is run by a shell; the lines below it must be in its output, where `…` stands for
//! anything. A command succeeds, or its last line on standard error is shown: `exit status N: …`.
//! Of docs/guides/nightly-league.md the blocks above the first heading belong to every recipe.

use crate::support::{ARBITER, Ran, has, has_strict, plays_all, project, sample};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::thread;
use tempfile::TempDir;

/// A block of code of a page: the words behind its fence, and its lines.
struct Block<'a> {
    words: Vec<&'a str>,
    lines: Vec<&'a str>,
}

fn blocks(section: &str) -> Vec<Block<'_>> {
    let mut lines = section.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("```") {
            let lines = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push(Block { words: words.split_whitespace().collect(), lines });
        }
    }
    found
}

/// The commands of the `run:` lines of a workflow.
fn runs(lines: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((indent, command)) = line.split_once("- run: ") else { continue };
        let is_part = |line: &&&str| line.starts_with(&format!("{indent}    "));
        match command {
            "|" => found.push(
                lines[at + 1..]
                    .iter()
                    .take_while(is_part)
                    .map(|line| format!("{}\n", line.trim()))
                    .collect(),
            ),
            command => found.push(command.to_owned()),
        }
    }
    found
}

/// A folder with the submissions of three students.
fn course() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in ["anna", "ben", "jan"] {
        let folder = dir.path().join("submissions").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(project("bots/minimal-shell/bot.sh"), folder.join("bot.sh")).unwrap();
    }
    fs::copy(project("configs/season/send_feedback.py"), dir.path().join("send_feedback.py"))
        .unwrap();
    dir
}

/// What a shell prints that runs a command in the folder, on standard output and then on standard
/// error; it has to end with the status.
fn shell(dir: &Path, command: &str, status: i32) -> String {
    let programs = Path::new(ARBITER).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-ec", command]).current_dir(dir).env("PATH", path).env("HOME", dir);
    let ran: Ran = shell.env_remove("GITHUB_STEP_SUMMARY").output().unwrap().into();
    assert_eq!(ran.status, Some(status), "{command}: {ran:?}");
    ran.stdout + &ran.stderr
}

/// Whether an output has this line, in which `…` stands for anything.
fn has_line(output: &str, expected: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap();
    let rest: Vec<&str> = parts.collect();
    output.lines().any(|line| {
        let Some(mut line) = line.trim_end().strip_prefix(first) else { return false };
        for part in &rest {
            let Some((_, behind)) = line.split_once(part) else { return false };
            line = behind;
        }
        line.is_empty() || rest.last() == Some(&"")
    })
}

/// Writes a block with a file name.
fn write(dir: &Path, file: &str, lines: &[&str]) {
    let path = dir.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, lines.join("\n") + "\n").unwrap();
}

/// Runs the commands of a block `console`; returns their number.
fn run_console(dir: &Path, lines: &[&str]) -> usize {
    let starts: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("$ ")).collect();
    assert_eq!(starts.first(), Some(&0), "a block that does not begin with a command: {lines:?}");
    for (number, &start) in starts.iter().enumerate() {
        let shown = &lines[start + 1..starts.get(number + 1).copied().unwrap_or(lines.len())];
        let command = &lines[start][2..];
        let status = shown
            .iter()
            .find_map(|line| line.strip_prefix("exit status ")?.split(':').next()?.parse().ok());
        let output = shell(dir, command, status.unwrap_or(0));
        // What `check` finds in a bot of a page is no surprise to its readers.
        let has_remark = output.lines().any(|line| line.starts_with("REMARK "));
        let is_fine = status.is_none();
        assert!(
            !is_fine || !has_remark || shown.iter().any(|line| line.starts_with("REMARK ")),
            "{command}: {output}"
        );
        for line in shown {
            assert!(has_line(&output, line), "{command} did not print {line:?}: {output}");
        }
    }
    starts.len()
}

/// Runs the blocks of a recipe one after the other; returns the number of commands.
fn follow(dir: &Path, blocks: &[Block<'_>]) -> usize {
    let mut commands = 0;
    for Block { words, lines } in blocks {
        if let [language, file] = words[..] {
            write(dir, file, lines);
            if language == "yaml" {
                let runs = runs(lines);
                for command in &runs {
                    let _ = shell(dir, command, 0);
                }
                commands += runs.len();
            }
            continue;
        }
        assert_eq!(words[..], ["console"], "a block that is neither a file nor run");
        commands += run_console(dir, lines);
    }
    commands
}

#[test]
fn recipes_do_what_their_page_says() {
    if !has("python3", "the recipes of docs/guides/nightly-league.md")
        || !has("tar", "the recipes of docs/guides/nightly-league.md")
    {
        return;
    }
    let page = fs::read_to_string(project("docs/guides/nightly-league.md")).unwrap();
    let sections: Vec<&str> = page.split("\n## ").collect();
    let (common, recipes) = sections.split_first().unwrap();
    assert!(recipes.len() >= 8, "{} recipes", recipes.len());
    // Every second one; all of them in full tests.
    for recipe in sample(recipes, 2) {
        let dir = course();
        assert_eq!(follow(dir.path(), &blocks(common)), 0, "only files belong to every recipe");
        let commands = follow(dir.path(), &blocks(recipe));
        assert!(commands >= 2, "{}", recipe.lines().next().unwrap());
    }
}

#[test]
fn a_line_of_a_page_is_found_in_an_output() {
    let output = "rank  bot\n   1  anna   2.5\nend\n";
    for line in ["rank  bot", "   1  anna…", "   1…anna   2.5", "…nk  b…", "   1  an…2.5"]
    {
        assert!(has_line(output, line), "{line}");
    }
    for line in ["rank", "   1  anna…3", "nk  bot", "end…rank", "   1  anna   2.5…x"] {
        assert!(!has_line(output, line), "{line}");
    }
    let workflow =
        "steps:\n  - uses: x\n  - run: one\n  - run: |\n      two\n      three\n  - uses: y\n";
    assert_eq!(runs(&workflow.lines().collect::<Vec<_>>()), ["one", "two\nthree\n"]);
}

/// Takes the mails of one connection by SMTP, and returns what was said to it.
fn mail_server() -> (String, thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let (mut said, mut in_mail) = (String::new(), false);
        stream.write_all(b"220 test\r\n").unwrap();
        for line in lines.map_while(Result::ok) {
            let answer = match &*line {
                "." => "250 taken",
                _ if in_mail => "",
                "DATA" | "data" => "354 go on",
                "QUIT" | "quit" => "221 bye",
                _ => "250 ok",
            };
            in_mail = line != "." && (in_mail || answer.starts_with("354"));
            said.push_str(&format!("{line}\n"));
            if !answer.is_empty() {
                stream.write_all(format!("{answer}\r\n").as_bytes()).unwrap();
            }
            if answer.starts_with("221") {
                break;
            }
        }
        said
    });
    (address, server)
}

#[test]
fn each_author_is_mailed_the_own_address_once() {
    if !has("python3", "configs/season/send_feedback.py") {
        return;
    }
    let dir = course();
    let [one, two, three, four] = ["1", "2", "3", "4"].map(|digit| digit.repeat(40));
    let table = format!(
        "{one}.html\tanna\tin\n{two}.html\tben\tin\n{three}.html\tjan\tin\n{four}.html\tjan\tlate\n"
    );
    fs::write(dir.path().join("table.txt"), table).unwrap();
    // As a spreadsheet writes it, with a byte order mark; and with a name that no bot has, and a
    // line of another kind.
    let who = "\u{feff}anna,a@example.org\nben, b@example.org\njan,j@example.org\neve,e@example.org\n\nkim;k@example.org\n";
    fs::write(dir.path().join("who.csv"), who).unwrap();
    let send = |server: &str| {
        let options = format!(
            "https://example.org/f/ --server {server} --sent sent.txt --subject 'Your \u{3a9}'"
        );
        shell(dir.path(), &format!("python3 send_feedback.py table.txt who.csv {options}"), 0)
    };
    let (address, server) = mail_server();
    let printed = send(&address);
    for note in [
        "jan: two folders have this name",
        "eve: no bot has this name",
        "kim;k@example.org: no comma between a name and a mail address",
    ] {
        assert!(printed.contains(note), "{printed}");
    }
    assert!(!printed.contains("jan: no "), "{printed}");
    let said = server.join().unwrap().to_lowercase();
    assert_eq!(said.matches("\ndata\n").count(), 2, "{said}");
    let [mail, other] = [("a@example.org", &one), ("b@example.org", &two)].map(|(to, page)| {
        let (_, mail) = said.split_once(&format!("rcpt to:<{to}>")).unwrap();
        let mail = mail.split("\n.\n").next().unwrap().to_owned();
        assert!(mail.contains(&format!("https://example.org/f/{page}.html")), "{mail}");
        mail
    });
    assert!(!mail.contains(&two) && !other.contains(&one) && !said.contains(&three), "{said}");
    // No server listens there: nothing is left to be sent.
    send("127.0.0.1:1");
}

/// Runs the commands of a page, in a folder that has what a clone has.
fn execute(page: &str) {
    if !has("python3", &format!("the commands of {page}")) {
        return;
    }
    let text = fs::read_to_string(project(page)).unwrap();
    let dir = tempfile::tempdir().unwrap();
    for folder in ["bots", "configs", "games"] {
        let status =
            Command::new("cp").arg("-r").arg(project(folder)).arg(dir.path()).status().unwrap();
        assert!(status.success());
    }
    let mut commands = 0;
    for Block { words, lines } in blocks(&text) {
        match words[..] {
            ["console"]
                if lines[0].starts_with("$ arbiter grade")
                    && !(has("g++", page) && has_strict(page)) => {}
            ["console"] => commands += run_console(dir.path(), &lines),
            // Nothing is installed, and no server is started; the README plays its game from the
            // clone.
            ["sh", "install"] | ["text"] => {}
            ["sh"] => {
                for line in
                    lines.iter().filter_map(|line| line.strip_prefix("cargo run --release -- "))
                {
                    // `builtin:search` computes as long as its clock lets it, which is short unless
                    // all is tried.
                    let is_shortened = !plays_all() && line.starts_with("play ");
                    let time = if is_shortened { " --time 1+0" } else { "" };
                    shell(dir.path(), &format!("arbiter {line}{time}"), 0);
                    commands += 1;
                }
            }
            [_, file] => write(dir.path(), file, &lines),
            _ => panic!("{page}: a block {words:?}"),
        }
    }
    assert!(commands >= 2, "{page}: {commands} commands");
}

#[test]
fn the_readme_does_what_it_says() {
    execute("README.md");
}

#[test]
fn the_first_pages_do_what_they_say() {
    for page in ["guides/start", "guides/first-bot"] {
        execute(&format!("docs/{page}.md"));
    }
}

#[test]
fn the_pages_of_versions_and_of_a_custom_game_do_what_they_say() {
    for page in ["guides/versions", "guides/custom-game"] {
        execute(&format!("docs/{page}.md"));
    }
}

#[test]
fn the_pages_of_classes_and_of_lost_games_do_what_they_say() {
    for page in ["guides/when-it-loses", "guides/watching", "guides/class"] {
        execute(&format!("docs/{page}.md"));
    }
}
