//! The parts of the screen.

use crate::view::live_game::BESIDE;
use crate::view::look::LEAST;
use ratatui::layout::Rect;

/// The least height of what stands below the board: the line of the ply, a graph, what the bots wrote.
const BELOW: u16 = 8;

/// The height of a graph.
pub(super) const GRAPH: u16 = 4;

/// The lines above the list of games.
pub(super) const LIST_HEAD: u16 = 3;

/// The parts of the screen, from the top; they do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// The players and the result: one line.
    pub title: Rect,
    /// The board.
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
    /// The parts of a screen for a board of this width and height.
    #[must_use]
    pub fn new(screen: Rect, board: (u16, u16)) -> Areas {
        if screen.width < LEAST.0 || screen.height < LEAST.1 {
            return Areas::default();
        }
        let Rect { width, height, .. } = screen;
        let line = |y| Rect::new(0, y, width, 1);
        let board = Rect::new(0, 1, board.0.min(width - BESIDE), board.1.min(height - 2 - BELOW));
        let beside = Rect::new(board.width + 1, 1, width - board.width - 1, board.height);
        let status = board.bottom();
        let below = height - 1 - status - 1;
        // As many graphs as leave room for the bots.
        let graphs = (below / 2 / GRAPH).clamp(1, 3) * GRAPH;
        let graphs = Rect::new(0, status + 1, width, graphs.min(below));
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
            width in LEAST.0..300, height in LEAST.1..120, board in (11..80_u16, 4..26_u16),
        ) {
            let areas = Areas::new(Rect::new(0, 0, width, height), board);
            let Areas { title, board, clocks, plies, status, graphs, written, hints } = areas;
            let all = [title, board, clocks, plies, status, graphs, written, hints];
            for (index, one) in all.iter().enumerate() {
                prop_assert!(one.right() <= width && one.bottom() <= height, "{:?}", areas);
                prop_assert!(one.width > 0 && one.height > 0, "{:?}", areas);
                prop_assert!(all[index + 1..].iter().all(|other| !one.intersects(*other)), "{:?}", areas);
            }
        }
    }
}
