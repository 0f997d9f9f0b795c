/* A minimal bot that forgets fflush after its answers; with the argument `ready`, after `ready` too. */

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int from_ready = argc > 1 && !strcmp(argv[1], "ready");
    char line[65536], ply[64] = "";

    while (fgets(line, sizeof line, stdin)) {
        char *word = strtok(line, " \n");
        if (!word)
            continue;
        if (!strcmp(word, "start")) {
            printf("ready\n");
            if (!from_ready)
                fflush(stdout);
        } else if (!strcmp(word, "moves")) {
            snprintf(ply, sizeof ply, "%s", strtok(NULL, " \n"));
        } else if (!strcmp(word, "go")) {
            printf("move %s\n", ply);
        }
    }
}
