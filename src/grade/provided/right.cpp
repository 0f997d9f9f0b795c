// A right implementation of the class LinesOfAction.
#include "LinesOfAction.h"

#include <cstdlib>
#include <iostream>

LinesOfAction::LinesOfAction() {
    for (int row = 0; row < 8; row++) {
        for (int column = 0; column < 8; column++) {
            bool side = column == 0 || column == 7;
            bool end = row == 0 || row == 7;
            board[row][column] = side == end ? '.' : side ? 'B' : 'W';
        }
    }
    currentPlayer = 'B';
    nextPlayer = 'W';
    blacks = whites = 12;
}

void LinesOfAction::printGame() {
    cout << "  a b c d e f g h\n";
    for (int row = 0; row < 8; row++) {
        cout << row;
        for (int column = 0; column < 8; column++) {
            cout << ' ' << board[row][column];
        }
        cout << '\n';
    }
}

char LinesOfAction::getCurrentPlayer() {
    return currentPlayer;
}

void LinesOfAction::swapPlayer() {
    swap(currentPlayer, nextPlayer);
}

static bool isSquare(const string& text) {
    return text.length() == 2 && text[0] >= 'a' && text[0] <= 'h' && text[1] >= '0' && text[1] <= '7';
}

static int sign(int number) {
    return (number > 0) - (number < 0);
}

bool LinesOfAction::move(string from, string to) {
    if (!isSquare(from) || !isSquare(to)) {
        return false;
    }
    int row = from[1] - '0', column = from[0] - 'a';
    int down = to[1] - from[1], right = to[0] - from[0];
    int distance = max(abs(down), abs(right));
    if (board[row][column] != currentPlayer || distance == 0) {
        return false;
    }
    if (down != 0 && right != 0 && abs(down) != abs(right)) {
        return false;
    }
    int stepDown = sign(down), stepRight = sign(right), count = 0;
    for (int steps = -7; steps <= 7; steps++) {
        int r = row + steps * stepDown, c = column + steps * stepRight;
        if (r >= 0 && r < 8 && c >= 0 && c < 8 && board[r][c] != '.') {
            count++;
        }
    }
    if (distance != count) {
        return false;
    }
    for (int steps = 1; steps < distance; steps++) {
        if (board[row + steps * stepDown][column + steps * stepRight] == nextPlayer) {
            return false;
        }
    }
    char& landing = board[row + down][column + right];
    if (landing == currentPlayer) {
        return false;
    }
    if (landing == nextPlayer) {
        (nextPlayer == 'B' ? blacks : whites)--;
    }
    landing = currentPlayer;
    board[row][column] = '.';
    return true;
}

// The number of pieces of p that are connected with a square; they are removed from the board.
static int take(char board[8][8], char p, int row, int column) {
    if (row < 0 || row > 7 || column < 0 || column > 7 || board[row][column] != p) {
        return 0;
    }
    board[row][column] = '.';
    int count = 1;
    for (int down = -1; down <= 1; down++) {
        for (int right = -1; right <= 1; right++) {
            count += take(board, p, row + down, column + right);
        }
    }
    return count;
}

bool LinesOfAction::hasConnected(char p) {
    char copy[8][8];
    int groups = 0;
    for (int i = 0; i < 64; i++) {
        copy[i / 8][i % 8] = board[i / 8][i % 8];
    }
    for (int i = 0; i < 64; i++) {
        if (take(copy, p, i / 8, i % 8) > 0) {
            groups++;
        }
    }
    return groups == 1;
}

char LinesOfAction::gameOver() {
    bool black = hasConnected('B'), white = hasConnected('W');
    return black && white ? 'D' : black ? 'B' : white ? 'W' : '-';
}
