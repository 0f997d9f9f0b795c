'use strict';
// The crosstable. Of many bots it shows the neighbourhood of one in the table, and the whole as a picture.

/** Bots that are shown at the same time, columns of a part that is printed, and bots whose whole table is printed. */
const [NEIGHBOURS, PRINTED_COLUMNS, PRINTED_BOTS] = [25, 12, 100];
/** Bots up to which there is a picture. */
const PICTURE = 2000;

/** Points and numbers of games of each two bots, by their places in the table. */
class Crosstable {
  constructor() {
    const size = table.bots.length;
    this.size = size;
    this.places = new Map(table.bots.map((bot, at) => [bot.name, at]));
    this.points = new Float32Array(size * size);
    this.games = new Uint32Array(size * size);
    for (const { bot, opponent, games: count, points } of table.crosstable) {
      this.put(this.places.get(bot), this.places.get(opponent), points, count);
      this.put(this.places.get(opponent), this.places.get(bot), count - points, count);
    }
  }

  put(row, column, points, count) {
    this.points[row * this.size + column] = points;
    this.games[row * this.size + column] = count;
  }

  /** Points and games of a bot against another; null if they have not met. */
  at(row, column) {
    const at = row * this.size + column;
    return this.games[at] === 0 ? null : { points: this.points[at], games: this.games[at] };
  }
}

/** The class of the colour of a score from 0 to 1. */
const scoreClass = (share) => `score score${Math.round(share * 10)}`;

function crosstableSection() {
  const { bots } = table;
  if (bots.length < 2) {
    return null;
  }
  if (bots.length > PICTURE) {
    return section('crosstable', 'Crosstable',
      element('p', {}, `With ${counted(bots.length, 'bot')} it is too large. The page of a bot has its results against each other.`));
  }
  const results = new Crosstable();
  const all = bots.map((_, at) => at);
  const isWhole = bots.length <= NEIGHBOURS;
  const near = Math.max(0, bots.findIndex((bot) => bot.name === query.get('near')));
  const from = Math.max(0, Math.min(near - Math.floor(NEIGHBOURS / 2), bots.length - NEIGHBOURS));
  const shown = isWhole ? all : all.slice(from, from + NEIGHBOURS);
  const cut = element('div', { class: 'printed-only' });
  // What fits no page is cut into parts when the page is printed.
  window.onbeforeprint = () => {
    const parts = bots.length > PRINTED_BOTS ? [shown] : [all];
    const isPart = parts[0].length < bots.length;
    cut.replaceChildren(...(isPart ? [placesOf(shown)] : []), ...parts.flatMap((rows) => parted(rows).map((columns) => crosstable(results, rows, columns))));
  };
  window.onafterprint = () => cut.replaceChildren();
  return section('crosstable', 'Crosstable',
    element('p', { class: 'hint' },
      'Points of the row’s bot and the number of games; blue where it scored more than half, orange where less. A cell leads to the games.'),
    isWhole ? null : neighbourhoodChoice(near, shown),
    element('div', { class: 'screen-only' }, crosstable(results, shown, shown)), cut,
    isWhole ? null : picture(results));
}

/** Places in parts that fit the width of a page. */
function parted(places) {
  const count = Math.ceil(places.length / PRINTED_COLUMNS);
  return Array.from({ length: count }, (_, at) => places.slice(at * PRINTED_COLUMNS, (at + 1) * PRINTED_COLUMNS));
}

/** Which places of the table are shown. */
const placesOf = (shown) => element('span', { class: 'hint' },
  `places ${shown[0] + 1} to ${shown.at(-1) + 1} of ${table.bots.length}; all of them are in the picture below`);

/** Chooses the bot whose neighbourhood is shown. */
function neighbourhoodChoice(near, shown) {
  const change = (event) => {
    choose('near', [event.target.value], 'crosstable');
    drawPart('crosstable');
    document.getElementById('near').focus();
  };
  return element('p', { class: 'tools' },
    element('label', { for: 'near' }, 'Bots near'),
    element('select', { id: 'near', change }, ...table.bots.map(({ name, rank }, at) =>
      element('option', { value: name, selected: at === near }, `${rank}. ${visible(name)}`))),
    placesOf(shown));
}

