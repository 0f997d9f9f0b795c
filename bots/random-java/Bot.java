import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A bot that plays a legal move at random: your idea goes into choose(). */
public class Bot {
    // What the referee has said about the game.
    private String name = ""; // loa, flipflop, lineup, gekitai, or a custom game
    private final Map<String, String> options = new HashMap<>(); // the rules that can be set, such as n=8
    private char me; // the letter of our pieces
    private char opponent; // the letter of theirs
    private int rows; // the number of rows of the board
    private char[][] board = {}; // the rows from the top: board[0][2] is a square of the first row;
                                 // '.' is an empty one, '#' a block
    private List<String> moves = List.of(); // every legal move of this turn
    private long time = -1; // the milliseconds that are left on our clock; -1 without a clock
    private Random random = new Random();

    /** Returns one of the legal moves. */
    private String choose() {
        // YOUR IDEA GOES HERE
        return moves.get(random.nextInt(moves.size()));
    }

    private void play(BufferedReader in) throws IOException {
        String line;
        while ((line = in.readLine()) != null) {
            List<String> words = List.of(line.trim().split("\\s+"));
            List<String> rest = words.subList(1, words.size());
            switch (words.get(0)) {
                case "game" -> name = rest.get(0);
                case "option" -> options.put(rest.get(0), rest.get(1));
                // If there is a second number, it is that of the columns.
                case "size" -> rows = Integer.parseInt(rest.get(0));
                case "you" -> me = rest.get(0).charAt(0);
                case "opponent" -> opponent = rest.get(0).charAt(0);
                // The same seed plays the same game again.
                case "seed" -> random = new Random(Long.parseUnsignedLong(rest.get(0)));
                case "start" -> System.out.println("ready");
                case "clock" -> time = Long.parseLong(rest.get(0));
                case "board" -> board = readBoard(in);
                case "moves" -> moves = rest;
                case "go" -> System.out.println("move " + choose());
                case "quit" -> {
                    return;
                }
                default -> {} // all other lines can be ignored
            }
        }
    }

    private char[][] readBoard(BufferedReader in) throws IOException {
        char[][] read = new char[rows][];
        for (int row = 0; row < rows; row++) {
            String line = in.readLine();
            read[row] = line == null ? new char[0] : line.trim().toCharArray();
        }
        return read;
    }

    public static void main(String[] arguments) throws IOException {
        new Bot().play(new BufferedReader(new InputStreamReader(System.in)));
    }
}
