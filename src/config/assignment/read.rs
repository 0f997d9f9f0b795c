//! Reads the file of an assignment.

use super::checks;
use super::requirement::requirement;
use super::shape::{Assignment, Board, Kind, Part, PartKind, Toolchain};
use super::weights;
use crate::bot_spec::{BotSpec, ConsoleTable};
use crate::console;
use crate::nearest::advice;
use crate::problem::ConfigErrors;
use crate::section::{Read, Section, Value, Wrong, accepted, fails, read_file, without_paths};
use crate::start_command::StartCommand;
use crate::value;
use arbiter_game::protocol::Dialect;
use arbiter_rules::Game;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use toml::de::DeTable;

/// Maximum points of a part or function.
pub(super) const MOST_POINTS: f64 = 10_000.0;

/// The processor time of a case if the file does not say.
const TIME: Duration = Duration::from_secs(2);

/// The share of a part that the text earns if the file says nothing.
const TEXT: f64 = 0.2;

/// The games whose assignments are marked.
const GAMES: [&str; 4] = ["loa", "gekitai", "flipflop", "lineup"];

/// Reads the file of the assignment of this name.
///
/// # Errors
/// Everything that is wrong with it, each with its line: unknown keys, wrong types, impossible
/// values, and values that contradict each other.
pub fn parse(text: &str, name: &str) -> Result<Assignment, ConfigErrors> {
    read_file(text, |root| assignment(root, name))
}

fn assignment(root: &Section<'_>, name: &str) -> Option<Assignment> {
    let reading = root.reading;
    let game = root.need("game", game, "\"gekitai\"");
    let files = root.need("files", files, "[\"gekitai.cpp\"]");
    let provided = root.or("provided", some_files, Vec::new());
    let compile = root.take("compile", line);
    let command = root.take("command", line);
    let player = player(root, command.as_deref());
    let boards = root.tables("boards", "[[boards]]", board);
    let constants = root.table("constants", "[constants]", constants);
    let stand_ins = root.table("stand-ins", "[stand-ins]", stand_ins);
    let same = root.or("same", same, Vec::new());
    let time = root.or("time", value::some_time, TIME);
    let names = files.clone().unwrap_or_default();
    // The names of the parts so far. A `RefCell`, because the reader of one part is that of all.
    let taken = RefCell::new(Vec::new());
    let parts =
        root.tables("part", "[[part]]", |section| part(section, game.as_ref(), &names, &taken));
    let requirements =
        root.tables("requirement", "[[requirement]]", |section| requirement(section, &names));
    let toolchain = match (compile, command) {
        (Some(_), Some(_)) => {
            let why = "`compile` and `command` do not go together; leave one of them out";
            reading.refuse("command", why);
            None
        }
        (Some(compile), None) => Some(Toolchain::Compile(compile)),
        (None, Some(command)) => Some(Toolchain::Command(command)),
        (None, None) => {
            if !reading.has("compile") && !reading.has("command") {
                let why = "the file needs `compile`, such as \
                           compile = \"g++ -std=c++17 -O1 -Wall\", or `command`";
                reading.refuse("", why);
            }
            None
        }
    };
    // Only here, so that the mistakes in all keys are reported.
    let game = game?;
    let files = files?;
    let toolchain = toolchain?;
    checks::parts(reading, &game, &files, &toolchain, &parts);
    checks::player(reading, &game);
    checks::boards(reading, &game, &boards, &constants);
    Some(Assignment {
        name: name.to_owned(),
        game,
        files,
        provided,
        toolchain,
        player,
        boards: without_paths(boards),
        constants,
        stand_ins,
        same,
        time,
        parts: without_paths(parts),
        requirements: without_paths(requirements),
    })
}

/// A game whose assignments are marked.
fn game(value: &Value<'_>) -> Read<Game> {
    let name = value::one_of(&GAMES, value)?;
    accepted(Game::named(name), "there is no such game")
}

/// How the program that `command` starts is built and asked for moves.
fn player(root: &Section<'_>, command: Option<&str>) -> BotSpec {
    let build = root.take("build", line);
    let adapter = root.take("adapter", value::text);
    let table = console::table_of(root);
    // Each says how the program is spoken to.
    if adapter.is_some() && table.is_some() {
        let why = "`adapter` and [console] do not go together; leave one of them out";
        root.reading.refuse("adapter", why);
    }
    BotSpec {
        command: command.map(|command| StartCommand::Line(command.to_owned())),
        build,
        adapter,
        dialect: table.is_some().then_some(Dialect::Console),
        console: table.map(Arc::new).map(ConsoleTable::Table),
        ..BotSpec::default()
    }
}

