//! One game between two players, from its start to its end.

use super::conditions::Conditions;
use super::machine::{Disturbance, Machine};
use super::person::LEFT;
use super::player::{Contender, Left, Player, waiting};
use crate::bot::{Bot, BotError, Delays, ExitReport, Notes, wait};
use crate::game::{
    Abort, Answer, End, Event, Forfeit, LimitExceeded, Note, Outcome, Referee, SentLines, Start, Step, Turn,
    Watcher,
};
use crate::record::Record;
use crate::rules::{BySide, Position, Side};
use crate::schedule::Pairing;
use std::sync::Arc;

/// A game that is to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The game's id and numbers.
    pub pairing: Pairing,
    /// The names of the bots that play.
    pub players: BySide<String>,
    /// Which attempt at it this is, from 1.
    pub attempt: u32,
    /// The position that the game begins from.
    pub start: Position,
}

/// A bot in a worker: its description, and its player while that is kept between games.
pub(super) struct Seat {
    name: String,
    contender: Contender,
    kept: Option<Player>,
}

impl Seat {
    /// A seat whose player is not started yet.
    pub fn new(name: String, contender: Contender) -> Seat {
        Seat { name, contender, kept: None }
    }

    /// The name of its bot.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Ends the player, if one was kept.
    pub async fn leave(&mut self) {
        if let Some(player) = self.kept.take() {
            player.stop().await;
        }
    }
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
    /// Why it was aborted, if arbiter itself failed or the machine disturbed it.
    pub broken: Option<String>,
    /// What the bots wrote for their authors.
    pub notes: BySide<Notes>,
    /// How the bots that were not kept for the next game ended.
    pub exits: BySide<Option<ExitReport>>,
}

impl Finished {
    /// Whether it was broken off because its person left.
    #[must_use]
    pub fn person_left(&self) -> bool {
        self.broken.as_deref() == Some(LEFT)
    }
}

/// Why a player is not ready.
enum NotReady {
    /// Through its own fault; a sentence about it.
    Fault(String),
    /// arbiter itself failed; how.
    Broken(String),
}

/// A seat in this game.
struct Seated<'a> {
    seat: &'a mut Seat,
    /// What remains of the player, if it ended before the end of the game.
    left: Option<Left>,
    /// What it had delayed and used by then.
    delays: Delays,
}

/// Sends the events of the game to its log and to the watcher.
struct Stream<'a> {
    record: Record,
    watcher: Option<&'a Arc<dyn Watcher>>,
}

impl Stream<'_> {
    fn send(&mut self, event: Event) {
        if let Some(watcher) = self.watcher {
            watcher.event(event.clone());
        }
        self.record.add(event);
    }

    fn send_asked(&self, turn: &Turn<'_>) {
        if let Some(watcher) = self.watcher {
            let budget = turn.clock.map(|(own, _)| own);
            watcher.event(Event::Asked { side: turn.side, number: turn.number(), budget });
        }
    }
}

/// The details of how the game ended, beside its outcome.
#[derive(Default)]
struct Reasons {
    /// For each side that lost by forfeit or did not get ready: what it did wrong.
    faults: BySide<Option<String>>,
    /// The offending reply.
    reply: Option<Note>,
    /// What failed in arbiter itself, or how the machine disturbed the game.
    broken: Option<String>,
}

/// Plays one game. Players that were not kept from an earlier game are started; those that can play again are
/// kept.
pub(super) async fn play(
    conditions: &Conditions,
    assignment: Assignment,
    seats: BySide<&mut Seat>,
    machine: &mut Machine,
    watcher: Option<&Arc<dyn Watcher>>,
) -> Finished {
    let Assignment { pairing, players: _, attempt, start } = assignment;
    let mut referee = Referee::new(&conditions.settings, start);
    let mut players = seats.map(|seat| Seated { seat, left: None, delays: Delays::default() });
    let sent = conditions.sent(&pairing.id);
    let mut stream = Stream { record: empty_record(conditions, &pairing, &sent, start, &players), watcher };
    let names = stream.record.players.clone();
    stream.send(Event::Began { number: pairing.number, players: names, start });
    let ready = get_ready(&mut players, conditions, &sent, &start, watcher).await;
    let mut reasons = judge_start(&mut referee, ready);
    ask_until_over(&mut referee, &mut players, conditions, &mut reasons, &mut stream).await;
    let disturbance = machine.disturbance(players.as_mut().map(Seated::delays));
    if let Some(Disturbance { signs, annuls: true }) = &disturbance
        && conditions.settings.rules.replay_disturbed
        && attempt < conditions.tries
    {
        reasons.broken = Some(format!("the machine disturbed the game: {signs}"));
        referee.annul();
    }
    let outcome = referee.outcome().unwrap_or_else(|| referee.abort());
    let detail = reasons.detail(outcome, &stream.record.players);
    let Reasons { reply, broken, .. } = reasons;
    stream.send(Event::Ended { outcome, detail, reply });
    let detail = stream.record.detail.as_deref();
    let end = |you| End { you, position: referee.position(), plies: referee.plies(), outcome, detail };
    let ends = BySide { first: end(Side::First), second: end(Side::Second) };
    let BySide { first, second } = &mut players;
    let (first, second) = tokio::join!(first.finish(&ends.first), second.finish(&ends.second));
    let mut record = stream.record;
    record.more = disturbance.map(|found| ("Disturbed".to_owned(), found.signs)).into_iter().collect();
    Finished {
        pairing,
        attempt,
        record,
        broken,
        notes: BySide { first: first.notes, second: second.notes },
        exits: BySide { first: first.report, second: second.report },
    }
}

