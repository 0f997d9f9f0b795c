using System;
using System.Collections.Generic;
using System.Linq;

/// <summary>A bot that plays a legal move at random: your idea goes into Choose.</summary>
public class Bot
{
    // What the referee has said about the game.
    string name = "";                // loa, flipflop, lineup, gekitai, or a custom game
    // The rules that can be set, such as n=8.
    readonly Dictionary<string, string> options = new Dictionary<string, string>();
    char me;                         // the letter of our pieces
    char opponent;                   // the letter of theirs
    int rows;                        // the number of rows of the board
    string[] board = new string[0];  // the rows from the top: board[0][2] is a square of the first row;
                                     // '.' is an empty one, '#' a block
    string[] moves = new string[0];  // every legal move of this turn
    long? time;                      // the milliseconds that are left on our clock; null without a clock
    Random random = new Random();

    /// <summary>Returns one of the legal moves.</summary>
    string Choose()
    {
        // YOUR IDEA GOES HERE
        return moves[random.Next(moves.Length)];
    }

    void Play()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            string[] words = line.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            string word = words.FirstOrDefault();
            string[] rest = words.Skip(1).ToArray();
            switch (word)
            {
                case "game": name = rest[0]; break;
                case "option": options[rest[0]] = rest[1]; break;
                // If there is a second number, it is that of the columns.
                case "size": rows = int.Parse(rest[0]); break;
                case "you": me = rest[0][0]; break;
                case "opponent": opponent = rest[0][0]; break;
                // The same seed plays the same game again.
                case "seed": random = new Random((int)(ulong.Parse(rest[0]) >> 33)); break;
                case "start": Console.WriteLine("ready"); break;
                case "clock": time = long.Parse(rest[0]); break;
                case "board": board = Enumerable.Range(0, rows).Select(row => Console.ReadLine()).ToArray(); break;
                case "moves": moves = rest; break;
                case "go": Console.WriteLine("move " + Choose()); break;
                case "quit": return;
                // All other lines can be ignored.
            }
        }
    }

    public static void Main()
    {
        new Bot().Play();
    }
}
