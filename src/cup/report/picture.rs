//! A position of a game as a picture: a list of shapes, which [`Picture::svg`] writes as SVG, and
//! which are painted for a GIF elsewhere.
//!
//! Marks are shapes, not only colours, and the two sides are light and dark with their letters, so
//! that a picture can be read without seeing colours, and printed.

use super::{escape, text};
use arbiter_game::replay::{Moment, Timeline};
use arbiter_rules::{Cell, ChangedSquare, Ply, Position, Ruleset, Side, SquareChange};

/// The colours of a picture; those of marks are from the palette of Okabe and Ito.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Behind everything.
    Ground,
    /// An empty square, every second one.
    Square,
    OtherSquare,
    /// Texts and edges.
    Dark,
    /// The pieces of the side that is light.
    Light,
    /// A block, on which no piece can be placed.
    Block,
    /// Where a ply came from and led to.
    Moved,
    /// What a ply captured or pushed.
    Changed,
    /// The line or group that won.
    Won,
    /// A ply that was refused, or that lost.
    Wrong,
}

impl Ink {
    /// Every colour.
    pub const ALL: [Ink; 10] = [
        Ink::Ground,
        Ink::Square,
        Ink::OtherSquare,
        Ink::Dark,
        Ink::Light,
        Ink::Block,
        Ink::Moved,
        Ink::Changed,
        Ink::Won,
        Ink::Wrong,
    ];

    /// Red, green and blue.
    pub fn rgb(self) -> [u8; 3] {
        match self {
            Ink::Ground => [0xfc, 0xfc, 0xfa],
            Ink::Square => [0xe3, 0xd9, 0xc6],
            Ink::OtherSquare => [0xd3, 0xc6, 0xae],
            Ink::Dark => [0x22, 0x22, 0x22],
            Ink::Light => [0xff, 0xff, 0xff],
            Ink::Block => [0x6b, 0x6b, 0x6b],
            Ink::Moved => [0x00, 0x72, 0xb2],
            Ink::Changed => [0xd5, 0x5e, 0x00],
            Ink::Won => [0x00, 0x9e, 0x73],
            Ink::Wrong => [0xcc, 0x79, 0xa7],
        }
    }
}

/// On which side of its place a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// It begins there.
    Left,
    /// It is centred there.
    Centre,
    /// It ends there.
    Right,
}

/// A shape; later ones cover earlier ones. Lengths are pixels, from the upper left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A filled rectangle.
    Rectangle {
        /// Its left edge.
        x: i32,
        /// Its upper edge.
        y: i32,
        width: i32,
        height: i32,
        /// Its colour.
        ink: Ink,
    },
    /// A filled circle with an edge.
    Disc {
        /// Its centre.
        x: i32,
        /// Its centre.
        y: i32,
        /// Its radius, edge included.
        radius: i32,
        /// The thickness of the edge.
        edge: i32,
        /// The colour inside the edge.
        ink: Ink,
        /// The colour of the edge.
        edge_ink: Ink,
    },
    /// An arrow with a dark edge.
    Arrow {
        /// Where it begins.
        from: (i32, i32),
        /// Its tip.
        to: (i32, i32),
        /// The thickness of its shaft.
        thick: i32,
        /// Its colour.
        ink: Ink,
    },
    /// A line of text.
    Text {
        /// Its place; see [`Align`].
        x: i32,
        /// Its vertical centre.
        y: i32,
        /// The height of its letters: 8 or 16. [`letter_width`] is their width.
        size: i32,
        /// How it stands.
        align: Align,
        /// Its colour.
        ink: Ink,
        /// The text, printable.
        text: String,
    },
}

/// The width of a letter of this height, with the space beside it.
pub fn letter_width(size: i32) -> i32 {
    (size * 5 / 8).max(8)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its width in pixels.
    pub width: i32,
    /// Its height in pixels.
    pub height: i32,
    /// What it shows, in a sentence.
    pub title: String,
    /// What it consists of.
    pub shapes: Vec<Shape>,
}

