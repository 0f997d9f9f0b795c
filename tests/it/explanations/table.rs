//! The table of faults and sentences.

/// A faulty bot: the program that its language needs, its command line, options, how it loses, its
/// sentence without the bot's name, with `*` for any text, and the words of the sentence that are
/// the cure. DIR is the folder of the bots.
pub struct Row {
    pub needs: &'static str,
    pub bot: &'static str,
    pub options: &'static [&'static str],
    pub termination: &'static str,
    pub sentence: &'static str,
    pub cure: &'static str,
}

pub const TABLE: &[Row] = &[
    // Has chosen nothing.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py none",
        options: PLY,
        termination: "illegal-move",
        sentence: "expected one of 36 legal moves such as \"move a1a7\"; came \"move None\": that is how a program prints a value \
                   that is not there: it chose no move",
        cure: "it chose no move",
    },
    // Needs a package, under `play` without a limit on folders.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py package",
        options: PLY,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; something that it needs is not installed; last on \
                   stderr: \"ModuleNotFoundError: No module named 'forkpy' | File \"DIR/faults.py\", line *",
        cure: "not installed",
    },
    // Reads all of its input.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py reads-all",
        options: START,
        termination: "no-start",
        sentence: "expected \"ready\" within 5 s of the start; nothing came until its input was closed; then \"ready\" appeared. \
                   Either it reads its whole input first (read line by line: for line in sys.stdin), or its output was not \
                   flushed (write print(…, flush=True))",
        cure: "for line in sys.stdin",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py reads-lines",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); nothing came until its input was closed; then \
                   \"move a1a7\" appeared. Either it reads its whole input first (read line by line: for line in sys.stdin), \
                   or its output was not flushed (write print(…, flush=True))",
        cure: "for line in sys.stdin",
    },
    Row {
        needs: "node",
        bot: "node DIR/faults.js reads-all",
        options: START,
        termination: "no-start",
        sentence: "expected \"ready\" within 5 s of the start; nothing came until its input was closed; then \"ready\" appeared. \
                   Either it reads its whole input first (read line by line: readline.createInterface({input: \
                   process.stdin}).on(\"line\", …)), or its output was not flushed (write console.log(…) or \
                   process.stdout.write(…))",
        cure: "readline.createInterface({input: process.stdin})",
    },
    Row {
        needs: "javac",
        bot: "java -cp DIR Faults reads-all",
        options: START,
        termination: "no-start",
        sentence: "expected \"ready\" within 5 s of the start; nothing came until its input was closed; then \"ready\" appeared. \
                   Either its output was not flushed (write System.out.flush() after each line), or it reads its whole \
                   input first (read line by line: BufferedReader.readLine())",
        cure: "BufferedReader.readLine()",
    },
    Row {
        needs: "cc",
        bot: "DIR/faults-c reads-all",
        options: START,
        termination: "no-start",
        sentence: COMPILED_READS_ALL,
        cure: "fgets in C",
    },
    Row {
        needs: "g++",
        bot: "DIR/faults-cpp",
        options: START,
        termination: "no-start",
        sentence: COMPILED_READS_ALL,
        cure: "std::getline in C++",
    },
    // Says nothing, or the wrong thing.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py never-ready",
        options: START,
        termination: "no-start",
        sentence: "expected \"ready\" within 5 s of the start; nothing came, nor when its input was closed: the bot waits for \
                   more input; after \"start\", print \"ready\" (a line may be read with the newline at its end: compare it without)",
        cure: "after \"start\", print \"ready\"",
    },
    Row {
        needs: "javac",
        bot: "java -cp DIR Faults never-ready",
        options: START,
        termination: "no-start",
        sentence: "expected \"ready\" within 5 s of the start; nothing came: the bot waits for more input. Either it printed \
                   no \"ready\" (after \"start\", print \"ready\"; strings are compared by equals, not by ==), or it did not flush it (write System.out.flush() after each line)",
        cure: "after \"start\", print \"ready\"",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py colon",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); \"move: a1a7\" came: write \"move a1a7\"",
        cure: "write \"move a1a7\"",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py twice",
        options: &[],
        termination: "illegal-move",
        sentence: "the bot answered twice: \"move a1a7\" came after its answer to ply 1; write one answer after each \"go\"",
        cure: "write one answer after each \"go\"",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py older",
        options: &[],
        termination: "illegal-move",
        sentence: "expected one of 33 legal moves such as \"move a2c0\"; came \"move a1a1\": there is no piece of B on a1: it is \
                   empty; another answer followed, so this is probably a second one to an earlier question: write one answer after each \"go\"",
        cure: "write one answer after each \"go\"",
    },
    // Ends.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py one-answer",
        options: &[],
        termination: "crash",
        sentence: ENDS,
        cure: "keep reading until \"quit\"",
    },
    Row {
        needs: "cc",
        bot: "DIR/faults-c one-answer",
        options: STRICT,
        termination: "crash",
        sentence: ENDS,
        cure: "keep reading until \"quit\"",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py finds-fork",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; last on stderr: \"IndexError: list index out of \
                   range | File \"DIR/faults.py\", line 11, in find_fork\"",
        cure: "line 11, in find_fork",
    },
    Row {
        needs: "node",
        bot: "node DIR/faults.js throws",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; last on stderr: \"TypeError: no ply for fork | \
                   at search (DIR/faults.js:6:26)\"",
        cure: "at search (DIR/faults.js:6:26)",
    },
    Row {
        needs: "javac",
        bot: "java -Xss1m -cp DIR Faults deep",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; its recursion does not end, or is deeper than its stack \
                   (java -Xss allows a deeper one); last on stderr: \"Exception in thread \"main\" \
                   java.lang.StackOverflowError | at Faults.search(Faults.java:50)\"",
        cure: "java -Xss",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py opens-data",
        options: STRICT,
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 1; a script without a folder of its own reads the \
                   system's files and those beside it, but no folders, and writes into its scratch folder ($TMPDIR) only; to read more, give the bot a folder of its own: `mkdir faults-bot && \
                   mv faults.py DATA faults-bot` and `echo 'command = \"python3 faults.py opens-data\"' \
                   >faults-bot/bot.toml`; last on stderr: *",
        cure: "mkdir faults-bot",
    },
    Row {
        needs: "javac",
        bot: "java -Xms4g -cp DIR Faults good",
        options: STRICT,
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 1; it may use 512 MiB of memory (java -Xmx \
                   keeps to a limit); last on stderr: *",
        cure: "java -Xmx",
    },
    // Writes prompts.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py prompts",
        options: START,
        termination: "no-start",
        sentence: "expected \"ready\" within 5 s of the start; \"…ext> next> next> next> next> next> ready\" came: a \
                   prompt stands before \"ready\"; write prompts to stderr (input() of Python writes its text to \
                   stdout)",
        cure: "write prompts to stderr (input() of Python writes its text to stdout)",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py asks",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); \"your move> \" came, a prompt without an \
                   answer; then the bot waits for more input; after \"go\", print \"move a1a7\"; write prompts to \
                   stderr (input() of Python writes its text to stdout)",
        cure: "write prompts to stderr (input() of Python writes its text to stdout)",
    },
    // Waits for lines beyond the question.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py waits",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); nothing came until one more line was sent; then \
                   \"move a1a7\" appeared: after \"go\" the bot waits for a line that does not come; answer at \"go\"",
        cure: "answer at \"go\"",
    },
    Row {
        needs: "cc",
        bot: "DIR/faults-c waits",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); nothing came until one more line was sent; then \
                   \"move a1a7\" appeared: after \"go\" the bot waits for a line that does not come; answer at \"go\"",
        cure: "answer at \"go\"",
    },
    // Another thread may only be late.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py waits-beside",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); nothing came, nor when its input was closed: the bot \
                   waits for more input; after \"go\", print \"move a1a7\" (a line may be read with the newline at its \
                   end: compare it without)",
        cure: "after \"go\", print \"move a1a7\"",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py two",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); nothing came until \"go\" was sent again; then \
                   \"move a1a7\" appeared: the bot read past the first \"go\" without an answer, as one does that reads \
                   two lines at a time",
        cure: "reads two lines at a time",
    },
    // What was refused, and what was not.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py connects",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; there is no network: it may not use \
                   sockets, nor what needs them, such as asyncio; last on stderr: \"PermissionError: [Errno 1] \
                   Operation not permitted | File \"DIR/faults.py\", line 21, in connect\"",
        cure: "there is no network",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py refused",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; the sandbox may be the cause: --sandbox \
                   basic plays the same game without it; last on stderr: \"PermissionError: [Errno 1] Operation not \
                   permitted | File \"DIR/faults.py\", line 113, in <module>\"",
        cure: "--sandbox basic",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py aborts",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program was ended by SIGABRT (it aborted itself)",
        cure: "SIGABRT (it aborted itself)",
    },
    // The innermost call of the bot's own, and the line that says what happened.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py parses",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; last on stderr: \
                   \"json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 \
                   (char 1) | File \"DIR/faults.py\", line 27, in parse\"",
        cure: "line 27, in parse",
    },
    Row {
        needs: "javac",
        bot: "java -cp DIR Faults parses",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; last on stderr: \"Exception in thread \
                   \"main\" java.lang.NumberFormatException: For input string: \"a1\" | at \
                   Faults.hear(Faults.java:34)\"",
        cure: "at Faults.hear(Faults.java:34)",
    },
    Row {
        needs: "rustc",
        bot: "DIR/faults-rs panics",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 101; last on stderr: \"no ply after a1a7 | \
                   thread 'main'*panicked at tests/bots/faults.rs:12:*",
        cure: "panicked at tests/bots/faults.rs",
    },
    Row {
        needs: "asan",
        bot: "DIR/faults-asan overflow",
        options: &["--sandbox", "off"],
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; last on stderr: \"AddressSanitizer: \
                   heap-buffer-overflow | in search*faults.cpp:15*",
        cure: "faults.cpp:15",
    },
    Row {
        needs: "g++",
        bot: "DIR/faults-cpp at",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program was ended by SIGABRT (it aborted itself); last on stderr: \
                   \"what():*terminate called after throwing an instance of 'std::out_of_range'\"",
        cure: "std::out_of_range",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py prints-error",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); \"IndexError: list index out of range | File \
                   \"DIR/faults.py\", line 11, in find_fork\" came, the message of an error; write messages for people \
                   to stderr",
        cure: "line 11, in find_fork",
    },
    Row {
        needs: "javac",
        bot: "java -cp DIR Faults prints-error",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); \"java.lang.ArrayIndexOutOfBoundsException: \
                   Index 3 out of bounds for length 0 | at Faults.hear(Faults.java:38)\" came, the message of an error; \
                   write messages for people to stderr",
        cure: "at Faults.hear(Faults.java:38)",
    },
    // Recurses without end.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py recurses",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; its recursion does not end, or is deeper \
                   than its stack (sys.setrecursionlimit allows a deeper one); last on stderr: \"RecursionError: \
                   maximum recursion depth exceeded | File \"DIR/faults.py\", line 15, in dig\"",
        cure: "its recursion does not end",
    },
    Row {
        needs: "rustc",
        bot: "DIR/faults-rs deep",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program was ended by SIGABRT (it aborted itself); its recursion does not \
                   end, or is deeper than its stack (ulimit -s allows a deeper one); last on stderr: \"thread *",
        cure: "its recursion does not end",
    },
    Row {
        needs: "asan",
        bot: "DIR/faults-asan deep",
        options: &["--sandbox", "off"],
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; its recursion does not end, or is deeper \
                   than its stack (ulimit -s allows a deeper one); last on stderr: \"AddressSanitizer: stack-overflow | \
                   in search*",
        cure: "its recursion does not end",
    },
    Row {
        needs: "cc",
        bot: "DIR/faults-c deep",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program was ended by SIGSEGV (bad memory access); the usual causes are an \
                   index out of range, a pointer that is null (as of a file that did not open) or freed, and endless \
                   recursion; compiled with `-g -fsanitize=address`, and played with --sandbox off, it says where",
        cure: "endless recursion",
    },
    // Wants what the sandbox limits.
    Row {
        needs: "asan",
        bot: "DIR/faults-asan good",
        options: STRICT,
        termination: "no-start",
        sentence: "expected \"ready\"; the program *; a sanitizer reserves terabytes of address space, which no \
                   `memory` allows: play with --sandbox off to use it, and build without -fsanitize=address for a \
                   tournament; last on stderr: *",
        cure: "play with --sandbox off",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py threads",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; it may have 64 threads in one process \
                   (`threads` and `processes` allow more), and 1024 MiB for its memory and the stacks of its threads \
                   together; last on stderr: \"RuntimeError: can't start new thread | File \"DIR/faults.py\", line 35, \
                   in start_threads\"",
        cure: "64 threads",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py threads",
        options: &["--sandbox", "basic"],
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; its memory and the stacks of all its \
                   threads together may take 1024 MiB, twice its `memory`; last on stderr: \"RuntimeError: can't start \
                   new thread | File \"DIR/faults.py\", line 35, in start_threads\"",
        cure: "the stacks of all its threads",
    },
    Row {
        needs: "g++",
        bot: "DIR/faults-cpp thread",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program was ended by SIGABRT (it aborted itself); it may have 64 threads in \
                   one process (`threads` and `processes` allow more), and 1024 MiB for its memory and the stacks of \
                   its threads together; last on stderr: \"what():  Resource temporarily unavailable | terminate called \
                   after throwing an instance of 'std::system_error'\"",
        cure: "64 threads",
    },
    // A class that java does not find.
    Row {
        needs: "javac",
        bot: "java -cp DIR Nowhere",
        options: &[],
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 1; java finds no such class: -cp names the \
                   folders and jars to look in, and the package stands before the name (`java -cp FOLDER \
                   PACKAGE.CLASS`); last on stderr: *",
        cure: "`java -cp FOLDER PACKAGE.CLASS`",
    },
    Row {
        needs: "javac",
        bot: "java -cp DIR Packaged",
        options: &[],
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 1; its class is DIR/pkg/Packaged.class: the \
                   name has the same capitals and no `.class`; -cp names the folder that holds the class, or of a class \
                   in a package the folder that holds the folder of the package (`java -cp FOLDER PACKAGE.CLASS`); last \
                   on stderr: *",
        cure: "DIR/pkg/Packaged.class",
    },
    Row {
        needs: "javac",
        bot: "java -cp DIR/pkg Packaged",
        options: &[],
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 1; the class is in another package than its \
                   name says: write `java -cp FOLDER PACKAGE.CLASS`, where FOLDER holds the folder PACKAGE; without a \
                   package line in its source the name stands alone; last on stderr: *",
        cure: "`java -cp FOLDER PACKAGE.CLASS`",
    },
    Row {
        needs: "javac",
        bot: "java -cp DIR Source",
        options: &[],
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 1; DIR/Source.java is not compiled: run \
                   `javac DIR/Source.java`, or write build = \"javac DIR/Source.java\" into its bot.toml; last on \
                   stderr: *",
        cure: "run `javac DIR/Source.java`",
    },
    // Other faults of students.
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py asyncio",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; there is no network: it may not use \
                   sockets, nor what needs them, such as asyncio; last on stderr: \"PermissionError: [Errno 1] \
                   Operation not permitted | File \"DIR/faults.py\", line 50, in run_asyncio\"",
        cure: "such as asyncio",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py pool",
        options: STRICT,
        termination: "crash",
        sentence: "expected an answer; the program ended with exit status 1; it may not use the semaphores of \
                   multiprocessing, which lie in /dev/shm: threads need none; last on stderr: *",
        cure: "threads need none",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py stderr",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); nothing came on standard output, but an answer \
                   on standard error: after \"go\", print \"move a1a7\"; last on stderr: \"move a1a7\"",
        cure: "after \"go\", print \"move a1a7\"",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/hides/json.py",
        options: STRICT,
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 1; a file of the bot has the name of a \
                   module, which it hides: rename that file; last on stderr: *",
        cure: "rename that file",
    },
    Row {
        needs: "sh",
        bot: "sh DIR/calls.sh",
        options: STRICT,
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 3; a command that its script calls is not \
                   found; begin a script with #!/bin/bash, or run it by bash, if it has [[ ]] and the like; last on \
                   stderr: *",
        cure: "is not found",
    },
    Row {
        needs: "javac",
        bot: "java DIR/Source.java",
        options: STRICT,
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 1; Source.java is not compiled: run `javac \
                   Source.java`, or write build = \"javac Source.java\" into its bot.toml; last on stderr: *",
        cure: "run `javac Source.java`",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py colours",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); \"\\x1b[31mmove a1a7\" came: write \"move \
                   a1a7\" alone on its line",
        cure: "write \"move a1a7\" alone on its line",
    },
    Row {
        needs: "python3",
        bot: "python3 DIR/faults.py resigns",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); \"I resign, as after a1a7\" came, which is not \
                   an answer; to resign write resign alone on its line",
        cure: "to resign write resign alone on its line",
    },
    // A program that computes below its wrapper.
    Row {
        needs: "python3",
        bot: "sh DIR/faults.sh python3 DIR/faults.py computes",
        options: PLY,
        termination: "timeout",
        sentence: "expected an answer within 2.000 s (margin included); nothing came: the bot was still computing its answer",
        cure: "still computing",
    },
    Row {
        needs: "python3",
        bot: "sh DIR/faults.sh python3 DIR/faults.py never-ready",
        options: STRICT,
        termination: "no-start",
        sentence: "expected \"ready\"; the program ended with exit status 2; it may not start processes: a wrapper script needs \
                   `exec` before its last command (`processes` allows more); last on stderr: *",
        cure: "`exec` before its last command",
    },
];

const COMPILED_READS_ALL: &str = "expected \"ready\" within 5 s of the start; nothing came until its input was closed; then \
     \"ready\" appeared. Either its output was not flushed (write fflush(stdout) in C, std::flush in C++, System.out.flush() in \
     Java, stdout().flush() in Rust, Flush() of the writer in Go), or it reads its whole input first (read line by line: fgets \
     in C, std::getline in C++, BufferedReader.readLine() in Java, read_line in Rust, Scan of a Scanner in Go)";
const ENDS: &str = "expected an answer; the program ended with exit status 0: after an answer keep reading until \"quit\"";

const START: &[&str] = &["--start", "5s"];
const PLY: &[&str] = &["--move-time", "2s", "--margin", "0ms"];
pub const STRICT: &[&str] = &["--sandbox", "strict"];
