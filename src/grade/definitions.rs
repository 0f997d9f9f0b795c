//! The functions that a source defines, and the source without some of them.
//!
//! Hand-outs say that `main` is replaced by a test main, so nothing in there may cost a function
//! anything. A function that does not compile must not cost the others. What is taken out becomes
//! blanks, so that every line keeps its number; directives stay, so that no `#if` loses its
//! `#endif`.

use super::source::{Token, tokens, without_joined};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

/// The names of the function that a program begins with; `_tmain` is that of Visual Studio.
const MAIN: [&str; 2] = ["main", "_tmain"];

/// A function that was taken out of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TakenOut {
    /// Its name, that of a member as `LinesOfAction::move`.
    pub name: String,
    /// The lines of its definition.
    pub lines: RangeInclusive<usize>,
}

/// The source without the definition of `main`, and without the functions in whose lines there are
/// errors. `rounds` has the lines with errors of each compilation so far: after the first a free
/// function loses its body and stays declared, so that others can call it; after a second it is
/// taken out as a whole.
pub(super) fn without_main(source: &[u8], rounds: &[BTreeSet<usize>]) -> (Vec<u8>, Vec<TakenOut>) {
    let tokens = tokens(source);
    let mut taken_out = Vec::new();
    let mut reduced = source.to_vec();
    let mut line = 1;
    let mut counted = 0;
    for statement in statements(&tokens) {
        let Some(function) = defined_by(statement) else { continue };
        let (Some(first), Some(last)) = (statement.first(), statement.last()) else { continue };
        line += line_ends(&source[counted..first.at]);
        counted = first.at;
        let lines = line..=line + line_ends(&source[first.at..last.at]);
        if MAIN.iter().any(|main| function.name == main.as_bytes()) {
            blank(&mut reduced, statement);
            continue;
        }
        let mut times = 0;
        for round in rounds {
            times += usize::from(round.range(lines.clone()).next().is_some());
        }
        if times == 0 {
            continue;
        }
        if function.class.is_none() && times == 1 {
            blank(&mut reduced, function.body);
            reduced[function.body[0].at] = b';';
        } else {
            // The class declares its members, and nothing else may.
            blank(&mut reduced, statement);
        }
        taken_out.push(TakenOut { name: function.whole_name(), lines });
    }
    (reduced, taken_out)
}

