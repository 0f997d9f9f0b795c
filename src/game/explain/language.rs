//! How programs in the languages of bots flush output and read line by line.

/// A language, guessed from the name of a bot's script or program.
pub(super) struct Language {
    /// Extensions of its files.
    extensions: &'static [&'static str],
    /// The name of its interpreter, without a version.
    interpreter: &'static str,
    /// Whether output stays in a buffer unless the bot flushes it, in the environment that arbiter
    /// gives a bot.
    pub buffers: bool,
    /// Whether output that was not flushed may be lost when the bot ends.
    pub loses: bool,
    /// How output is flushed.
    pub flush: &'static str,
    /// How input is read line by line.
    pub lines: &'static str,
    /// What is often overlooked when a line is compared with a word.
    pub compares: &'static str,
    /// The option or call that allows deeper recursion.
    pub deeper: &'static str,
    /// The option that limits its memory, as a text in parentheses; empty if there is none.
    pub memory: &'static str,
}

impl Language {
    /// Whether the program may be compiled: it has no known interpreter.
    pub fn is_compiled(&self) -> bool {
        self.interpreter.is_empty()
    }
}

const NEWLINES: &str = "a line may be read with the newline at its end: compare it without";

const LANGUAGES: [Language; 5] = [
    Language {
        extensions: &["py"],
        interpreter: "python",
        buffers: false,
        loses: false,
        flush: "print(…, flush=True)",
        lines: "for line in sys.stdin",
        compares: NEWLINES,
        deeper: "sys.setrecursionlimit",
        memory: "",
    },
    Language {
        extensions: &["js"],
        interpreter: "node",
        buffers: false,
        loses: false,
        flush: "console.log(…) or process.stdout.write(…)",
        lines: "readline.createInterface({input: process.stdin}).on(\"line\", …)",
        compares: NEWLINES,
        deeper: "node --stack-size",
        memory: " (node --max-old-space-size keeps to a limit)",
    },
    Language {
        extensions: &["jar", "class"],
        interpreter: "java",
        buffers: true,
        loses: true,
        flush: "System.out.flush() after each line",
        lines: "BufferedReader.readLine()",
        compares: "strings are compared by equals, not by ==",
        deeper: "java -Xss",
        memory: " (java -Xmx keeps to a limit)",
    },
    Language {
        extensions: &["pl"],
        interpreter: "perl",
        buffers: true,
        loses: false,
        flush: "$| = 1; at the beginning",
        lines: "while (<STDIN>)",
        compares: NEWLINES,
        deeper: "ulimit -s",
        memory: "",
    },
    Language {
        extensions: &["rb"],
        interpreter: "ruby",
        buffers: true,
        loses: false,
        flush: "$stdout.sync = true at the beginning",
        lines: "while line = gets",
        compares: NEWLINES,
        deeper: "RUBY_THREAD_VM_STACK_SIZE",
        memory: "",
    },
];

/// A compiled program, or a shell script that starts one.
const OTHER: Language = Language {
    extensions: &[],
    interpreter: "",
    buffers: true,
    loses: true,
    flush: "fflush(stdout) in C, std::flush in C++, System.out.flush() in Java, \
            stdout().flush() in Rust, Flush() of the writer in Go",
    lines: "fgets in C, std::getline in C++, BufferedReader.readLine() in Java, read_line in \
            Rust, Scan of a Scanner in Go",
    compares: "fgets keeps the newline at the end of a line; strings are compared by strcmp in C, \
               by equals in Java",
    deeper: "ulimit -s",
    memory: " (java -Xmx and node --max-old-space-size keep to a limit)",
};

/// The language of a program, by the name of its script or else of the program itself.
pub(super) fn language_of(program: &str) -> &'static Language {
    let (_, extension) = program.rsplit_once('.').unwrap_or_default();
    // `python3.12` is `python`.
    let name = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    for language in &LANGUAGES {
        if language.extensions.contains(&extension) || name == language.interpreter {
            return language;
        }
    }
    &OTHER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_shows_in_the_name() {
        for (program, lines) in [
            ("bot.py", "for line in sys.stdin"),
            ("python3.12", "for line in sys.stdin"),
            ("bot.jar", "BufferedReader.readLine()"),
            ("java", "BufferedReader.readLine()"),
            ("pythonic", OTHER.lines),
            ("bot", OTHER.lines),
            ("run.sh", OTHER.lines),
        ] {
            assert_eq!(language_of(program).lines, lines, "{program}");
        }
    }
}
