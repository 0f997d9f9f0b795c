// Right functions of Gekitai, from which the mutants of gekitai.toml are made.
#include <iomanip>
#include <iostream>
using namespace std;

const int N = 6; // board size
const int P = 8; // number of pieces per player
const int L = 3; // number of pieces required to form a line

bool inside(int y, int x) {
    return y >= 0 && y < N && x >= 0 && x < N;
}

bool is_valid_move(char board[][N], char player, int y, int x) {
    if (y < 0 || x < 0) return false;
    if (y >= N || x >= N) return false;
    return board[y][x] == '.';
}

int pieces_on_board(char board[][N], char player) {
    int count = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            if (board[y][x] == player) count++;
    return count;
}

bool line_from(char board[][N], char player, int y, int x, int dy, int dx) {
    int length = 0;
    while (length < L && inside(y, x) && board[y][x] == player) {
        length++;
        y += dy;
        x += dx;
    }
    return length == L;
}

bool pieces_in_line(char board[][N], char player) {
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            if (line_from(board, player, row, column, 0, 1)) return true;
            if (line_from(board, player, row, column, 1, 0)) return true;
            if (line_from(board, player, row, column, 1, 1)) return true;
            if (line_from(board, player, row, column, -1, 1)) return true;
        }
    return false;
}

void move(char board[][N], char player, int y, int x) {
    board[y][x] = player;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (dy == 0 && dx == 0) continue;
            int ny = y + dy, nx = x + dx;
            if (!inside(ny, nx) || board[ny][nx] == '.') continue;
            int ty = ny + dy, tx = nx + dx;
            if (!inside(ty, tx)) {
                board[ny][nx] = '.';
            } else if (board[ty][tx] == '.') {
                board[ty][tx] = board[ny][nx];
                board[ny][nx] = '.';
            }
        }
}

void print(char board[][N]) {
    cout << "  ";
    for (int x = 0; x < N; x++) cout << ' ' << char('A' + x);
    cout << endl;
    for (int y = 0; y < N; y++) {
        cout << setw(2) << y + 1;
        for (int x = 0; x < N; x++) cout << ' ' << board[y][x];
        cout << endl;
    }
}

int main() {
    char board[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) board[y][x] = '.';
    print(board);
    return 0;
}
