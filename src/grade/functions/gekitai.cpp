// The first half of the test main of Gekitai's functions. The build defines BOARD_N, the size of the board.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define N BOARD_N
bool is_valid_move(char board[][N], char player, int y, int x) __attribute__((weak));
int pieces_on_board(char board[][N], char player) __attribute__((weak));
bool pieces_in_line(char board[][N], char player) __attribute__((weak));
void move(char board[][N], char player, int y, int x) __attribute__((weak));
void print(char board[][N]) __attribute__((weak));

namespace {

struct Function {
    const char *name;
    bool there;
};

const Function FUNCTIONS[] = {
    {"is_valid_move", is_valid_move != nullptr},
    {"pieces_on_board", pieces_on_board != nullptr},
    {"pieces_in_line", pieces_in_line != nullptr},
    {"move", move != nullptr},
    {"print", print != nullptr},
};

const size_t STATE_BYTES = N * N;

// STATE is the rows of the board joined by `/`, each square `X`, `O` or `.`.
void fill_state(void *state, const std::vector<std::string> &call) {
    char *square = static_cast<char *>(state);
    for (char letter : call.at(1))
        if (letter != '/') *square++ = letter;
}

void fill_around(void *room, size_t bytes, int kind) { memset(room, ".XO"[kind], bytes); }

std::string state_text(const void *state, const std::vector<std::string> &) {
    const char *squares = static_cast<const char *>(state);
    std::string text;
    for (size_t square = 0; square < STATE_BYTES; square++) {
        if (square && square % N == 0) text += '/';
        text += squares[square] > ' ' && squares[square] <= '~' ? squares[square] : '?';
    }
    return text;
}

std::string answer_of(const std::vector<std::string> &call, void *state) {
    char(*board)[N] = static_cast<char(*)[N]>(state);
    const std::string &function = call[0];
    char player = call.size() > 2 ? call[2][0] : ' ';
    int y = call.size() > 4 ? atoi(call[3].c_str()) : 0, x = call.size() > 4 ? atoi(call[4].c_str()) : 0;
    if (function == "is_valid_move" && is_valid_move) return std::to_string(is_valid_move(board, player, y, x));
    if (function == "pieces_on_board" && pieces_on_board) return std::to_string(pieces_on_board(board, player));
    if (function == "pieces_in_line" && pieces_in_line) return std::to_string(pieces_in_line(board, player));
    if (function == "move" && move) move(board, player, y, x);
    if (function == "print" && print) print(board);
    return "-";
}

} // namespace
