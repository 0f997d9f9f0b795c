//! Constants of a source get other values.

use super::source::{Token, tokens};

/// A source in which constants were replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The source.
    pub source: Vec<u8>,
    /// Which of the constants were found, in the order in which they were asked for.
    pub found: Vec<bool>,
}

/// Gives constants of a C++ source other values: names with values. Found are macros (`#define N 6`), variables outside of all
/// braces (`const int N = 6, P = 8;`, `constexpr int N{6};`), and names of an enumeration (`enum {N = 6}`).
#[must_use]
pub fn replace_constants(source: &[u8], values: &[(&str, u32)]) -> Replaced {
    let tokens = tokens(source);
    let (mut new, mut copied) = (Vec::new(), 0);
    let mut found = vec![false; values.len()];
    let mut state = Scope::default();
    for (index, token) in tokens.iter().enumerate() {
        let before = &tokens[..index];
        state.enter(token, before);
        let Some(at) = values.iter().position(|(name, _)| token.is(name)) else { continue };
        if let Some((from, to)) = value_of(&tokens, index, &state) {
            found[at] = true;
            if from >= copied {
                new.extend_from_slice(&source[copied..from]);
                new.extend_from_slice(values[at].1.to_string().as_bytes());
                copied = to;
            }
        }
    }
    new.extend_from_slice(&source[copied..]);
    Replaced { source: new, found }
}

/// Where a token stands.
#[derive(Debug, Default)]
struct Scope {
    /// Open braces, each with whether it is one of an enumeration.
    braces: Vec<bool>,
    /// Open round brackets.
    round: usize,
    /// Whether it belongs to a line of the preprocessor.
    directive: bool,
}

impl Scope {
    fn enter(&mut self, token: &Token<'_>, before: &[Token<'_>]) {
        if token.first {
            self.directive = token.is("#");
        }
        if self.directive {
            return;
        }
        match token.text {
            b"{" => {
                let start =
                    before.iter().rposition(|token| [";", "}", "{"].iter().any(|text| token.is(text)));
                let head = &before[start.map_or(0, |at| at + 1)..];
                self.braces.push(head.iter().any(|token| token.is("enum")));
            }
            b"}" => drop(self.braces.pop()),
            b"(" => self.round += 1,
            b")" => self.round = self.round.saturating_sub(1),
            _ => {}
        }
    }
}

