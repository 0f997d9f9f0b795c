'use strict';
// The list of games and its filter. The address has the filter (`filter`) and the bots whose games are shown (`bot`).

/** Games that the list shows at first, and that a press of its button adds. */
const [FIRST_ROWS, MORE_ROWS] = [24, 240];

/** Results by the words for them. */
const RESULTS = { '1-0': '1-0', '0-1': '0-1', '1/2': '1/2-1/2', '1/2-1/2': '1/2-1/2', '*': '*' };

/**
 * A filter as in `arbiter replay`: every word must hold. `>50` and `<20` are about the number of plies,
 * `1-0`, `0-1`, `1/2-1/2` or `1/2`, and `*` about the result as the list shows it; any other word is part of a name, the end, or the id.
 */
function filterOf(text) {
  const holds = (word) => {
    const [, sign, number] = /^([<>])(\d*)$/.exec(word) ?? [];
    if (sign !== undefined) {
      return number === '' ? () => true : (game) => (sign === '>' ? game.plies > number : game.plies < number);
    }
    if (Object.hasOwn(RESULTS, word)) {
      return (game) => scoreText(game) === RESULTS[word];
    }
    const part = word.toLowerCase();
    return (game) =>
      [...game.players, game.outcome, game.termination, game.id ?? '', game.more.sent?.[0] ?? ''].some((field) =>
        field.toLowerCase().includes(part),
      );
  };
  const tests = text.split(/\s+/).filter((word) => word !== '').map(holds);
  return (game) => tests.every((test) => test(game));
}

/** The games that the list shows, in their order. */
function chosenGames() {
  const passes = filterOf(query.get('filter') ?? '');
  const bots = query.getAll('bot');
  return games.filter((game) => bots.every((name) => game.players.includes(name)) && passes(game));
}

/** Shows the games of these bots that pass a filter, and goes to the list. */
function showGames(bots, filter = query.get('filter') ?? '') {
  choose('bot', bots);
  choose('filter', filter === '' ? [] : [filter], 'games');
  drawList();
  document.getElementById('section-games').scrollIntoView();
  document.getElementById(bots.length > 0 ? 'everything' : 'filter').focus();
}

/** The words that the filter understands, as buttons that put them in or take them out. */
function filterWords() {
  const ends = new Set(games.flatMap((game) => [game.outcome, game.termination]));
  const results = new Set(games.map(scoreText));
  const known = Object.keys(RESULTS).filter((word) => word !== '1/2-1/2' && results.has(RESULTS[word]));
  const words = () => (query.get('filter') ?? '').split(/\s+/).filter((word) => word !== '');
  return [...known, ...[...ends].sort()].filter((word) => /^\S+$/.test(word)).map((word) =>
    element('button', {
      type: 'button', class: 'word', 'data-word': word,
      click: () => showGames(query.getAll('bot'),
        (words().includes(word) ? words().filter((other) => other !== word) : [...words(), word]).join(' ')),
    }, visible(word)));
}

function gamesSection() {
  const filter = element('input', {
    id: 'filter', type: 'search', placeholder: 'words that must all hold', autocomplete: 'off', spellcheck: 'false',
    'aria-describedby': 'filter-words',
    keydown: (event) => event.key === 'Enter' && document.querySelector('#list a')?.focus(),
    input: (event) => {
      choose('filter', event.target.value === '' ? [] : [event.target.value], 'games');
      drawList();
    },
  });
  return section('games', 'Games',
    element('p', { class: 'tools' }, element('label', { for: 'filter' }, 'Filter '), filter,
      element('span', { id: 'pair' }), element('span', { id: 'found', role: 'status' })),
    element('p', { class: 'printed-only', id: 'chosen' }),
    element('p', { class: 'tools words', id: 'filter-words' },
      'part of a name or an id, ', element('code', {}, '>50'), ' or ', element('code', {}, '<20'),
      ' plies, results with who moves first in front, and ends: ', element('span', { id: 'words', class: 'tools' })),
    counts.leftOut > 0
      ? element('p', { class: 'warning', id: 'left-out' },
        `This page shows the first ${counted(games.length, 'game')} and leaves out ` +
          `${counts.leftOut.toLocaleString('en')} that came after them. The table counts all.`)
      : null,
    element('ol', { id: 'list', class: 'games' }), element('p', { id: 'more' }));
}

/** Shows the games of the filter, some at first, more when they are asked for. `least` are shown in any case. */
function drawList(least = FIRST_ROWS) {
  const found = chosenGames();
  const bots = query.getAll('bot');
  const filter = document.getElementById('filter');
  const wanted = query.get('filter') ?? '';
  if (filter.value !== wanted) {
    filter.value = wanted;
  }
  const words = filter.value.split(/\s+/);
  const known = document.getElementById('words');
  if (known.dataset.games !== String(games.length)) {
    known.dataset.games = games.length;
    known.replaceChildren(...filterWords());
  }
  known.querySelectorAll('[data-word]').forEach((button) =>
    button.setAttribute('aria-pressed', String(words.includes(button.dataset.word))));
  document.getElementById('pair').replaceChildren(
    ...bots.flatMap((name, at) => [at === 0 ? 'of ' : ' against ', botLink(name)]),
    ...(bots.length === 0
      ? []
      : [' ', element('button', { type: 'button', id: 'everything', click: () => showGames([]) }, 'all bots')]));
  document.getElementById('found').textContent = found.length === games.length
    ? counted(found.length, 'game') : `${found.length} of ${counted(games.length, 'game')}`;
  // What the tools say is not printed.
  document.getElementById('chosen').textContent = bots.length === 0 && wanted.trim() === ''
    ? '' : `${visible([bots.join(' against '), wanted].join(' '))}: ${document.getElementById('found').textContent}`;
  fillList(document.getElementById('list'), document.getElementById('more'), found.length,
    (at) => gameRow(found[at]), Math.max(least, FIRST_ROWS));
}

/** Fills a list with its first rows, and its foot with a button for more of `count`. */
function fillList(list, foot, count, row, first = FIRST_ROWS) {
  const add = (many) => {
    const from = list.children.length;
    const to = Math.min(count, from + many);
    list.append(...Array.from({ length: to - from }, (_, at) => row(from + at)));
    foot.replaceChildren(...(to < count
      ? [element('button', { type: 'button', click: () => add(MORE_ROWS) }, `Show more: ${(count - to).toLocaleString('en')} left`)]
      : []));
  };
  list.replaceChildren();
  add(first);
}

function gameRow(game) {
  const won = winner(game);
  const player = (side) => {
    const bot = nameElement(game.players[side]);
    bot.classList.toggle('won', won === side);
    return bot;
  };
  return element('li', {},
    element('a', { href: linkTo(game) },
      thumbnail(game.board, finalCells(game)),
      element('span', { class: 'who' }, player(0), element('b', { class: 'score' }, scoreText(game)), player(1)),
      element('span', { class: game.outcome === 'forfeit' ? 'how forfeit' : 'how' }, visible(endText(game))),
      element('span', { class: 'length' }, plies(game.plies)),
      element('span', { class: 'id' }, visible(gameName(game)))));
}
