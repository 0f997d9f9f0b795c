//! Builds and tests a bot before the first game.

use super::conditions::Conditions;
use super::event_loop::event_loop;
use super::machine::STALLED;
use arbiter_game::{Exit, Sandbox, Start, StderrAccess, wants_network};
use arbiter_host::bot::{Bot, BotError, Opponent, run_within};
use arbiter_host::locate::Program;
use arbiter_rules::text::printable;
use arbiter_rules::{BySide, Side};

/// The most attempts at a start during which arbiter itself did not run.
const ATTEMPTS: u32 = 3;

/// What is said of a build that wanted the network.
const NO_NETWORK: &str = "; a build has no network: what it downloads must lie in the bot's folder \
     (`cargo vendor`, `pip download -d wheels` and `pip install --no-index --find-links wheels`, \
     node_modules, jars)";

/// What helps if cargo put a program elsewhere: a configuration of cargo in the home folder or
/// above the bot's folder may say so, and only cargo knows where that is.
const CARGO_ELSEWHERE: &str = "; if a configuration of cargo on this machine names another folder \
     or target, `cargo install --path . --root target` still puts the program into target/bin";

/// How much of a bot's start is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialDepth {
    /// That its program starts.
    Start,
    /// That it gets ready for a game.
    Ready,
}

/// Builds the bot, if it has a `build` command. Like a bot, the build runs below a warden, which
/// ends all of its processes. Its output is put into `output`.
///
/// # Errors
/// The build fails or takes too long, it did not make the program, or arbiter itself failed. The
/// error quotes the output if `stderr` is public.
pub fn build(
    conditions: &Conditions,
    program: &Program,
    stderr: StderrAccess,
    output: &mut Vec<u8>,
) -> Result<(), BotError> {
    let Conditions { settings, launcher, .. } = conditions;
    let Some(builder) = program.builder() else { return Ok(()) };
    let limits = &settings.limits;
    let run = run_within(launcher, &builder, limits, limits.build_time)?;
    *output = [run.output.bytes(), run.stderr.bytes()].concat();
    let build = program.spec.build.as_deref().unwrap_or_default();
    if run.exit != Some(Exit::Status(0)) {
        let how = run.how(limits.build_time);
        let is_isolated = launcher.sandbox == Sandbox::Strict;
        let lacks_network = is_isolated && wants_network(&run.last_lines(usize::MAX));
        let hint = if lacks_network { NO_NETWORK } else { "" };
        let shown = if stderr == StderrAccess::Private { String::new() } else { run.shown() };
        return Err(BotError::Unstartable(format!("its build `{build}` {how}{hint}{shown}")));
    }
    let Err(error) = program.check() else { return Ok(()) };
    let hint = if build.contains("cargo build") { CARGO_ELSEWHERE } else { "" };
    Err(BotError::Unstartable(format!("after its build `{build}`: {error}{hint}")))
}

/// Starts the bot as for a game, and ends it. What it wrote is put into `output` if it did not get
/// ready.
///
/// # Errors
/// The program cannot be run or does not get ready, or arbiter itself failed. The error quotes the
/// output if `stderr` is public.
pub fn try_start(
    conditions: &Conditions,
    name: &str,
    program: &Program,
    depth: TrialDepth,
    stderr: StderrAccess,
    output: &mut Vec<u8>,
) -> Result<(), BotError> {
    let Conditions { settings, launcher, .. } = conditions;
    let settings = &settings.with_own_clocks(BySide::from_fn(|_| program.spec.time));
    let runtime = event_loop()
        .map_err(|error| BotError::Broken(format!("starting an event loop: {error}")))?;
    runtime.block_on(async {
        // No game is played, so the id is that of none.
        let sent = conditions.sent(&format!("{name}~{name}.0"));
        let position = settings.ruleset.start();
        let start = Start { sent: &sent, position: &position, you: Side::First, settings };
        if conditions.opening.is_some()
            && let Some(table) = program.spec.table()
        {
            table.check_openings().map_err(BotError::Unstartable)?;
        }
        // On both sides, because a command can have values of the game; only one is started.
        program.for_game(&Start { you: Side::Second, ..start }).map_err(BotError::Unstartable)?;
        let started = program.for_game(&start).map_err(BotError::Unstartable)?;
        let mut attempt = 1;
        let (mut bot, answer) = loop {
            let mut bot = Bot::start(launcher, &started, settings, None).await?;
            if depth == TrialDepth::Start {
                return Ok(());
            }
            let Err(answer) = bot.ready(&start, Opponent::default()).await? else {
                bot.stop().await;
                return Ok(());
            };
            // If arbiter itself did not run meanwhile, how long the bot took is unknown.
            if bot.take_delays().stalled <= STALLED || attempt == ATTEMPTS {
                break (bot, answer);
            }
            bot.stop().await;
            attempt += 1;
        };
        let (why, _) = bot.explain(&conditions.no_start(&position, &answer, stderr)).await;
        let notes = bot.stop().await.notes;
        *output = [notes.unrecognised.bytes(), notes.stderr.bytes()].concat();
        let command = printable(program.words.join(" ").as_bytes(), 200); // may be a stranger's
        Err(BotError::Unstartable(format!("{command}: {why}")))
    })
}