/// From where to where the value of the constant stands that is named by the token at an index, if it is defined there.
fn value_of(tokens: &[Token<'_>], index: usize, scope: &Scope) -> Option<(usize, usize)> {
    let after = &tokens[index + 1..];
    if scope.directive {
        let [.., hash, define] = &tokens[..index] else { return None };
        if !(hash.first && hash.is("#") && define.is("define")) {
            return None;
        }
        let value = &after[..after.iter().position(|token| token.first).unwrap_or(after.len())];
        return Some((value.first()?.at, value.last()?.end()));
    }
    let declared = match &scope.braces[..] {
        [] => is_declared(tokens, index),
        [.., of_enumeration] => *of_enumeration,
    };
    if !declared || scope.round > 0 {
        return None;
    }
    let (open, after) = after.split_first()?;
    let value = match open.text {
        b"=" if !after.first()?.is("=") => until(after, &[",", ";", "}"]),
        b"{" => until(after, &["}"]),
        // `N(6)` is a variable, `N(int a)` and `N()` are functions.
        b"(" if after.first()?.text.first().is_some_and(u8::is_ascii_digit) => until(after, &[")"]),
        _ => return None,
    };
    Some((value.first()?.at, value.last()?.end()))
}

/// The tokens before one of these that stands in no further brackets.
fn until<'a, 'b>(tokens: &'b [Token<'a>], ends: &[&str]) -> &'b [Token<'a>] {
    let mut depth = 0_usize;
    let end = tokens.iter().position(|token| {
        let ends = depth == 0 && ends.iter().any(|end| token.is(end));
        match token.text {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        ends
    });
    &tokens[..end.unwrap_or(0)]
}

/// Whether a type stands before the token at an index, in its statement.
fn is_declared(tokens: &[Token<'_>], index: usize) -> bool {
    let mut names = 0;
    for (at, token) in tokens[..index].iter().enumerate().rev() {
        if token.is(";") || token.is("}") && !in_list(tokens, at, index) {
            break;
        }
        if token.first && token.is("#") {
            // The line of the preprocessor ends before the statement.
            let line = tokens[at + 1..index].iter().position(|token| token.first);
            names = line.map_or(0, |line| count_names(&tokens[at + 1 + line..index]));
            break;
        }
        names += count_names(std::slice::from_ref(token));
    }
    names > 0
}

/// Whether the brace at an index closes a value in a list of declarations: `const int N{6}, P{8};`.
fn in_list(tokens: &[Token<'_>], at: usize, index: usize) -> bool {
    tokens[at + 1..=index].first().is_some_and(|token| token.is(","))
}

fn count_names(tokens: &[Token<'_>]) -> usize {
    let is_name = |token: &&Token<'_>| token.text[0].is_ascii_alphabetic() || token.text[0] == b'_';
    tokens.iter().filter(is_name).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(source: &str) -> (String, Vec<bool>) {
        let Replaced { source, found } =
            replace_constants(source.as_bytes(), &[("N", 5), ("P", 7), ("L", 4)]);
        (String::from_utf8(source).unwrap(), found)
    }

    #[test]
    fn each_usual_spelling_is_found() {
        for (source, expected) in [
            (
                "const int N = 6;\nconst int P = 8;\nconst int L = 3;",
                "const int N = 5;\nconst int P = 7;\nconst int L = 4;",
            ),
            ("const int N = 6, P = 8, L = 3;", "const int N = 5, P = 7, L = 4;"),
            (
                "int const N=6;static const int P=N+2;constexpr int L{3};",
                "int const N=5;static const int P=7;constexpr int L{4};",
            ),
            ("const int N{6}, P{8}, L(3);", "const int N{5}, P{7}, L(4);"),
            (
                "#define N 6 // size\r\n#define P (6 + 2)\r\n# define L 3\r\n",
                "#define N 5 // size\r\n#define P 7\r\n# define L 4\r\n",
            ),
            ("enum { N = 6, P = 8, L = 3 };", "enum { N = 5, P = 7, L = 4 };"),
            (
                "#include <iostream>\nunsigned N = 6;\nint P = 8, L = 3;",
                "#include <iostream>\nunsigned N = 5;\nint P = 7, L = 4;",
            ),
            (
                "int main() { int N; N = 3; }\nconst int N = 6, P = 8, L = 3; bool f(int N = 6);",
                "int main() { int N; N = 3; }\nconst int N = 5, P = 7, L = 4; bool f(int N = 6);",
            ),
        ] {
            assert_eq!(replaced(source), (expected.to_owned(), vec![true; 3]), "{source}");
        }
    }

    #[test]
    fn what_is_no_constant_stays() {
        for source in [
            "// const int N = 6;",
            "/* #define N 6 */",
            "const char* s = \"const int N = 6;\";",
            "int main() { const int N = 6; }",
            "bool move(char board[][N], int N = 6);",
            "int NN = 6; const int n = 6;",
            "#if N == 6\n#endif",
            "void f() { N = 3; }",
            "#define N",
            "const int N",
            "const int N =",
        ] {
            assert_eq!(replaced(source), (source.to_owned(), vec![false; 3]), "{source}");
        }
    }

    #[test]
    fn a_source_need_not_be_text() {
        let Replaced { source, found } = replace_constants(b"const int N = 6; // \xb4\xd1\r\n", &[("N", 5)]);
        assert_eq!((&source[..], found), (&b"const int N = 5; // \xb4\xd1\r\n"[..], vec![true]));
    }
}
