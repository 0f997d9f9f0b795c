//! Constants of a source get other values.

use super::source::{Token, tokens};

/// The most tokens of a value. Looking further for its end at each name would not be linear.
const LONGEST: usize = 32;

/// A source in which constants were replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The source.
    pub source: Vec<u8>,
    /// Which of the constants were found, in the order in which they were asked for.
    pub found: Vec<bool>,
}

/// Gives constants of a C++ source other values: names with values. Found are macros (`#define N
/// 6`), variables outside of all braces (`const int N = 6, P = 8;`, `constexpr int N{6};`), and
/// names of an enumeration (`enum {N = 6}`).
pub fn replace_constants(source: &[u8], values: &[(String, u32)]) -> Replaced {
    let tokens = tokens(source);
    let mut new = Vec::new();
    let mut copied = 0;
    let mut found = vec![false; values.len()];
    let mut state = Scope::default();
    for (index, token) in tokens.iter().enumerate() {
        state.enter(&tokens, index);
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
    /// Whether a name stands before it in its statement, which is its type if it is declared there.
    has_type: bool,
    /// Whether the statement has a name up to this token.
    has_name: bool,
    /// Whether the statement has the word `enum` since the last brace or semicolon.
    has_enum: bool,
}

impl Scope {
    /// Takes the token at an index, after all before it. What stands in a statement is counted on
    /// the way: looking back for it at each name would not be linear.
    fn enter(&mut self, tokens: &[Token<'_>], index: usize) {
        let token = &tokens[index];
        if token.first {
            self.directive = token.is("#");
        }
        if self.directive {
            // The line of the preprocessor ends before the statement.
            self.has_type = false;
            self.has_name = false;
            return;
        }
        self.has_type = self.has_name;
        self.has_name |= is_name(token);
        match token.text {
            b"{" => {
                self.braces.push(self.has_enum);
                self.has_enum = false;
            }
            b"}" => {
                self.braces.pop();
                self.has_enum = false;
                // A brace may close a value in a list of declarations: `const int N{6}, P{8};`.
                self.has_name &= tokens.get(index + 1).is_some_and(|next| next.is(","));
            }
            b";" => {
                self.has_enum = false;
                self.has_name = false;
            }
            b"enum" => self.has_enum = true,
            b"(" => self.round += 1,
            b")" => self.round = self.round.saturating_sub(1),
            _ => {}
        }
    }
}

/// From where to where the value of the constant stands that is named by the token at an index, if
/// it is defined there.
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
        [] => scope.has_type,
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

/// The tokens before one of these that is in no further brackets; `None` if it is too far away.
fn until<'a, 'b>(tokens: &'b [Token<'a>], ends: &[&str]) -> &'b [Token<'a>] {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().take(LONGEST) {
        if depth == 0 && ends.iter().any(|end| token.is(end)) {
            return &tokens[..at];
        }
        match token.text {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    &[]
}

fn is_name(token: &Token<'_>) -> bool {
    token.text[0].is_ascii_alphabetic() || token.text[0] == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(source: &str) -> (String, Vec<bool>) {
        let values = [("N", 5), ("P", 7), ("L", 4)].map(|(name, value)| (name.to_owned(), value));
        let Replaced { source, found } = replace_constants(source.as_bytes(), &values);
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
        let Replaced { source, found } =
            replace_constants(b"const int N = 6; // \xb4\xd1\r\n", &[("N".to_owned(), 5)]);
        assert_eq!((&source[..], found), (&b"const int N = 5; // \xb4\xd1\r\n"[..], vec![true]));
    }
}
