import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
 *
 * <p>A ply is worth ten for each capture that can be read from it ({@code +}, {@code -}, {@code x}, or a piece where it
 * ends), one for each piece of its own kind next to where it ends, and minus one for each other piece there. Ties are
 * drawn by lot.
 */
public class GreedyBot {
    private static final Pattern CELL = Pattern.compile("[a-z]\\d+");
    private static final Pattern RUN_OR_LETTER = Pattern.compile("\\d+|[A-Za-z]");

    /** Turns {@code bbb/1w1/www} into a map from cells, such as {@code a3}, to letters; the top rank comes first. */
    static Map<String, String> readBoard(String text) {
        Map<String, String> board = new HashMap<>();
        String[] rows = text.split("/");
        for (int index = 0; index < rows.length; index++) {
            char file = 'a';
            Matcher tokens = RUN_OR_LETTER.matcher(rows[index]);
            while (tokens.find()) {
                if (Character.isDigit(tokens.group().charAt(0))) {
                    file += Integer.parseInt(tokens.group());
                } else {
                    board.put("" + file++ + (rows.length - index), tokens.group());
                }
            }
        }
        return board;
    }

    static int score(Map<String, String> board, String ply) {
        String[] cells = CELL.matcher(ply).results().map(found -> found.group()).toArray(String[]::new);
        if (cells.length == 0) return 0; // pass, swap
        String kind = board.get(cells[0]); // null: the ply places a new piece, and every piece is company
        String end = cells[cells.length - 1];
        long captures = ply.chars().filter(letter -> "+-x".indexOf(letter) >= 0).count();
        if (board.containsKey(end)) captures++;
        int value = 10 * (int) captures;
        int rank = Integer.parseInt(end.substring(1));
        for (int x = -1; x <= 1; x++) {
            for (int y = -1; y <= 1; y++) {
                String letter = board.get("" + (char) (end.charAt(0) + x) + (rank + y));
                if (letter != null && (x != 0 || y != 0)) value += kind == null || kind.equals(letter) ? 1 : -1;
            }
        }
        return value;
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        Random random = new Random();
        Map<String, String> board = new HashMap<>();
        String[] legal = {};
        while (input.hasNextLine()) {
            String[] words = input.nextLine().trim().split("\\s+");
            switch (words[0]) {
                case "ugi" -> System.out.println("id name JavaGreedy\nprotocol 1\nplays *\nwant legal board\nugiok");
                case "game" -> {
                    for (String word : words) {
                        if (word.startsWith("seed=")) random = new Random(Long.parseUnsignedLong(word.substring(5)));
                    }
                }
                case "isready" -> System.out.println("readyok");
                case "board" -> board = readBoard(words[1]);
                case "legal" -> legal = words; // the first word is `legal` itself
                case "go" -> {
                    List<String> best = new ArrayList<>();
                    int highest = Integer.MIN_VALUE;
                    for (int i = 1; i < legal.length; i++) {
                        int value = score(board, legal[i]);
                        if (value > highest) best.clear();
                        highest = Math.max(highest, value);
                        if (value == highest) best.add(legal[i]);
                    }
                    System.out.println("bestmove " + best.get(random.nextInt(best.size())));
                }
                case "quit" -> System.exit(0);
                default -> { }
            }
            System.out.flush();
        }
    }
}
