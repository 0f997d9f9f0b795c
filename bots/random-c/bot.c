/* cee: plays a legal move at random. This is a complete bot. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[8192]; /* a `moves` line has 4095 bytes at most */
    char ply[64] = "";
    int at_start = 1; /* does `line` hold the beginning of a line? */

    while (fgets(line, sizeof line, stdin)) {
        int beginning = at_start;
        at_start = strchr(line, '\n') != NULL;
        if (!beginning)
            continue; /* the rest of a line too long for the buffer: only `since` can be */

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
}