/// How many lines end in a text.
pub(super) fn line_ends(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

/// Overwrites tokens with blanks, except directives and ends of lines.
fn blank(source: &mut [u8], tokens: &[Token<'_>]) {
    let mut in_directive = false;
    for token in tokens {
        if token.first {
            in_directive = token.is("#");
        }
        if in_directive {
            continue;
        }
        for byte in &mut source[token.at..token.end()] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

/// The source with `int main` in place of `void main`, which Visual Studio takes; `None` if it has
/// none. Its lines stay, and the columns of all but `return;` in `main`.
pub(super) fn with_int_main(source: &[u8]) -> Option<Vec<u8>> {
    let tokens = tokens(source);
    let statements = statements(&tokens);
    let main = statements.into_iter().find(|statement| is_void_main(statement))?;
    let mut changed = Vec::with_capacity(source.len());
    let mut copied = 0;
    let mut is_in_body = false;
    for (index, token) in main.iter().enumerate() {
        is_in_body |= token.is("{");
        let Some(next) = main.get(index + 1) else { break };
        let replaced = if token.is("void") && !is_in_body && !next.is(")") {
            "int " // `main(void)` stays
        } else if token.is("return") && is_in_body && next.is(";") {
            "return 0"
        } else {
            continue;
        };
        changed.extend_from_slice(&source[copied..token.at]);
        changed.extend_from_slice(replaced.as_bytes());
        copied = token.end();
    }
    changed.extend_from_slice(&source[copied..]);
    Some(changed)
}

/// Whether a statement is a `main` with `void` before its name.
fn is_void_main(statement: &[Token<'_>]) -> bool {
    let Some(Function { name: b"main", .. }) = function(statement) else { return false };
    for token in statement {
        if token.is("main") {
            return false;
        }
        if token.is("void") {
            return true;
        }
    }
    false
}

/// A function that a source defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Definition {
    /// Its name, that of a member as `LinesOfAction::move`.
    pub name: String,
    /// The indexes of its tokens.
    pub tokens: Range<usize>,
}

/// The functions that a source defines outside of classes, in its order.
pub(super) fn definitions(tokens: &[Token<'_>]) -> Vec<Definition> {
    let mut definitions = Vec::new();
    let mut at = 0;
    for statement in statements(tokens) {
        let end = at + statement.len();
        if let Some(function) = defined_by(statement) {
            definitions.push(Definition { name: function.whole_name(), tokens: at..end });
        }
        at = end;
    }
    definitions
}

/// The names of the functions that a source defines.
pub(super) fn defined(source: &[u8]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for Definition { name, .. } in definitions(&tokens(source)) {
        names.insert(name);
    }
    names
}

/// The functions of these names that sources define and `main` does not lead to; empty without a
/// `main`. A function leads to every name in its body. Names outside of functions, as in macros and
/// classes, count as used, but for those of prototypes.
pub fn unreached(sources: &[&[u8]], names: &[String]) -> Vec<String> {
    let mut bodies = BTreeMap::<&[u8], Vec<&[u8]>>::new();
    let mut reached = BTreeSet::from([&b"main"[..]]);
    for source in sources {
        let tokens = tokens(source);
        for statement in statements(&tokens) {
            match function(statement) {
                Some(function) if function.body.is_empty() => {}
                Some(function) => {
                    let body = bodies.entry(function.name).or_default();
                    // What initializes members stands before the body.
                    body.extend(function.parameters_and_body.iter().map(|token| token.text));
                }
                None => reached.extend(statement.iter().map(|token| token.text)),
            }
        }
    }
    if !bodies.contains_key(&b"main"[..]) {
        return Vec::new();
    }
    // From name to name, until no new one comes.
    let mut open: Vec<&[u8]> = reached.iter().copied().collect();
    while let Some(name) = open.pop() {
        for &named in bodies.get(name).into_iter().flatten() {
            if reached.insert(named) {
                open.push(named);
            }
        }
    }
    let mut lost = names.to_vec();
    lost.retain(|name| bodies.contains_key(name.as_bytes()) && !reached.contains(name.as_bytes()));
    lost
}

/// The statements of a source outside of functions: each ends with a `;`, with the end of a block,
/// or before a directive, which is one of its own.
///
/// Of the branches of an `#if` within a block only the last one counts for its braces: otherwise
/// two that open the same block would leave it open to the end of the file.
pub(super) fn statements<'a, 't>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut statements = Vec::new();
    let mut begin = 0;
    let mut depth = 0_usize;
    // The depth at each `#if` that is open.
    let mut conditions: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if token.first && token.is("#") {
            let mut end = at + 1;
            while end < tokens.len() && !tokens[end].first {
                end += 1;
            }
            let is_outside = depth == 0;
            match &tokens[at + 1..end] {
                [Token { text: b"if" | b"ifdef" | b"ifndef", .. }, ..] => conditions.push(depth),
                [Token { text: b"else" | b"elif", .. }, ..] => {
                    depth = conditions.last().copied().unwrap_or(depth);
                }
                [Token { text: b"endif", .. }, ..] => drop(conditions.pop()),
                _ => {}
            }
            if is_outside || depth == 0 {
                statements.push(&tokens[begin..at]);
                statements.push(&tokens[at..end]);
                begin = end;
            }
            at = end;
            continue;
        }
        match token.text {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1), // a brace too many must not hide what follows
            _ => {}
        }
        at += 1;
        if depth == 0 && (token.is(";") || token.is("}") && !goes_on(tokens.get(at))) {
            statements.push(&tokens[begin..at]);
            begin = at;
        }
    }
    statements.push(&tokens[begin..]);
    statements.retain(|statement| !statement.is_empty());
    statements
}

/// Whether a statement goes on behind a block, by the token there: the block is then an
/// initializer, as in `A::A() : x{1} {` and `f(P p = {1, 2}) {`, or the one of a `try`.
fn goes_on(next: Option<&Token<'_>>) -> bool {
    next.is_some_and(|next| ["{", ",", ")", "catch"].iter().any(|text| next.is(text)))
}

/// A function that a statement declares or defines.
#[derive(Debug, Clone, Copy)]
struct Function<'a, 't> {
    name: &'a [u8],
    /// The class before its name.
    class: Option<&'a [u8]>,
    /// Its block with both braces; nothing for a prototype.
    body: &'t [Token<'a>],
    parameters_and_body: &'t [Token<'a>],
}

