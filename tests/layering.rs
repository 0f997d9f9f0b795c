//! The allowed dependencies between the rooms of `src/`, checked for every path in every file there.
//!
//! A room is the first name below `src`: `src/clock.rs` is the room `clock`, `src/rules/` the room `rules`. A
//! PURE room computes values from values: no files, processes, threads, time or screen. An EDGE room may
//! touch the world. Code under `#[cfg(test)]` keeps to the table too, but may do I/O in a PURE room. (A test
//! module in a file of its own says so in that file, with `#![cfg(test)]`.)
//!
//! The files of one room use each other without circles, too.
//!
//! `syn` finds the paths, so comments and strings do not count; macro calls are searched token by token.
//! Not checked: uses without a path, such as a method of a value from another room.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use Kind::{Edge, Pure};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::{fmt, fs, path::Path as FilePath};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Attribute, File, ImplItemFn, Item, ItemExternCrate, ItemMod, ItemUse, Macro, Meta, Path, Token,
    UseTree, Visibility,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pure,
    Edge,
}

/// A room, its kind, and the rooms that it may use, all of which stand above it; `*` is every room.
type Room = (&'static str, Kind, &'static str);

const ROOMS: &[Room] = &[
    ("seed", Pure, ""),
    ("text", Pure, ""),
    ("clock", Pure, ""),
    ("content", Pure, ""),
    ("game_id", Pure, ""),
    ("rules", Pure, "seed text"),
    ("game", Pure, "seed text clock rules"),
    ("protocol", Pure, "seed text clock rules game"),
    ("record", Pure, "text clock rules game"),
    ("replay", Pure, "seed game_id rules clock game protocol record"),
    ("proof", Pure, "rules game record replay"),
    ("adapters", Pure, ""),
    ("openings", Pure, "seed rules"),
    ("schedule", Pure, "seed text game_id"),
    ("standings", Pure, "text game_id rules game record schedule"),
    ("rating", Pure, "text standings"),
    ("rules_check", Pure, "seed game rules"),
    ("bot_check", Pure, "seed text clock rules game protocol openings"),
    ("builtin", Pure, "seed clock rules game protocol"),
    ("hotseat", Pure, "rules"),
    ("config", Pure, "text clock rules game protocol adapters schedule rating"),
    ("tournament", Pure, "seed text content game_id rules game record schedule rating config"),
    (
        "report",
        Pure,
        "text clock content game_id rules game record replay proof standings rating bot_check tournament",
    ),
    ("grade", Pure, "seed text rules game protocol hotseat config report"),
    ("files", Edge, ""),
    ("locate", Edge, "text clock content rules game protocol adapters config files"),
    ("sandbox", Edge, "text game locate"),
    ("bot", Edge, "text rules game protocol adapters locate sandbox"),
    (
        "rules_process",
        Edge,
        "text content rules game protocol adapters config files locate sandbox bot",
    ),
    (
        "arena",
        Edge,
        "seed text clock rules game protocol record openings schedule tournament locate bot",
    ),
    ("store", Edge, "text content game record tournament files"),
    ("view", Edge, "text rules game game_id record replay proof report"),
    ("serve", Edge, "content rules report view"),
    (
        "ground",
        Edge,
        "seed text clock rules game record openings schedule standings report config builtin tournament files locate sandbox bot rules_process arena store view",
    ),
    (
        "tables",
        Edge,
        "text content game_id rules game record replay schedule standings rating report config tournament arena store ground",
    ),
    (
        "display",
        Edge,
        "text rules game record schedule standings rating report config tournament arena store view serve ground tables",
    ),
    (
        "run",
        Edge,
        "seed text clock content game_id rules game record openings schedule standings report builtin config tournament files locate bot arena store view serve ground tables display",
    ),
    (
        "check",
        Edge,
        "text clock rules game rules_check bot_check report builtin config tournament locate bot rules_process arena store ground",
    ),
    (
        "rerun",
        Edge,
        "seed text clock content game_id rules game record replay report config tournament locate bot arena store ground",
    ),
    ("marking", Edge, "text rules game report config grade files locate sandbox bot arena ground"),
    ("cli", Edge, "*"),
    ("lib", Edge, ""), // src/lib.rs: declares modules and crates, nothing else
    ("main", Edge, "cli"),
];

