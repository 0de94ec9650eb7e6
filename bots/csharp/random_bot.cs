// Plays a random legal ply of any game: it asks the arena for the list of legal plies.
using System;

class RandomBot
{
    static void Main()
    {
        var random = new Random(1);
        var legal = new string[0];
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var words = line.Split(new[] { ' ', '\t' }, StringSplitOptions.RemoveEmptyEntries);
            switch (words.Length > 0 ? words[0] : "")
            {
                case "ugi":
                    Console.WriteLine("id name CsRandom\nprotocol 1\nplays *\nwant legal\nugiok");
                    break;
                case "game":
                    foreach (var word in words)
                        if (word.StartsWith("seed="))
                            random = new Random((int)ulong.Parse(word.Substring(5)));
                    break;
                case "isready":
                    Console.WriteLine("readyok");
                    break;
                case "legal":
                    legal = words; // the first word is `legal` itself
                    break;
                case "go":
                    Console.WriteLine("bestmove " + legal[random.Next(1, legal.Length)]);
                    break;
                case "quit":
                    return;
            }
            Console.Out.Flush();
        }
    }
}
