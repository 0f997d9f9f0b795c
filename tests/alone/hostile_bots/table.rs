//! The table: every behaviour of the catalogue with its verdict. This file defines a row, and has
//! the rows for silence, output and ends; `attacks` has the rows for attacks.
//!
//! The words for verdicts are those of the protocol: a line that is too long and a closed pipe are
//! `protocol`, an end before `ready` is `no-start`. A bot to which something is refused may
//! continue; all bots here do, and play.

use Ends::{Forfeits, Plays, PlaysOr};
use Off::{Harmful, Open, OpenBut, Same};

/// How a game of a bot under `strict` ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// By the rules, with the same moves as a working bot. What the bot tried is in its log.
    Plays,
    /// By a forfeit with this termination.
    Forfeits(&'static str),
    /// `Plays` with namespaces, which enforce the limit. Without them, or without the sandbox, the
    /// limit is checked now and then, and the game may end by this forfeit.
    PlaysOr(&'static str),
    /// `Plays` if the isolation line contains this. Otherwise less is refused to the bot, and the
    /// game ends by this forfeit.
    PlaysWhere(&'static str, &'static str),
}

/// What the same bot does with `--sandbox off`, which proves that the row can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Off {
    /// Everything that strict refuses succeeds: each `refused NAME: ERRNO` is an `open NAME`.
    Open,
    /// The same except for these, which something else may refuse: rights, the kernel's
    /// configuration, a container.
    OpenBut(&'static [&'static str]),
    /// The bot writes this.
    Says(&'static [&'static str]),
    /// The game ends as under strict: the verdict does not depend on the sandbox.
    Same,
    /// It is not played, for this reason.
    Harmful(&'static str),
}

/// The number in the catalogue; a behaviour of hostile.py, with options of arbiter after ` -- `;
/// what it does; how its games end under strict; words that its author must find, in the bot's log
/// if it plays and in `detail` if it does not (of a row that may end in either way, if it plays);
/// and what happens without the sandbox.
pub type Row = (u8, &'static str, &'static str, Ends, &'static [&'static str], Off);