impl Function<'_, '_> {
    fn whole_name(&self) -> String {
        let mut whole = String::new();
        if let Some(class) = self.class {
            whole += &String::from_utf8_lossy(&without_joined(class));
            whole += "::";
        }
        whole + &String::from_utf8_lossy(&without_joined(self.name))
    }
}

/// The function that a statement defines.
fn defined_by<'a, 't>(statement: &'t [Token<'a>]) -> Option<Function<'a, 't>> {
    function(statement).filter(|function| !function.body.is_empty())
}

/// Where a text first is among tokens.
fn position(tokens: &[Token<'_>], text: &str) -> Option<usize> {
    tokens.iter().position(|token| token.is(text))
}

/// The function that a statement declares or defines, judged by its words and brackets alone.
fn function<'a, 't>(statement: &'t [Token<'a>]) -> Option<Function<'a, 't>> {
    let open = position(statement, "(")?;
    let block = position(statement, "{").unwrap_or(statement.len());
    let has_block = block < statement.len();
    // A second bracket in a statement without a block is that of a call: it is the definition of a
    // variable.
    let calls = !has_block && position(&statement[open + 1..], "(").is_some();
    // Without a type before it, it is the call of a macro; only `main` may lack one.
    let is_named = open >= 2 || open == 1 && statement[0].is("main");
    if !is_named || block < open || calls {
        return None;
    }
    for word in ["#", "=", "class", "struct", "union", "namespace", "template", "operator"] {
        if position(&statement[..open], word).is_some() {
            return None;
        }
    }
    let class = match &statement[..open] {
        [.., class, first, second, _] if first.is(":") && second.is(":") => Some(class.text),
        _ => None,
    };
    Some(Function {
        name: statement[open - 1].text,
        class,
        body: &statement[block..],
        parameters_and_body: &statement[open..],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        /// Whatever a source is, its lines keep their numbers and nothing is read twice.
        #[test]
        fn lines_stay_where_they_are(
            pieces in prop::collection::vec(prop::sample::select(&[
                "int main() {", "void main(void) {", "}", "{", "\n", ";", "#if A\n", "#else\n", "#endif\n", "return;",
                "bool f(int a)", "A::g() ", "(", ")", "\"", "'", "R\"x(", ")x\"", "//", "/*", "*/", "\\\n", "\u{e9}", "=",
            ]), 0..24),
            failing in prop::collection::btree_set(1..8_usize, 0..4),
        ) {
            let source = pieces.concat().into_bytes();
            let lines = |text: &[u8]| text.split(|&byte| byte == b'\n').count();
            let (reduced, _) = without_main(&source, &[failing.clone(), failing]);
            prop_assert_eq!((reduced.len(), lines(&reduced)), (source.len(), lines(&source)));
            if let Some(changed) = with_int_main(&source) {
                prop_assert_eq!(lines(&changed), lines(&source));
            }
            let tokens = tokens(&source);
            let read: usize = statements(&tokens).into_iter().map(<[Token<'_>]>::len).sum();
            prop_assert_eq!(read, tokens.len());
        }
    }

    fn reduced(source: &str, rounds: &[&[usize]]) -> (String, Vec<String>) {
        let rounds: Vec<BTreeSet<usize>> =
            rounds.iter().map(|round| round.iter().copied().collect()).collect();
        let (reduced, taken_out) = without_main(source.as_bytes(), &rounds);
        assert_eq!(reduced.len(), source.len());
        let names = taken_out.into_iter().map(|function| function.name).collect();
        (String::from_utf8(reduced).unwrap(), names)
    }

    /// Without blanks, so that rows stay short.
    fn dense(text: &str) -> String {
        text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_source_without_its_main() {
        for (source, expected) in [
            (
                "int f();\nint main() { f(); }\nint f() { return 1; }",
                "int f(); int f() { return 1; }",
            ),
            ("void main(void) { char b[6][6]; } int g;", "int g;"),
            ("main() { }\nint g;", "int g;"),
            ("int main(int argc, char *argv[]) { }\nint g;", "int g;"),
            ("auto main() -> int { return 0; }", ""),
            ("int _tmain(int argc, _TCHAR* argv[]) { }", ""),
            (
                "int main() { char c = '}'; string s = \"}\"; s = R\"(})\"; /* } */ // }\n}\nint g;",
                "/* } */ // } int g;",
            ),
            (
                "int main() {\n#define X 1\n}\nint f() { return X; }",
                "#define X 1 int f() { return X; }",
            ),
            (
                "#ifdef A\nint main() {\n#else\nint main(int) {\n#endif\n}\nint g;",
                "#ifdef A #else #endif int g;",
            ),
            (
                "int main() {\n#if A\nif (a) {\n#elif B\nif (b) {\n#endif\n}\n}\nint g;",
                "#if A #elif B #endif int g;",
            ),
            ("int main() { if (a) {", ""),
            ("int main() try { f(); } catch (A) { } catch (...) { }\nint g;", "int g;"),
            (
                "int domain() { }\nclass main { };\nint main;",
                "int domain() { } class main { }; int main;",
            ),
            ("struct A { int main() { } };", "struct A { int main() { } };"),
        ] {
            let (text, names) = reduced(source, &[]);
            assert_eq!((dense(&text), names.len()), (expected.to_owned(), 0), "{source}");
            assert_eq!(text.matches('\n').count(), source.matches('\n').count(), "{source}");
        }
    }

    #[test]
    fn a_source_without_functions_that_do_not_compile() {
        let source = "bool f(Bord b) {\n  x;\n}\nvoid A::g() { y; }\nint h() { return f(1); }\n";
        for (rounds, expected, names) in [
            (
                &[&[2][..]][..],
                "bool f(Bord b) ; void A::g() { y; } int h() { return f(1); }",
                &["f"][..],
            ),
            (&[&[2], &[1]], "void A::g() { y; } int h() { return f(1); }", &["f"]),
            (&[&[4, 5]], "bool f(Bord b) { x; } int h() ;", &["A::g", "h"]),
            (&[&[9]], source, &[]),
        ] {
            let (text, taken_out) = reduced(source, rounds);
            assert_eq!(
                (dense(&text), taken_out),
                (dense(expected), names.iter().map(|name| (*name).to_owned()).collect())
            );
        }
        let braces = "A::A() : x{1}, y{} {\n  z;\n}\nint f(P p = {1}) {\n  z;\n}\nint g{1};";
        let (text, taken_out) = reduced(braces, &[&[2, 5], &[5]]);
        assert_eq!((&*dense(&text), &*taken_out.join(" ")), ("int g{1};", "A::A f"));
    }

    #[test]
    fn void_main_becomes_int_main() {
        for (source, expected) in [
            (
                "void f() {}\nvoid main() { if (a) return; f(); }",
                "void f() {}\nint  main() { if (a) return 0; f(); }",
            ),
            ("void main(void) { }", "int  main(void) { }"),
        ] {
            let changed = with_int_main(source.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(changed).unwrap(), expected);
        }
        for source in
            ["int main(void) { void f(); }", "void f() { main(); }", "// void main() {}", ""]
        {
            assert_eq!(with_int_main(source.as_bytes()), None, "{source}");
        }
    }

    #[test]
    fn functions_that_main_does_not_lead_to() {
        let names = ["a", "b", "c", "d", "e", "f", "g"].map(str::to_owned);
        let source = b"#include \"x.h\"\nbool a(int);\nint b(int x) { return a(x); }\nvoid C::c() : n(d()) { if (f) { g(); } }\n\
            #define E e(1) + \\\n  2\nbool a(int x) { return x; }\nint d() { return 1; }\nvoid e() {}\nint g[] = {1};\n";
        let [alone, with]: [&[u8]; 2] = [b"int main() {}", b"int main(int n, char **v) { b(2); }"];
        assert_eq!(unreached(&[source, alone], &names), ["a", "b", "c", "d"]);
        assert_eq!(unreached(&[source, with], &names), ["c", "d"]);
        assert_eq!(unreached(&[source], &names), [""; 0]);
        for all in [
            "string s(a());",
            "struct S { int n = a(); };",
            "auto s = [] { return a(); };",
            "namespace { int s() { a(); } }",
        ] {
            assert_eq!(unreached(&[source, all.as_bytes(), alone], &names[..1]), [""; 0], "{all}");
        }
        for odd in ["int main() {", "}}} int main(", "#", "int f(", "((((", "#else\n#endif\n#endif"]
        {
            let _ = unreached(&[odd.as_bytes(), source], &names);
            let _ = (without_main(odd.as_bytes(), &[]), with_int_main(odd.as_bytes()));
        }
        assert_eq!(defined(source).into_iter().collect::<Vec<_>>(), ["C::c", "a", "b", "d", "e"]);
    }
}