/// The free edge of a picture.
const EDGE: i32 = 10;
/// The least width, which names and clocks need.
const LEAST_WIDTH: i32 = 280;
/// The height of a line of text, and of the names of columns.
const LINE: i32 = 24;
/// The width of the names of rows.
const NAMES: i32 = 28;
/// The size of the letters of names and clocks.
const LETTERS: i32 = 16;

impl Picture {
    /// The game after this number of plies: both players with their clocks, the board, and the last
    /// ply.
    ///
    /// # Panics
    /// The game has fewer plies.
    pub fn new(game: &Timeline, plies: usize) -> Picture {
        let moment = game.moment(plies);
        let cell = cell_size(&moment.position.ruleset());
        let (width, height) = board_size(&moment.position, cell);
        let width = (width + NAMES + 2 * EDGE).max(LEAST_WIDTH);
        let height = height + 4 * LINE + 3 * EDGE;
        let mut picture = Picture { width, height, title: text::title(game), shapes: Vec::new() };
        picture.rectangle((0, 0), (width, height), Ink::Ground);
        picture.players(game, moment, plies);
        let corner = (EDGE + NAMES, EDGE + 3 * LINE);
        picture.board(&moment.position, &moment.changes, corner, cell);
        picture.caption(game, plies);
        picture
    }

    /// A board alone, with an arrow for a ply that was refused there or that lost.
    pub fn with_arrow(position: &Position, ply: Option<Ply>, title: String) -> Picture {
        let cell = cell_size(&position.ruleset());
        let (width, height) = board_size(position, cell);
        let corner = (EDGE + NAMES, EDGE + LINE);
        let mut picture = Picture {
            width: width + NAMES + 2 * EDGE,
            height: height + LINE + 2 * EDGE,
            title,
            shapes: Vec::new(),
        };
        picture.rectangle((0, 0), (picture.width, picture.height), Ink::Ground);
        picture.board(position, &[], corner, cell);
        let squares = ply.map(|ply| position.squares(ply)).unwrap_or_default();
        let (Some(&first), Some(&last)) = (squares.first(), squares.last()) else { return picture };
        let to = centre(corner, cell, last);
        let mut from = centre(corner, cell, first);
        if from == to {
            // A ply of one square: the arrow points at it from the middle of the board.
            let middle = (corner.0 + width / 2, corner.1 + height / 2);
            from.0 += if to.0 < middle.0 { cell } else { -cell };
            from.1 += if to.1 < middle.1 { cell } else { -cell };
        }
        let thick = (cell / 6).max(3);
        picture.shapes.push(Shape::Arrow { from, to, thick, ink: Ink::Wrong });
        picture
    }