/// A command line of at least one word, split as a shell would split it.
fn line(value: &Value<'_>) -> Read<String> {
    let line = value::text(value)?;
    match StartCommand::Line(line.clone()).words() {
        Some(words) if !words.is_empty() => Ok(line),
        _ => fails("a quote in it is not closed"),
    }
}

/// Names of files, at least one.
pub(super) fn files(value: &Value<'_>) -> Read<Vec<String>> {
    match some_files(value)? {
        files if files.is_empty() => fails("the list is empty"),
        files => Ok(files),
    }
}

/// Names of files in one folder, each once.
fn some_files(value: &Value<'_>) -> Read<Vec<String>> {
    let files = value::texts(value)?;
    for (at, file) in files.iter().enumerate() {
        if file.contains(['/', '\\'])
            || file.starts_with(['.', '-'])
            || file.contains(char::is_control)
        {
            return fails(format!(
                "`{file}` is no name of a file: write it without `/`, not beginning with `.` or `-`"
            ));
        }
        if files[..at].iter().any(|other| other.eq_ignore_ascii_case(file)) {
            return fails(format!("`{file}` is there twice (case is ignored); remove one of them"));
        }
    }
    Ok(files)
}

fn board(section: &Section<'_>) -> Option<Board> {
    let size = value::whole(1..=1000);
    let p = section.take("p", &size);
    let l = section.take("l", &size);
    let b = section.take("b", value::whole(0..=1000));
    let s = section.take("s", &size);
    Some(Board { n: section.need("n", &size, "6")?, p, l, b, s })
}

fn constants(section: &Section<'_>) -> BTreeMap<char, String> {
    let mut constants = BTreeMap::new();
    for (letter, key) in [('n', "n"), ('p', "p"), ('l', "l")] {
        if let Some(name) = section.take(key, identifier) {
            constants.insert(letter, name);
        }
    }
    constants
}

/// Headers with what takes their place.
fn stand_ins(section: &Section<'_>) -> BTreeMap<String, String> {
    let stand_ins: BTreeMap<String, String> = section.each(value::argument).into_iter().collect();
    for name in stand_ins.keys() {
        if name.contains(['/', '\\']) || name.starts_with(['.', '-']) {
            let why = "write the name of a header without its folder";
            section.refuse(name, why);
        }
    }
    stand_ins
}

/// A name of C++.
fn identifier(value: &Value<'_>) -> Read<String> {
    let name = value::text(value)?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_name { Ok(name) } else { fails("write the name of a constant, such as \"N\"") }
}

/// Lists of at least two texts.
fn same(value: &Value<'_>) -> Read<Vec<Vec<String>>> {
    const WANTED: &str =
        "write a list of lists of at least two texts, such as [[\"Draw!\", \"Draw game!\"]]";
    let Some(lists) = value.get_ref().as_array() else { return fails(WANTED) };
    let mut same = Vec::new();
    for list in lists {
        match value::texts(list) {
            Ok(texts) if texts.len() >= 2 => same.push(texts),
            _ => return Err(Wrong { wanted: WANTED.to_owned(), part: Some(list.span()) }),
        }
    }
    Ok(same)
}

/// Points from 0 on.
fn points(value: &Value<'_>) -> Read<f64> {
    value::number_in(0.0..=MOST_POINTS, "write a number of points from 0 to 10000")(value)
}

/// A share from 0 to 1.
fn share(value: &Value<'_>) -> Read<f64> {
    value::number_in(0.0..=1.0, "write a share from 0 to 1")(value)
}

