#!/bin/sh
# shelly: plays the first legal move. This is a complete bot.

while read -r word first rest; do
    case $word in
    start) echo ready ;;
    moves) ply=$first ;;
    go) echo "move $ply" ;;
    esac
done
