//! The parts of the screen.

use crate::view::grid::Rect;
use crate::view::live_game::BESIDE;
use crate::view::look::LEAST;

/// The least height of what the bots wrote; what they wrote of a usual ply has room in `WRITTEN`.
const LEAST_WRITTEN: u16 = 3;
/// The lines of what the bots wrote, where there is room: a note and the end of the game; and with
/// what is in their logs.
const WRITTEN: [u16; 2] = [4, 6];

/// The height of a graph.
pub(super) const GRAPH: u16 = 4;

/// The lines above the list of games.
pub(super) const LIST_HEAD: u16 = 3;

/// The parts of the screen, from the top; they do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// The players and the result: one line.
    pub title: Rect,
    pub board: Rect,
    /// Beside the board: the two clocks.
    pub clocks: Rect,
    /// Below them: the list of plies.
    pub plies: Rect,
    /// The line of the current ply.
    pub status: Rect,
    /// The graphs, one below the other.
    pub graphs: Rect,
    /// What the bots said and wrote.
    pub written: Rect,
    /// The hints: the last line.
    pub hints: Rect,
}

impl Areas {
    /// The parts of a screen for a board of this width and height, this number of plies, at most
    /// this number of graphs, and bots that have logs or have not. The list of plies gets the lines
    /// that nothing else needs; what it does not need is for what the bots wrote.
    pub fn new(
        screen: Rect,
        board: (u16, u16),
        plies: usize,
        graphs: u16,
        has_logs: bool,
    ) -> Areas {
        if screen.width < LEAST.0 || screen.height < LEAST.1 {
            return Areas::default();
        }
        let Rect { width, height, .. } = screen;
        let line = |y| Rect::new(0, y, width, 1);
        // Without the title, the line of the ply and the hints.
        let lines = height - 3;
        let most = lines - LEAST_WRITTEN - graphs.min(1) * GRAPH;
        let board = Rect::new(0, 1, board.0.min(width - BESIDE), board.1.min(most));
        let below = lines - board.height;
        // As many graphs as leave room for the bots.
        let graphs = graphs.min((below / 2 / GRAPH).max(1)) * GRAPH;
        let written = WRITTEN[usize::from(has_logs)].min(below - graphs);
        let listed = u16::try_from(plies + 2).unwrap_or(u16::MAX); // with the clocks
        let beside = listed.max(board.height).min(lines - graphs - written);
        let beside = Rect::new(board.width + 1, 1, width - board.width - 1, beside);
        let status = beside.bottom();
        let graphs = Rect::new(0, status + 1, width, graphs);
        Areas {
            title: line(0),
            board,
            clocks: Rect { height: 2, ..beside },
            plies: Rect { y: beside.y + 2, height: beside.height - 2, ..beside },
            status: line(status),
            graphs,
            written: Rect::new(0, graphs.bottom(), width, height - 1 - graphs.bottom()),
            hints: line(height - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_parts_are_on_the_screen_and_do_not_overlap(
            width in LEAST.0..300, height in LEAST.1..120, size in (11..80_u16, 4..26_u16),
            count in 0..4_u16, length in 0..100_usize, has_logs: bool,
        ) {
            let areas = Areas::new(Rect::new(0, 0, width, height), size, length, count, has_logs);
            let Areas { title, board, clocks, plies, status, graphs, written, hints } = areas;
            let all = [title, board, clocks, plies, status, graphs, written, hints];
            for (index, one) in all.iter().enumerate() {
                prop_assert!(one.right() <= width && one.bottom() <= height, "{:?}", areas);
                let may_be_empty = *one == graphs && count == 0;
                prop_assert!(one.width > 0 && (one.height > 0 || may_be_empty), "{:?}", areas);
                for other in &all[index + 1..] {
                    let common = one.intersection(*other);
                    prop_assert!(common.width == 0 || common.height == 0, "{:?}", areas);
                }
            }
            // No line is left over.
            let column = [title, clocks, plies, status, graphs, written, hints];
            let lines: u16 = column.iter().map(|area| area.height).sum();
            prop_assert_eq!(lines, height, "{:?}", areas);
        }
    }
}