/// A part; `names` are the files of the assignment, `taken` the parts that were read before.
fn part(
    section: &Section<'_>,
    game: Option<&Game>,
    names: &[String],
    taken: &RefCell<Vec<String>>,
) -> Option<Part> {
    let kind = section.need("kind", value::word::<Kind>, "\"builds\"");
    let name = section.take("name", value::title);
    let files = section.or("files", files, Vec::new());
    // Which keys are right depends on the kind: without it none of them is called unknown.
    let Some(kind) = kind else {
        section.entries();
        return None;
    };
    for (key, kinds) in [
        ("each-warning", [Kind::Builds].as_slice()),
        ("at-least", &[Kind::Builds]),
        ("only-visual-studio", &[Kind::Builds]),
        ("text", &[Kind::Functions, Kind::Program]),
        ("weights", &[Kind::Functions, Kind::Program, Kind::Games]),
    ] {
        if !kinds.contains(&kind) {
            section.forbid(key, &format!("a part of kind \"{kind}\" has no such key"));
        }
    }
    let read = match kind {
        Kind::Builds => builds(section),
        Kind::Globals => {
            section.need("points", points, "5").map(|points| PartKind::Globals { points })
        }
        Kind::Functions => functions(section, game),
        Kind::Program => program(section, game),
        Kind::Games => games(section, game),
    };
    let name = match (name, files.as_slice()) {
        (Some(name), _) => name,
        // A part of each of several files has the same kind.
        (None, [file]) if names.len() > 1 => {
            let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
            format!("{kind} {stem}")
        }
        (None, _) => kind.to_string(),
    };
    if taken.borrow().contains(&name) {
        let message = format!("two parts are called `{name}`; give one of them another `name`");
        section.refuse("name", message);
    }
    taken.borrow_mut().push(name.clone());
    Some(Part { name, files, kind: read? })
}

fn builds(section: &Section<'_>) -> Option<PartKind> {
    let most = section.need("points", points, "5");
    let of_warning = value::number_in(
        -MOST_POINTS..=0.0,
        "write what a warning adds: 0, or a negative number such as -1",
    );
    let each_warning = section.or("each-warning", of_warning, 0.0);
    let of_visual_studio = value::number_in(
        -MOST_POINTS..=0.0,
        "write what is added if it compiles with Visual Studio alone: 0, or a negative number",
    );
    let only_visual_studio = section.or("only-visual-studio", of_visual_studio, 0.0);
    let at_least = section.or("at-least", points, 0.0);
    let most = most?;
    if at_least > most {
        let why = format!("`at-least` = {at_least} is more than the {most} `points` of the part");
        section.refuse("at-least", why);
    }
    Some(PartKind::Builds { points: most, each_warning, at_least, only_visual_studio })
}

fn functions(section: &Section<'_>, game: Option<&Game>) -> Option<PartKind> {
    let known = game.map_or(&[][..], checks::functions_of);
    let example = known.first().unwrap_or(&"move");
    let wanted = format!("write the points of each function, such as {{ {example} = 8 }}");
    let points_by_name = section.need(
        "points",
        |value| match value.get_ref().as_table() {
            Some(table) if !table.is_empty() => points_of(table, game.map(|_| known)),
            _ => Err(Wrong { wanted, part: Some(value.span()) }),
        },
        &format!("{{ {example} = 8 }}"),
    );
    let text = section.or("text", share, TEXT);
    let weights = weights::of_functions(section, game);
    Some(PartKind::Functions { points: points_by_name?, text, weights })
}

/// The points of each function; `known` has their names, if the game is known.
fn points_of(table: &DeTable<'_>, known: Option<&[&'static str]>) -> Read<BTreeMap<String, f64>> {
    let mut all = BTreeMap::new();
    for (key, value) in table {
        let name: &str = key.get_ref();
        if let Some(known) = known
            && !known.contains(&name)
        {
            let advice = advice(name, "known are", known);
            let wanted = format!("the hand-out has no such function; {advice}");
            return Err(Wrong { wanted, part: Some(key.span()) });
        }
        let points = points(value).map_err(|wrong| Wrong { part: Some(value.span()), ..wrong })?;
        all.insert(name.to_owned(), points);
    }
    Ok(all)
}

fn program(section: &Section<'_>, game: Option<&Game>) -> Option<PartKind> {
    let most = section.need("points", points, "40");
    let text = section.or("text", share, TEXT);
    let weights = weights::of_program(section, game);
    Some(PartKind::Program { points: most?, text, weights })
}

fn games(section: &Section<'_>, game: Option<&Game>) -> Option<PartKind> {
    let most = section.need("points", points, "100");
    let weights = weights::of_program(section, game);
    Some(PartKind::Games { points: most?, weights })
}