/** The rows and columns of bots at these places. */
function crosstable(results, rows, columns) {
  const { bots } = table;
  const cell = (row, column) => {
    const found = results.at(row, column);
    if (found === null) {
      return element('td', { class: row === column ? 'self' : 'none' }, row === column ? '' : '–');
    }
    const [one, other] = [bots[row].name, bots[column].name];
    const label = `${visible(one)} against ${visible(other)}: ${found.points} of ${found.games}`;
    return element('td', { class: scoreClass(found.points / found.games) },
      element('button', { type: 'button', class: 'cell', 'aria-label': label, title: label, click: () => showGames([one, other]) },
        fixed(found.points), element('small', {}, `/${found.games}`)));
  };
  const lines = rows.map((row) => element('tr', {},
    element('td', { class: 'number place' }, String(bots[row].rank)),
    element('th', { scope: 'row', class: 'bot' }, botLink(bots[row].name)), ...columns.map((column) => cell(row, column))));
  const heads = columns.map((column) => element('th', { scope: 'col', class: 'upright' }, botLink(bots[column].name)));
  const made = element('table', { class: 'crosstable', pointerover: lightColumn, pointerleave: lightColumn },
    element('thead', {}, element('tr', {}, element('td', { class: 'place' }), element('th', { scope: 'col', class: 'bot' }, 'bot'), ...heads)),
    element('tbody', {}, ...lines));
  return element('div', { class: 'scroll both', tabindex: 0, role: 'region', 'aria-label': 'Crosstable' }, made);
}

/** Lights the column of the cell that is pointed at; its row has `:hover`. */
function lightColumn(event) {
  const at = event.type === 'pointerleave' ? -1 : event.target.closest('td, th')?.cellIndex ?? -1;
  for (const row of event.currentTarget.rows) {
    for (const cell of row.cells) {
      cell.classList.toggle('lit', at > 1 && cell.cellIndex === at);
    }
  }
}

/** The whole table, a point for each two bots; a click leads to their games. */
function picture(results) {
  const { size } = results;
  const drawing = element('canvas', { id: 'crosstable-picture', width: size, height: size, role: 'img', 'aria-label': 'Crosstable of all bots' });
  const context = drawing.getContext('2d');
  const pixels = context.createImageData(size, size);
  const paint = (row, column) => {
    const { points, games: count } = results.at(row, column);
    const [red, green, blue] = points * 2 === count ? [128, 128, 128] : points * 2 < count ? [213, 94, 0] : [0, 114, 178];
    const depth = points * 2 === count ? 60 : Math.round(Math.abs(points / count - 0.5) * 510);
    pixels.data.set([red, green, blue, depth], 4 * (row * size + column));
  };
  for (const { bot, opponent } of table.crosstable) {
    const [one, other] = [bot, opponent].map((name) => results.places.get(name));
    paint(one, other);
    paint(other, one);
  }
  context.putImageData(pixels, 0, 0);
  const said = element('figcaption', { class: 'hint', id: 'pointed' });
  const usual = `All ${table.bots.length} bots in the order of the table: a row for each, a point for each opponent.`;
  said.textContent = usual;
  const pointed = (event) => {
    const box = drawing.getBoundingClientRect();
    const place = (from, start, length) => Math.max(0, Math.min(size - 1, Math.floor(((from - start) / length) * size)));
    return [place(event.clientY, box.top, box.height), place(event.clientX, box.left, box.width)];
  };
  drawing.addEventListener('pointermove', (event) => {
    const [row, column] = pointed(event);
    const found = results.at(row, column);
    const [one, other] = [row, column].map((at) => visible(table.bots[at].name));
    said.textContent = `${one} against ${other}: ${found === null ? 'no game' : `${found.points} of ${found.games}`}`;
  });
  drawing.addEventListener('pointerleave', () => {
    said.textContent = usual;
  });
  drawing.addEventListener('click', (event) => {
    const [row, column] = pointed(event);
    goToAddress(addressOfBot(table.bots[row].name, row === column ? null : table.bots[column].name));
  });
  return element('figure', { class: 'picture' }, drawing, said);
}