#[rustfmt::skip]
pub const SILENCE_OUTPUT_ENDS: &[Row] = &[
    // A. Silence and time.
    (1, "silent", "never answers", Forfeits("timeout"), &["nothing came"], Same),
    (1, "never-reads", "nor listens", Forfeits("timeout"), &["nothing came"], Same),
    (2, "spinning", "computes for ever", Forfeits("timeout"), &["still computing"], Same),
    (2, "spinning -- --clock cpu --move-time 300ms --wall-cap 1000x+1h", "where that is charged", Forfeits("timeout"),
        &["computed until the processor time was over"], Same),
    (3, "late 1000000000", "sleeps for thirty years", Forfeits("timeout"), &["it sleeps"], Same),
    (4, "answers-after-the-flag", "is late by a moment", Forfeits("timeout"),
        &["expected an answer within", "\"plies\":0"], Same),
    (5, "unflushed -- --grace 60s", "does not flush its answer", Forfeits("timeout"), &["\"move a0\" appeared", "not flushed"], Same),
    (5, "unflushed-ready -- --start 20s --grace 60s", "does not flush `ready`", Forfeits("no-start"), &["\"ready\" appeared", "not flushed"], Same),
    (6, "no-newline", "ends its answer without a newline", Forfeits("timeout"), &["\"move a0\"", "without the newline"], Same),
    (7, "dripping -- --move-time 10s", "a byte now and then", Forfeits("timeout"), &["\"move xxxx", "without the newline"], Same),
    (8, "fills-its-pipe -- --set n=19 --set s=19", "answers and never reads", Forfeits("timeout"),
        &["came before \"go\" was read"], Same),
    (9, "stops-itself", "SIGSTOP to itself", Forfeits("timeout"), &["nothing came"], Same),
    (10, "silent-start -- --start 5s", "takes too long to start", Forfeits("no-start"), &["\"ready\" within 5 s of the start"], Same),
    // B. Output.
    (11, "endless-line", "a line without an end", Forfeits("protocol"), &["more than 65536 bytes", "xxxx"], Same),
    (12, "endless-lines", "lines without an end", Forfeits("output-limit"), &["more than 1048576 bytes"], Same),
    (13, "stderr-flood", "20 MiB on stderr before each answer", Plays, &["bytes left out"], Same),
    (14, "nul", "a NUL in its answer", Forfeits("protocol"), &[r"move \x00", "NUL"], Same),
    (15, "bad-utf8", "an answer that is no text", Forfeits("illegal-move"), &[r"move \xff\xfe", "UTF-8"], Same),
    (16, "early-answer", "answers before it is asked: that is no answer", Plays, &["move a1c1"], Same),
    (17, "two-answers", "answers twice: the second is none", Plays, &["move a1"], Same),
    (18, "future-answers", "answers its next questions too: they are put all the same", Plays, &["move c2"], Same),
    (19, "numbered", "answers another question", Forfeits("illegal-move"), &["move 7 a0"], Same),
    (20, "crlf", "ends its lines as Windows does: accepted", Plays, &[], Same),
    (20, "tabs", "has tabulators for spaces: accepted", Plays, &[], Same),
    (20, "byte-order-mark", "begins with a mark of some editors: no answer", Forfeits("timeout"), &[r"\xef\xbb\xbfmove"], Same),
    (20, "uppercase", "says MOVE: no answer", Forfeits("timeout"), &["lower case"], Same),
    (21, "escapes", "tells terminals what to do", Plays, &[r"\x1b]52;c;", r"\x1bc", r"\x9b2J"], Same),
    (21, "escapes-answer", "also in its answer", Forfeits("illegal-move"), &[r"\x1b]52;c;"], Same),
    (22, "poses", "gives itself its opponent's name, from right to left", Plays, &[r"name \xe2\x80\xaemodnar"], Same),
    (22, "poses-answer", "also in its answer", Forfeits("illegal-move"), &[r"\xe2\x80\xaemodnar"], Same),
    (23, "injects-tags", "writes results into the log", Plays, &[r#"} 1-0\x0b[Result "1-0"] "]"#], Same),
    (23, "injects-tags-answer", "also in its answer", Forfeits("illegal-move"), &[r#"[Result "1-0"] {%"#], Same),
    (24, "markup", "writes HTML", Plays, &["<script>"], Same),
    (24, "markup-answer", "also in its answer", Forfeits("illegal-move"), &["move <script>"], Same),
    (25, "formula", "writes what tables compute", Plays, &["=cmd|"], Same),
    (25, "formula-answer", "also in its answer", Forfeits("illegal-move"), &["move =cmd|"], Same),
    (26, "workflow-command", "writes commands for who runs tests", Plays, &[r":\x3aerror::pwned\x0d::set-output"], Same),
    (26, "workflow-command-answer", "also in its answer", Forfeits("illegal-move"), &["move ::error::pwned"], Same),
    // C. Pipes and exit.
    (27, "closes-stdout", "closes its output and lives on", Forfeits("protocol"), &["closed its standard output"], Same),
    (28, "deaf", "closes its input and lives on", Forfeits("protocol"), &["closed its standard input"], Same),
    (29, "exit-at-once", "exits at once", Forfeits("no-start"), &["exit status 0"], Same),
    (30, "exit-after-answer", "answers, which counts, and exits", Forfeits("crash"), &["exit status 0", "\"plies\":2"], Same),
    (31, "detaches", "leaves daemons that hold its output", Plays, &["refused a daemon: EAGAIN"], Open),
    (31, "daemon-exit -- --processes 64", "and exits, where it may fork", Forfeits("crash"), &["exit status 0"], Same),
    (32, "crash-segv", "dies of a bug", Forfeits("crash"), &["SIGSEGV"], Same),
    (32, "crash-abort", "aborts itself", Forfeits("crash"), &["SIGABRT"], Same),
    (33, "dumps-core", "dies of what leaves a core file", Forfeits("crash"), &["SIGABRT", "its core file may have 1 bytes"],
        Harmful("a core file goes to wherever the machine keeps them")),
    (34, "writes-beside-itself", "leaves files as virtual machines do", Plays,
        &["refused a crash report: EACCES", "refused a folder: EACCES"], Open),
    (35, "changes-its-pipes", "has its pipes not block, which is its own affair, and grow, which is not", Plays,
        &["refused a larger pipe: EPERM"], Open),
    // D. Processes.
    (36, "fork-bomb", "forks, in every way", Plays,
        &["refused forks: EAGAIN", "refused a program: EAGAIN", "refused clone3: ENOSYS"],
        OpenBut(&["clone3"])),
    (37, "detaches -- --processes 64", "leaves daemons that ignore signals, where it may fork", Plays, &["open a daemon"], Same),
    (38, "hops", "forks and exits for ever", Plays, &["refused a hopper: EAGAIN"], Harmful("until it is killed, its zombies use up the processes of the machine")),
    (38, "hops -- --processes 64", "where it may fork", PlaysOr("protocol"), &["open a hopper"], Harmful("until it is killed, its zombies use up the processes of the machine")),
    (39, "zombies", "never waits for its children", Plays, &["refused a zombie: EAGAIN"], Open),
    (39, "zombies -- --processes 64", "where it may fork", Plays, &["open a zombie"], Same),
    (40, "thread-bomb", "starts more threads than it may", PlaysOr("process-limit"), &["refused many threads: EAGAIN"], Open),
    (41, "helps-itself", "has a process that thinks on its opponent's time", Plays, &["refused a helper: EAGAIN"], Open),
    (41, "helps-itself -- --processes 64 --clock cpu --wall-cap 1000x", "where it may fork", Plays, &["open a helper"], Same),
    (43, "hides-its-children", "has children whose time no counter of processes has", Plays, &["refused a helper: EAGAIN"], Open),
    (44, "late 1000000000 -- --clock cpu --move-time 300ms --wall-cap 2x+1s", "sleeps where processor time is charged",
        Forfeits("timeout"), &["slept until the wall time was over"], Same),
    (45, "kills-itself", "kills itself", Forfeits("crash"), &["SIGKILL"], Same),
    // Processes that look like zombies: the first thread has ended and another lives.
    (76, "first-thread-ends healthy", "ends its first thread and plays on", Plays, &["its first thread has ended"], Same),
    (76, "first-thread-ends lives-on", "and does not end with its input", Plays, &["its first thread has ended"], Same),
    (76, "first-thread-ends lives-on -- --processes 4", "as a bot of several processes", Plays,
        &["its first thread has ended"], Same),
    (76, "first-thread-ends spinning", "and computes for ever", Forfeits("timeout"), &["still computing"], Same),
    (76, "first-thread-ends late 1000000000 -- --clock cpu --move-time 300ms --wall-cap 2x+1s", "and sleeps",
        Forfeits("timeout"), &["slept until the wall time was over"], Same),
    (76, "leaves-process-without-first-thread", "leaves such a daemon", Plays, &["refused a grandchild: EAGAIN"], Open),
    (76, "leaves-process-without-first-thread -- --processes 4", "where it may fork", Plays, &["open a grandchild"], Same),
    (76, "first-thread-ends leaves-process-without-first-thread -- --processes 4", "from such a process", Plays,
        &["open a grandchild"], Same),
    (76, "keeps-threads", "has more threads than it may", PlaysOr("process-limit"),
        &["refused a hundred threads: EAGAIN"], Harmful("without a limit it would keep them until its time is over")),
    (76, "first-thread-ends keeps-threads", "without its first thread", PlaysOr("process-limit"),
        &["refused a hundred threads: EAGAIN"], Harmful("without a limit it would keep them until its time is over")),
];

/// Rows that another test proves with real processes: the number, what it is, a file, and text that
/// the file must contain.
pub type Pointer = (u8, &'static str, &'static str, &'static str);

#[rustfmt::skip]
pub const ELSEWHERE: &[Pointer] = &[
    (5, "does not flush, in five languages", "tests/it/support/broken_bots.rs", "$ java -cp DIR Unflushed"),
    (21, "a terminal on which its lines are shown", "src/show/view/live.rs", "speech_scrolls_above_the_board_and_is_escaped"),
    (24, "pages that show what it said", "tests/alone/hostile_bots/pages.rs", "what_bots_say_steers_no_page_and_no_machine"),
    (25, "tables that show what it said", "tests/alone/hostile_bots/pages.rs", "what_bots_say_steers_no_page_and_no_machine"),
    (26, "a run that shows what it said", "tests/alone/hostile_bots/pages.rs", "what_bots_say_steers_no_page_and_no_machine"),
    (42, "thinks on its opponent's time", "tests/alone/clocks.rs", "a_bot_off_move_is_frozen_or_what_it_used_is_told"),
    (43, "has children of 4 ms whose time no process has", "tests/alone/clocks.rs",
        "where_a_bot_has_a_control_group_what_its_short_processes_use_is_charged"),
    (46, "outlives a referee that is killed", "tests/alone/survivors.rs", "a_referee_killed_in_the_middle_leaves_no_bot"),
    (46, "under strict, and its scratch folder", "tests/alone/sandbox/mod.rs", "// And when the referee is killed."),
    (76, "outlives a referee that is killed", "tests/alone/survivors.rs", "a_process_whose_first_thread_has_ended_goes_with_its_referee"),
    (77, "the same from a build", "tests/alone/sandbox/mod.rs", "a_process_that_a_build_leaves_does_not_see_the_games"),
    (72, "knows a test from a tournament", "tests/alone/hostile_bots/pages.rs", "a_bot_cannot_tell_a_match_from_a_tournament"),
    (73, "is no program", "tests/it/broken_bots.rs", "a_bot_that_cannot_be_run_is_the_users_error_before_any_game"),
    (73, "is no program, in a tournament", "tests/it/tournament/submissions.rs", "who_cannot_play_is_listed_and_the_others_play"),
    (74, "meets another that is broken", "tests/it/broken_bots.rs", "two_bots_that_never_start_both_lose"),
    (75, "has a name that is a path, an option or a line", "tests/alone/hostile_bots/pages.rs", "odd_names_are_refused_before_any_game"),
    (80, "has a bot.toml that is a link to a secret", "tests/it/tournament/strangers.rs", "links_out_of_a_submission_are_not_followed"),
    (81, "is a link instead of a folder", "tests/it/tournament/strangers.rs", "links_out_of_a_submission_are_not_followed"),
    (82, "leaves set-id bits in its build", "tests/it/tournament/builds.rs", "no_build_leaves_a_program_that_acts_as_its_owner"),
    (82, "the same in one's own folder", "tests/alone/sandbox/rights.rs", "no_file_that_a_build_leaves_acts_as_its_owner"),
    (84, "leads to a rival by `..` behind a link", "tests/it/tournament/strangers.rs", "links_out_of_a_submission_are_not_followed"),
    (85, "needs a path that is not there", "tests/alone/sandbox/rights.rs", "a_needed_path_that_is_not_there_keeps_no_bot_root"),
    (86, "has a program that is a link to a rival's", "tests/it/tournament/strangers.rs", "links_out_of_a_submission_are_not_followed"),
    (59, "exchanges folders for links while they are removed", "src/host/locate/remove.rs", "nothing_outside_is_removed_while_folders_are_exchanged_for_links"),
    (59, "leaves a scratch folder when its warden is killed", "tests/alone/sandbox/mod.rs", "a_scratch_folder_of_a_killed_run_goes_with_the_next"),
    (83, "makes the machine look short of memory in other ways", "src/play/arena/machine.rs", "a_bot_that_waits_for_memory_does_not_annul_its_game"),
    (89, "has a process that resumes it off move", "tests/alone/clocks.rs", "a_bot_that_is_resumed_off_move_stays_frozen_or_loses"),
    (89, "and is charged for it", "src/host/bot/linux/stop_tests.rs", "what_a_resumed_bot_used_is_charged_to_its_next_question_and_counted"),
    (91, "has a bot.toml whose command names files to open", "tests/alone/sandbox/rights.rs", "the_command_of_a_folder_opens_what_is_inside"),
    (92, "has a child that looks at itself", "tests/alone/sandbox/processes.rs", "each_process_of_a_bot_finds_itself"),
];
