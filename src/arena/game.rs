//! One game between two bots, from the start block to `quit`.

use super::Audience;
use super::ending::{Ending, NotReady, sentence};
use super::machine::Machine;
use crate::bot::{Allowance, Bot, BotError, Farewell, Launcher, Limits, Notes, Testimony};
use crate::clock::Charged;
use crate::explain::Allowed;
use crate::locate::Program;
use crate::protocol::native::{self, Start, Turn};
use crate::protocol::{Answer, Wishes};
use crate::record::{Fault, Outcome, Record};
use crate::referee::{Ask, Referee, Step, Terms};
use crate::rules::{BySide, Ply, Position, Side};
use crate::sandbox::{SCRATCH, Sandbox};
use crate::schedule::Pairing;
use crate::seed::Generator;
use std::sync::Arc;
use std::time::Duration;

/// What is the same in all games of a match.
#[derive(Debug, Clone)]
pub struct Contest {
    /// The `Event` tag.
    pub event: String,
    /// The `Date` tag, `YYYY.MM.DD`.
    pub date: String,
    /// What the match allows; a game begins where its assignment says.
    pub terms: Terms,
    /// What a bot may do beside playing.
    pub limits: Limits,
    /// What the start block says of memory, in bytes.
    pub memory: u64,
    /// The run's seed.
    pub seed: u64,
    /// The `Isolation` tag.
    pub isolation: String,
    /// The program that starts bots.
    pub launcher: Launcher,
    /// What becomes of a game that the machine disturbed.
    pub disturbed: Disturbed,
    /// Whether the sentence about a forfeit quotes what the bot wrote to standard error.
    pub stderr: Quoted,
}

/// Whether something is quoted where others can read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quoted {
    /// It is.
    Yes,
    /// It is not.
    No,
}

/// What becomes of a game that the machine disturbed; its log says so in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disturbed {
    /// It counts.
    Counts,
    /// It counts for nobody, like one in which something of ours failed, unless it is at this attempt or a later one.
    Annulled {
        /// The first attempt that counts whatever happens.
        until: u32,
    },
}

/// One game that is to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// Who plays whom.
    pub pairing: Pairing,
    /// Which attempt at it this is, from 1.
    pub attempt: u32,
    /// Where the game begins.
    pub start: Position,
}

impl Contest {
    /// What a bot is allowed until it says that it is ready.
    pub(super) fn allowed(&self) -> Allowed<'_> {
        let Limits { start, output, .. } = self.limits;
        let tasks = self.launcher.tasks().unwrap_or_default();
        let isolation = (self.launcher.sandbox == Sandbox::Strict).then_some(&*self.isolation);
        Allowed {
            time: Some(start),
            wall_cap: None,
            output,
            memory: self.memory,
            tasks,
            scratch: SCRATCH,
            isolation,
        }
    }
}

impl Quoted {
    /// A bot's testimony, of which its standard error may be quoted or not.
    pub(super) fn of(self, testimony: Testimony) -> Testimony {
        Testimony { quotable: self == Quoted::Yes, ..testimony }
    }
}

/// A bot's place in a worker: its program, and its process while that is kept between games.
pub struct Seat {
    /// The name in results.
    pub name: String,
    /// What to run.
    pub program: Arc<Program>,
    kept: Option<(Bot, Wishes)>,
}

impl Seat {
    /// A seat whose bot is not running yet.
    #[must_use]
    pub fn new(name: String, program: Arc<Program>) -> Seat {
        Seat { name, program, kept: None }
    }

    /// Ends the bot's process, if one was kept.
    pub async fn leave(&mut self) {
        if let Some((bot, _)) = self.kept.take() {
            bot.stop().await;
        }
    }
}

/// What happens in a game, for those who watch.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// Both bots are ready.
    Begun {
        /// The game.
        pairing: &'a Pairing,
        /// The names of the bots.
        players: BySide<&'a str>,
        /// Where it begins.
        position: &'a Position,
    },
    /// A ply was played.
    Played {
        /// Who.
        side: Side,
        /// What.
        ply: Ply,
        /// The board after it.
        position: &'a Position,
        /// What the ply took; none for a forced pass.
        used: Option<Duration>,
        /// The number of the ply.
        number: usize,
    },
}