/// What a PURE room may not name: crates, modules, functions, macros.
#[rustfmt::skip]
const IMPURE: &[&str] = &[
    "tokio", "rustix", "nix",
    "std::fs", "std::process", "std::net", "std::os", "std::thread", "std::env",
    "std::io::stdin", "std::io::stdout", "std::io::stderr",
    "Instant::now", "SystemTime::now",
    "println!", "print!", "eprintln!", "eprint!", "dbg!",
];

#[derive(Debug)]
struct Violation {
    file: String,
    line: usize,
    path: String,
    why: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.path, self.why)
    }
}

// The judgement: one path, seen from one room.

/// Why `room` may not name `path` (absolute, without aliases), if so.
fn refusal((room, kind, knows): Room, path: &str, in_test: bool) -> Option<String> {
    if let Some(inner) = path.strip_prefix("crate::") {
        let other = inner.split("::").next().unwrap_or(inner);
        let known = other == room || knows == "*" || knows.split(' ').any(|name| name == other);
        let knows = if knows.is_empty() { "nothing" } else { knows };
        return (!known).then(|| format!("{room} may know: {knows}"));
    }
    let names = |impure: &str| format!("::{path}::").contains(&format!("::{impure}::"));
    let imports =
        |impure: &str| path.strip_suffix('*').is_some_and(|parent| impure.starts_with(parent));
    let impure =
        kind == Pure && !in_test && IMPURE.iter().any(|impure| names(impure) || imports(impure));
    impure.then(|| format!("{room} is PURE"))
}

fn is_declaration(item: &Item) -> bool {
    match item {
        Item::Mod(module) => module.content.is_none(),
        Item::Use(item) => matches!(item.vis, Visibility::Public(_)),
        _ => false,
    }
}

/// The module of a file, such as `rules::loa` for `src/rules/loa.rs`.
fn module_of(file: &str) -> String {
    file.trim_start_matches("src/")
        .trim_end_matches(".rs")
        .trim_end_matches("/mod")
        .replace('/', "::")
}

/// The violations in the file at `file` (such as `src/rules/loa.rs`).
fn violations(file: &str, source: &str) -> Vec<Violation> {
    let violation = |line, path: &str, why: String| Violation {
        file: file.into(),
        line,
        path: path.into(),
        why,
    };
    let module = module_of(file);
    let name = module.split("::").next().unwrap();
    let Some(&room) = ROOMS.iter().find(|room| room.0 == name) else {
        return vec![violation(
            1,
            name,
            "a room that is not in the table of tests/layering.rs".into(),
        )];
    };
    let tree = match syn::parse_file(source) {
        Ok(tree) => tree,
        Err(error) => {
            return vec![violation(error.span().start().line, "?", format!("not Rust: {error}"))];
        }
    };
    let reader = Reader::of(&module, &tree);
    let mut found = Vec::new();
    if name == "lib" && !tree.items.iter().all(is_declaration) {
        found.push(violation(1, "lib", "lib.rs declares modules and crates, nothing else".into()));
    }
    for mention in &reader.mentions {
        if let Some((path, why)) = reader.judge(room, mention) {
            found.push(violation(mention.line, &path, why));
        }
    }
    found
}

// The reading: every path of a file, and the names its `use` items give to paths.

/// A path in the source, made absolute if it begins with `crate`, `self` or `super`.
struct Mention {
    path: String,
    module: String,
    line: usize,
    in_test: bool,
    /// It gives a name of another file to the users of this one, and is no use of it.
    is_reexport: bool,
}

#[derive(Default)]
struct Reader {
    module: Vec<String>,
    in_test: bool,
    is_reexport: bool,
    mentions: Vec<Mention>,
    /// `crate::rules::loa::f` to `std::fs`, for `use std::fs as f` in `src/rules/loa.rs`.
    aliases: HashMap<String, String>,
}

