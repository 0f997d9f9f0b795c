// The shapes of what the page is given and passes on. `games.rs` says how the games are stored, and
// `standings.schema.json` what the fields of the table mean. Nothing of this file is on the page.

// Elements.

/** What an element contains; a string is text. */
export type Child = Node | string | null | undefined;
/** Attributes of an element by their names; a function listens to the event of this name. */
export type Attributes = Record<
  string,
  string | number | boolean | null | undefined | ((event: any) => unknown)
>;

/** A column of a table; with `value` it can be sorted, and `says` is its head in words. */
export interface Column<Row> {
  head: string;
  kind: string;
  cell: (row: Row) => Child;
  value?: (row: Row) => string | number | null;
  says?: string;
}

/** A row of a chart of intervals; `low` or `high` is null where the interval has no bound. */
export interface Interval {
  name: string;
  low: number | null;
  middle: number;
  high: number | null;
  text: string;
}

// Games.

/** A value for each ply, or null. */
export type Series = (number | null)[];
/** A square, and the letter of what a ply did there; `w` is the letter of a square that won. */
export type Mark = [square: number, mark: string];
/** The same, and what the square contains afterwards. */
export type Change = [square: number, mark: string, content: number];

export interface Board {
  game: string;
  title: string;
  letters: string[];
  white: number;
  light?: number;
  columns: string[];
  rows: string[];
  squares: string[];
  others?: [letter: string, side: number][];
  rules?: [file: string, layout: string];
}

/** A ply. The first `own` of its changes are the squares that it names; `end` follows the board in
    the position text; `text` is null if the ply is written as the names of these squares. */
export interface Step {
  side: number;
  own: number;
  end: string;
  changes: Change[];
  micros: number | null;
  text: string | null;
}

/** The clock of a side, in microseconds. */
export interface Clock {
  initial: number;
  increment: number | null;
  first: number | null;
  margin: number;
}

/** What many games are played under. */
export interface Condition {
  board: number;
  options: string;
  start: string;
  event: string;
  site: string;
  date: string;
  time: (string | null)[];
  maxPlies: number | null;
  repetition: number | null;
  seed: string | null;
  isolation: string | null;
  digests: (string | null)[];
  settings: string | null;
  clocks: (Clock | null)[];
}

/** What not all games have. */
export interface More {
  sent?: [id: string | null, first: string, second: string];
  detail?: string;
  /** By how much the winner has won. */
  margin?: string;
  reply?: [seconds: number | null, text: string];
  trouble?: string;
  scores?: Series;
  depths?: Series;
  notes?: [ply: number, text: string][];
  stderr?: string;
  proved?: [ply: number, said: string, proof: string][];
}

export interface Game {
  /** Its place among the games of the page, from 1. */
  number: number;
  id: string | null;
  round: string;
  /** Who moves first, and who moves second. */
  players: string[];
  result: string;
  outcome: string;
  termination: string;
  plies: number;
  condition: Condition;
  board: Board;
  start: string;
  pair: string | null;
  more: More;
  /** Whether it is one of the games of the table. */
  isCounted: boolean;
  steps: () => Step[];
  /** Calls `each` for every ply whose time is known. */
  times: (each: (side: number, micros: number) => void) => void;
}

/** Two bots that met in a round, with the points of each; a bot alone had a bye. */
export interface Pairing {
  bots: string[];
  points: number[];
  winner: string | null;
}

/** What an address names: a place and what is chosen there, or a game and a ply, or nothing. */
export interface Addressed {
  place?: string;
  chosen?: URLSearchParams;
  game?: Game;
  ply?: number | null;
  /** A sentence that says so. */
  unknown?: string;
}

// Games as they are stored.

export type StoredGame = [
  id: string | null,
  round: string,
  first: string,
  second: string,
  result: string,
  outcome: string,
  termination: string,
  plies: number,
  condition: number,
  start: string,
  pair: string | null,
  more?: More,
];
export type Pattern = [
  side: number,
  own: number,
  end: string,
  marks: [mark: string, content: number][],
  text?: string | null,
  held?: number | null,
];
/** What is stored of the plies of a game. */
export interface PlyColumns {
  numbers: number[];
  squares: number[];
  distances: number[];
  times: Series;
}
/** What the page does not show. */
export interface Counts {
  leftOut: number;
  notesLeftOut: number;
  unreadable: number;
  unreadableReason: string | null;
}
export interface Head {
  counts: Counts;
  boards: Board[];
  conditions: Condition[];
  patterns: Pattern[];
}

// The table.