/// A game that is over.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Its pairing.
    pub pairing: Pairing,
    /// Which attempt at it this was, from 1.
    pub attempt: u32,
    /// Its log.
    pub record: Record,
    /// Why it was broken off, if something of ours failed.
    pub broken: Option<String>,
    /// What the bots wrote for their authors.
    pub notes: BySide<Notes>,
    /// How the bots that were not kept ended.
    pub farewells: BySide<Option<Farewell>>,
}

/// A bot on the board, with what it has been told.
struct Player<'a> {
    seat: &'a mut Seat,
    wishes: Wishes,
    /// Plies that it knows of.
    told: usize,
    /// How its bot ended, if that was before the end of the game.
    left: Option<Farewell>,
}

/// Plays one game. The bots are started where they were not kept, and kept where they may be.
pub(super) async fn play(
    contest: &Contest,
    assignment: Assignment,
    seats: BySide<&mut Seat>,
    machine: &mut Machine,
    audience: Option<&Arc<dyn Audience>>,
) -> Finished {
    let Assignment { pairing, attempt, start } = assignment;
    let terms = Terms { start, ..contest.terms.clone() };
    let game = Game { contest, pairing: &pairing, terms: &terms };
    let mut referee = Referee::new(terms.clone());
    let mut players = seats.map(|seat| Player { seat, wishes: Wishes::default(), told: 0, left: None });
    let mut ending = Ending::default();
    let BySide { first, second } = &mut players;
    let (first, second) = tokio::join!(
        first.get_ready(game, Side::First, audience),
        second.get_ready(game, Side::Second, audience),
    );
    ending.start(&mut referee, BySide { first, second });
    if referee.outcome().is_none() {
        if let Some(audience) = audience {
            let players = players.as_ref().map(|player| player.seat.name.as_str());
            audience.event(Event::Begun { pairing: &pairing, players, position: referee.position() });
        }
        tell_plies(&referee, 0, audience);
        converse(&mut referee, &mut players, contest, &mut ending, audience).await;
    }
    let late = players.first.late().max(players.second.late());
    let disturbance = machine.disturbance(late);
    if let (Some(what), Disturbed::Annulled { until }) = (&disturbance, contest.disturbed)
        && attempt < until
    {
        ending.broken = Some(format!("the machine disturbed the game: {what}"));
        referee.annul();
    }
    let outcome = referee.outcome().unwrap_or_else(|| referee.abort());
    let names = players.as_ref().map(|player| player.seat.name.clone());
    let detail = ending.detail(outcome, &names);
    let BySide { first, second } = &mut players;
    let (first, second) = tokio::join!(
        first.finish(Side::First, &referee, outcome, detail.as_deref()),
        second.finish(Side::Second, &referee, outcome, detail.as_deref()),
    );
    let farewells = BySide { first: first.1, second: second.1 };
    let notes = BySide { first: first.0, second: second.0 };
    let record = Record {
        event: contest.event.clone(),
        site: "?".to_owned(),
        date: contest.date.clone(),
        round: format!("{}.{}", pairing.round, pairing.game),
        players: names,
        start,
        time_control: Some(terms.time.to_string()),
        max_plies: Some(terms.max_plies),
        repetition: Some(terms.repetition),
        id: Some(pairing.id.clone()),
        pair: pairing.pair.map(|pair| pair.to_string()),
        seed: Some(contest.seed.to_string()),
        isolation: Some(contest.isolation.clone()),
        detail,
        more: disturbance.map(|what| ("Disturbed".to_owned(), what)).into_iter().collect(),
        plies: referee.into_plies(),
        reply: ending.reply,
        outcome,
    };
    Finished { pairing, attempt, record, broken: ending.broken, notes, farewells }
}

/// A game, as its bots are told of it.
#[derive(Clone, Copy)]
pub(super) struct Game<'a> {
    pub contest: &'a Contest,
    pub pairing: &'a Pairing,
    pub terms: &'a Terms,
}