impl Reader {
    /// Reads the file of this module, such as `rules::loa`.
    fn of(module: &str, tree: &File) -> Reader {
        let mut reader =
            Reader { module: module.split("::").map(String::from).collect(), ..Reader::default() };
        reader.visit_file(tree);
        reader
    }

    fn absolute(&self, path: &[String]) -> String {
        let mut base: Vec<&str> =
            ["crate"].into_iter().chain(self.module.iter().map(String::as_str)).collect();
        let mut rest = path;
        match path.first().map(String::as_str) {
            Some("crate" | "arbiter") => {
                base.truncate(1);
                rest = &path[1..];
            }
            Some("self" | "super") => {
                while let Some(head @ ("self" | "super")) = rest.first().map(String::as_str) {
                    if head == "super" {
                        base.truncate((base.len() - 1).max(1));
                    }
                    rest = &rest[1..];
                }
            }
            _ => base.clear(),
        }
        base.extend(rest.iter().map(String::as_str));
        base.join("::")
    }

    fn mention(&mut self, path: &[String], line: usize) {
        let (path, module) = (self.absolute(path), self.absolute(&["self".into()]));
        let (in_test, is_reexport) = (self.in_test, self.is_reexport);
        self.mentions.push(Mention { path, module, line, in_test, is_reexport });
    }

    fn import(&mut self, path: &[String], name: &Ident) {
        self.mention(path, name.span().start().line);
        let local = self.absolute(&["self".into(), name.to_string()]);
        self.aliases.insert(local, self.absolute(path));
    }

    fn use_tree(&mut self, prefix: &[String], tree: &UseTree) {
        let below = |name: &Ident| match prefix {
            [_, ..] if name == "self" => prefix.to_vec(), // `use std::fs::{self}`
            _ => [prefix, &[name.to_string()]].concat(),
        };
        match tree {
            UseTree::Path(path) => {
                self.use_tree(&[prefix, &[path.ident.to_string()]].concat(), &path.tree)
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.use_tree(prefix, tree))
            }
            UseTree::Rename(rename) => self.import(&below(&rename.ident), &rename.rename),
            UseTree::Glob(glob) => {
                self.mention(
                    &[prefix, &["*".into()]].concat(),
                    glob.star_token.spans[0].start().line,
                );
            }
            UseTree::Name(name) => {
                let path = below(&name.ident);
                self.import(&path, &Ident::new(path.last().unwrap(), name.ident.span()));
            }
        }
    }

    /// Finds `a::b`, `a::{b, c::d}`, `a::*` and `a!(…)` in the tokens of a macro call, which have no grammar.
    fn tokens(&mut self, prefix: &[String], tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |token: &TokenTree, char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == char);
        let mut rest = &tokens[..];
        while let [token, after @ ..] = rest {
            rest = after;
            if let TokenTree::Group(group) = token {
                self.tokens(prefix, group.stream());
            }
            let TokenTree::Ident(ident) = token else { continue };
            let mut path = [prefix, &[ident.to_string()]].concat();
            let mut group = None;
            while let [a, b, next, after @ ..] = rest
                && (is(a, ':') && is(b, ':'))
            {
                match next {
                    TokenTree::Ident(_) => path.push(next.to_string()),
                    _ if is(next, '*') => path.push("*".into()),
                    TokenTree::Group(inner) if inner.delimiter() == Delimiter::Brace => {
                        group = Some(inner)
                    }
                    _ => break,
                }
                rest = after;
            }
            match group {
                Some(group) => self.tokens(&path, group.stream()),
                None => self.mention(&path, ident.span().start().line),
            }
            if let [bang, TokenTree::Group(_), ..] = rest
                && is(bang, '!')
            {
                self.mention(&[format!("{}!", path.last().unwrap())], ident.span().start().line);
            }
        }
    }

    /// The path that a name is imported from. An inline module is assumed to see the names of the modules
    /// around it.
    fn alias(&self, module: &str, name: &str) -> Option<&String> {
        let around = std::iter::successors(Some(module), |module| {
            module.rsplit_once("::").map(|(outer, _)| outer)
        });
        around.into_iter().find_map(|module| self.aliases.get(&format!("{module}::{name}")))
    }

    /// The absolute path and why it is refused. A refused import is reported once, not at each use of its name.
    fn judge(&self, room: Room, mention: &Mention) -> Option<(String, String)> {
        let mut path = mention.path.clone();
        for _ in 0..8 {
            let head = path.split("::").next().unwrap();
            let Some(target) = self.alias(&mention.module, head) else { break };
            if target.split("::").next() == Some(head) {
                break; // `use tokio;`
            }
            if refusal(room, target, mention.in_test).is_some() {
                return None;
            }
            path.replace_range(..head.len(), target);
        }
        refusal(room, &path, mention.in_test).map(|why| (path, why))
    }

    fn within(&mut self, attributes: &[Attribute], visit: impl FnOnce(&mut Self)) {
        let outer = self.in_test;
        self.in_test |= attributes.iter().any(|attribute| match &attribute.meta {
            Meta::List(list) if list.path.is_ident("cfg") => {
                list.parse_args().is_ok_and(|meta| only_in_tests(&meta))
            }
            meta => only_in_tests(meta), // `#[test]`
        });
        visit(self);
        self.in_test = outer;
    }
}

