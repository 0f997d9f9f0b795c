#ifndef LINES_OF_ACTION_H
#define LINES_OF_ACTION_H

#include <string>
using namespace std;

class LinesOfAction {
public:
    LinesOfAction();
    void printGame();
    char getCurrentPlayer();
    void swapPlayer();
    bool move(string from, string to);
    bool hasConnected(char p);
    char gameOver();

private:
    char board[8][8];
    char currentPlayer, nextPlayer;
    int blacks, whites;
};

#endif
