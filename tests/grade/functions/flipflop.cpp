// Right functions of FlipFlop, from which the mutants of flipflop.toml are made. CheckLine is that of the course.
#include <iomanip>
#include <iostream>
using namespace std;

#define MAX_ARRAY_SIZE 24

bool CheckLine(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard, int player, int squarePlayed, int xDirection,
               int yDirection, int& numCaptured);

bool InitializeBoard(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard) {
    if (board == NULL) return false;
    if (numRowsInBoard < 8) return false;
    if (numRowsInBoard > MAX_ARRAY_SIZE) return false;
    for (int row = 0; row < numRowsInBoard; row++)
        for (int column = 0; column < numRowsInBoard; column++) board[row][column] = 0;
    int middle = numRowsInBoard / 2;
    board[middle - 1][middle - 1] = 1;
    board[middle][middle] = 1;
    board[middle - 1][middle] = 2;
    board[middle][middle - 1] = 2;
    return true;
}

bool DisplayBoard(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard) {
    for (int row = 0; row < numRowsInBoard; row++) {
        for (int column = 0; column < numRowsInBoard; column++) {
            if (board[row][column] == 1)
                cout << setw(4) << 'W';
            else if (board[row][column] == 2)
                cout << setw(4) << 'B';
            else
                cout << setw(4) << row * numRowsInBoard + column;
        }
        cout << endl;
    }
    return true;
}

// Captures along a line, if it is trapped; returns how many.
int Capture(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard, int player, int squarePlayed, int x, int y) {
    int captured = 0;
    if (!CheckLine(board, numRowsInBoard, player, squarePlayed, x, y, captured)) return 0;
    int row = squarePlayed / numRowsInBoard, column = squarePlayed % numRowsInBoard;
    for (int step = 1; step <= captured; step++) board[row + step * y][column + step * x] = player;
    return captured;
}

bool PlacePiece(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard, int player, int squarePlayed, int whichPiece,
                int& numberCaptured) {
    int unused = 0;
    bool valid = false;
    if (whichPiece == 1) {
        valid = CheckLine(board, numRowsInBoard, player, squarePlayed, 1, 0, unused) ||
                CheckLine(board, numRowsInBoard, player, squarePlayed, -1, 0, unused) ||
                CheckLine(board, numRowsInBoard, player, squarePlayed, 0, 1, unused) ||
                CheckLine(board, numRowsInBoard, player, squarePlayed, 0, -1, unused);
    } else {
        valid = CheckLine(board, numRowsInBoard, player, squarePlayed, 1, 1, unused) ||
                CheckLine(board, numRowsInBoard, player, squarePlayed, 1, -1, unused) ||
                CheckLine(board, numRowsInBoard, player, squarePlayed, -1, 1, unused) ||
                CheckLine(board, numRowsInBoard, player, squarePlayed, -1, -1, unused);
    }
    if (!valid) {
        cout << "Illegal move" << endl;
        return false;
    }
    numberCaptured = 0;
    numberCaptured += Capture(board, numRowsInBoard, player, squarePlayed, 1, 0);
    numberCaptured += Capture(board, numRowsInBoard, player, squarePlayed, -1, 0);
    numberCaptured += Capture(board, numRowsInBoard, player, squarePlayed, 0, 1);
    numberCaptured += Capture(board, numRowsInBoard, player, squarePlayed, 0, -1);
    numberCaptured += Capture(board, numRowsInBoard, player, squarePlayed, 1, 1);
    numberCaptured += Capture(board, numRowsInBoard, player, squarePlayed, 1, -1);
    numberCaptured += Capture(board, numRowsInBoard, player, squarePlayed, -1, 1);
    numberCaptured += Capture(board, numRowsInBoard, player, squarePlayed, -1, -1);
    board[squarePlayed / numRowsInBoard][squarePlayed % numRowsInBoard] = player;
    cout << (player == 1 ? "White" : "Black") << " has placed the " << (whichPiece == 1 ? "first" : "second") << " piece" << endl;
    return true;
}

bool IsThisMoveValid(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard, int player, int squarePlayed, int whichPiece) {
    int captured = 0;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++) {
            bool straight = x == 0 || y == 0;
            if (straight != (whichPiece == 1)) continue;
            if (CheckLine(board, numRowsInBoard, player, squarePlayed, x, y, captured)) return true;
        }
    return false;
}

bool Any(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard, int player, int squarePlayed, int whichPiece) {
    int captured = 0;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            if ((x == 0 || y == 0) == (whichPiece == 1) && CheckLine(board, numRowsInBoard, player, squarePlayed, x, y, captured))
                return true;
    return false;
}

bool IsAnyMoveValid(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int numRowsInBoard, int player, int whichPiece) {
    int squares = numRowsInBoard * numRowsInBoard;
    for (int square = 0; square < squares; square++)
        if (Any(board, numRowsInBoard, player, square, whichPiece)) return true;
    return false;
}

int main() {
    int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE];
    InitializeBoard(board, 8);
    DisplayBoard(board, 8);
    return 0;
}
