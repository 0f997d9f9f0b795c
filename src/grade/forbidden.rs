//! Names that an assignment forbids: `cin` in a class, containers of the standard library.

use super::definitions::{definitions, line_ends};
use super::source::{Token, tokens};
use serde::{Deserialize, Serialize};

/// The most tokens of the arguments of a template. Looking further for their end at each name would
/// not be linear.
const LONGEST: usize = 32;

/// Names that a source may not use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forbidden {
    /// The names; one that ends with `<` is that of a template, which needs its arguments.
    pub names: Vec<String>,
    /// The functions that may use them all the same.
    pub except: Vec<String>,
}

/// The first use of one of these names in a source, with its line.
pub(super) fn first_use(source: &[u8], forbidden: &Forbidden) -> Option<(String, usize)> {
    let tokens = tokens(source);
    let mut allowed = definitions(&tokens);
    allowed.retain(|function| {
        forbidden.except.iter().any(|except| function.name.rsplit("::").next() == Some(except))
    });
    let mut allowed = allowed.into_iter().peekable();
    for (at, token) in tokens.iter().enumerate() {
        while allowed.next_if(|function| function.tokens.end <= at).is_some() {}
        let is_allowed = allowed.peek().is_some_and(|function| function.tokens.contains(&at));
        if is_allowed || is_member(&tokens[..at]) {
            continue;
        }
        for name in &forbidden.names {
            let is_used = match name.strip_suffix('<') {
                Some(template) => token.is(template) && has_arguments(&tokens[at + 1..]),
                None => token.is(name),
            };
            if is_used {
                let line = 1 + line_ends(&source[..token.at]);
                return Some((name.trim_end_matches('<').to_owned(), line));
            }
        }
    }
    None
}

/// Whether the token that follows these is a member of something.
fn is_member(before: &[Token<'_>]) -> bool {
    match before {
        [.., one, other] => other.is(".") || one.is("-") && other.is(">"),
        [other] => other.is("."),
        [] => false,
    }
}

/// Whether these tokens begin with the arguments of a template: `<int, 6>`, but not `< count)`.
fn has_arguments(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0_usize;
    for token in tokens.iter().take(LONGEST) {
        match token.text {
            b"<" => depth += 1,
            b">" if depth == 1 => return true,
            b">" if depth > 1 => depth -= 1,
            b":" | b"," | b"*" => {}
            [first, ..] if depth > 0 && (first.is_ascii_alphanumeric() || *first == b'_') => {}
            _ => return false,
        }
        if depth == 0 {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_are_used() {
        let forbidden = |names: &[&str]| Forbidden {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            except: vec!["print".to_owned()],
        };
        let found = |source: &str, names: &[&str]| first_use(source.as_bytes(), &forbidden(names));
        let containers = &["vector<", "map<"];
        for (source, expected) in [
            ("#include <vector>\nstd::vector<std::vector<int>> a;", Some(("vector", 2))),
            ("#include <map>\nbool f(int map, int n) { return map < n; }", None),
            ("char map[8]; if (map < n && 3 > n) {}", None),
            ("// vector<int>\nchar *s = \"map<int>\";", None),
        ] {
            let expected = expected.map(|(name, line)| (name.to_owned(), line));
            assert_eq!(found(source, containers), expected, "{source}");
        }
        let class =
            "void A::print() {\n  cout << 1;\n}\nbool A::move() {\n  a.cout = 1;\n  cout << 2;\n}";
        assert_eq!(found(class, &["cout"]), Some(("cout".to_owned(), 6)));
        assert_eq!(found(&class.replace("move", "print"), &["cout"]), None);
    }
}
