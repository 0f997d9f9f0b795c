//! The bots that `arbiter new` writes: those of the folder `bots/` of the project, file by file.

/// A bot in one language.
#[derive(Debug)]
pub(super) struct Sample {
    /// The language, as it is written.
    pub language: &'static str,
    /// Its word on the command line.
    pub word: &'static str,
    /// Further words for it.
    pub aliases: &'static [&'static str],
    /// The programs that build and start it.
    pub needs: &'static [&'static str],
    /// The path of each file in the bot's folder, and its content.
    pub files: &'static [(&'static str, &'static str)],
}

/// The files of a folder of `bots/`.
macro_rules! files {
    ($folder:literal: $($file:literal)+) => {
        &[$(($file, include_str!(concat!("../../../bots/", $folder, "/", $file)))),+]
    };
}

/// All of them. A package of cargo has no folder with a `Cargo.toml` but its own, so the files in
/// Rust are embedded through links beside this one.
#[rustfmt::skip]
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        language: "Python", word: "python", aliases: &["py", "python3"], needs: &["python3"],
        files: files!("random-python": "bot.py" "bot.toml" "README.md"),
    },
    Sample {
        language: "Python, as a function", word: "python-function", aliases: &["function"],
        needs: &["python3"],
        files: files!("function-python": "bot.py" "bot.toml" "README.md"),
    },
    Sample {
        language: "C", word: "c", aliases: &[], needs: &["cc", "make"],
        files: files!("random-c": "bot.c" "Makefile" "bot.toml" "README.md" ".gitignore"),
    },
    Sample {
        language: "C++", word: "cpp", aliases: &["c++", "cxx"], needs: &["g++", "make"],
        files: files!("random-cpp": "bot.cpp" "Makefile" "bot.toml" "README.md" ".gitignore"),
    },
    Sample {
        language: "Rust", word: "rust", aliases: &["rs"], needs: &["cargo"],
        files: &[
            ("src/main.rs", include_str!("random-rust/main.txt")),
            ("Cargo.toml", include_str!("random-rust/manifest.toml")),
            ("bot.toml", include_str!("random-rust/bot.toml")),
            ("README.md", include_str!("random-rust/README.md")),
            (".gitignore", include_str!("random-rust/gitignore")),
        ],
    },
    Sample {
        language: "Java", word: "java", aliases: &[], needs: &["javac", "java"],
        files: files!("random-java": "Bot.java" "bot.toml" "README.md" ".gitignore"),
    },
    Sample {
        language: "JavaScript", word: "javascript", aliases: &["js", "node"], needs: &["node"],
        files: files!("random-javascript": "bot.js" "package.json" "bot.toml" "README.md"),
    },
    Sample {
        language: "Go", word: "go", aliases: &["golang"], needs: &["go"],
        files: files!("random-go": "bot.go" "go.mod" "bot.toml" "README.md" ".gitignore"),
    },
    Sample {
        language: "C#", word: "csharp", aliases: &["c#", "cs"], needs: &["mcs", "mono"],
        files: files!("random-csharp": "Bot.cs" "bot.toml" "README.md" ".gitignore"),
    },
    Sample {
        language: "Perl", word: "perl", aliases: &["pl"], needs: &["perl"],
        files: files!("random-perl": "bot.pl" "bot.toml" "README.md"),
    },
    Sample {
        language: "Ruby", word: "ruby", aliases: &["rb"], needs: &["ruby"],
        files: files!("random-ruby": "bot.rb" "bot.toml" "README.md"),
    },
    Sample {
        language: "POSIX shell", word: "shell", aliases: &["sh", "bash"], needs: &["sh"],
        files: files!("minimal-shell": "bot.sh" "bot.toml" "README.md"),
    },
];

impl Sample {
    /// The sample in the language of this word, in capitals or not; `None` if there is none.
    pub fn called(word: &str) -> Option<&'static Sample> {
        SAMPLES.iter().find(|sample| {
            let mut words = sample.aliases.iter().chain([&sample.word]);
            words.any(|name| name.eq_ignore_ascii_case(word))
        })
    }

    /// The name of the file that has the place for the author's idea: the first one.
    pub fn program(&self) -> &'static str {
        self.files[0].0
    }
}
