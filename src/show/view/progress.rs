//! The progress of a tournament or match, with the board of a running game, as the drawing of a
//! block.

use super::block::{ClockTime, TerminalSize};
use super::board::{BoardView, Orientation};
use super::grid::{Grid, Rect};
use super::live_game::{BESIDE, GameAreas, LiveGame};
use super::look::Role;
use arbiter_rules::text::counted;
use std::time::{Duration, Instant};

/// The least time between two drawings of the block.
pub const PROGRESS_FRAME: Duration = Duration::from_millis(200);
/// The most running games that are shown.
const RUNNING: usize = 8;
/// The least numbers of columns and lines for a board; a block leaves one of each of the
/// terminal's.
const FOR_BOARD: TerminalSize = (2 * BESIDE as usize - 1, 8);
/// The most lines of a game whose board is not beside its table.
const BELOW: u16 = 8;

/// What the block shows.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The name of the tournament, or of what is played.
    pub title: String,
    /// Games that are over, those of earlier runs included.
    pub played: u64,
    /// The number of games in all, if it is known.
    pub total: Option<u64>,
    /// Time since this run began.
    pub elapsed: Duration,
    /// The estimated time to the end, if there is an estimate.
    pub left: Option<Duration>,
    /// The running games, and how long each has run.
    pub running: Vec<(String, Duration)>,
    /// The leading bots, best first: name, points and games.
    pub leaders: Vec<(String, f64, u64)>,
    /// The number of bots.
    pub bots: usize,
    /// What can be done with the board.
    pub hint: Option<&'static str>,
    /// One more line, such as the LLR of a test.
    pub remark: Option<String>,
}

impl Progress {
    /// The most bots that are shown.
    pub const LEADERS: usize = 20;

    /// The drawing of a block of at most this many columns and lines. The game is shown if there is
    /// room.
    pub fn draw(&self, game: Option<&LiveGame>, now: Instant, room: TerminalSize) -> Grid {
        let (columns, most) = room;
        let mut rows = self.head(columns);
        let head = rows.len();
        let left = most.saturating_sub(head);
        if game.is_some() && left > 0 && (columns < FOR_BOARD.0 || left < FOR_BOARD.1) {
            let lines = head + FOR_BOARD.1 + 1;
            rows.push(format!(
                "no room for the board: it needs {} columns and {lines} lines",
                FOR_BOARD.0 + 1
            ));
        }
        let game = game.filter(|_| rows.len() == head);
        // With a board the block takes all lines, and is cut off below it; without one it is as
        // high as its rows.
        let lines = match game {
            Some(game) => {
                let hint = self.hint.unwrap_or_default();
                let title = format!("{}   ply {}", game.id(), game.ply_count());
                rows.push(format!("{title}   {}", game.ended().unwrap_or(hint)));
                most
            }
            None => {
                rows.extend(self.table(most.saturating_sub(rows.len())));
                rows.len().min(most)
            }
        };
        let mut drawn = Grid::new(Rect::of_size((columns, lines)));
        for (index, (line, row)) in rows.iter().zip(drawn.area().rows()).enumerate() {
            let is_title = index == 0 || index == head && game.is_some();
            let role = if is_title { Role::Title } else { Role::Text };
            drawn.text(role, row, line);
        }
        if let Some(game) = game {
            let top = rows.len() as u16; // at most the lines of a terminal
            let all = drawn.area();
            let area = Rect { y: top, height: all.height - top, ..all };
            let end = self.draw_game(game, now, area, &mut drawn);
            drawn.truncate(end);
        }
        drawn
    }

    /// Draws the board, and the players and the table beside or below it; returns the end of what
    /// is drawn.
    fn draw_game(&self, game: &LiveGame, now: Instant, area: Rect, drawn: &mut Grid) -> u16 {
        let areas = GameAreas::new(area, BoardView::size(&game.position.ruleset()), BELOW);
        game.board(Orientation::AsPrinted).draw(areas.board, drawn);
        game.draw_players(now, areas.beside, drawn);
        let below = Rect {
            y: areas.beside.y + 3,
            height: areas.beside.height.saturating_sub(3),
            ..areas.beside
        };
        let table = self.table(below.height.into());
        for (line, row) in table.iter().zip(below.rows()) {
            drawn.text(Role::Text, row, line);
        }
        let end = below.y + table.len() as u16;
        // What the table leaves of the lines beside the board has room for the last plies.
        let y = end + u16::from(!table.is_empty());
        let plies = Rect { y, height: areas.board.bottom().saturating_sub(y), ..below };
        if plies.height > 1 {
            game.draw_plies(plies, drawn);
        }
        areas.board.bottom().max(end).min(drawn.area().height)
    }

