//! What the commands say of themselves: `--help` one screen, `--help-all` everything; usage errors
//! the usage of the command.

use arbiter_game::settings::FIELDS;
use clap::error::{ContextKind, ContextValue, Error};
use clap::{Arg, ArgAction, Command};

/// The setting, besides the clocks, that the short help has too.
const SHOWN: &str = "sandbox";
/// The examples that the short help has.
const EXAMPLES: usize = 3;

/// The commands by what they are for; each is in one group.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["new", "play", "try", "check"]),
    ("Tournaments", &["tournament", "league", "standings", "merge", "serve"]),
    ("Look", &["replay", "report", "rerun", "verify"]),
    ("Course", &["grade"]),
    (
        "More",
        &["turning", "bot", "doctor", "games", "moves", "perft", "hotseat", "man", "completions"],
    ),
];

/// The help of arbiter itself, in which clap would list the commands without groups.
fn template(command: &Command) -> String {
    let mut text = "{about-with-newline}{usage-heading} {usage}, and `arbiter COMMAND -h` for \
                    its common flags, `--help-all` for all\n"
        .to_owned();
    for (group, names) in GROUPS {
        text += &format!("\n{group}:\n");
        for name in names {
            if let Some(about) = command.find_subcommand(name).and_then(Command::get_about) {
                text += &format!("  {name:12} {about}\n");
            }
        }
    }
    text.trim_end().to_owned() + "{after-help}"
}

/// The command line with `--help` and `--help-all`, and with one usage a command, whichever flag an
/// error is about.
pub(super) fn with_screens(command: Command) -> Command {
    let mut built = command.clone();
    built.build();
    let command = command.mut_subcommands(|sub| {
        let mut usage = String::new();
        if let Some(known) = built.find_subcommand_mut(sub.get_name()) {
            usage = known.render_usage().to_string();
        }
        with_both(sub.override_usage(usage.trim_start_matches("Usage: ").to_owned()))
    });
    let template = template(&command);
    with_both(command).help_template(template)
}

/// The command with both flags, and with the long and the short form of its help.
fn with_both(command: Command) -> Command {
    let mut everything = Vec::new();
    for part in [command.get_after_help(), command.get_after_long_help()].into_iter().flatten() {
        everything.push(part.to_string());
    }
    let everything = everything.join("\n\n");
    let some = everything.lines().take(1 + EXAMPLES).take_while(|line| !line.is_empty());
    let some: Vec<&str> = some.collect();
    let help = Arg::new("help").long("help").short('h').action(ArgAction::HelpShort);
    let help_all = Arg::new("help-all").long("help-all").action(ArgAction::HelpLong);
    command
        .mut_args(hide_setting)
        .disable_help_flag(true)
        .args([
            help.help("Print the common flags and some examples").help_heading(None::<&str>),
            help_all
                .help("Print all flags and examples, and more about them")
                .help_heading(None::<&str>),
        ])
        .after_help(some.join("\n"))
        .after_long_help(everything)
}

/// The argument, only in the long help if it is one of the many settings.
fn hide_setting(argument: Arg) -> Arg {
    let name = argument.get_id().as_str();
    if name != SHOWN && FIELDS.iter().any(|field| field.key == name) {
        argument.hide_short_help(true)
    } else {
        argument
    }
}

/// A usage error with the usage of the command that was typed. A help text stays as it is.
pub(super) fn with_usage(mut error: Error, command: &mut Command) -> Error {
    let typed = std::env::args_os().nth(1).and_then(|word| command.find_subcommand_mut(word));
    let Some(typed) = typed.filter(|_| error.use_stderr()) else { return error };
    if error.get(ContextKind::Usage).is_none() {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(typed.render_usage()));
    }
    error.format(typed)
}
