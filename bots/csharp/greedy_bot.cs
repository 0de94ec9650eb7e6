// Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
//
// A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for
// each piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.
using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;

class GreedyBot
{
    // Turns `bbb/1w1/www` into a map from cells, such as `a3`, to letters; the top rank comes first.
    static Dictionary<string, string> ReadBoard(string text)
    {
        var board = new Dictionary<string, string>();
        var rows = text.Split('/');
        for (var i = 0; i < rows.Length; i++)
        {
            var file = 'a';
            foreach (Match token in Regex.Matches(rows[i], "[0-9]+|[A-Za-z]"))
            {
                if (char.IsDigit(token.Value[0]))
                    file += (char)int.Parse(token.Value);
                else
                    board[file++ + (rows.Length - i).ToString()] = token.Value;
            }
        }
        return board;
    }

    static int Score(Dictionary<string, string> board, string ply)
    {
        var cells = Regex.Matches(ply, "[a-z][0-9]+");
        if (cells.Count == 0)
            return 0; // pass, swap
        string kind; // null: the ply places a new piece, and every piece is company
        board.TryGetValue(cells[0].Value, out kind);
        var end = cells[cells.Count - 1].Value;
        var value = 10 * Regex.Matches(ply, "[-+x]").Count + (board.ContainsKey(end) ? 10 : 0);
        var rank = int.Parse(end.Substring(1));
        for (var x = -1; x <= 1; x++)
            for (var y = -1; y <= 1; y++)
            {
                string letter;
                if ((x != 0 || y != 0) && board.TryGetValue((char)(end[0] + x) + (rank + y).ToString(), out letter))
                    value += kind == null || kind == letter ? 1 : -1;
            }
        return value;
    }

    static string Best(Dictionary<string, string> board, string[] legal, Random random)
    {
        var best = new List<string>();
        var highest = int.MinValue;
        for (var i = 1; i < legal.Length; i++)
        {
            var value = Score(board, legal[i]);
            if (value > highest)
                best.Clear();
            highest = Math.Max(highest, value);
            if (value == highest)
                best.Add(legal[i]);
        }
        return best[random.Next(best.Count)];
    }

    static void Main()
    {
        var random = new Random(1);
        var board = new Dictionary<string, string>();
        var legal = new string[0];
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var words = line.Split(new[] { ' ', '\t' }, StringSplitOptions.RemoveEmptyEntries);
            switch (words.Length > 0 ? words[0] : "")
            {
                case "ugi":
                    Console.WriteLine("id name CsGreedy\nprotocol 1\nplays *\nwant legal board\nugiok");
                    break;
                case "game":
                    foreach (var word in words)
                        if (word.StartsWith("seed="))
                            random = new Random((int)ulong.Parse(word.Substring(5)));
                    break;
                case "isready":
                    Console.WriteLine("readyok");
                    break;
                case "board":
                    board = ReadBoard(words[1]);
                    break;
                case "legal":
                    legal = words; // the first word is `legal` itself
                    break;
                case "go":
                    Console.WriteLine("bestmove " + Best(board, legal, random));
                    break;
                case "quit":
                    return;
            }
            Console.Out.Flush();
        }
    }
}
