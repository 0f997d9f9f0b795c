#!/bin/sh
# Starts the program that its arguments name below itself instead of becoming it.
"$@"
echo "it has ended" >&2
