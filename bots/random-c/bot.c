/* A bot that plays a legal move at random: your idea goes into choose(). */

#define _POSIX_C_SOURCE 200809L /* getline, strdup */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 32
#define MAX_MOVES 2000

/* What the referee has said about the game. */
struct game {
    char name[64];              /* loa, flipflop, lineup, gekitai, or a custom game */
    char me, opponent;          /* the letters of both sides' pieces */
    int rows;                   /* the number of rows of the board */
    char board[MAX_ROWS][64];   /* the rows from the top: board[0][2] is a square of the first row; */
                                /* '.' is an empty one, '#' a block */
    char *moves[MAX_MOVES];     /* every legal move of this turn */
    int move_count;
    long time;                  /* the milliseconds that are left on our clock; -1 without a clock */
    char *text;                 /* the line that the moves are parts of */
};

/* Returns one of game->moves. */
static const char *choose(const struct game *game)
{
    /* YOUR IDEA GOES HERE */
    return game->moves[rand() % game->move_count];
}

/* Sends a line to the referee. Without the flush it stays in our buffer, and we lose on time. */
static void say(const char *word, const char *rest)
{
    printf("%s%s\n", word, rest);
    fflush(stdout);
}

static void read_board(struct game *game)
{
    for (int row = 0; row < game->rows && row < MAX_ROWS; row++)
        if (scanf("%63s", game->board[row]) != 1)
            return;
}

static void read_moves(struct game *game, const char *text)
{
    free(game->text);
    game->text = strdup(text);
    game->move_count = 0;
    for (char *move = strtok(game->text, " "); move && game->move_count < MAX_MOVES; move = strtok(NULL, " "))
        game->moves[game->move_count++] = move;
}

int main(void)
{
    static struct game game = {.time = -1};
    char *line = NULL; /* getline makes it as long as the line is */
    size_t size = 0;

    while (getline(&line, &size, stdin) > 0) {
        char *word = strtok(line, " \r\n");
        if (!word)
            continue;
        char *rest = strtok(NULL, "\r\n");
        if (!rest)
            rest = "";
        if (!strcmp(word, "game"))
            snprintf(game.name, sizeof game.name, "%s", rest);
        else if (!strcmp(word, "size"))
            game.rows = atoi(rest); /* if there is a second number, it is that of the columns */
        else if (!strcmp(word, "you"))
            game.me = rest[0];
        else if (!strcmp(word, "opponent"))
            game.opponent = rest[0];
        else if (!strcmp(word, "seed"))
            srand((unsigned)strtoull(rest, NULL, 10)); /* the same seed plays the same game again */
        else if (!strcmp(word, "start"))
            say("ready", "");
        else if (!strcmp(word, "clock"))
            game.time = atol(rest);
        else if (!strcmp(word, "board"))
            read_board(&game);
        else if (!strcmp(word, "moves"))
            read_moves(&game, rest);
        else if (!strcmp(word, "go"))
            say("move ", choose(&game));
        else if (!strcmp(word, "quit"))
            break;
        /* All other lines can be ignored. */
    }
    free(game.text);
    free(line);
}
