"""Line 'em Up with a trace of the game in gameTrace.txt: size, length of a line, and the letter that the computer plays."""

import sys

n, s, computer = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
person = "O" if computer == "X" else "X"
board = {}

with open("gameTrace.txt", "w") as trace:
    print(f"n={n} s={s}", file=trace, flush=True)
    on_move = "X"
    try:
        while len(board) < n * n:
            if on_move == computer:
                free = [(y, x) for y in range(n) for x in range(n) if (y, x) not in board]
                y, x = min(free, key=lambda at: (at[0] * 7 + at[1] * 3 + len(board)) % (n * n))
                print(f"Player {on_move}, a computer, moves to {chr(ord('a') + x)}{y}", flush=True)
            else:
                text = input(f"Enter the move of {on_move}, such as b2: ")
                y, x = int(text[1:]), ord(text[0]) - ord("a")
                if (y, x) in board:
                    print("That square is taken.")
                    continue
            board[y, x] = on_move
            print(on_move, y, x, file=trace, flush=True)
            on_move = person if on_move == computer else computer
    except EOFError:
        print("Goodbye.")
