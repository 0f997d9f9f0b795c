/* cee: plays a legal move at random. This is a complete bot. */

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = NULL; /* getline makes it as long as the line is */
    size_t size = 0;
    char ply[512] = "";

    while (getline(&line, &size, stdin) > 0) {
        char *word = strtok(line, " \r\n");
        if (!word)
            continue;
        if (!strcmp(word, "seed")) { /* so that a game can be repeated */
            srand((unsigned)strtoull(strtok(NULL, " \r\n"), NULL, 10));
        } else if (!strcmp(word, "start")) { /* a game is about to begin */
            printf("ready\n");
            fflush(stdout);
        } else if (!strcmp(word, "moves")) { /* every legal move of this turn: keep one */
            int n = 0;
            while ((word = strtok(NULL, " \r\n")))
                if (rand() % ++n == 0)
                    snprintf(ply, sizeof ply, "%s", word);
        } else if (!strcmp(word, "go")) { /* your turn: the clock is running */
            printf("move %s\n", ply);
            fflush(stdout);
        }
    }
    free(line);
}