    /// The picture as SVG; ends with a newline.
    pub fn svg(&self) -> String {
        let width = self.width;
        let height = self.height;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"monospace\">\n\
             <title>{}</title>\n",
            escape::xml(&self.title)
        );
        for shape in &self.shapes {
            push_svg(&mut out, shape);
        }
        out.push_str("</svg>\n");
        out
    }

    fn rectangle(&mut self, (x, y): (i32, i32), (width, height): (i32, i32), ink: Ink) {
        self.shapes.push(Shape::Rectangle { x, y, width, height, ink });
    }

    /// Writes the beginning of a text that fits into a width.
    fn text(&mut self, (x, y): (i32, i32), size: i32, align: Align, text: &str, room: i32) {
        let letters = usize::try_from(room / letter_width(size)).unwrap_or_default();
        let text = text.chars().take(letters).collect();
        self.shapes.push(Shape::Text { x, y, size, align, ink: Ink::Dark, text });
    }

    /// A line for each side: a mark if it is on move, its name, its clock.
    fn players(&mut self, game: &Timeline, moment: &Moment, plies: usize) {
        for (line, side) in Side::BOTH.into_iter().enumerate() {
            let y = EDGE + LINE * line as i32 + LINE / 2;
            let is_on_move = moment.position.side() == side && plies < game.len();
            let mark = if is_on_move { '>' } else { ' ' };
            let clock = moment.clocks[side].map(text::clock).unwrap_or_default();
            let room = self.width - 2 * EDGE;
            let beside_clock = room - letter_width(LETTERS) * (clock.len() as i32 + 1);
            let player = format!("{mark} {}", text::player(game.record(), side));
            self.text((EDGE, y), LETTERS, Align::Left, &player, beside_clock);
            self.text((self.width - EDGE, y), LETTERS, Align::Right, &clock, room);
        }
    }

    /// The last ply; after the last one of the game also how it ended.
    fn caption(&mut self, game: &Timeline, plies: usize) {
        let mut caption = match (game.timed_ply(plies), game.ply_text(plies)) {
            (Some(last), Some(ply)) => {
                let letter = game.record().ruleset().letter(last.side);
                format!("{plies}. {letter} {ply}")
            }
            _ => "start".to_owned(),
        };
        if plies == game.len() && game.is_whole() {
            caption += &format!("  {}", text::how(game.record()));
        }
        let place = (EDGE, self.height - EDGE - LINE / 2);
        self.text(place, LETTERS, Align::Left, &caption, self.width - 2 * EDGE);
    }

    fn board(
        &mut self,
        position: &Position,
        changes: &[ChangedSquare],
        (left, top): (i32, i32),
        cell: i32,
    ) {
        let ruleset = position.ruleset();
        let small = LETTERS / 2;
        for at in 0..ruleset.columns().max(ruleset.rows()) {
            let middle = at as i32 * cell + cell / 2;
            if at < ruleset.columns() {
                let centre = (left + middle, top - LINE / 2);
                self.text(centre, small, Align::Centre, &ruleset.column_name(at), cell);
            }
            if at < ruleset.rows() {
                let end = (left - 4, top + middle);
                self.text(end, small, Align::Right, &ruleset.row_name(at), NAMES);
            }
        }
        // Later shapes cover earlier ones: the square, then what is on it.
        for (row, column) in ruleset.cells() {
            let corner = (left + column as i32 * cell, top + row as i32 * cell);
            let ground = if (row + column) % 2 == 0 { Ink::Square } else { Ink::OtherSquare };
            self.rectangle(corner, (cell, cell), ground);
            self.square(position, changes, (row, column), corner, cell);
        }
        // Last, so that they are over the pieces.
        for (row, column) in position.winning_squares() {
            self.corners((left + column as i32 * cell, top + row as i32 * cell), cell);
        }
    }

    /// What is on a square with its letter, and what a ply changed there.
    fn square(
        &mut self,
        position: &Position,
        changes: &[ChangedSquare],
        at: (usize, usize),
        corner: (i32, i32),
        size: i32,
    ) {
        let change = changes.iter().find(|(square, _)| *square == at).map(|found| found.1);
        let thick = (size / 12).max(2);
        if matches!(change, Some(SquareChange::Arrived | SquareChange::Took)) {
            self.frame(corner, size, thick, Ink::Moved);
        }
        let x = corner.0 + size / 2;
        let y = corner.1 + size / 2;
        let (edge, edge_ink) = match change {
            Some(SquareChange::Took | SquareChange::Recoloured | SquareChange::PushedTo) => {
                (thick, Ink::Changed)
            }
            _ => (1, Ink::Dark),
        };
        // A disc with its radius, and a letter, which is drawn upon it.
        let (disc, letter) = match position.cell(at.0, at.1) {
            Cell::Piece(side) => {
                let is_light = side == position.ruleset().light();
                let [ink, other] =
                    if is_light { [Ink::Light, Ink::Dark] } else { [Ink::Dark, Ink::Light] };
                let letter = position.letter(at.0, at.1).unwrap_or_default();
                (Some((size * 2 / 5, ink)), Some((other, letter)))
            }
            Cell::Block => {
                let side = size * 4 / 5;
                self.rectangle((x - side / 2, y - side / 2), (side, side), Ink::Block);
                (None, None)
            }
            Cell::Empty => match change {
                Some(SquareChange::Left | SquareChange::PushedFrom) => {
                    (Some((size / 8, Ink::Moved)), None)
                }
                Some(SquareChange::PushedOff) => (None, Some((Ink::Changed, 'x'))),
                _ => (None, None),
            },
        };
        if let Some((radius, ink)) = disc {
            self.shapes.push(Shape::Disc { x, y, radius, edge, ink, edge_ink });
        }
        if let Some((ink, letter)) = letter {
            self.shapes.push(Shape::Text {
                x,
                y,
                size: if size >= 32 { LETTERS } else { LETTERS / 2 },
                align: Align::Centre,
                ink,
                text: letter.to_string(),
            });
        }
    }

    /// Marks a square of the line or group that won.
    fn corners(&mut self, (x, y): (i32, i32), size: i32) {
        let side = (size / 5).max(4);
        let far = size - side;
        for (right, down) in [(0, 0), (far, 0), (0, far), (far, far)] {
            self.rectangle((x + right, y + down), (side, side), Ink::Won);
        }
    }

    fn frame(&mut self, (x, y): (i32, i32), size: i32, thick: i32, ink: Ink) {
        self.rectangle((x, y), (size, thick), ink);
        self.rectangle((x, y + size - thick), (size, thick), ink);
        self.rectangle((x, y), (thick, size), ink);
        self.rectangle((x + size - thick, y), (thick, size), ink);
    }
}

