//! The error in what a program wrote to standard error: its name and message, and where it happened, as the runtimes of
//! Python, Java, node, Rust and Go print them.

/// An error of a runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trace {
    /// The line with its name and message.
    pub message: String,
    /// The line that says where it happened, if there is one.
    pub place: Option<String>,
    /// The lines of its stack.
    pub stack: Vec<String>,
}

/// The lines between the message of a Java or node error and its stack, at most.
const DETAILS: usize = 6;

/// Lines that may follow an error of Python, Java or node; before more of them it is not the last thing that happened.
const LINES_AFTER: usize = 6;

impl Trace {
    /// The last error in these lines, blank lines left out; none if there is none of a known form.
    pub fn find(lines: &[Vec<u8>]) -> Option<Trace> {
        let lines: Vec<String> =
            lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        let is_recent = |&(at, _): &(usize, Trace)| {
            lines[at + 1..].iter().filter(|line| !is_indented(line)).count() <= LINES_AFTER
        };
        let found = [python(&lines).filter(is_recent), calls(&lines).filter(is_recent), named(&lines)];
        found.into_iter().flatten().max_by_key(|&(at, _)| at).map(|(_, trace)| trace)
    }
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// Python: the message follows the lines of the stack, the last of which is where the error is.
fn python(lines: &[String]) -> Option<(usize, Trace)> {
    let is_place = |line: &String| is_indented(line) && line.trim_start().starts_with("File \"");
    let place = lines.iter().rposition(is_place)?;
    let at = place + lines[place..].iter().position(|line| !is_indented(line))?;
    let from = lines[..place].iter().rposition(|line| !is_indented(line)).unwrap_or_default();
    let trace = Trace {
        message: lines[at].clone(),
        place: Some(lines[place].trim().to_owned()),
        stack: lines[from..at].to_vec(),
    };
    Some((at, trace))
}

/// Java and node: the lines of the stack, `    at …`, follow the message.
fn calls(lines: &[String]) -> Option<(usize, Trace)> {
    let is_call = |line: &String| is_indented(line) && line.trim_start().starts_with("at ");
    let last = lines.iter().rposition(is_call)?;
    let above = lines[..last].iter().rposition(|line| !is_indented(line))?;
    let first = above + 1 + lines[above + 1..].iter().position(is_call)?;
    let names_error = |line: &String| {
        let name = line.split(": ").find(|part| part.ends_with("Error") || part.ends_with("Exception"));
        name.is_some() || line.ends_with("Error") || line.ends_with("Exception")
    };
    let from = (above + 1).saturating_sub(DETAILS);
    let named = lines[from..=above].iter().rposition(names_error).map(|at| from + at);
    let trace = Trace {
        message: lines[named.unwrap_or(above)].clone(),
        place: Some(lines[first].trim().to_owned()),
        stack: lines[first..=last].to_vec(),
    };
    Some((last, trace))
}

/// Errors that are known by the words at their beginning: of Rust the message is on the next line, the place on the
/// first; of Go the place is the first indented line of the stack; of the Java machine itself there is none.
fn named(lines: &[String]) -> Option<(usize, Trace)> {
    let is_panic = |line: &String| line.starts_with("thread '") && line.contains("panicked at");
    let is_other = |line: &String| {
        line.starts_with("panic: ") || line.starts_with("fatal error: ") || line.contains("os::commit_memory")
    };
    let at = lines.iter().position(|line| is_panic(line) || is_other(line))?;
    let trace = match is_panic(&lines[at]) {
        true => Trace {
            message: lines.get(at + 1).cloned().unwrap_or_default(),
            place: Some(lines[at].clone()),
            stack: Vec::new(),
        },
        false => {
            let stack: Vec<String> =
                lines[at..].iter().filter(|line| line.starts_with('\t')).cloned().collect();
            Trace {
                message: lines[at].clone(),
                place: stack.first().map(|line| line.trim().to_owned()),
                stack,
            }
        }
    };
    Some((at, trace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_and_the_place_are_found_in_each_language() {
        for (stderr, message, place) in [
            (
                "depth 3\nTraceback (most recent call last):\n  File \"a.py\", line 9, in <module>\n    f()\n\
                 \x20 File \"a.py\", line 5, in f\n    x[3]\n    ~^^^\nIndexError: list index out of range\n",
                "IndexError: list index out of range",
                "File \"a.py\", line 5, in f",
            ),
            (
                "  File \"a.py\", line 1\n    x = = 1\nSyntaxError: invalid syntax",
                "SyntaxError: invalid syntax",
                "File \"a.py\", line 1",
            ),
            (
                "ready\nException in thread \"main\" java.lang.StackOverflowError\n\
                 \tat Bot.f(Bot.java:5)\n\tat Bot.f(Bot.java:5)\n",
                "Exception in thread \"main\" java.lang.StackOverflowError",
                "at Bot.f(Bot.java:5)",
            ),
            (
                "Exception in thread \"main\" java.lang.RuntimeException: x\n\tat A.b(A.java:1)\n\
                 Caused by: java.io.IOException: y\n\tat A.c(A.java:2)\n\t... 1 more\n",
                "Caused by: java.io.IOException: y",
                "at A.c(A.java:2)",
            ),
            (
                "/bot.js:3\n  throw new TypeError('x');\n  ^\nTypeError: x\n    at f (/bot.js:3:9)\n\
                 \x20   at g (/bot.js:9:1)\nNode.js v18.0.0\n",
                "TypeError: x",
                "at f (/bot.js:3:9)",
            ),
            (
                "node:internal/modules/cjs/loader:1080\n  throw err;\n  ^\nError: Cannot find module './x'\n\
                 Require stack:\n- /bot.js\n    at f (node:internal:1:2) {\n  code: 'MODULE_NOT_FOUND'\n}\n",
                "Error: Cannot find module './x'",
                "at f (node:internal:1:2) {",
            ),
            (
                "thread 'main' panicked at src/main.rs:5:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
                "index out of bounds",
                "thread 'main' panicked at src/main.rs:5:5:",
            ),
            (
                "panic: runtime error: index out of range [5]\ngoroutine 1 [running]:\nmain.main()\n\
                 \t/bot.go:5 +0x1d\nexit status 2",
                "panic: runtime error: index out of range [5]",
                "/bot.go:5 +0x1d",
            ),
        ] {
            let lines: Vec<Vec<u8>> = stderr.lines().map(|line| line.as_bytes().to_vec()).collect();
            let trace = Trace::find(&lines).unwrap();
            assert_eq!((&*trace.message, trace.place.as_deref()), (message, Some(place)), "{stderr}");
        }
        assert_eq!(Trace::find(&[b"depth 3".to_vec(), b"Segmentation fault".to_vec()]), None);
    }
}
