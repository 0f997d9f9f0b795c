"""A bot of riddles.io's Lines of Action: plays the first move that it finds, or what its arguments say, one for each turn."""

import sys

settings, game, script = {}, {}, sys.argv[1:]


def first_move(me):
    """The first legal move, by row and column of the piece and direction."""
    cells = game["board"].split(",")
    assert len(cells) == 64, cells
    at = lambda x, y: cells[8 * y + x] if 0 <= x < 8 and 0 <= y < 8 else None
    for y in range(8):
        for x in range(8):
            if at(x, y) != me:
                continue
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)):
                line = [at(x + n * dx, y + n * dy) for n in range(-7, 8)]
                count = sum(cell in ("0", "1") for cell in line)
                between = [at(x + n * dx, y + n * dy) for n in range(1, count)]
                if at(x + count * dx, y + count * dy) in (None, me):
                    continue
                if all(cell in (".", me) for cell in between):
                    return f"move {x},{y} {x + count * dx},{y + count * dy}"
    raise ValueError("there is no move")


for line in sys.stdin:
    kind, *words = line.split()
    if kind == "settings":
        settings[words[0]] = words[1]
    elif kind == "update" and words[0] == "game":
        game[words[1]] = words[2]
    elif kind == "action":
        me = settings["your_botid"]
        assert settings["your_bot"] == "player" + me and int(words[1]) > 0
        said = script.pop(0) if script else first_move(me)
        if said == "exit":
            sys.exit()
        print(said.replace("MOVE", first_move(me)).replace("/", "\n"), flush=True)