export interface Rating {
  group: number;
  rating: number | null;
  low: number | null;
  high: number | null;
}

/** A bot of the table. */
export interface Bot {
  rank: number;
  name: string;
  display?: string;
  versions: number | null;
  points: number;
  byes: number;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  suicides: number;
  forfeits: number;
  aborted: number;
  repeated: number;
  tie_breaks: { sonneborn_berger: number; buchholz: number };
  rating: Rating;
}

export interface Run {
  time: string;
  bots: { name: string; rating: number | null }[];
}

export interface Sprt {
  model: string;
  elo0: number;
  elo1: number;
  lower: number;
  upper: number;
  llr: number;
  pairs: number;
  verdict: string | null;
}

export interface Table {
  game: string | null;
  options: string | null;
  format: string | null;
  isolation: string | null;
  complete: boolean | null;
  games: { played: number; scheduled: number; at_most: boolean } | null;
  order: string[];
  bots: Bot[];
  crosstable: { bot: string; opponent: string; games: number; points: number }[];
  first_side: { advantage: number | null; low: number | null; high: number | null };
  scatter: number | null;
  anchors: { bot: string }[];
  sprt: Sprt | null;
  milestones: { warnings: string[]; bots: { bot: string; text: string }[] } | null;
  expectations: { text: string; kept: string }[];
  absent: { name: string; reason: string }[];
  notes: string[];
  history: Run[];
}

// A league, as `league_file.rs` reads it.

export interface NextPairing {
  bots: string[];
  why: string;
}

export interface BotVersion {
  bot: string;
  number: number;
  time: string;
  state: string;
  said: string;
}

/** `low` or `high` is null where the interval has no bound. */
export interface CurvePoint {
  time: string;
  version: number;
  rating: number | null;
  low: number | null;
  high: number | null;
}

export interface LeagueBot {
  name: string;
  version: number;
  since: string;
  games: number;
  curve: CurvePoint[];
  yesterday: { rank: number; rating: number | null } | null;
}

/** What a league says of itself. Versions: the newest first. */
export interface League {
  v: number;
  now: string;
  frozen: string | null;
  /** Of other processes that play for the league; absent in states of older versions. */
  workers?: number;
  running: { id: string; since: string }[];
  next: NextPairing[];
  versions: BotVersion[];
  bots: LeagueBot[];
}

/** All of it, or, without `v`, what has changed; `changed` are the bots that did. */
export type LeagueUpdate = League | (Partial<League> & { v?: undefined; changed?: LeagueBot[] });

// The page that is served.

/** What is left on the clock of a side, and how long the side has thought, in milliseconds. */
export type RunningClock = [left: number | null, thinks: number | null];

export type LiveStep = [
  side: number,
  own: number,
  end: string,
  changes: Change[],
  micros: number | null,
  text: string | null,
];

export interface RunningHead {
  id: string;
  players: string[];
  board: Board;
  start: string;
}

/** An update of a running game: the plies after the first `from`; `game` if it is another game. */
export interface RunningUpdate {
  slot: number;
  game?: RunningHead;
  from: number;
  steps: LiveStep[];
  clocks: RunningClock[];
  ended: string | null;
}

export interface RunningGame extends RunningHead {
  cells: Uint8Array;
  steps: Step[];
  clocks: RunningClock[];
  ended: string | null;
  /** When the page heard of its clocks. */
  heard: number;
}

/** The texts of the blocks of games by their names. */
export type Blocks = Record<string, string>;

export interface Update {
  reload?: boolean;
  games: Blocks[];
  table?: Table;
  /** Null if there is no league any more. */
  league?: LeagueUpdate | null;
  running: RunningUpdate[];
  over?: boolean;
}

/** The state of a game of a person. `squares` are those of each of the legal plies. */
export interface PersonState {
  number: number;
  you: number;
  turn: { number: number; legal: string[]; squares: number[][]; refused: string | null } | null;
  trouble: string | null;
  saved: string | null;
  over: boolean;
  /** Of two persons, whether you and the other one are ready for the next game; else null. */
  ready: [boolean, boolean] | null;
}

/** What the page of a person at a seat has to know. */
export interface Seat {
  /** The number of the seat, and what the person and the other one are called. */
  seat: number;
  name: string;
  other: string;
}

export interface PersonUpdate {
  state: PersonState;
  game: RunningUpdate | null;
  finished: Blocks | null;
}

/** The rules of a game in short. */
export interface Rules {
  title: string;
  lines: string[];
  options: string;
  example: { board: Board; start: string; step: LiveStep; caption: string } | null;
}