/// `test`, or `all(test, …)`.
fn only_in_tests(condition: &Meta) -> bool {
    match condition {
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|conditions| conditions.iter().any(only_in_tests)),
        condition => condition.path().is_ident("test"),
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_file(&mut self, file: &'ast File) {
        self.within(&file.attrs, |reader| visit::visit_file(reader, file));
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Const(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Macro(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Trait(item) => &item.attrs,
            Item::Type(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        self.within(attributes, |reader| visit::visit_item(reader, item));
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.within(&function.attrs, |reader| visit::visit_impl_item_fn(reader, function));
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if module.content.is_none() && self.module == ["main"] {
            self.mention(
                &["crate".into(), module.ident.to_string()],
                module.ident.span().start().line,
            );
        }
        self.module.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.is_reexport = !matches!(item.vis, Visibility::Inherited);
        self.use_tree(&[], &item.tree);
        self.is_reexport = false;
        visit::visit_item_use(self, item);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast ItemExternCrate) {
        let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
        let root = if item.ident == "self" { "crate".into() } else { item.ident.to_string() };
        self.import(&[root], name);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.mention(&names, path.segments[0].ident.span().start().line);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let name = &call.path.segments.last().unwrap().ident;
        self.mention(&[format!("{name}!")], name.span().start().line);
        visit::visit_macro(self, call);
    }

    fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
        self.tokens(&[], tokens.clone());
    }
}

// The files of a room: which of them uses which.

/// Circles among the files of one room, each as its files in order: a file of it uses another one, which uses the first
/// one, perhaps through others. What a file re-exports it does not use, and what tests use does not count. A module
/// contains the modules below it, so it may use them while they use it.
fn circles(sources: &[(String, String)]) -> Vec<String> {
    let parsed = sources.iter().filter_map(|(file, source)| {
        let (tree, module) = (syn::parse_file(source).ok()?, module_of(file));
        Some((file, Reader::of(&module, &tree), module))
    });
    let readers: Vec<(&String, Reader, String)> = parsed.collect();
    let files: HashMap<String, &String> =
        readers.iter().map(|(file, _, module)| (format!("crate::{module}"), *file)).collect();
    let mut names: HashMap<String, String> = HashMap::new();
    for (_, reader, module) in &readers {
        for (name, path) in &reader.aliases {
            names.insert(name.clone(), in_child(&files, &format!("crate::{module}"), path));
        }
    }
    // The files for one system; the others choose between these by a path.
    for room in ["bot", "locate", "sandbox"] {
        names.insert(format!("crate::{room}::system"), format!("crate::{room}::linux"));
    }
    let mut uses: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
    for (file, reader, module) in &readers {
        let room = module.split("::").next().unwrap();
        let mentions =
            reader.mentions.iter().filter(|mention| !mention.in_test && !mention.is_reexport);
        for mention in mentions {
            let path = in_child(&files, &format!("crate::{module}"), &mention.path);
            let (head, rest) = path.split_at(path.find("::").unwrap_or(path.len()));
            let path = match reader.alias(&mention.module, head) {
                Some(target) => in_child(&files, &format!("crate::{module}"), target) + rest,
                None => path,
            };
            let Some(used) = defining(&files, &names, &path) else { continue };
            let of_used = module_of(used);
            let is_below = format!("{of_used}::").starts_with(&format!("{module}::"));
            if of_used.split("::").next() == Some(room) && !is_below {
                uses.entry(file).or_default().insert(used);
            }
        }
    }
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        uses.keys().map(|&file| (file, reached(&uses, file))).collect();
    let mut found = BTreeSet::new();
    for (file, from) in &reach {
        let circle: Vec<&str> = from
            .iter()
            .filter(|&&other| reach.get(other).is_some_and(|back| back.contains(file)))
            .map(|other| other.as_str())
            .collect();
        if !circle.is_empty() {
            found.insert(circle.join(" "));
        }
    }
    found.into_iter().collect()
}

/// The files that this one uses, and those that they use.
fn reached<'a>(
    uses: &BTreeMap<&'a String, BTreeSet<&'a String>>,
    file: &'a String,
) -> BTreeSet<&'a String> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(file) = open.pop() {
        open.extend(uses.get(file).into_iter().flatten().filter(|&&next| seen.insert(next)));
    }
    seen
}

