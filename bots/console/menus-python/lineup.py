"""Line 'em Up against a person at a terminal."""


def ask(question, lowest, highest):
    while True:
        answer = input(f"{question}: ")
        if answer.isdigit() and lowest <= int(answer) <= highest:
            return int(answer)
        print(f"Please type a number from {lowest} to {highest}.")


def ask_letter(question, n):
    while True:
        answer = input(f"{question}: ").strip().upper()
        if len(answer) == 1 and 0 <= ord(answer) - ord("A") < n:
            return ord(answer) - ord("A")
        print(f"Please type a letter from A to {chr(ord('A') + n - 1)}.")


def show(board):
    print("\n   " + " ".join(chr(ord("A") + x) for x in range(len(board))))
    for y, row in enumerate(board):
        print(f"{y:2} " + " ".join(row))


def wins(board, y, x, s):
    """Whether the piece on this square is part of a line of s."""
    n = len(board)
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            cy, cx = y + sign * dy, x + sign * dx
            while 0 <= cy < n and 0 <= cx < n and board[cy][cx] == board[y][x]:
                count += 1
                cy, cx = cy + sign * dy, cx + sign * dx
        if count >= s:
            return True
    return False


def choose(board, mine, theirs, s):
    """Completes a line, or prevents one, or takes the free square that is nearest to the middle."""
    n = len(board)
    free = [(y, x) for y in range(n) for x in range(n) if board[y][x] == "."]
    for piece in mine, theirs:
        for y, x in free:
            board[y][x] = piece
            completes = wins(board, y, x, s)
            board[y][x] = "."
            if completes:
                return y, x
    return min(free, key=lambda at: abs(2 * at[0] + 1 - n) + abs(2 * at[1] + 1 - n))


def main():
    print("=== LINE 'EM UP ===")
    n = ask("Size of the board", 3, 24)
    s = ask("Length of a line", 3, n)
    board = [["."] * n for _ in range(n)]
    for number in range(1, ask("How many blocks", 0, 2 * n) + 1):
        y = ask(f"Row of block {number}", 0, n - 1)
        board[y][ask_letter(f"Column of block {number}", n)] = "#"
    on_move = ask("Who begins? 1 the computer, 2 you", 1, 2) == 1
    computer, person = ("X", "O") if on_move else ("O", "X")
    while any("." in row for row in board):
        show(board)
        if on_move:
            y, x = choose(board, computer, person, s)
            print(f"The computer takes {chr(ord('A') + x)}{y}")
            board[y][x] = computer
        else:
            y = ask(f"Your row (0 to {n - 1})", 0, n - 1)
            x = ask_letter(f"Your column (A to {chr(ord('A') + n - 1)})", n)
            if board[y][x] != ".":
                print("That square is taken.")
                continue
            board[y][x] = person
        if wins(board, y, x, s):
            show(board)
            print("The computer wins." if on_move else "You win!")
            return
        on_move = not on_move
    print("A draw.")


try:
    main()
except EOFError:
    print("\nGoodbye.")
