// A right client of the class LinesOfAction.
#include <iostream>
#include <string>

#include "LinesOfAction.h"
using namespace std;

int main() {
    LinesOfAction game;
    string from, to;
    while (game.gameOver() == '-') {
        game.printGame();
        cout << game.getCurrentPlayer() << "'s move: ";
        while (cin >> from >> to && !game.move(from, to)) {
            cout << "Invalid move. Try again!" << endl;
            cout << game.getCurrentPlayer() << "'s move: ";
        }
        if (!cin) {
            return 1;
        }
        game.swapPlayer();
    }
    game.printGame();
    if (game.gameOver() == 'D') {
        cout << "Draw game!" << endl;
    } else {
        cout << game.gameOver() << " wins!" << endl;
    }
    return 0;
}