/// A path that begins with a module below this one, made absolute; any other as it is.
fn in_child(files: &HashMap<String, &String>, module: &str, path: &str) -> String {
    let head = path.split("::").next().unwrap();
    let child = format!("{module}::{head}");
    if files.contains_key(&child) { format!("{module}::{path}") } else { path.to_owned() }
}

/// The file that defines what a path names, through the names that other files give to it. A module with files below
/// it, named alone, is no use of its file.
fn defining<'a>(
    files: &HashMap<String, &'a String>,
    names: &HashMap<String, String>,
    path: &str,
) -> Option<&'a String> {
    let mut path = path.to_owned();
    for _ in 0..8 {
        let renamed =
            prefixes(&path).filter_map(|prefix| Some((prefix.len(), names.get(prefix)?))).last();
        let Some((end, target)) = renamed else { break };
        path.replace_range(..end, target);
    }
    if files.contains_key(&path)
        && files.keys().any(|module| module.starts_with(&format!("{path}::")))
    {
        return None;
    }
    prefixes(&path).filter_map(|prefix| files.get(prefix).copied()).last()
}

/// `a`, `a::b` and so on to the whole path.
fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices("::").map(|(end, _)| end).chain([path.len()]).map(|end| &path[..end])
}

// The tests: of the table, of the source, and of the check itself.

/// Whether a file of `src` belongs to a crate of its own, whose walls cargo holds.
fn is_of_a_crate(file: &str) -> bool {
    let room = file.split('/').nth(1).unwrap_or_default();
    FilePath::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room).join("Cargo.toml").exists()
}

/// Every `.rs` file of `src`, but for those of crates of their own.
fn files_of_rooms() -> Vec<String> {
    let mut files = rust_files(&FilePath::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    files.retain(|file| !is_of_a_crate(file));
    files
}

/// Every `.rs` file below `folder`, relative to the folder of `Cargo.toml`, in order.
fn rust_files(folder: &FilePath) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(
                path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_str().unwrap().to_owned(),
            );
        }
    }
    files.sort();
    files
}

/// Rows that know a room which does not stand above them (so no circles), or a PURE one that knows an EDGE.
fn table_faults(rooms: &[Room]) -> Vec<String> {
    let mut faults = Vec::new();
    for (row, &(room, kind, knows)) in rooms.iter().enumerate() {
        for name in knows.split(' ').filter(|name| !matches!(*name, "" | "*")) {
            match rooms[..row].iter().find(|above| above.0 == name) {
                None => faults.push(format!("{room} knows {name}, which is no room above it")),
                Some((_, Edge, _)) if kind == Pure => {
                    faults.push(format!("{room} is PURE and knows {name}, an EDGE"))
                }
                Some(_) => {}
            }
        }
    }
    faults
}

