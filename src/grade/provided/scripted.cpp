// A class LinesOfAction that answers by a script and knows no rules, so that a client with rules of its own is found.
//
// The script is the file that the environment variable ARBITER_SCRIPT names, or else `script.txt` in the folder that the
// program runs in. Its first line has the player who begins and the board: 64 letters, row by row. Each further line is a call
// of move that is expected: from, to, 1 or 0 for what it returns, then what gameOver returns and the board after it.
// A call with other squares returns false, changes nothing and is reported on standard error. A copy of an object goes on from where it
// was copied: the number of moves made is in the member `blacks`, which a client cannot see.
#include "LinesOfAction.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <vector>

namespace {

struct Step {
    string from, to, board;
    bool accepted;
    char over;
    bool asked = false;
};

// A global object of a client is constructed before the variables of this file.
vector<Step>& steps() {
    static vector<Step> all;
    return all;
}

void set_board(char board[8][8], const string& text) {
    for (int i = 0; i < 64; i++) {
        board[i / 8][i % 8] = text.at(i);
    }
}

}  // namespace

LinesOfAction::LinesOfAction() {
    const char* name = getenv("ARBITER_SCRIPT");
    ifstream script(name != nullptr ? name : "script.txt");
    string text;
    if (!(script >> currentPlayer >> text)) {
        cerr << "the script cannot be read\n";
        exit(3);
    }
    nextPlayer = currentPlayer == 'B' ? 'W' : 'B';
    set_board(board, text);
    blacks = 0;
    whites = 12;
    steps().clear();
    for (Step step; script >> step.from >> step.to >> step.accepted >> step.over >> step.board;) {
        steps().push_back(step);
    }
}

void LinesOfAction::printGame() {
    cout << "  a b c d e f g h\n";
    for (int row = 0; row < 8; row++) {
        cout << row;
        for (char square : board[row]) {
            cout << ' ' << square;
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

bool LinesOfAction::move(string from, string to) {
    size_t next = size_t(blacks);
    while (next < steps().size() && steps()[next].asked && !steps()[next].accepted && (steps()[next].from != from || steps()[next].to != to)) {
        next++;  // a copy has been told that it is refused
    }
    if (next >= steps().size() || steps()[next].from != from || steps()[next].to != to) {
        cerr << "move was called with " << from << " and " << to << " at the wrong time\n";
        return false;
    }
    steps()[next].asked = true;
    blacks = int(next) + 1;
    set_board(board, steps()[next].board);
    return steps()[next].accepted;
}

bool LinesOfAction::hasConnected(char p) {
    return gameOver() == 'D' || gameOver() == p;
}

char LinesOfAction::gameOver() {
    return blacks == 0 ? '-' : steps()[size_t(blacks) - 1].over;
}
