'use strict';
// The first view: who leads, the table with a board beside it that plays, and the parts below them.

/** The parts of the first view, which addresses name; each is drawn into a place of its own, and is null if there is nothing to show. */
const PARTS = {
  table: standingsSection, crosstable: crosstableSection, games: gamesSection, bots: botsSection, ratings: ratingsSection,
  rounds: roundsSection, history: historySection, times: timesSection, ends: terminationsSection, notes: notesSection,
  about: aboutSection,
};
/** The parts that the menu names. */
const MENU = { table: 'Table', crosstable: 'Crosstable', games: 'Games', bots: 'Bots', ratings: 'Ratings', ends: 'Ends', about: 'About' };

/** Draws the first view. */
function drawOverview() {
  const place = (id) => element('div', { id: `part-${id}`, class: 'part-place' });
  const [first, ...rest] = Object.keys(PARTS).map(place);
  document.getElementById('overview').replaceChildren(
    element('div', { id: 'front' }, first, element('aside', { id: 'now', 'aria-label': 'A game' })), ...rest);
  drawTables();
  drawPart('games');
  drawList();
  drawMenu();
  showcase.begin();
}

/** Draws a part anew; what scrolls in it stays where it is. */
function drawPart(id) {
  const place = document.getElementById(`part-${id}`);
  const scrolled = Array.from(place.querySelectorAll('.scroll'), ({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  const made = PARTS[id]();
  place.replaceChildren(...(made === null ? [] : [made]));
  place.querySelectorAll('.scroll').forEach((part, at) => part.scrollTo(...(scrolled[at] ?? [0, 0])));
}

/** Draws everything but the list of games anew. */
function drawTables() {
  Object.keys(PARTS).filter((id) => id !== 'games').forEach(drawPart);
  drawHead();
}

/** The links to the parts that exist. */
function drawMenu() {
  const has = (id) => document.getElementById(`section-${id}`) !== null;
  document.getElementById('places').replaceChildren(...Object.entries(MENU).filter(([id]) => has(id)).map(([id, said]) =>
    element('li', {}, element('a', { href: `#${id}` }, said))));
}

/** Who leads, in words. */
function leaderParts() {
  const leaders = table.bots.filter((bot) => bot.rank === 1 && bot.games > 0);
  if (leaders.length === 0 || table.bots.length < 2) {
    return [];
  }
  const isOver = table.games && table.games.played === table.games.scheduled && table.complete !== false;
  const names = leaders.slice(0, 3).flatMap((bot, at) => [at === 0 ? '' : ', ', botLink(bot.name)]);
  const more = leaders.length > 3 ? ` and ${leaders.length - 3} more` : '';
  const [{ points, games: count, rating }] = leaders;
  const verb = leaders.length > 1 ? 'share the first place' : isOver ? 'is first' : 'leads';
  const rated = leaders.length > 1 || rating.rating === null ? '' : `, rating ${signed(rating.rating)}`;
  return [...names, `${more} ${verb} with ${fixed(points)} points of ${counted(count, 'game')}${rated}`];
}

function drawHead() {
  document.getElementById('leader').replaceChildren(...leaderParts());
  const notes = noteLines();
  const warnings = notes.filter((line) => line.startsWith('WARNING')).length;
  const facts = [gameTitle(), table.format].filter(Boolean).map(visible);
  if (table.games) {
    facts.push(`${table.games.played} of ${table.games.at_most ? 'at most ' : ''}${counted(table.games.scheduled, 'game')}`);
  }
  const isRunning = document.documentElement.dataset.live === 'true';
  if (table.complete === false && !isRunning) {
    const isBegun = !table.games || table.games.played > 0;
    facts.push(isBegun ? 'INCOMPLETE: not every game that was to be played counts here' : 'no game has a result yet');
  }
  const said = element('a', { href: '#notes' }, warnings > 0 ? counted(warnings, 'warning') : counted(notes.length, 'note'));
  document.getElementById('facts').replaceChildren(facts.join(' · '), ...(notes.length > 0 ? [' · ', said] : []));
}

/** A finished game beside the table, which plays again and again: the last that was won on the board, else the last with plies. */
const showcase = {
  open: null, ply: 0, timer: null, isStopped: false,

  begin() {
    const played = games.filter((game) => game.plies > 0 && !game.more.trouble);
    const game = played.findLast(({ outcome }) => outcome === 'win') ?? played.at(-1);
    if (game === undefined) {
      return;
    }
    this.open = new OpenGame(game);
    this.isStopped = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const player = (side) => element('p', { class: 'player' },
      disc(game.board, side), botLink(game.players[side]), element('span', { class: 'state' }, endOf(game, side)));
    const stop = element('button', { type: 'button', id: 'showcase-stop', click: () => this.toggle() });
    document.getElementById('now').append(element('article', { id: 'showcase' },
      player(1), element('div', { id: 'showcase-board' }), player(0),
      element('p', { class: 'controls' }, stop, element('a', { id: 'showcase-open', href: linkTo(game) }, 'Open the game'),
        element('span', { id: 'showcase-ply', class: 'hint' }))));
    // It begins with its end, which says most to who sees no more than that.
    this.show(game.plies);
  },

  show(ply) {
    this.ply = ply;
    const { game, steps, boards } = this.open;
    const changes = ply === 0 ? [] : steps[ply - 1].changes;
    const label = `${visible(game.players[0])} against ${visible(game.players[1])}, ply ${ply} of ${game.plies}`;
    document.getElementById('showcase-board').replaceChildren(boardPicture(game.board, boards[ply], changes, false, label));
    document.getElementById('showcase-ply').textContent = `ply ${ply} of ${game.plies}, ${endText(game)}`;
    this.plan();
  },

  /** Waits for the next ply while the first view is shown. */
  plan() {
    clearTimeout(this.timer);
    document.getElementById('showcase-stop').textContent = this.isStopped ? 'Play' : 'Stop';
    const isLast = this.ply === this.open.game.plies;
    if (!this.isStopped && !document.getElementById('overview').hidden) {
      this.timer = setTimeout(() => this.show(isLast ? 0 : this.ply + 1), isLast ? 4000 : 700);
    }
  },

  toggle() {
    this.isStopped = !this.isStopped;
    this.plan();
  },
};
