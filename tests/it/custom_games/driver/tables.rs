//! What the tests of the driver expect, row by row.

/// A game, its options, a position or nothing for the start, and the plies from there. Those of
/// Othello, Connect Four and Ataxx are published (Ataxx: libataxx, tests/perft.cpp), and those of
/// chess are (chessprogramming.org, Perft Results); those of Hex are products, those of Go are the
/// moves that GNU Go 3.8 lists; for Breakthrough see below.
#[rustfmt::skip]
pub const PERFT: &[(&str, &str, &str, &[u64])] = &[
    ("connect4", "", "", &[7, 49, 343, 2401, 16807]),
    ("othello", "", "", &[4, 12, 56, 244, 1396]),
    ("hex", "", "", &[121, 121 * 121]),
    ("hex", "swap=off", "", &[121, 121 * 120]),
    ("hex", "size=2 swap=off", "", &[4, 12, 24, 12, 0]), // three of the six pairs of cells join the rows
    ("connect6", "", "", &[361]),
    ("go", "size=5", "", &[26, 651]),
    ("go", "size=5", "1BW2/BW1W1/1BW2/5/5 B 0 0", &[19]), // also the point where it takes a stone
    ("go", "size=5", "1B3/B4/5/5/5 W 0 0", &[23]), // not the corner
    ("go", "size=5", "1BW2/B1BW1/1BW2/5/5 W 7 0", &[17]), // that is the point of a ko
    ("chess", "", "", &[20, 400]),
    ("chess", "", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R K KQkq - 0", &[48, 2039]),
    ("chess", "", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 K - - 0", &[14, 191]),
    ("chess", "", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 K kq - 0", &[6, 264]),
    ("chess", "", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R K KQ - 0", &[44, 1486]),
    ("ataxx", "", "", &[16, 256, 6460]),
    ("ataxx", "blocks=four", "", &[14, 196, 4184]),
    ("ataxx", "", "7/7/7/7/7/7/7 X", &[0]),
    ("ataxx", "", "7/7/7/7/OOOOOOO/OOOOOOO/XXXXXXX X", &[1, 75, 249]),
    ("ataxx", "", "7/7/7/7/OOOOOOO/OOOOOOO/XXXXXXX O", &[75, 249]),
];

/// Deeper counts of the same, which `.ci/slow` takes.
#[rustfmt::skip]
pub const SLOW: &[(&str, &str, &str, &[u64])] = &[
    ("connect4", "", "", &[7, 49, 343, 2401, 16_807, 117_649, 823_536]),
    ("othello", "", "", &[4, 12, 56, 244, 1396, 8200, 55_092]),
    ("ataxx", "", "", &[16, 256, 6460, 155_888]),
    ("ataxx", "blocks=four", "", &[14, 196, 4184, 86_528]),
    ("ataxx", "", "7/7/7/7/OOOOOOO/OOOOOOO/XXXXXXX X", &[1, 75, 249, 14_270, 452_980]),
    ("chess", "", "", &[20, 400, 8902]),
    ("chess", "", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R K KQkq - 0", &[48, 2039, 97_862]),
    ("chess", "", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 K - - 0", &[14, 191, 2812, 43_238]),
    ("chess", "", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 K kq - 0", &[6, 264, 9467]),
    ("chess", "", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R K KQ - 0", &[44, 1486, 62_379]),
];

/// What a game does that perft does not see: game and options, position, move, the next position
/// and how it ends.
#[rustfmt::skip]
pub const PLIES: &[[&str; 6]] = &[
    ["connect4", "", "7/7/7/7/OOO4/XXX4 X", "4", "7/7/7/7/OOO4/XXXX3 O", "X line"],
    ["connect4", "rows=4 columns=4", "1OX1/XOXO/OXOX/OXOX X", "1", "XOX1/XOXO/OXOX/OXOX O", ""],
    ["connect4", "rows=4 columns=4", "XOX1/XOXO/OXOX/OXOX O", "4", "XOXO/XOXO/OXOX/OXOX X", "- full-board"],
    ["hex", "size=3", "1X1/3/3 O", "swap", "3/O2/3 X", ""],
    ["hex", "size=3", "X1X/X2/1OO O", "a3", "X1X/X2/OOO X", "O connected"],
    ["connect6", "", "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 B", "a1",
        "B18/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 W", ""],
    ["connect6", "size=6", "B5/6/6/6/6/6 W", "b1", "BW4/6/6/6/6/6 W", ""],
    ["connect6", "size=6", "BW4/6/6/6/6/6 W", "c1", "BWW3/6/6/6/6/6 B", ""],
    ["connect6", "size=6", "B5/1B4/2B3/3B2/4B1/WWWWW1 B", "f6", "B5/1B4/2B3/3B2/4B1/WWWWWB W", "B line"],
    ["go", "size=5", "1BW2/BW1W1/1BW2/5/5 B 0 0", "c2", "1BW2/B1BW1/1BW2/5/5 W 7 0", ""],
    ["go", "size=5", "1BW2/B1BW1/1BW2/5/5 W 7 0", "pass", "1BW2/B1BW1/1BW2/5/5 B 0 1", ""],
    ["go", "size=5 komi=0.5", "1B3/1B3/1B3/1B3/1B3 B 0 1", "pass", "1B3/1B3/1B3/1B3/1B3 W 0 2", "B larger-area 24.5"],
    ["go", "size=5 komi=7", "B1B1W/B1BW1/B1BW1/B1BW1/B1BW1 B 0 1", "pass", "B1B1W/B1BW1/B1BW1/B1BW1/B1BW1 W 0 2",
        "W larger-area 1"],
    ["chess", "", "4k3/8/8/8/8/8/8/4K2R K K - 0", "e1g1", "4k3/8/8/8/8/8/8/5RK1 k - - 1", ""],
    ["chess", "", "4k3/8/8/8/4p3/8/3P4/4K3 K - - 4", "d2d4", "4k3/8/8/8/3Pp3/8/8/4K3 k - d3 0", ""],
    ["chess", "", "4k3/8/8/8/3Pp3/8/8/4K3 k - d3 0", "e4d3", "4k3/8/8/8/8/3p4/8/4K3 K - - 0", ""],
    ["chess", "", "8/P6k/8/8/8/8/8/K7 K - - 9", "a7a8q", "Q7/7k/8/8/8/8/8/K7 k - - 0", ""],
    ["chess", "", "6k1/5ppp/8/8/8/8/8/R3K3 K - - 0", "a1a8", "R5k1/5ppp/8/8/8/8/8/4K3 k - - 1", "K checkmate"],
    ["othello", "size=4", "BBBB/WWWW/4/4 B", "a3", "BBBB/BBWW/B3/4 W", ""],
    ["othello", "size=4", "4/4/1BW1/4 B", "d3", "4/4/1BBB/4 W", "B most-pieces"],
    ["ataxx", "size=5", "X3O/5/5/5/O3X X", "a5a3", "4O/5/X4/5/O3X O", ""],
    ["ataxx", "size=5", "XXXXX/XXXXX/XXXXX/XXXXX/XXX1O X", "d1", "XXXXX/XXXXX/XXXXX/XXXXX/XXXXX O", "X no-pieces"],
    ["ataxx", "size=5", "XXXXX/XXXXX/OOOOO/OOOOO/XXO2 O", "d1", "XXXXX/XXXXX/OOOOO/OOOOO/XXOO1 X", ""],
    ["breakthrough", "rows=3 columns=2", "1B/W1/2 W", "a2b3", "1W/2/2 B", "W last-row"],
    ["breakthrough", "rows=4 columns=2", "2/1B/W1/2 W", "a2b3", "2/1W/2/2 B", "W took-all"],
];

/// What a function of tests/own/faulty.py does, the answer's `what`, and a text of the line that it
/// names.
#[rustfmt::skip]
pub const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("start", "raises", "IndexError: list index out of range", "return [][3]"),
    ("moves", "raises", "IndexError: list index out of range", "return [][3]"),
    ("play", "raises", "IndexError: list index out of range", "return [][3]"),
    ("ending", "raises", "IndexError: list index out of range", "return [][3]"),
    ("identity", "raises", "IndexError: list index out of range", "return [][3]"),
    ("why", "raises", "IndexError: list index out of range", "return [][3]"),
    ("squares", "raises", "IndexError: list index out of range", "return [][3]"),
    ("file", "raises", "IndexError: list index out of range", "return [][3]"),
    ("play", "recurses", "RecursionError: maximum recursion depth exceeded", "return recurses(value)"),
    ("play", "leaves", "SystemExit: 3", "sys.exit(3)"),
    ("file", "leaves", "SystemExit: 3", "sys.exit(3)"),
    ("moves", "breaks-off", "IndexError: list index out of range", "yield value[99]"),
    ("start", "none", "start returned None; it returns a position: board, side to move, and what else is remembered", "def start("),
    ("start", "number", "start returned 7; it returns a position: board, side to move, and what else is remembered", "def start("),
    ("play", "text", "play returned 'X'; it returns a position: board, side to move, and what else is remembered", "def play("),
    ("play", "no-side", "play returned [['X', '.', '.'], ['.', 'O', '.'], ['.', '.', 'X']]; it returns a position: board, side to \
        move, and what else is remembered", "def play("),
    ("play", "no-rows", "play returned [] as the board; a board is a list of rows", "def play("),
    ("play", "a-row-more", "play returned a board of 4 rows, not 3", "def play("),
    ("play", "a-square-less", "play returned a board with 2 squares in row 2, not 3", "def play("),
    ("play", "row-of-none", "play returned None as row 2 of the board; a row is a list of letters", "def play("),
    ("play", "square-of-none", "play returned None in row 2, column 0 of the board; a square has the letter of a piece (OX), \".\" \
        or \"#\"", "def play("),
    ("play", "letters", "play returned 'XO' in row 2, column 1 of the board; a square has the letter of a piece (OX), \".\" or \"#\"",
        "def play("),
    ("play", "strange-letter", "play returned 'Z' in row 2, column 2 of the board; a square has the letter of a piece (OX), \".\" or \
        \"#\"", "def play("),
    ("play", "strange-side", "play returned 'Z' as the side to move; it is 'X' or 'O'", "def play("),
    ("play", "rest-more", "play returned 1 value after the side; start returned 0", "def play("),
    ("moves", "none", "moves returned None; it returns a list of moves", "def moves("),
    ("moves", "text", "moves returned 'X'; it returns a list of moves", "def moves("),
    ("moves", "nested", "moves returned [[[[[[[...]]]]]]] as a square; a square is (row, column), two whole numbers", "def moves("),
    ("moves", "twice", "moves returned the move b1 twice", "def moves("),
    ("moves", "empty", "moves returned no move where ending returned None; a side that cannot move has the one move \"pass\"",
        "def moves("),
    ("moves", "many", "moves returned more than 2000 moves", "def moves("),
    ("moves", "off-the-board", "moves returned (3, 0) as a square; the board has 3 rows and 3 columns, counted from 0", "def moves("),
    ("moves", "negative", "moves returned (-1, 0) as a square; the board has 3 rows and 3 columns, counted from 0", "def moves("),
    ("moves", "fraction", "moves returned (1.0, 2) as a square; a square is (row, column), two whole numbers", "def moves("),
    ("moves", "three-numbers", "moves returned (0, 1, 2) as a square; a square is (row, column), two whole numbers", "def moves("),
    ("moves", "no-word", "moves returned 'a b' as a move; a word has letters, digits and +-*/=:.,; a letter or digit first, no full \
        stop at its end", "def moves("),
    ("moves", "full-stop", "moves returned 'a1.' as a move; a word has letters, digits and +-*/=:.,; a letter or digit first, no full \
        stop at its end", "def moves("),
    ("moves", "long-word", "moves returned 'wwwwwwwwwwww...wwwwwwwwwwwww' as a move; a move has up to 31 letters", "def moves("),
    ("moves", "word-of-arbiter", "moves returned 'resign' as a move; arbiter reads that as something else", "def moves("),
    ("moves", "capitals", "moves returned 'A1' as a move; a word cannot be the names of squares in capitals; return the squares",
        "def moves("),
    ("moves", "result", "moves returned '1-0' as a move; arbiter reads that as something else", "def moves("),
    ("moves", "move-number", "moves returned '12.a1' as a move; arbiter reads that as something else", "def moves("),
    ("ending", "text", "ending returned 'X'; it returns None, or winner and reason, such as ('X', 'line')", "def ending("),
    ("ending", "winner-alone", "ending returned ('X',); it returns None, or winner and reason, such as ('X', 'line')", "def ending("),
    ("ending", "strange-winner", "ending returned 'Z' as the winner; it is 'X', 'O', or None for a draw", "def ending("),
    ("ending", "margin-of-a-draw", "ending returned 3 as the margin; a draw has none", "def ending("),
    ("ending", "strange-margin", "ending returned -1 as the margin; it is a number above 0, up to 1000000", "def ending("),
    ("ending", "no-reason", "ending returned 'three in a row' as the reason; a reason is a word of up to 31 small letters, digits and \
        hyphens, such as most-pieces", "def ending("),
    ("ending", "reason-of-the-referee", "ending returned 'timeout' as the reason; only the referee may say so", "def ending("),
    ("identity", "nested", "identity returned [[[[[[[...]]]]]]]; it returns a text, a number, or a list of them", "def identity("),
    ("why", "number", "why returned 7; it returns a sentence", "def why("),
    ("squares", "text", "squares returned 'X'; it returns the squares of a move, each (row, column)", "def squares("),
];

/// The squares of a small board are taken by turns. Further lines are added behind it.
pub const SMALL: &str = "sides = 'XO'
def start(): return ['...'] * 3, 'X'
def moves(board, side): return [(row, column) for row in range(3) for column in range(3) if board[row][column] == '.']
def play(board, side, move):
    board[move[0]][move[1]] = side
    return board, 'O' if side == 'X' else 'X'
def ending(board, side): return None if any('.' in row for row in board) else (None, 'full-board')
";

/// A line behind [`SMALL`], a question, and the beginning of `what` or `error` in the answer. The
/// fault is in that line, unless the table says that nothing of it is known.
#[rustfmt::skip]
pub const LOADING: &[(&str, &str, &str)] = &[
    ("sides = 'XX'", "rules 1", "sides is 'XX'; it has the letters of both sides, such as \"XO\""),
    ("sides = 'X1'", "rules 1", "sides is 'X1'; it has the letters of both sides, such as \"XO\""),
    ("sides = ['X', 'O']", "rules 1", "sides is ['X', 'O']; it has the letters"),
    ("del sides", "rules 1", "sides is missing; it has the letters of both sides, such as \"XO\" (no line)"),
    ("del moves", "rules 1", "there is no function moves; there must be start, moves, play and ending (no line)"),
    ("moves = []", "rules 1", "there is no function moves; there must be start, moves, play and ending"),
    ("title = 3", "rules 1", "title is 3; it is a line of at most 100 bytes"),
    ("pieces = {'X': 'K', 'O': 'K'}", "rules 1", "pieces: the letter \"K\" is given to two pieces"),
    ("pieces = {'X': 'O'}", "rules 1", "pieces: the letter \"O\" is given to two pieces"),
    ("pieces = {'Z': 'K'}", "rules 1", "pieces is {'Z': 'K'}; it has the letters of each side's pieces, such as {'X': 'KQ', 'O': 'kq'}"),
    ("option('n', 4, range(5, 9))", "rules 1", "option `n`: its default 4 is not among its values"),
    ("option('N', 4, range(3, 9))", "rules 1", "'N' is no key of an option; it has small letters, digits, - and _, a letter first"),
    ("for _ in 'ab': option('n', 4, range(3, 9))", "rules 1", "option `n` is asked for twice"),
    ("option('n', 4, 'four')", "rules 1", "option `n`: its values are a range or a list of up to 1,000 words, not 'four'"),
    ("option('n', 4, range(10**9))", "rules 1", "option `n`: its values are a range or a list of up to 1,000 words, not range(0, 1000000000)"),
    ("option('n', 'a b', ['a b'])", "rules 1", "option `n`: 'a b' is neither a word nor a whole number"),
    ("option('n', True, [True, False])", "rules 1", "option `n`: True is neither a word nor a whole number"),
    ("option('n', 1, [1, '1'])", "rules 1", "option `n`: a value is listed twice"),
    ("option('n', 1, [1, 2], 'two\\nlines')", "rules 1", "option `n`: what it is about is a line of at most 300 bytes, not 'two\\nlines'"),
    ("def start(): return option('n', 1, [1, 2])", "start", "option is called in a function; it is called when the file is read"),
    ("import no_such_module", "rules 1", "ModuleNotFoundError: No module named 'no_such_module'"),
    ("1 / 0", "rules 1", "ZeroDivisionError: division by zero"),
    ("def f(:", "rules 1", "SyntaxError: "),
    ("raise KeyboardInterrupt if False else ValueError('two\\nlines')", "rules 1", "ValueError: two lines"),
    ("class Odd(Exception): __str__ = 3\nraise Odd", "rules 1", "Odd"),
    ("row_names = ['1']", "start", "row_names is ['1']; the board needs a list of 3"),
    ("row_names = [1, 2, 3]", "start", "row_names: 1 is no name of one to three letters and digits"),
    ("row_names = ['1', '2', '-']", "start", "row_names: '-' is no name of one to three letters and digits"),
    ("row_names = '121'", "start", "row_names: \"1\" is given twice"),
    ("column_names = ['a', 'b', 'bbbb']", "start", "column_names: 'bbbb' is no name of one to three letters and digits"),
    ("row_names, column_names = ['1', '11', '2'], ['a', '1a', 'b']", "start",
        "b11a2 can be read as the squares b1 1a2 and as b11 a2; change row_names or column_names"),
    ("row_names, column_names = ['1', '11', '2'], ['a', 'a1', 'b']", "start",
        "a11 can be read as the squares a11 and as a11 elsewhere; change row_names or column_names"),
    ("row_names, column_names = ['1', '1a1', '2'], ['a', 'b', 'c']", "start",
        "c1a1 can be read as the squares c1a1 and as c1 a1; change row_names or column_names"),
    ("row_names, column_names = 'as1', 'psx'", "start",
        "names of squares make the word pass, which arbiter reads as something else; change row_names or column_names"),
    ("def start(): return ['.' * 33], 'X'", "start", "start returned a board of 1 row and 33 columns; there are 1 to 32 of each"),
    ("def start(): return ['.'] * 33, 'X'", "start", "start returned a board of 33 rows and 1 column; there are 1 to 32 of each"),
    ("def start(): return [''], 'X'", "start", "start returned a board of 1 row and 0 columns; there are 1 to 32 of each"),
    ("def start(): return ['...'] * 3, 'X', '7'", "start",
        "start returned '7' after the side; a text that reads as a number comes back as one, so return 7"),
    ("def start(): return ['...'] * 3, 'X', 'a b'", "start",
        "start returned 'a b' after the side; it is a whole number, or a word without spaces, quotes and backslashes"),
    ("def start(): return ['...'] * 3, 'X', ''", "start", "start returned '' after the side; it is a whole number, or a word"),
    ("def start(): return ['...'] * 3, 'X', 1.5", "start", "start returned 1.5 after the side; it is a whole number, or a word"),
    ("def start(): return ['...'] * 3, 'X', 'x' * 4000", "start",
        "start returned a position whose text has 4008 bytes; it may have 4000"),
    ("", "set n 3", "unknown option `n` of small; it has no options"),
    ("option('n', 7, range(4, 13))", "set n 99", "option `n` cannot be `99`: it is 4 to 12 (default 7)"),
    ("option('n', 7, range(4, 13))", "set n 07", "option `n` cannot be `07`: it is 4 to 12 (default 7)"),
    ("option('n', 'a', ['a', 'b'])", "set n", "option `n` cannot be ``: it is a or b (default a)"),
    ("option('n', 4, [4, 6, 8])", "set n 5", "option `n` cannot be `5`: it is 4 or 6 or 8 (default 4)"),
    ("", "rules 2", "version 2 of the protocol is not known; it is 1"),
    ("", "move a1", "unknown request; there are rules, set, start, advance, at and why"),
    ("", "advance 3/3/3 X\td1", "`d1` is no legal move in 3/3/3 X"),
    ("", "advance 3/3/3 X", "`` is no legal move in 3/3/3 X"),
    ("", "at ", "position: it is empty; 2 are needed (rows, then the side to move)"),
    ("", "at 3/3/3", "position: 1 field where 2 are needed (rows, then the side to move)"),
    ("", "at 3/3/3 X X", "position: 3 fields where 2 are needed (rows, then the side to move)"),
    ("", "at 3/3/3  X", "position: stray space; its fields are separated by single spaces"),
    ("", "at 3/3 X", "position: 2 rows where 3 are needed"),
    ("", "at 3/3/2 X", "position, row 3 from the top: 2 squares wide, not 3"),
    ("", "at 3/X3/3 X", "position, row 2 from the top: 4 squares wide, not 3"),
    ("", "at 3/X02/3 X", "position, row 2 from the top: a run of empty squares cannot be `02`"),
    ("", "at 3/9/3 X", "position, row 2 from the top: a run of 9 empty squares does not fit a board 3 wide"),
    ("", "at 3/2Z/3 X", "position, row 2 from the top: unknown letter 'Z'; pieces are `O`, `X`, no square is `#`"),
    ("", "at 3/3/3 Z", "position: unknown side to move \"Z\"; it is X or O"),
    ("def start(): return ['...'] * 3, 'X', 1, 'w'", "at 3/3/3 X 1", "position: 3 fields where 4 are needed (rows, the side to move, and 2 more)"),
    ("def start(): return ['...'] * 3, 'X', 1, 'w'", "at 3/3/3 X 1 \"", "position: '\"' is no word of printable ASCII characters"),
];