    /// The lines above games and table.
    fn head(&self, columns: usize) -> Vec<String> {
        let mut rows = vec![self.counts(columns), bar(self.played, self.total, columns.min(72))];
        if !self.running.is_empty() {
            rows.push(self.running(columns));
        }
        rows.extend(self.remark.clone());
        rows
    }

    /// The leading bots, in at most this many lines.
    fn table(&self, room: usize) -> Vec<String> {
        let mut rows = Vec::new();
        let mut width = 0;
        for (name, ..) in &self.leaders {
            width = width.max(name.chars().count());
        }
        // If not all bots are shown, the last line says how many are missing.
        let all = self.leaders.len();
        let has_room = all <= room && self.bots <= all;
        let shown = if has_room { all } else { all.min(room.saturating_sub(1)) };
        let others = self.bots.saturating_sub(shown);
        for (name, points, games) in &self.leaders[..shown] {
            rows.push(format!("  {name:<width$}  {points:>6.1} of {games}"));
        }
        if shown > 0 && others > 0 {
            rows.push(format!("  and {}", counted(others as u64, "more bot")));
        } else if room > 0 && others > 0 && all > 0 {
            rows.push(format!("  no room for {}", counted(others as u64, "bot")));
        }
        rows
    }

    /// The running games, as many as fit into a line.
    fn running(&self, columns: usize) -> String {
        let mut line = "playing".to_owned();
        for (index, (id, time)) in self.running.iter().enumerate() {
            let longer = format!("{line}  {id} {}", ClockTime(*time));
            let left = self.running.len() - index - 1;
            // A game is shown only if the number of those behind it has room too.
            let rest = if left > 0 { format!("  and {left} more") } else { String::new() };
            let length = longer.chars().count() + rest.chars().count();
            if index == RUNNING || index > 0 && length > columns {
                return format!("{line}  and {} more", left + 1);
            }
            line = longer;
        }
        line
    }

    /// The first line, shortened if it does not fit.
    fn counts(&self, columns: usize) -> String {
        let games = match self.total {
            Some(total) => format!("{} of {total} games", self.played),
            None => format!("{} games", self.played),
        };
        let time = ClockTime(self.elapsed);
        let [about, left] = match self.left.map(ClockTime) {
            Some(left) => [format!(", about {left} left"), format!(", {left} left")],
            None => Default::default(),
        };
        let head = format!("{}   {games}", self.title);
        let lines = [
            format!("{head}   {time} so far{about}"),
            format!("{head}   {time}{left}"),
            format!("{games}   {time}{left}"),
        ];
        let [_, _, shortest] = &lines;
        lines.iter().find(|line| line.chars().count() <= columns).unwrap_or(shortest).clone()
    }
}

