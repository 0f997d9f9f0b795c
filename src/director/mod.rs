//! Runs games and tournaments for the commands: the entrants and their builds, the preparation of what they play under, the
//! loop that follows a run, what is shown of it, and the files of its results.
//!
//! Knows no command line, but for [`settings`] and [`trust`]: flags are also the language of the `Settings` tag of a log. Each
//! way to play goes through [`Preparation`] and [`follow()`].
//!
//! ```text
//! play_tournament(request, options)        run
//!   Preparation::new, isolate              preparation, isolation
//!   begin: journal, entrants, roster       begin, entrants, candidate, builds, sharing
//!   follow(run, recorder)                  follow, run, run_display
//!   tables and pages from the journal      recorded, report, result_files, live
//! ```

mod absence_pages;
mod audience;
mod begin;
mod bot_check;
mod bot_log_writer;
mod bot_names;
mod bot_times;
mod builds;
mod candidate;
mod check;
mod compared;
mod content_watch;
mod entrants;
mod estimate;
mod failure;
mod feedback_links;
mod follow;
mod grade;
mod input_file;
mod isolation;
mod key;
mod keys;
mod limited_work;
mod live;
mod match_recorder;
mod merge;
mod output;
mod own_rules;
mod person_screen;
mod persons;
mod preparation;
mod rate;
mod recorded;
mod recorded_bots;
mod report;
mod request;
pub mod rerun;
mod result_files;
mod rules_faults;
mod rules_trial;
mod run;
mod run_display;
mod run_options;
mod settings;
mod sharing;
mod site_rules;
mod sources;
mod successive_runs;
mod trial_progress;
mod trust;
mod verdict;
mod watched_games;

pub use audience::{Board, ScreenChannel, Spectators};
pub use bot_log_writer::BotLogWriter;
pub use bot_names::{bot_name, first_free, two_names};
pub use bot_times::crowd;
pub use check::{CheckForm, CheckRequest, check};
pub use compared::{compared, last_of_other_content};
pub use estimate::plan_text;
pub use failure::Failure;
pub use follow::{RunEnd, follow};
pub use grade::{GradeRequest, Provided, READER, grade, run_reader};
pub use input_file::{
    FIRST_BYTES, LogFile, NO_GAME, is_same_file, read_named_text, records_of, refuse_no_text, refuse_pipes,
    refuse_to_replace_inputs,
};
pub use isolation::{LACKING, advice, levels, spare_cores};
pub use live::{LivePage, LiveSetup, listen};
pub use match_recorder::{MatchRecorder, MatchScreen, Repeats, open_log};
pub use merge::merge;
pub use output::{can_draw, colour, complain, fitted, print, print_if_open, write_out, write_out_by};
pub use own_rules::{RulesFlag, names_rules, register_rules, rules_in};
pub use person_screen::PersonScreen;
pub use persons::{PERSON, PersonSetup, PersonTables};
pub use preparation::{Origin, Preparation, random_seed};
pub use rate::rate;
pub use recorded::Recorded;
pub use recorded_bots::trusted;
pub use report::{add_to_page, anonymizer, games_for_page, standings_report};
pub use request::TournamentRequest;
pub use rules_faults::RulesFaults;
pub use rules_trial::try_rules_out;
pub use run::play_tournament;
pub use run_display::{KeptLines, RunDisplay};
pub use run_options::{RunKind, RunOptions};
pub use settings::{GivenSettings, SettingsFlags, parse_pause, time_of};
pub use sharing::{SHARDS, Sharing};
pub use site_rules::note_site_rules;
pub use sources::anonymizer_of;
pub use successive_runs::{TestRun, choose_run, test_runs};
pub use trust::TrustFlag;
pub use verdict::{Strict, Verdict};
pub use watched_games::WatchedGames;
