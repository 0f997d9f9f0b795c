//! One game between two players, from its start to its end.

use super::conditions::Conditions;
use super::machine::{Disturbance, Machine};
use super::person::{PERSON_LEFT, STOPPED};
use super::player::{Player, PlayerSpec, as_opponent};
use super::seat::Seat;
use arbiter_game::record::{Record, SideTimes, notable_wait};
use arbiter_game::{
    Abort, Allowance, Answer, ClockKind, End, Event, Fault, Forfeit, Note, Outcome, Played,
    Referee, Request, SentLines, Start, Step, TimeSettings, Turn, Watcher,
};
use arbiter_host::bot::{BotError, Delays, ExitReport, Notes, kept_waiting, wait};
use arbiter_rank::schedule::Pairing;
use arbiter_rules::{BySide, Position, RulesFault, Side};
use std::sync::Arc;
use std::time::Duration;

/// A game that is to be played.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The game's id and numbers.
    pub pairing: Pairing,
    /// What plays, with the names of the bots.
    pub players: BySide<(String, PlayerSpec)>,
    /// Which attempt at it this is, from 1.
    pub attempt: u32,
    /// The position that the game begins from.
    pub start: Position,
}

/// A game that is over.
#[derive(Debug, Clone)]
pub struct Finished {
    pub pairing: Pairing,
    /// Which attempt at it this was, from 1.
    pub attempt: u32,
    /// Its log.
    pub record: Record,
    /// Why it was aborted, if arbiter itself failed or the machine disturbed it.
    pub broken: Option<String>,
    /// How the rules of the game failed, if that aborted it.
    pub fault: Option<RulesFault>,
    /// Of a bot that lost by its time: how long it had waited for a processor since it was started,
    /// and arbiter in this game, as far as that is known.
    pub waited: Option<Duration>,
    /// What the bots wrote for their authors.
    pub notes: BySide<Notes>,
    /// How the bots that were not kept for the next game ended.
    pub exits: BySide<Option<ExitReport>>,
}

impl Finished {
    /// Whether it was broken off because its person left, or because the program ends.
    pub fn is_without_person(&self) -> bool {
        matches!(self.broken.as_deref(), Some(PERSON_LEFT | STOPPED))
    }
}

/// Sends the events of the game to its log and to the watcher.
struct Stream<'a> {
    record: Record,
    times: BySide<SideTimes>,
    watcher: Option<&'a Arc<dyn Watcher>>,
}