/// A bar for the share of games that are over; a row of dots if the total is not known.
fn bar(played: u64, total: Option<u64>, columns: usize) -> String {
    let width = columns.saturating_sub(8).max(4);
    let Some(total) = total.filter(|&total| total > 0) else { return "·".repeat(width) };
    let share = (played as f64 / total as f64).min(1.0);
    let full = (share * width as f64) as usize;
    format!("{}{} {:>3.0} %", "█".repeat(full), "░".repeat(width - full), (share * 100.0).floor())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::{Event, Outcome};
    use arbiter_rules::{BySide, Ruleset, Side};

    fn progress() -> Progress {
        Progress {
            title: "cup".to_owned(),
            played: 3,
            total: Some(12),
            elapsed: Duration::from_secs(61),
            left: Some(Duration::from_secs(3723)),
            running: vec![("a~b.4".to_owned(), Duration::from_secs(5))],
            leaders: vec![("a".to_owned(), 2.5, 3), ("bb".to_owned(), 0.5, 3)],
            bots: 2,
            hint: None,
            remark: None,
        }
    }

    fn lines(progress: &Progress, game: Option<&LiveGame>, room: TerminalSize) -> Vec<String> {
        progress.draw(game, Instant::now(), room).trimmed_lines()
    }

    #[test]
    fn the_block_says_what_is_known() {
        let lines = lines(&progress(), None, (79, 23));
        assert_eq!(lines[0], "cup   3 of 12 games   1:01 so far, about 1:02:03 left");
        assert!(lines[1].starts_with("█") && lines[1].ends_with("  25 %"), "{lines:?}");
        assert_eq!(lines[2..], ["playing  a~b.4 0:05", "  a      2.5 of 3", "  bb     0.5 of 3"]);
    }

    #[test]
    fn a_board_has_the_table_beside_it() {
        let start = Ruleset::named("loa", "").unwrap().start();
        let players = BySide { first: "bb", second: "a" }.map(str::to_owned);
        let mut game = Some(LiveGame::new(4, players, start, Instant::now()));
        let shown = lines(&progress(), game.as_ref(), (79, 23));
        assert_eq!(shown[3], "a~bb.4   ply 0");
        assert_eq!(
            shown[4..7],
            [
                "   a  b  c  d  e  f  g  h  > B bb",
                " 0 .  W  W  W  W  W  W  .    W a",
                " 1 B  .  .  .  .  .  .  B",
            ]
        );
        assert!(shown[7].ends_with("   a      2.5 of 3"), "{shown:?}");
        assert_eq!(shown.len(), 4 + 9);
        for room in [(79, 10), (58, 22)] {
            let why = &lines(&progress(), game.as_ref(), room)[3];
            assert_eq!(why, "no room for the board: it needs 60 columns and 12 lines");
        }
        assert_eq!(lines(&progress(), game.as_ref(), (59, 11)).len(), 11, "a part of the board");
        // Of twenty bots as many are shown as have lines, beside the board and below its end.
        let leaders: Vec<_> = (0..10).map(|at| (format!("bot{at}"), 1.0, 2)).collect();
        let crowd = Progress { leaders, bots: 20, ..progress() };
        let crowded = lines(&crowd, game.as_ref(), (79, 23));
        assert!(
            crowded[16].ends_with("bot9     1.0 of 2") && crowded[17].ends_with("and 10 more bots"),
            "{crowded:?}"
        );
        let ended =
            Event::Ended { outcome: Outcome::Resigned(Side::First), detail: None, reply: None };
        LiveGame::follow(&mut game, &ended, Instant::now());
        assert_eq!(
            lines(&progress(), game.as_ref(), (79, 23))[3],
            "a~bb.4   ply 0   a wins by resign"
        );
    }

    #[test]
    fn a_wide_board_has_the_table_below_it() {
        let start = Ruleset::named("lineup", "n=12").unwrap().start();
        let game = LiveGame::new(
            1,
            BySide { first: "a", second: "bb" }.map(str::to_owned),
            start,
            Instant::now(),
        );
        let shown = lines(&progress(), Some(&game), (62, 40));
        assert_eq!(shown.len(), 4 + 13 + 3 + 2);
        assert!(shown[17].starts_with("> ") && shown[20].starts_with("  a      2.5"), "{shown:?}");
        let low = lines(&progress(), Some(&game), (62, 16));
        assert_eq!(low.len(), 16);
        assert!(low[4].ends_with("a") && low[4].contains("> "), "{low:?}");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut progress = progress();
        assert_eq!(
            lines(&progress, None, (40, 4))[3..],
            ["  no room for 2 bots"],
            "and none for one and the others"
        );
        progress.bots = 7;
        assert_eq!(
            lines(&progress, None, (40, 5))[3..],
            ["  a      2.5 of 3", "  and 6 more bots"]
        );
        progress.running = vec![("search~greedy.1".to_owned(), Duration::ZERO); 3];
        assert_eq!(lines(&progress, None, (50, 23))[0], "cup   3 of 12 games   1:01, 1:02:03 left");
        assert_eq!(lines(&progress, None, (34, 23))[0], "3 of 12 games   1:01, 1:02:03 left");
        assert_eq!(
            lines(&progress, None, (42, 23))[2],
            "playing  search~greedy.1 0:00  and 2 more"
        );
    }
}