/// The loop: who is to decide, what is sent, what came, what it is worth.
async fn converse(
    referee: &mut Referee,
    players: &mut BySide<Player<'_>>,
    contest: &Contest,
    ending: &mut Ending,
    audience: Option<&Arc<dyn Audience>>,
) {
    let mut request = String::with_capacity(4096);
    let mut asked = None;
    while let Some(ask) = referee.ask() {
        let player = &mut players[ask.side];
        let Some((bot, _)) = &mut player.seat.kept else { return };
        if asked.replace(ask.side) == Some(ask.side) {
            bot.drain();
        }
        push_turn(&mut request, referee, &ask, player.wishes, player.told);
        player.told = referee.plies().len();
        let before = *referee.position();
        let allowance = Allowance { wall: ask.wall, cpu: ask.limit.filter(|_| charges_cpu(contest)) };
        let answer = match bot.ask(ask.turn, &request, allowance).await {
            Ok(answer) => answer,
            Err(error) => {
                ending.broken = Some(error.to_string());
                return;
            }
        };
        request.clear();
        match referee.answer(&answer) {
            Step::Played | Step::Over(Outcome::Rules(_) | Outcome::Repetition | Outcome::MaxPlies) => {
                tell_plies(referee, player.told, audience);
            }
            Step::Again(reason) => native::push_illegal(&mut request, &reason),
            Step::Over(Outcome::Forfeit(_, fault)) => {
                let mut words = Vec::new();
                let answer = answer.detached(&mut words);
                let mut testimony = contest.stderr.of(bot.testimony().await);
                if fault == Fault::Timeout && answer.reply.is_none() {
                    testimony.silence = bot.fathom().await;
                }
                let allowed = Allowed {
                    time: ask.limit,
                    wall_cap: ask.wall.filter(|_| charges_cpu(contest)),
                    ..contest.allowed()
                };
                ending.forfeit(fault, &before, &answer, allowed, &testimony);
            }
            Step::Over(Outcome::Resigned(_) | Outcome::Aborted(_)) => {}
        }
    }
}

fn charges_cpu(contest: &Contest) -> bool {
    matches!(contest.terms.charged, Charged::Cpu(_))
}

fn push_turn(request: &mut String, referee: &Referee, ask: &Ask, wishes: Wishes, told: usize) {
    let clock = ask.budget.zip(ask.opponent);
    let turn = Turn { number: ask.turn, clock, position: referee.position(), wishes };
    native::push_turn(request, &turn, referee.plies()[told..].iter().map(|played| played.ply));
}

/// Lets the audience know of the plies from `from` on.
fn tell_plies(referee: &Referee, from: usize, audience: Option<&Arc<dyn Audience>>) {
    let Some(audience) = audience else { return };
    let plies = referee.plies();
    let mut position = referee.terms().start;
    for (index, played) in plies.iter().enumerate() {
        let side = position.side();
        position.play(played.ply);
        if index >= from {
            let used = played.note.as_ref().and_then(|note| note.wall);
            let event = Event::Played { side, ply: played.ply, position: &position, used, number: index + 1 };
            audience.event(event);
        }
    }
}