impl Stream<'_> {
    fn send(&mut self, event: Event) {
        if let Some(watcher) = self.watcher {
            watcher.event(event.clone());
        }
        match &event {
            Event::Played { side, played: Played { note: Some(note), .. }, .. } => {
                self.times[*side].add(note);
            }
            Event::Ended { outcome: Outcome::Forfeit(loser, _), reply: Some(note), .. } => {
                self.times[*loser].add(note);
            }
            _ => {}
        }
        self.record.add(event);
    }

    fn send_asked(&self, turn: &Turn<'_>) {
        if let Some(watcher) = self.watcher {
            let budget = turn.clocks[turn.side];
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

/// Plays one game. Players that were not kept from an earlier game are started; those that can play
/// again are kept.
pub(super) async fn play(
    conditions: &Conditions,
    assignment: Assignment,
    mut seats: BySide<&mut Seat>,
    machine: &mut Machine,
    watcher: Option<&Arc<dyn Watcher>>,
) -> Finished {
    let Assignment { pairing, players: _, attempt, start } = assignment;
    let start = start.detached();
    let own = seats.as_ref().map(|seat| seat.own_clock());
    let settings = conditions.settings.with_own_clocks(own);
    let conditions = &Conditions { settings, ..conditions.clone() };
    let mut referee = Referee::begin(&conditions.settings, start.clone());
    let sent = conditions.sent(&pairing.id);
    let mut stream = Stream {
        record: empty_record(conditions, &pairing, &sent, start.clone(), &seats),
        times: BySide::from_fn(|_| SideTimes::default()),
        watcher,
    };
    machine.begin_game();
    let waited_before = kept_waiting();
    let names = stream.record.players.clone();
    stream.send(Event::Began { number: pairing.number, players: names, start: start.clone() });
    let mut order = Side::BOTH;
    // A bot that fills the disk while it starts may keep its opponent from starting, which is
    // nobody's fault. In the next attempt its opponent starts first.
    if attempt.is_multiple_of(2) {
        order.reverse();
    }
    let ready = get_ready(order, &mut seats, conditions, &sent, &start, watcher).await;
    let mut reasons = judge_start(&mut referee, ready);
    ask_until_over(&mut referee, &mut seats, conditions, &mut reasons, &mut stream).await;
    let waited = wait_of_late_bot(&referee, &mut seats, waited_before);
    let delays = seats.as_mut().map(|seat| seat.take_delays());
    let disturbance = machine.disturbance(delays);
    if let Some(Disturbance { signs, annuls: true }) = &disturbance
        && conditions.settings.rules.replay_disturbed
        && attempt < conditions.tries
        && referee.position().fault().is_none()
    {
        reasons.broken = Some(format!("the machine disturbed the game: {signs}"));
        referee.annul();
    }
    let outcome = referee.outcome().unwrap_or_else(|| referee.abort());
    let mut fault = None;
    if outcome == Outcome::Aborted(Abort::Rules) {
        fault = referee.position().fault().cloned();
    }
    let detail = reasons.detail(outcome, &stream.record.players, fault.as_ref());
    let Reasons { reply, broken, .. } = reasons;
    stream.send(Event::Ended { outcome, detail, reply });
    let ends = BySide::from_fn(|you| End {
        you,
        position: referee.position(),
        plies: referee.plies(),
        outcome,
        detail: stream.record.detail.as_deref(),
    });
    let BySide { first, second } = &mut seats;
    // Both at the same time: each may take as long as a program may take to end.
    let (first, second) = tokio::join!(first.finish(&ends.first), second.finish(&ends.second));
    let Stream { mut record, times, .. } = stream;
    if let Outcome::Own { .. } | Outcome::Rules(_) = outcome {
        record.margin = referee.position().margin();
    }
    if let Some(found) = disturbance {
        record.more.push(("Disturbed".to_owned(), found.signs));
    }
    note_notable_times(&mut record, times, delays, &conditions.settings.time);
    Finished {
        pairing,
        attempt,
        record,
        broken,
        fault,
        waited,
        notes: BySide { first: first.notes, second: second.notes },
        exits: BySide { first: first.exit, second: second.exit },
    }
}

/// Of a bot that lost by its time: how long it and arbiter have waited for a processor.
fn wait_of_late_bot(
    referee: &Referee,
    seats: &mut BySide<&mut Seat>,
    waited_before: Option<Duration>,
) -> Option<Duration> {
    let Some(Outcome::Forfeit(loser, Fault::Timeout)) = referee.outcome() else { return None };
    let mut waited = seats.as_mut()[loser].waited();
    // An answer that arbiter reads late comes late, too.
    if let (Some(waited), Some(now), Some(was)) = (&mut waited, kept_waiting(), waited_before) {
        *waited += now.saturating_sub(was);
    }
    waited
}

/// Adds the times of both sides to the log if one of them waited or slept long enough to matter.
fn note_notable_times(
    record: &mut Record,
    mut times: BySide<SideTimes>,
    delays: BySide<Delays>,
    settings: &TimeSettings,
) {
    let is_cpu = settings.clock == ClockKind::Cpu;
    let mut is_notable = false;
    for side in Side::BOTH {
        let of_side = &mut times[side];
        of_side.waited = notable_wait(delays[side].waited, of_side.plies, settings.control[side]);
        is_notable |= !of_side.waited.is_zero() || is_cpu && of_side.sleeps();
    }
    if is_notable {
        record.note_times(&times);
    }
}

/// Starts the players one after the other, so that neither slows down the other's start.
async fn get_ready(
    order: [Side; 2],
    seats: &mut BySide<&mut Seat>,
    conditions: &Conditions,
    sent: &SentLines,
    start: &Position,
    watcher: Option<&Arc<dyn Watcher>>,
) -> BySide<Result<(), BotError>> {
    let mut ready = BySide { first: Ok(()), second: Ok(()) };
    for side in order {
        let (seat, opponent) = seats.as_mut().seen_by(side);
        let mut opponent = opponent.player.as_mut();
        // One that is ready already, or was kept from the last game, must not compute meanwhile.
        if let Some(bot) = opponent.as_deref_mut().and_then(Player::bot) {
            bot.hold();
        }
        let start = Start { sent, position: start, you: side, settings: &conditions.settings };
        ready[side] = seat.get_ready(conditions, &start, watcher, opponent).await;
        if let (Ok(()), Some(watcher)) = (&ready[side], watcher) {
            watcher.event(Event::Ready { side });
        }
    }
    for seat in [&mut seats.first, &mut seats.second] {
        if let Some(bot) = seat.player.as_mut().and_then(Player::bot) {
            bot.release();
        }
    }
    ready
}

/// The log of a game without events.
fn empty_record(
    conditions: &Conditions,
    pairing: &Pairing,
    sent: &SentLines,
    start: Position,
    seats: &BySide<&mut Seat>,
) -> Record {
    let settings = &conditions.settings;
    Record {
        event: conditions.event.clone(),
        site: "?".to_owned(),
        date: conditions.date.clone(),
        round: format!("{}.{}", pairing.round, pairing.game),
        players: seats.as_ref().map(|seat| seat.name.clone()),
        start,
        time_control: settings.time.control.map(|control| Some(control.to_string())),
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
        margin: None,
        more: Vec::new(),
        plies: Vec::with_capacity(256),
        reply: None,
        outcome: Outcome::Aborted(Abort::Broken),
    }
}

/// Ends the game if a player did not get ready.
fn judge_start(referee: &mut Referee, ready: BySide<Result<(), BotError>>) -> Reasons {
    let mut reasons = Reasons::default();
    for (side, started) in Side::BOTH.into_iter().zip([ready.first, ready.second]) {
        match started {
            Err(BotError::Unstartable(sentence)) => reasons.faults[side] = Some(sentence),
            Err(BotError::Broken(what)) => reasons.broken = Some(what),
            Ok(()) => {}
        }
    }
    let is_fault = reasons.faults.as_ref().map(Option::is_some);
    if reasons.broken.is_some() {
        let _ = referee.abort();
    } else if let Step::Over(Outcome::Forfeit(..)) = referee.fail_start(is_fault) {
        reasons.reply = Some(Note::default());
    }
    reasons
}

/// The last question to a player, and the answer.
struct Asked {
    number: usize,
    limit: Option<Duration>,
    allowance: Allowance,
    answer: Answer,
}

/// The loop of questions and answers, until the game is over. The rules of a custom game answer as
/// a player does, while the event loop goes on.
async fn ask_until_over(
    referee: &mut Referee,
    seats: &mut BySide<&mut Seat>,
    conditions: &Conditions,
    reasons: &mut Reasons,
    stream: &mut Stream<'_>,
) {
    let mut asked = None;
    loop {
        // Before the first question too: passes may be forced at the start.
        for event in referee.events() {
            stream.send(event);
        }
        match referee.request() {
            Request::AskRules(question) => referee.hear_rules(question.hear().await),
            Request::Ask(turn) => match ask(&turn, seats, conditions, stream).await {
                Ok(mut heard) => {
                    referee.hear(&mut heard.answer);
                    asked = Some(heard);
                }
                Err(why) => {
                    reasons.broken = Some(why);
                    return;
                }
            },
            Request::Over(outcome) => {
                // A player that did not get ready was not asked, and has explained it already.
                if let (Outcome::Forfeit(side, fault), Some(asked)) = (outcome, asked) {
                    explain(referee, seats, conditions, reasons, (side, fault), &asked).await;
                }
                return;
            }
        }
    }
}

/// Asks the player on move.
///
/// # Errors
/// Why the game is broken off.
async fn ask(
    turn: &Turn<'_>,
    seats: &mut BySide<&mut Seat>,
    conditions: &Conditions,
    stream: &Stream<'_>,
) -> Result<Asked, String> {
    let (mover, opponent) = seats.as_mut().seen_by(turn.side);
    let mut opponent = opponent.player.as_mut();
    let Some(player) = &mut mover.player else { return Err("a player is missing".to_owned()) };
    if !conditions.pause.is_zero() && !turn.plies.is_empty() && turn.refused.is_none() {
        as_opponent(Some(player)).stop();
        as_opponent(opponent.as_deref_mut()).stop();
        wait(conditions.pause).await;
    }
    stream.send_asked(turn);
    let number = turn.number();
    if conditions.stop_before.is_some_and(|ply| number >= ply) {
        if let Some(bot) = player.bot() {
            bot.show_turn(turn);
        }
        return Err(format!("stopped before ply {number}"));
    }
    let answer = player.ask(turn, opponent).await.map_err(|error| error.to_string())?;
    Ok(Asked { number, limit: turn.limit, allowance: turn.allowance, answer })
}

/// Has the player on this side explain why it lost by its last answer.
async fn explain(
    referee: &Referee,
    seats: &mut BySide<&mut Seat>,
    conditions: &Conditions,
    reasons: &mut Reasons,
    (side, fault): (Side, Fault),
    asked: &Asked,
) {
    let Some(player) = &mut seats.as_mut()[side].player else { return };
    let Asked { number, limit, allowance, answer } = asked;
    let forfeit = Forfeit {
        fault,
        position: referee.position(),
        number: *number,
        answer,
        refused: referee.refused(),
        limit: *limit,
        allowance: *allowance,
        isolation: conditions.strict_isolation(),
        stderr: conditions.stderr,
    };
    let (sentence, text) = player.explain(&forfeit).await;
    reasons.faults[side] = Some(sentence);
    reasons.reply = Some(Note { wall: Some(answer.used), cpu: answer.cpu, text });
}

impl Reasons {
    /// The `Detail` tag: which player or which rules did what wrong.
    fn detail(
        &self,
        outcome: Outcome,
        names: &BySide<String>,
        fault: Option<&RulesFault>,
    ) -> Option<String> {
        match outcome {
            Outcome::Forfeit(loser, _) => {
                let sentence = self.faults[loser].as_ref()?;
                Some(format!("{}: {sentence}", names[loser]))
            }
            Outcome::NeitherStarted => {
                let both = Side::BOTH.map(|side| {
                    let why = self.faults[side].as_deref().unwrap_or("did not start");
                    format!("{}: {why}", names[side])
                });
                Some(both.join("; "))
            }
            Outcome::Aborted(Abort::Broken) => Some(format!("arbiter: {}", self.broken.as_ref()?)),
            Outcome::Aborted(Abort::Rules) => fault.map(ToString::to_string),
            _ => None,
        }
    }
}