#[test]
fn every_path_in_src_keeps_to_the_table() {
    let root = FilePath::new(env!("CARGO_MANIFEST_DIR"));
    let files = files_of_rooms();
    assert!(files.iter().any(|file| file == "src/lib.rs"), "looked in the wrong place: {files:?}");
    let found: Vec<String> = files
        .iter()
        .flat_map(|file| violations(file, &fs::read_to_string(root.join(file)).unwrap()))
        .map(|violation| violation.to_string())
        .collect();
    assert!(found.is_empty(), "{} forbidden paths:\n{}", found.len(), found.join("\n"));
}

#[test]
fn no_file_of_a_room_uses_one_that_uses_it() {
    let root = FilePath::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: String| (file.clone(), fs::read_to_string(root.join(file)).unwrap());
    let sources: Vec<(String, String)> = files_of_rooms().into_iter().map(read).collect();
    let found = circles(&sources);
    assert!(found.is_empty(), "{} circles of files:\n{}", found.len(), found.join("\n"));
}

#[test]
fn circles_of_files_are_found() {
    let found = |files: &[(&str, &str)]| {
        let files =
            files.iter().map(|(file, source)| (format!("src/a/{file}.rs"), (*source).to_owned()));
        circles(&files.collect::<Vec<_>>())
    };
    let front = ("mod", "mod b; mod c; pub use b::B; pub use c::{self, C};");
    let of_two = ["src/a/b.rs src/a/c.rs"];
    assert_eq!(
        found(&[front, ("b", "struct B;"), ("c", "use super::b::B; struct C(B);")]),
        [""; 0]
    );
    assert_eq!(found(&[front, ("b", "use super::c::C;"), ("c", "use super::b::B;")]), of_two);
    assert_eq!(
        found(&[front, ("b", "use super::C;"), ("c", "fn c(b: crate::a::B) {}")]),
        of_two,
        "by the front"
    );
    assert_eq!(
        found(&[front, ("b", "use super::c; fn b() { c::c() }"), ("c", "use super::B;")]),
        of_two
    );
    let in_a_test = ("b", "#[cfg(test)] mod tests { use super::super::C; }");
    assert_eq!(found(&[front, in_a_test, ("c", "use super::b::B;")]), [""; 0]);
    let three = [("b", "use super::c::C;"), ("c", "use super::d::D;"), ("d", "use super::b::B;")];
    assert_eq!(found(&three), ["src/a/b.rs src/a/c.rs src/a/d.rs"]);
    let inner = [("mod", "mod b; struct A(b::B);"), ("b", "use super::A; struct B(A);")];
    assert_eq!(found(&inner), [""; 0], "a module and one in it");
}

/// Code for one system is in the files `linux` and `posix` of a room. Of the other files only the `mod.rs` that
/// chooses between these two may ask which system it is, and none may name files of one system.
#[test]
fn code_for_one_system_is_in_files_for_that_system() {
    let root = FilePath::new(env!("CARGO_MANIFEST_DIR"));
    let files = rust_files(&root.join("src"));
    let is_for_one_system = |file: &str| {
        file.split('/').any(|part| part.starts_with("linux") || part.starts_with("posix"))
    };
    let others = files.iter().filter(|file| !is_for_one_system(file));
    let says = |file: &&String| {
        let text = fs::read_to_string(root.join(file)).unwrap();
        ["target_os", "target_vendor", "\"/proc", "\"/sys/"].iter().any(|word| text.contains(word))
    };
    let found: Vec<&String> = others.filter(says).collect();
    let choosing = ["src/host/bot/mod.rs", "src/host/locate/mod.rs", "src/host/sandbox/mod.rs"];
    assert_eq!(found, choosing, "only these choose by system");
}

#[test]
fn the_table_leads_downward_only() {
    assert_eq!(table_faults(ROOMS), [""; 0]);
    assert_eq!(
        table_faults(&[("a", Pure, "b"), ("b", Pure, "")]),
        ["a knows b, which is no room above it"]
    );
    assert_eq!(
        table_faults(&[("a", Edge, ""), ("b", Pure, "a")]),
        ["b is PURE and knows a, an EDGE"]
    );
}

