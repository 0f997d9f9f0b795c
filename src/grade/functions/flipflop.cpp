// The first half of the test main of FlipFlop's functions. Squares are board[row][column]; x is the column, y the row downwards.
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define M 24
bool InitializeBoard(int board[M][M], int n) __attribute__((weak));
bool InitialiizeBoard(int board[M][M], int n) __attribute__((weak)); // as the course spelt it
bool DisplayBoard(int board[M][M], int n) __attribute__((weak));
bool PlacePiece(int board[M][M], int n, int player, int square, int which, int &captured) __attribute__((weak));
bool IsThisMoveValid(int board[M][M], int n, int player, int square, int which) __attribute__((weak));
bool IsAnyMoveValid(int board[M][M], int n, int player, int which) __attribute__((weak));

// The course gave this one out, and it sets `captured` in every call. One that the submission defines is taken instead, because this one
// is weak; also an inline one, which is weak too, because the submission is linked first.
__attribute__((weak)) bool CheckLine(int board[M][M], int n, int player, int square, int x, int y, int &captured) {
    int row = square / n, column = square % n, count = 0;
    captured = 0;
    if (board[row][column] != 0) return false;
    for (row += y, column += x; row >= 0 && row < n && column >= 0 && column < n; row += y, column += x) {
        if (board[row][column] == 0) return false;
        if (board[row][column] == player) {
            captured = count;
            return count > 0;
        }
        count++;
    }
    return false;
}

namespace {

struct Function {
    const char *name;
    bool there;
};

const Function FUNCTIONS[] = {
    {"InitializeBoard", InitializeBoard != nullptr || InitialiizeBoard != nullptr},
    {"DisplayBoard", DisplayBoard != nullptr},
    {"PlacePiece", PlacePiece != nullptr},
    {"IsThisMoveValid", IsThisMoveValid != nullptr},
    {"IsAnyMoveValid", IsAnyMoveValid != nullptr},
};

const size_t STATE_BYTES = sizeof(int[M][M]);

int argument(const std::vector<std::string> &call, size_t index) {
    return index < call.size() ? atoi(call[index].c_str()) : 0;
}

// What lies beyond the n rows and columns in use: pieces of the player, so that a line that leaves the board ends in one.
int beyond(const std::vector<std::string> &call) { return call.size() > 3 ? argument(call, 3) : 2; }

// STATE is the rows of the board joined by `/`, each square `0`, `1` or `2`; `any` or `null` where there is none.
void fill_state(void *state, const std::vector<std::string> &call) {
    int(*board)[M] = static_cast<int(*)[M]>(state);
    for (int square = 0; square < M * M; square++) board[square / M][square % M] = beyond(call);
    int row = 0, column = 0;
    if (isdigit(call.at(1)[0]))
        for (char letter : call[1]) {
            if (letter == '/') row++, column = 0;
            else board[row][column++] = letter - '0';
        }
}

void fill_around(void *room, size_t bytes, int kind) {
    for (size_t square = 0; square < bytes / sizeof(int); square++) static_cast<int *>(room)[square] = kind;
}

std::string state_text(const void *state, const std::vector<std::string> &call) {
    if (!isdigit(call.at(1)[0])) return call[1];
    const int(*board)[M] = static_cast<const int(*)[M]>(state);
    const int n = argument(call, 2);
    bool same = true;
    std::string text;
    for (int row = 0; row < M; row++) {
        if (row && row < n) text += '/';
        for (int column = 0; column < M; column++)
            if (row >= n || column >= n) same &= board[row][column] == beyond(call);
            else text += board[row][column] < 0 || board[row][column] > 9 ? '?' : char('0' + board[row][column]);
    }
    return text + (same || call[0] == "InitializeBoard" ? "" : ",changed");
}

// Arguments are n, then player, square and which piece, as far as the function has them.
std::string answer_of(const std::vector<std::string> &call, void *state) {
    int(*board)[M] = static_cast<int(*)[M]>(call.at(1) == "null" ? nullptr : state);
    const std::string &function = call[0];
    const int n = argument(call, 2), player = argument(call, 3), next = argument(call, 4), which = argument(call, 5);
    if (function == "InitializeBoard" && InitializeBoard) return std::to_string(InitializeBoard(board, n));
    if (function == "InitializeBoard" && InitialiizeBoard) return std::to_string(InitialiizeBoard(board, n));
    if (function == "DisplayBoard" && DisplayBoard) DisplayBoard(board, n);
    if (function == "IsThisMoveValid" && IsThisMoveValid) return std::to_string(IsThisMoveValid(board, n, player, next, which));
    if (function == "IsAnyMoveValid" && IsAnyMoveValid) return std::to_string(IsAnyMoveValid(board, n, player, next));
    if (function == "PlacePiece" && PlacePiece) {
        int captured = 0;
        return PlacePiece(board, n, player, next, which, captured) ? "1," + std::to_string(captured) : "0";
    }
    return "-";
}

} // namespace
