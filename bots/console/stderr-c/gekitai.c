/* Gekitai against a person at a terminal. The argument says who begins: 1 the computer, 2 the person. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 6 };
static char board[N][N];

static int inside(int y, int x) { return y >= 0 && y < N && x >= 0 && x < N; }

/* Places a stone and pushes its neighbours away, one square each, where nothing stands behind them. */
static void place(int y, int x, char stone) {
    char before[N][N];
    board[y][x] = stone;
    for (int i = 0; i < N * N; i++) before[i / N][i % N] = board[i / N][i % N];
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int ny = y + dy, nx = x + dx, by = ny + dy, bx = nx + dx;
            if ((!dy && !dx) || !inside(ny, nx) || before[ny][nx] == '.') continue;
            if (inside(by, bx) && before[by][bx] != '.') continue;
            board[ny][nx] = '.';
            if (inside(by, bx)) board[by][bx] = before[ny][nx];
        }
}

static void show(void) {
    for (int y = 0; y < N; y++) fprintf(stderr, "%d %.*s\n", y + 1, N, board[y]);
    fprintf(stderr, "  abcdef\n");
}

/* How good the board is for this stone: near the middle, and not alone. */
static int worth(char stone) {
    int sum = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            if (board[y][x] != '.') {
                int value = 10 - abs(2 * y + 1 - N) - abs(2 * x + 1 - N);
                sum += board[y][x] == stone ? value : -value;
            }
    return sum;
}

static void choose(char stone) {
    char kept[N][N];
    int best = -100000, at = 0;
    for (int i = 0; i < N * N; i++) kept[i / N][i % N] = board[i / N][i % N];
    for (int i = 0; i < N * N; i++) {
        if (board[i / N][i % N] != '.') continue;
        place(i / N, i % N, stone);
        if (worth(stone) > best) best = worth(stone), at = i;
        for (int k = 0; k < N * N; k++) board[k / N][k % N] = kept[k / N][k % N];
    }
    place(at / N, at % N, stone);
    fprintf(stderr, "my stone goes to %c%d\n", 'a' + at % N, at / N + 1);
}

int main(int argc, char **argv) {
    int mine = argc > 1 && argv[1][0] == '1';
    for (int i = 0; i < N * N; i++) board[i / N][i % N] = '.';
    for (;; mine = !mine) {
        char column;
        int row;
        show();
        if (mine) {
            choose('C');
            continue;
        }
        for (;;) {
            printf("your stone> ");
            fflush(stdout);
            int read = scanf(" %c%d", &column, &row);
            if (read == EOF) return 0;
            if (read == 2 && inside(row - 1, column - 'a') && board[row - 1][column - 'a'] == '.') break;
            fprintf(stderr, "no such square\n");
            if (read != 2) scanf("%*[^\n]");
        }
        place(row - 1, column - 'a', 'P');
    }
}