impl Player<'_> {
    /// Starts the bot if it is not running, sends the start block and waits for `ready`.
    async fn get_ready(
        &mut self,
        game: Game<'_>,
        side: Side,
        audience: Option<&Arc<dyn Audience>>,
    ) -> Result<(), NotReady> {
        let (contest, block) = (game.contest, start_block(game, side));
        if let Some((mut bot, _)) = self.seat.kept.take() {
            match bot.ready(&block).await {
                Ok(Ok(wishes)) => {
                    self.sit(bot, wishes);
                    return Ok(());
                }
                // What it did after its last game is no fault: it gets the chance of one that was not kept.
                Ok(Err(answer))
                    if answer.exit.is_some() || answer.garbled.is_some() || answer.over_output.is_some() =>
                {
                    bot.stop().await;
                }
                failed => return Err(self.not_ready(failed.map(Result::err), bot, game).await),
            }
        }
        let listener = audience.and_then(|audience| audience.listener(&self.seat.name));
        let mut bot = match Bot::start(&contest.launcher, &self.seat.program, contest.limits, listener).await
        {
            Ok(bot) => bot,
            Err(BotError::Unstartable(why)) => return Err(NotReady::Fault(format!("cannot be run: {why}"))),
            Err(BotError::Broken(what)) => return Err(NotReady::Broken(what)),
        };
        match bot.ready(&block).await {
            Ok(Ok(wishes)) => {
                self.sit(bot, wishes);
                Ok(())
            }
            failed => Err(self.not_ready(failed.map(Result::err), bot, game).await),
        }
    }

    fn sit(&mut self, bot: Bot, wishes: Wishes) {
        self.wishes = wishes;
        self.seat.kept = Some((bot, wishes));
    }

    /// Why the bot did not say that it is ready; it is sent off.
    async fn not_ready(
        &mut self,
        failed: Result<Option<Answer<'static>>, BotError>,
        mut bot: Bot,
        Game { contest, terms, .. }: Game<'_>,
    ) -> NotReady {
        let answer = match failed {
            Ok(answer) => answer.unwrap_or_default(),
            Err(error) => return NotReady::Broken(error.to_string()),
        };
        let mut testimony = contest.stderr.of(bot.testimony().await);
        testimony.silence = bot.fathom().await;
        self.left = Some(bot.stop().await);
        NotReady::Fault(sentence(Fault::NoStart, &terms.start, &answer, contest.allowed(), &testimony))
    }

    /// How late timers went off at worst while this bot was asked.
    fn late(&mut self) -> Duration {
        self.seat.kept.as_mut().map_or(Duration::ZERO, |(bot, _)| bot.take_late())
    }

    /// Sends the end block; then the bot is kept, or sent off.
    async fn finish(
        &mut self,
        side: Side,
        referee: &Referee,
        outcome: Outcome,
        detail: Option<&str>,
    ) -> (Notes, Option<Farewell>) {
        let Some((mut bot, wishes)) = self.seat.kept.take() else { return part(self.left.take()) };
        let result = match (outcome, outcome.winner()) {
            (Outcome::Aborted(_), _) => native::Result::Aborted,
            (_, None) => native::Result::Draw,
            (_, Some(winner)) if winner == side => native::Result::Win,
            (_, Some(_)) => native::Result::Loss,
        };
        let forfeit = matches!(outcome, Outcome::Forfeit(..));
        let mut block = String::new();
        let since = referee.plies()[self.told..].iter().map(|played| played.ply);
        native::push_end(
            &mut block,
            referee.position(),
            wishes,
            since,
            detail.filter(|_| forfeit),
            (result, outcome.termination()),
        );
        bot.tell(&block);
        let at_fault = match outcome {
            Outcome::Forfeit(loser, _) => loser == side,
            Outcome::Aborted(_) => true,
            _ => false,
        };
        if wishes.reuse && !at_fault {
            let notes = bot.take_notes();
            self.seat.kept = Some((bot, wishes));
            return (notes, None);
        }
        part(Some(bot.stop().await))
    }
}

/// What a bot wrote, apart from how it ended.
fn part(mut farewell: Option<Farewell>) -> (Notes, Option<Farewell>) {
    let notes = farewell.as_mut().map(|farewell| std::mem::take(&mut farewell.notes));
    (notes.unwrap_or_default(), farewell)
}

pub(super) fn start_block(Game { contest, pairing, terms }: Game<'_>, side: Side) -> String {
    let letter = terms.start.ruleset().letter(side);
    let mut block = String::new();
    native::push_start(
        &mut block,
        &Start {
            id: &pairing.id,
            position: &terms.start,
            you: side,
            time: terms.time,
            first_move: terms.first_move,
            margin: terms.margin,
            charged: terms.charged,
            pondering: contest.limits.pondering,
            memory: contest.memory,
            max_plies: terms.max_plies,
            repetition: terms.repetition,
            attempts: terms.attempts,
            seed: Generator::new(&[&contest.seed, &pairing.id, &letter]).next_u64(),
        },
    );
    block
}