/// The width of a square: about 400 pixels a board, with squares that are neither tiny nor huge.
fn cell_size(ruleset: &Ruleset) -> i32 {
    // The names of columns must not run into each other.
    let longest = (0..ruleset.columns()).map(|column| ruleset.column_name(column).len()).max();
    let least = letter_width(LETTERS / 2) * longest.unwrap_or_default() as i32;
    let longer = ruleset.rows().max(ruleset.columns()) as i32; // at most 32
    (400 / longer).clamp(18, 48).max(least)
}

/// The width and height of the squares.
fn board_size(position: &Position, cell: i32) -> (i32, i32) {
    let ruleset = position.ruleset();
    (cell * ruleset.columns() as i32, cell * ruleset.rows() as i32)
}

/// The centre of a square of a board with this corner.
fn centre(corner: (i32, i32), cell: i32, (row, column): (usize, usize)) -> (i32, i32) {
    let half = cell / 2;
    (corner.0 + column as i32 * cell + half, corner.1 + row as i32 * cell + half)
}

/// The outline of an arrow: along its shaft, around its head, and back.
fn arrow_outline(from: (i32, i32), to: (i32, i32), thick: i32) -> [(f64, f64); 7] {
    let [x, y, thick] = [to.0 - from.0, to.1 - from.1, thick].map(f64::from);
    let length = x.hypot(y).max(1.0);
    let [x, y] = [x / length, y / length];
    let head = (3.0 * thick).min(length);
    let neck = length - head;
    // Each point by its distance along the arrow, and to the side of it.
    let points = [
        (0.0, thick / 2.0),
        (neck, thick / 2.0),
        (neck, 1.5 * thick),
        (length, 0.0),
        (neck, -1.5 * thick),
        (neck, -thick / 2.0),
        (0.0, -thick / 2.0),
    ];
    points.map(|(along, aside)| {
        (f64::from(from.0) + along * x - aside * y, f64::from(from.1) + along * y + aside * x)
    })
}

