// @ts-check
// A page that is served: it follows its tournament and shows the running games.

/** @import { BotVersion, RunningGame, Seat, Update } from './types' */
import { blockText, league, readBlock, takeGames, takeLeague, takeTable } from './data.js';
import { byId, element } from './element.js';
import { drawAges, verdictText } from './league.js';
import { started } from './main.js';
import { drawHead } from './overview.js';
import { followPerson, followSeat, own, personSection, seatSection } from './play.js';
import { due, redrawSoon, sayState, takeEach } from './redraw.js';
import { advanced, liveClock, liveParts } from './running.js';
import { visible } from './text.js';

/** The running games by the ids of what shows them. @type {Map<string, RunningGame>} */
const running = new Map();

/** The seat of the person at this page; null if it is not that of a seat. @type {Seat | null} */
let ownSeat = null;

/** @param {string} id @param {RunningGame} game */
function drawRunning(id, game) {
  let shown = document.getElementById(id);
  if (shown === null) {
    shown = element('article', { id, class: 'running' });
    byId('running').append(shown);
  }
  shown.replaceChildren(...Object.values(liveParts(game)));
  byId('section-running').hidden = false;
}

function drawClocks() {
  /** @type {[string, RunningGame][]} */
  const person = own?.game ? [['person-board', own.game]] : [];
  for (const [id, game] of [...running, ...person]) {
    for (const clock of byId(id).querySelectorAll('.clock')) {
      clock.textContent = liveClock(game, Number(clock.getAttribute('data-side')));
    }
  }
}

/** Whether no update follows this one. @param {Update} update */
const isLast = ({ over, reload }) => Boolean(over || reload);

/** Takes an update. @param {Update} update */
async function takeUpdate(update) {
  if (update.reload) {
    location.reload();
    return;
  }
  for (const batch of update.games) {
    await takeGames(batch);
    due.table = true;
    due.list = true;
  }
  if (update.table !== undefined) {
    takeTable(update.table);
    due.table = true;
  }
  if (update.league !== undefined) {
    const before = league?.versions ?? null;
    takeLeague(update.league);
    sayVerdict(before);
    due.league = true;
  }
  for (const change of update.running) {
    const id = `running-${change.slot}`;
    const game = advanced(running.get(id), change);
    // At a seat the game is shown where it is played.
    if (game !== undefined && ownSeat === null) {
      running.set(id, game);
      drawRunning(id, game);
    }
  }
  if (due.table || due.league || due.list) {
    redrawSoon();
  }
  if (update.over) {
    setState('over', 'The run has ended; this page shows its last state.');
  }
}

/** Says the newest verdict, if it has just come. @param {BotVersion[] | null} before */
function sayVerdict(before) {
  if (before === null || league === null) {
    return;
  }
  const known = new Set(before.map(({ bot, number, state }) => `${bot} ${number} ${state}`));
  const news = league.versions.find(({ bot, number, state }) =>
    (state === 'plays' || state === 'refused') && !known.has(`${bot} ${number} ${state}`));
  if (news !== undefined) {
    const { bot, number, state } = news;
    byId('league-state').textContent =
      `${visible(bot)}, version ${number}: ${verdictText(state)}`;
  }
}

/** @param {string} state @param {string} said */
function setState(state, said) {
  sayState(said);
  document.documentElement.dataset.live = state;
  drawHead();
}

/**
 * Follows the page after the update of this number.
 *
 * A browser connects again by itself if a connection breaks off, but not after an answer without
 * events: that of a server that is full, or of a proxy whose server does not run.
 * @param {number} from
 */
function follow(from) {
  let last = from;
  const source = new EventSource(`events?from=${from}`);
  source.addEventListener('open', () => setState('true', 'Live.'));
  source.addEventListener('message', ({ lastEventId }) => {
    last = Number(lastEventId) || last;
  });
  source.addEventListener('error', () => {
    if (document.documentElement.dataset.live === 'over') {
      return;
    }
    setState('lost', 'The connection is lost; trying again …');
    if (source.readyState === EventSource.CLOSED) {
      // Not all readers at the same moment.
      setTimeout(() => follow(last), 5000 + Math.random() * 10_000);
    }
  });
  takeEach(source, isLast, takeUpdate);
}

/**
 * Which of two persons is at this page; null if neither is.
 * @param {[string, string] | null} names
 * @returns {Promise<Seat | null>}
 */
async function seatOf(names) {
  if (names === null) {
    return null;
  }
  const { seat } = await (await fetch('seat')).json();
  return seat === null ? null : { seat, name: names[seat], other: names[1 - seat] };
}

started.then(async () => {
  const { from, opponents, seats, rules } = await readBlock(blockText('live'));
  ownSeat = await seatOf(seats);
  const parts = element('main', { id: 'live' },
    element('p', { id: 'live-state', class: 'hint', role: 'status' }),
    element('p', { id: 'league-state', class: 'spoken', role: 'status' }),
    opponents === null ? null : personSection(opponents, rules),
    ownSeat === null ? null : seatSection(ownSeat, rules));
  byId('overview').before(parts);
  const heading = { hidden: true, 'aria-labelledby': 'heading-running' };
  byId('front').prepend(element('section', { id: 'section-running', ...heading },
    element('h2', { id: 'heading-running' }, 'Running games'), element('div', { id: 'running' })));
  const show = () => {
    parts.hidden = byId('overview').hidden;
  };
  window.addEventListener('hashchange', show);
  show();
  setInterval(drawClocks, 100);
  setInterval(drawAges, 10_000);
  follow(from);
  const known = sessionStorage.getItem('arbiter-game');
  if (opponents !== null && known !== null) {
    followPerson(Number(known));
  }
  if (ownSeat !== null) {
    followSeat(ownSeat);
  }
});
