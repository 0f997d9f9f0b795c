// A bot that plays a legal move at random: your idea goes into choose().

#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// What the referee has said about the game.
struct Game {
    std::string name;                           // loa, flipflop, lineup, gekitai, or a custom game
    std::map<std::string, std::string> options; // the rules that can be set, such as n=8
    char me = ' ';                              // the letter of our pieces
    char opponent = ' ';                        // the letter of theirs
    int rows = 0;                               // the number of rows of the board
    std::vector<std::string> board;             // the rows from the top: board[0][2] is a square of the first row;
                                                // '.' is an empty one, '#' a block
    std::vector<std::string> moves;             // every legal move of this turn
    long time = -1;                             // the milliseconds that are left on our clock; -1 without a clock
    std::mt19937_64 random;
};

// Returns one of the legal moves.
std::string choose(Game &game)
{
    // YOUR IDEA GOES HERE
    return game.moves[game.random() % game.moves.size()];
}

// Sends a line to the referee. std::endl flushes: a line that stays in our buffer loses on time.
void say(const std::string &text)
{
    std::cout << text << std::endl;
}

int main()
{
    Game game;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "game") {
            words >> game.name;
        } else if (word == "option") {
            std::string key;
            words >> key >> game.options[key];
        } else if (word == "size") {
            words >> game.rows; // if there is a second number, it is that of the columns
        } else if (word == "you") {
            words >> game.me;
        } else if (word == "opponent") {
            words >> game.opponent;
        } else if (word == "seed") {
            unsigned long long seed = 0;
            words >> seed;
            game.random.seed(seed); // the same seed plays the same game again
        } else if (word == "start") {
            say("ready");
        } else if (word == "clock") {
            words >> game.time;
        } else if (word == "board") {
            game.board.assign(game.rows, "");
            for (std::string &row : game.board)
                std::cin >> row;
        } else if (word == "moves") {
            game.moves.clear();
            while (words >> word)
                game.moves.push_back(word);
        } else if (word == "go") {
            say("move " + choose(game));
        } else if (word == "quit") {
            break;
        }
        // All other lines can be ignored.
    }
}
