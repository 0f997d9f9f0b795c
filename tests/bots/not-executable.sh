#!/bin/sh
# A healthy bot without the execute bit.
while read -r word first rest; do
    case $word in
    start) echo ready ;;
    moves) ply=$first ;;
    go) echo "move $ply" ;;
    esac
done
