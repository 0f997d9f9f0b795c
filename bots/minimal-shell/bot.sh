#!/bin/sh
# A bot that plays the first legal move: your idea goes into choose.

# What the referee has said about the game.
game=     # loa, flipflop, lineup, gekitai, or a custom game
me=       # the letter of our pieces
opponent= # the letter of theirs
rows=0    # the number of rows of the board
board=    # its rows from the top, with blanks between them: for row in $board; "." is empty, "#" a block
moves=    # every legal move of this turn, with blanks between them
time=     # the milliseconds that are left on our clock; empty without a clock

# Sets answer to one of the words of $moves.
choose() {
    # YOUR IDEA GOES HERE
    answer=${moves%% *}
}

while read -r word rest; do
    case $word in
    game) game=$rest ;;
    you) me=$rest ;;
    opponent) opponent=$rest ;;
    size) rows=${rest%% *} ;; # if there is a second number, it is that of the columns
    start) echo ready ;;
    clock) time=${rest%% *} ;;
    board)
        board=
        missing=$rows
        while [ "$missing" -gt 0 ] && read -r row; do
            board="$board $row"
            missing=$((missing - 1))
        done
        ;;
    moves) moves=$rest ;;
    go)
        choose
        echo "move $answer"
        ;;
    quit) exit ;;
    esac # all other lines can be ignored
done