fn hex(ink: Ink) -> String {
    let [red, green, blue] = ink.rgb();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn push_svg(out: &mut String, shape: &Shape) {
    *out += &match shape {
        Shape::Rectangle { x, y, width, height, ink } => {
            let fill = hex(*ink);
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
                 fill=\"{fill}\"/>\n"
            )
        }
        Shape::Disc { x, y, radius, edge, ink, edge_ink } => {
            // A stroke lies on both sides of its line.
            let radius = f64::from(*radius) - f64::from(*edge) / 2.0;
            let fill = hex(*ink);
            let stroke = hex(*edge_ink);
            format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\" \
                 stroke-width=\"{edge}\"/>\n"
            )
        }
        Shape::Arrow { from, to, thick, ink } => {
            let mut points = String::new();
            for (x, y) in arrow_outline(*from, *to, *thick) {
                points += &format!("{x:.1},{y:.1} ");
            }
            let points = points.trim_end();
            let fill = hex(*ink);
            let stroke = hex(Ink::Dark);
            format!("<polygon points=\"{points}\" fill=\"{fill}\" stroke=\"{stroke}\"/>\n")
        }
        Shape::Text { x, y, size, align, ink, text } => {
            let anchor = match align {
                Align::Left => "start",
                Align::Centre => "middle",
                Align::Right => "end",
            };
            // A letter of a monospaced font is three fifths of the font's size wide, and higher
            // than wide.
            let size = (f64::from(*size) * 1.25).min(f64::from(letter_width(*size)) / 0.6).round();
            let fill = hex(*ink);
            let text = escape::xml(text);
            format!(
                "<text x=\"{x}\" y=\"{y}\" dy=\"0.35em\" font-size=\"{size}\" \
                 text-anchor=\"{anchor}\" fill=\"{fill}\" xml:space=\"preserve\">{text}</text>\n"
            )
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::Settings;
    use arbiter_game::record::read_log;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    fn game(name: &str) -> Timeline {
        let log = format!(
            "[White \"{name}\"] [Black \"b\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"win\"]
             [Termination \"resign\"] 1. a2c4 {{0.5s}} c0b1 {{0.25s}} 2. c4c0 1-0"
        );
        let record = read_log(log.as_bytes()).next().unwrap().unwrap();
        Timeline::new(record, &Settings::default().time)
    }

    /// The texts of an SVG, which must be well-formed.
    fn texts(svg: &str) -> Vec<String> {
        let mut reader = Reader::from_str(svg);
        let mut texts = vec![String::new()];
        loop {
            match reader.read_event().unwrap() {
                Event::Eof => {
                    for text in &mut texts {
                        text.truncate(text.trim_end().len());
                    }
                    return texts;
                }
                Event::Start(_) => texts.push(String::new()),
                Event::Text(text) => texts.last_mut().unwrap().push_str(&text.decode().unwrap()),
                Event::GeneralRef(name) => {
                    let name = name.decode().unwrap();
                    let letter = quick_xml::escape::resolve_predefined_entity(&name).unwrap();
                    texts.last_mut().unwrap().push_str(letter);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn a_picture_names_players_clocks_and_ply() {
        let svg = Picture::new(&game("w"), 1).svg();
        let texts = texts(&svg);
        for expected in ["  b (B)", "> w (W)", "9.600", "10.000", "1. B a2c4", "h"] {
            assert!(texts.iter().any(|text| text == expected), "{expected}: {texts:?}");
        }
        assert_eq!(svg.matches("<circle").count(), 24 + 1, "the pieces, and where one came from");
    }

    #[test]
    fn what_is_in_a_name_is_only_text() {
        for hostile in escape::tests::HOSTILE {
            let name = hostile.replace(['"', '\\', '\n', '\0'], "_");
            let svg = Picture::new(&game(&name), 0).svg();
            assert!(!svg.contains("<script") && !svg.contains("<img"), "{svg}");
            texts(&svg);
        }
    }

    #[test]
    fn the_last_picture_says_how_the_game_ended() {
        let timeline = game("w");
        let texts = texts(&Picture::new(&timeline, timeline.len()).svg());
        assert!(texts.iter().any(|text| text.ends_with("win resign")), "{texts:?}");
    }
}