/// Gets the players ready, one after the other: each has the processors for itself, whatever the other one does.
async fn get_ready(
    players: &mut BySide<Seated<'_>>,
    conditions: &Conditions,
    sent: &SentLines,
    start: &Position,
    watcher: Option<&Arc<dyn Watcher>>,
) -> BySide<Result<(), NotReady>> {
    let mut ready = BySide { first: Ok(()), second: Ok(()) };
    for side in Side::BOTH {
        let (player, opponent) = players.as_mut().seen_by(side);
        let mut opponent = opponent.seat.kept.as_mut();
        opponent.as_mut().and_then(|opponent| opponent.bot()).into_iter().for_each(Bot::hold);
        ready[side] = player.get_ready(conditions, sent, start, side, watcher, opponent).await;
        if let (Ok(()), Some(watcher)) = (&ready[side], watcher) {
            watcher.event(Event::Ready { side });
        }
    }
    for player in [&mut players.first, &mut players.second] {
        player.seat.kept.as_mut().and_then(Player::bot).into_iter().for_each(Bot::release);
    }
    ready
}

/// The log of a game without events.
fn empty_record(
    conditions: &Conditions,
    pairing: &Pairing,
    sent: &SentLines,
    start: Position,
    players: &BySide<Seated<'_>>,
) -> Record {
    let settings = &conditions.settings;
    Record {
        event: conditions.event.clone(),
        site: "?".to_owned(),
        date: conditions.date.clone(),
        round: format!("{}.{}", pairing.round, pairing.game),
        players: players.as_ref().map(|player| player.seat.name.clone()),
        start,
        time_control: Some(settings.time.control.to_string()),
        max_plies: Some(settings.max_plies()),
        repetition: Some(settings.rules.repetition),
        id: Some(pairing.id.clone()),
        pair: pairing.pair.map(|pair| pair.to_string()),
        seed: conditions.seed.map(|seed| seed.to_string()),
        sent: Some(sent.clone()),
        isolation: Some(conditions.isolation.clone()),
        digests: BySide::default(),
        settings: Some(settings.tag()),
        detail: None,
        more: Vec::new(),
        plies: Vec::with_capacity(256),
        reply: None,
        outcome: Outcome::Aborted(Abort::Broken),
    }
}

/// Ends the game if a player did not get ready.
fn judge_start(referee: &mut Referee, ready: BySide<Result<(), NotReady>>) -> Reasons {
    let mut reasons = Reasons::default();
    let failed = ready.map(Result::err);
    let is_fault = failed.as_ref().map(|why| matches!(why, Some(NotReady::Fault(_))));
    reasons.faults = failed.map(|why| match why {
        Some(NotReady::Fault(sentence)) => Some(sentence),
        Some(NotReady::Broken(what)) => {
            reasons.broken = Some(what);
            None
        }
        None => None,
    });
    if reasons.broken.is_some() {
        let _ = referee.abort();
    } else if let Step::Over(Outcome::Forfeit(..)) = referee.fail_start(is_fault) {
        reasons.reply = Some(Note::default());
    }
    reasons
}

/// The loop of questions and answers, until the game is over.
async fn ask_until_over(
    referee: &mut Referee,
    players: &mut BySide<Seated<'_>>,
    conditions: &Conditions,
    reasons: &mut Reasons,
    stream: &mut Stream<'_>,
) {
    referee.events().for_each(|event| stream.send(event)); // passes that are forced at the start
    while let Some(turn) = referee.ask() {
        let (side, limit, allowance) = (turn.side, turn.limit, turn.allowance);
        let (mover, opponent) = players.as_mut().seen_by(side);
        let (Some(player), mut opponent) = (&mut mover.seat.kept, opponent.seat.kept.as_mut()) else {
            return;
        };
        if !conditions.pause.is_zero() && !turn.plies.is_empty() && turn.refused.is_none() {
            waiting(&mut Some(player)).stop();
            waiting(&mut opponent).stop();
            wait(conditions.pause).await;
        }
        stream.send_asked(&turn);
        if conditions.stop_before.is_some_and(|ply| turn.number() >= ply) {
            player.show_request(&turn);
            reasons.broken = Some(format!("stopped before ply {}", turn.number()));
            return;
        }
        let mut answer = match player.ask(&turn, opponent).await {
            Ok(answer) => answer,
            Err(error) => {
                reasons.broken = Some(error.to_string());
                return;
            }
        };
        let step = referee.answer(&mut answer);
        referee.events().for_each(|event| stream.send(event));
        if let Step::Over(Outcome::Forfeit(_, fault)) = step {
            let forfeit = Forfeit {
                fault,
                position: referee.position(),
                answer: &answer,
                refused: referee.refused(),
                limit,
                allowance,
                isolation: conditions.strict_isolation(),
                stderr: conditions.stderr,
            };
            let (sentence, text) = player.explain(&forfeit).await;
            reasons.faults[side] = Some(sentence);
            reasons.reply = Some(Note { wall: Some(answer.used), cpu: answer.cpu, text });
        }
    }
}

