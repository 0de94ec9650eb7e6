import java.util.Random;
import java.util.Scanner;

/** Plays a random legal ply of any game: it asks the arena for the list of legal plies. */
public class RandomBot {
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        Random random = new Random();
        String[] legal = {};
        while (input.hasNextLine()) {
            String[] words = input.nextLine().trim().split("\\s+");
            switch (words[0]) {
                case "ugi" -> System.out.println("id name JavaRandom\nprotocol 1\nplays *\nwant legal\nugiok");
                case "game" -> {
                    for (String word : words) {
                        if (word.startsWith("seed=")) random = new Random(Long.parseUnsignedLong(word.substring(5)));
                    }
                }
                case "isready" -> System.out.println("readyok");
                case "legal" -> legal = words; // the first word is `legal` itself
                case "go" -> System.out.println("bestmove " + legal[1 + random.nextInt(legal.length - 1)]);
                case "quit" -> System.exit(0);
                default -> { }
            }
            System.out.flush();
        }
    }
}
