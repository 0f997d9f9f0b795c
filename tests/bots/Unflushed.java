import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;

/** A minimal bot that never flushes its answers (and loses them at exit); with the argument `ready`, nor `ready`. */
public class Unflushed {
    public static void main(String[] args) throws IOException {
        boolean fromReady = args.length > 0 && args[0].equals("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintWriter out = new PrintWriter(System.out);
        String ply = "";
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "start":
                    out.println("ready");
                    if (!fromReady) {
                        out.flush();
                    }
                    break;
                case "moves":
                    ply = words[1];
                    break;
                case "go":
                    out.println("move " + ply);
                    break;
                default:
            }
        }
    }
}
