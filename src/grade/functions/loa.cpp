// The first half of the test main of the class of Lines of Action. Before it stands the header of the course with all members public:
// it tells where they lie. The functions are declared by their symbols, since a member function cannot be asked whether it is there.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define SYMBOL(name) __asm__("_ZN13LinesOfAction" name) __attribute__((weak))
#define TEXT "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
void loa_construct(LinesOfAction *) SYMBOL("C1Ev");
void loa_print(LinesOfAction *) SYMBOL("9printGameEv");
char loa_current(LinesOfAction *) SYMBOL("16getCurrentPlayerEv");
void loa_swap(LinesOfAction *) SYMBOL("10swapPlayerEv");
bool loa_move(LinesOfAction *, std::string, std::string) SYMBOL("4moveE" TEXT "S5_");
bool loa_connected(LinesOfAction *, char) SYMBOL("12hasConnectedEc");
char loa_over(LinesOfAction *) SYMBOL("8gameOverEv");

namespace {

struct Function {
    const char *name;
    bool there;
};

const Function FUNCTIONS[] = {
    {"LinesOfAction", loa_construct != nullptr},
    {"printGame", loa_print != nullptr},
    {"getCurrentPlayer", loa_current != nullptr},
    {"swapPlayer", loa_swap != nullptr},
    {"move", loa_move != nullptr},
    {"hasConnected", loa_connected != nullptr},
    {"gameOver", loa_over != nullptr},
};

const size_t STATE_BYTES = sizeof(LinesOfAction);

// STATE is the rows of the board joined by `/`, then currentPlayer, nextPlayer, blacks and whites, each after a comma.
void fill_state(void *state, const std::vector<std::string> &call) {
    LinesOfAction &game = *static_cast<LinesOfAction *>(state);
    char rows[8 * 9], current, next;
    int blacks, whites;
    if (sscanf(call.at(1).c_str(), "%71[^,],%c,%c,%d,%d", rows, &current, &next, &blacks, &whites) != 5) abort();
    game.currentPlayer = current;
    game.nextPlayer = next;
    game.blacks = blacks;
    game.whites = whites;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++) game.board[row][column] = rows[row * 9 + column];
}

void fill_around(void *room, size_t bytes, int kind) { memset(room, ".BW"[kind], bytes); }

char visible(char letter) { return letter > ' ' && letter <= '~' && letter != ',' && letter != '/' ? letter : '?'; }

std::string state_text(const void *state, const std::vector<std::string> &call) {
    LinesOfAction game = *static_cast<const LinesOfAction *>(state), before = game;
    // What a call of the constructor does not ask for stays as it was.
    if (call[0] == "LinesOfAction") {
        fill_state(&before, call);
        if (call[2] != "board") memcpy(game.board, before.board, sizeof game.board);
        if (call[2] != "players") game.currentPlayer = before.currentPlayer, game.nextPlayer = before.nextPlayer;
        if (call[2] != "numbers") game.blacks = before.blacks, game.whites = before.whites;
    }
    std::string text;
    for (int row = 0; row < 8; row++) {
        if (row) text += '/';
        for (char letter : game.board[row]) text += visible(letter);
    }
    return text + ',' + visible(game.currentPlayer) + ',' + visible(game.nextPlayer) + ',' + std::to_string(game.blacks) + ',' +
           std::to_string(game.whites);
}

std::string answer_of(const std::vector<std::string> &call, void *state) {
    LinesOfAction *game = static_cast<LinesOfAction *>(state);
    const std::string &function = call[0];
    if (function == "LinesOfAction" && loa_construct) loa_construct(game);
    if (function == "printGame" && loa_print) loa_print(game);
    if (function == "getCurrentPlayer" && loa_current) return std::string(1, visible(loa_current(game)));
    if (function == "swapPlayer" && loa_swap) loa_swap(game);
    if (function == "move" && loa_move) return std::to_string(loa_move(game, call.at(2), call.at(3)));
    if (function == "hasConnected" && loa_connected) return std::to_string(loa_connected(game, call.at(2)[0]));
    if (function == "gameOver" && loa_over) return std::string(1, visible(loa_over(game)));
    return "-";
}

} // namespace
