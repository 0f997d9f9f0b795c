import java.io.BufferedReader;
import java.io.InputStreamReader;

/** A minimal bot with one fault: Faults FAULT. */
public class Faults {
    static String fault;
    static String ply;

    public static void main(String[] arguments) throws Exception {
        fault = arguments[0];
        if (fault.equals("reads-all")) {
            for (String line : new String(System.in.readAllBytes()).split("\n")) {
                hear(line);
            }
            return;
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            hear(line);
        }
    }

    static void hear(String line) {
        String[] words = line.split(" ");
        if (words[0].equals("start") && !fault.equals("never-ready")) {
            System.out.println("ready");
        } else if (words[0].equals("moves")) {
            ply = words[1];
        } else if (words[0].equals("go")) {
            if (fault.equals("deep")) {
                search(0);
            }
            if (fault.equals("parses")) {
                Integer.parseInt("a1");
            }
            if (fault.equals("prints-error")) {
                try {
                    new int[0].clone()[3]++;
                } catch (RuntimeException error) {
                    error.printStackTrace(System.out);
                }
                return;
            }
            System.out.println("move " + ply);
        }
        System.out.flush();
    }

    static int search(int depth) {
        return 1 + search(depth + 1);
    }
}