impl Reasons {
    /// The `Detail` tag: which player did what wrong.
    fn detail(&self, outcome: Outcome, names: &BySide<String>) -> Option<String> {
        match outcome {
            Outcome::Forfeit(loser, _) => {
                self.faults[loser].as_ref().map(|sentence| format!("{}: {sentence}", names[loser]))
            }
            Outcome::Aborted(Abort::NoStart) => {
                let both = Side::BOTH.map(|side| {
                    format!("{}: {}", names[side], self.faults[side].as_deref().unwrap_or("did not start"))
                });
                Some(both.join("; "))
            }
            Outcome::Aborted(Abort::Broken) => self.broken.as_ref().map(|what| format!("arbiter: {what}")),
            _ => None,
        }
    }
}

impl Seated<'_> {
    /// Starts the player if it was not kept, sends the start of the game, and waits until it is ready.
    async fn get_ready(
        &mut self,
        conditions: &Conditions,
        sent: &SentLines,
        position: &Position,
        side: Side,
        watcher: Option<&Arc<dyn Watcher>>,
        mut opponent: Option<&mut Player>,
    ) -> Result<(), NotReady> {
        let start = Start { sent, position, you: side, settings: &conditions.settings };
        if let Some(mut player) = self.seat.kept.take() {
            match player.ready(&start, waiting(&mut opponent)).await {
                Ok(Ok(())) => {
                    self.seat.kept = Some(player);
                    return Ok(());
                }
                // What it did after its last game is no fault, so it is started again like one that was not
                // kept.
                Ok(Err(answer))
                    if answer.exit.is_some()
                        || answer.garbled.is_some()
                        || matches!(
                            answer.exceeded,
                            Some(LimitExceeded::Output | LimitExceeded::Scratch(_))
                        ) =>
                {
                    player.stop().await;
                }
                failed => {
                    return Err(self.not_ready(failed.map(Result::err), player, conditions, position).await);
                }
            }
        }
        waiting(&mut opponent).stop();
        let Seat { name, contender, .. } = &*self.seat;
        let mut player = match Player::start(contender, name, conditions, watcher).await {
            Ok(player) => player,
            Err(BotError::Unstartable(why)) => return Err(NotReady::Fault(format!("cannot be run: {why}"))),
            Err(BotError::Broken(what)) => return Err(NotReady::Broken(what)),
        };
        match player.ready(&start, waiting(&mut opponent)).await {
            Ok(Ok(())) => {
                self.seat.kept = Some(player);
                Ok(())
            }
            failed => Err(self.not_ready(failed.map(Result::err), player, conditions, position).await),
        }
    }

    /// Ends a player that did not get ready, and returns the reason.
    async fn not_ready(
        &mut self,
        failed: Result<Option<Answer>, BotError>,
        mut player: Player,
        conditions: &Conditions,
        position: &Position,
    ) -> NotReady {
        let answer = match failed {
            Ok(answer) => answer.unwrap_or_default(),
            Err(error) => return NotReady::Broken(error.to_string()),
        };
        let forfeit = conditions.no_start(position, &answer, conditions.stderr);
        let (sentence, _) = player.explain(&forfeit).await;
        self.delays = player.bot().map(Bot::take_delays).unwrap_or_default();
        self.left = Some(player.stop().await);
        NotReady::Fault(sentence)
    }

    /// What the player had to do with delays in this game.
    fn delays(&mut self) -> Delays {
        let bot = self.seat.kept.as_mut().and_then(Player::bot);
        bot.map_or(self.delays, Bot::take_delays)
    }

    /// Sends the player the end of the game, then keeps it or ends it.
    async fn finish(&mut self, end: &End<'_>) -> Left {
        let Some(mut player) = self.seat.kept.take() else { return self.left.take().unwrap_or_default() };
        player.end(end);
        let at_fault = match end.outcome {
            Outcome::Forfeit(loser, _) => loser == end.you,
            Outcome::Aborted(_) => true,
            _ => false,
        };
        if player.is_reusable() && !at_fault {
            let notes = player.take_notes();
            self.seat.kept = Some(player);
            return Left { notes, report: None };
        }
        player.stop().await
    }
}
