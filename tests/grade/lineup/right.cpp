// Line 'em Up, a person against the program: asks for the board, then for a row and a column a move.
#include <iostream>
#include <string>
#include <vector>

const int DIRECTIONS[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

struct Game {
    int n = 0, s = 0;
    std::vector<std::string> board;

    bool hasLine(int row, int column, char piece) const {
        for (const auto& direction : DIRECTIONS) {
            int count = 1;
            for (int sign = -1; sign <= 1; sign += 2) {
                int y = row + sign * direction[0], x = column + sign * direction[1];
                while (y >= 0 && y < n && x >= 0 && x < n && board[y][x] == piece) {
                    count++;
                    y += sign * direction[0];
                    x += sign * direction[1];
                }
            }
            if (count >= s) return true;
        }
        return false;
    }

    bool isFull() const {
        for (const auto& row : board)
            if (row.find('.') != std::string::npos) return false;
        return true;
    }

    void show() const {
        for (const auto& row : board) std::cout << row << "\n";
    }
};

int ask(const std::string& what) {
    int answer = 0;
    std::cout << what << std::flush;
    if (!(std::cin >> answer)) std::exit(0);
    return answer;
}

int main() {
    Game game;
    game.n = ask("Size of the board: ");
    game.board.assign(game.n, std::string(game.n, '.'));
    int blocks = ask("Number of blocks: ");
    game.s = ask("Pieces in a row: ");
    for (int i = 0; i < blocks; i++) {
        int row = ask("Row of the block: ");
        game.board[row][ask("Column of the block: ")] = '#';
    }
    bool isProgram = ask("Who is O? 1 the program, 2 a person: ") == 1;
    for (char piece = 'O';; piece = piece == 'O' ? 'X' : 'O', isProgram = !isProgram) {
        game.show();
        int row = 0, column = 0;
        if (isProgram) {
            while (game.board[row][column] != '.') {
                if (++column == game.n) column = 0, row++;
            }
            std::cout << "The program plays row " << row << ", column " << column << std::endl;
        } else {
            row = ask("Your row: ");
            column = ask("Your column: ");
        }
        game.board[row][column] = piece;
        if (game.hasLine(row, column, piece)) {
            std::cout << piece << " wins!" << std::endl;
            return 0;
        }
        if (game.isFull()) {
            std::cout << "Draw!" << std::endl;
            return 0;
        }
    }
}
