// @ts-check
// The keys of two viewers: in the terminal (`arbiter replay`), on the page, and what they do. One
// that a viewer does not have is empty there. arbiter reads the list as JSON.

export const KEYS = [
  ["left right", "← →", "one ply back or on; faster when held"],
  ["", "swipe", "one ply back or on, on the board"],
  ["up down", "↑ ↓", "the last or the next ply of the same bot"],
  ["home end", "home end", "the start position, the end"],
  ["g", "g", "go to a ply by its number"],
  ["space", "space", "play, or stop playing"],
  ["+ -", "+ −", "play faster, slower"],
  ["r", "r", "play in the time that each ply took, or evenly"],
  ["n p", "n p", "the next game, the one before"],
  ["", "N P", "the next game of the same two bots, the one before"],
  ["/", "/", "the list of games, with a filter"],
  ["f", "f", "turn the board"],
  ["m", "", "legal moves of the square under a cursor"],
  ["v", "", "another graph: score, depth, time"],
  ["pgup pgdn", "", "scroll what the bots wrote"],
  ["t", "", "the proof of where it was lost, and back"],
  ["", "t", "the board as text"],
  ["y e", "", "copy the position text, write it as SVG here"],
  ["", "y", "copy the position text"],
  ["", "s", "save the game as PGN"],
  ["?", "?", "these keys"],
  ["esc", "", "close a list, a page or the cursor"],
  ["", "esc", "back to the table"],
  ["q", "", "quit; Ctrl-C as well"]
];