/// What is tried, in which file, its source, and each violation as `line path`.
type Example = (&'static str, &'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const EXAMPLES: &[Example] = &[
    // Rooms.
    ("an allowed room", "src/rules/loa.rs", "use crate::seed::Seed; fn f(s: super::Ply) -> crate::rules::Ply { s }", &[]),
    ("use", "src/rules/loa.rs", "\n\nuse crate::cli::Command;", &["3 crate::cli::Command"]),
    ("a public use", "src/clock.rs", "pub use crate::rules::Side;", &["1 crate::rules::Side"]),
    ("a group", "src/record/mod.rs", "use crate::{\n rules::Ply,\n bot::{self, Bot},\n};", &["3 crate::bot", "3 crate::bot::Bot"]),
    ("a rename", "src/rules/mod.rs", "use crate::cli as other; fn f() { other::run() }", &["1 crate::cli"]),
    ("a renamed root", "src/rules/mod.rs", "use crate as root;\nfn f() { root::cli::run() }", &["2 crate::cli::run"]),
    ("a glob", "src/rules/mod.rs", "use crate::cli::*;", &["1 crate::cli::*"]),
    ("all rooms at once", "src/view/mod.rs", "use crate::*;", &["1 crate::*"]),
    ("an expression", "src/game/referee.rs", "fn f() {\n crate::arena::run(1);\n}", &["2 crate::arena::run"]),
    ("a type argument", "src/game/referee.rs", "fn f(x: Vec<crate::bot::Bot>) {}", &["1 crate::bot::Bot"]),
    ("a pattern", "src/game/referee.rs", "fn f(x: X) { if let crate::store::X(_) = x {} }", &["1 crate::store::X"]),
    ("an attribute", "src/game/referee.rs", "#[derive(crate::cli::Derive)] struct S;", &["1 crate::cli::Derive"]),
    ("super from a file", "src/clock.rs", "use super::rules::Side;", &["1 crate::rules::Side"]),
    ("super twice", "src/rules/loa.rs", "use super::super::cli::run;", &["1 crate::cli::run"]),
    ("super from mod.rs", "src/rules/mod.rs", "use super::cli::run;", &["1 crate::cli::run"]),
    ("super in an inner module", "src/clock.rs", "mod a { use super::rules; use super::super::record; }", &["1 crate::record"]),
    ("self, then super", "src/clock.rs", "use self::super::record::X; use self::rules::X as Y;", &["1 crate::record::X"]),
    ("a macro call", "src/rules/mod.rs", "fn f() { format!(\"{}\", 1 +\n crate::cli::x()); }", &["2 crate::cli::x"]),
    ("a macro in a macro", "src/rules/mod.rs", "fn f() { vec![vec![super::cli::X]]; }", &["1 crate::cli::X"]),
    ("a macro's definition", "src/rules/mod.rs", "macro_rules! m { () => { use $crate::{cli::X, seed::*}; } }", &["1 crate::cli::X"]),
    ("a test module", "src/rules/loa.rs", "#[cfg(test)] mod tests { use super::*; use crate::cli::x; }", &["1 crate::cli::x"]),
    ("a comment", "src/rules/loa.rs", "//! See [`crate::cli`].\n/// See crate::cli::x and std::fs.\nfn f() {} // crate::cli", &[]),
    ("a string", "src/rules/loa.rs", "const X: &str = \"crate::cli::x println!()\"; fn f() { g!(\"std::fs\") }", &[]),
    ("cli", "src/cli/play.rs", "use crate::{arena, rules, view}; fn f() { println!(\"{:?}\", std::env::args()) }", &[]),
    ("a new room", "src/util.rs", "", &["1 util"]),
    ("main", "src/main.rs", "use arbiter::cli; fn main() { cli::run() } mod tests { use super::*; }", &[]),
    ("main, too curious", "src/main.rs", "mod rules; use arbiter::arena;", &["1 crate::rules", "1 crate::arena"]),
    ("lib", "src/lib.rs", "//! The story.\n#![forbid(unsafe_code)]\npub mod rules; mod cli;", &[]),
    ("lib, too busy", "src/lib.rs", "pub mod rules; fn f() {}", &["1 lib"]),
    // The world.
    ("files", "src/rules/loa.rs", "use std::fs::File; fn f() { File::open(\"x\") }", &["1 std::fs::File"]),
    ("files, in a group", "src/rules/loa.rs", "use std::{fmt, fs, io};", &["1 std::fs"]),
    ("files, renamed", "src/rules/loa.rs", "use std as s;\nfn f() { s::fs::read(\"x\") }", &["2 std::fs::read"]),
    ("files, in a macro", "src/rules/loa.rs", "fn f() { assert!(std::fs::exists(\"x\")) }", &["1 std::fs::exists"]),
    ("files, in an EDGE", "src/store/mod.rs", "use std::fs; use tokio::time; fn f() { println!() }", &[]),
    ("everything of std", "src/rules/loa.rs", "use std::*;", &["1 std::*"]),
    ("a crate", "src/rules/loa.rs", "use tokio;\nextern crate nix as n;", &["1 tokio", "2 nix"]),
    ("an attribute's crate", "src/rules/loa.rs", "#[tokio::main] async fn main() {}", &["1 tokio::main"]),
    ("Instant::now", "src/clock.rs", "use std::time::Instant;\nfn f() { Instant::now(); }", &["2 std::time::Instant::now"]),
    ("Instant::now, renamed", "src/clock.rs", "use std::time::Instant as I;\nfn f() { I::now(); }", &["2 std::time::Instant::now"]),
    ("Instant::now, by a glob", "src/clock.rs", "use std::time::*;\nfn f() { Instant::now(); }", &["2 Instant::now"]),
    ("Instant::now, local", "src/clock.rs", "fn f() {\n I::now();\n use std::time::SystemTime as I; }", &["2 std::time::SystemTime::now"]),
    ("a length of time", "src/clock.rs", "use std::time::{Duration, Instant}; fn f(a: Instant) -> Duration { a - a }", &[]),
    ("standard output", "src/report/mod.rs", "use std::io;\nfn f() { io::stdout(); }", &["2 std::io::stdout"]),
    ("a trait of io", "src/report/mod.rs", "use std::io::{self, Write}; fn f() -> io::Result<()> { Ok(()) }", &[]),
    ("println!", "src/report/mod.rs", "fn f() {\n println!(\"x\");\n std::dbg!(1); }", &["2 println!", "3 dbg!"]),
    ("println! in a macro", "src/report/mod.rs", "fn f() { m!({ eprintln!(\"x\") }); m!(print != 1) }", &["1 eprintln!"]),
    ("I/O in a test module", "src/clock.rs", "#[cfg(all(test, unix))] mod tests { use std::fs; fn f() { println!() } }", &[]),
    ("I/O in a test file", "src/rules/tests.rs", "#![cfg(test)] use std::fs; #[test] fn f() { dbg!(1); }", &[]),
    ("I/O but in tests", "src/clock.rs", "#[cfg(not(test))] mod a { use std::fs; }", &["1 std::fs"]),
    ("not Rust", "src/clock.rs", "fn", &["1 ?"]),
];

#[test]
fn forbidden_paths_are_found_and_allowed_ones_are_not() {
    for (what, file, source, expected) in EXAMPLES {
        let found: Vec<String> =
            violations(file, source).iter().map(|v| format!("{} {}", v.line, v.path)).collect();
        assert_eq!(found, *expected, "{what}");
    }
}

#[test]
fn a_violation_says_what_the_room_may_know() {
    let said = |file, source| violations(file, source)[0].to_string();
    assert_eq!(
        said("src/record/text.rs", "use crate::bot;"),
        "src/record/text.rs:1: crate::bot: record may know: text clock rules game"
    );
    assert_eq!(
        said("src/clock.rs", "use crate::bot;"),
        "src/clock.rs:1: crate::bot: clock may know: nothing"
    );
    assert_eq!(said("src/clock.rs", "\nuse std::fs;"), "src/clock.rs:2: std::fs: clock is PURE");
}
