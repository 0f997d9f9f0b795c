/* A minimal bot that flushes, with one fault: faults reads-all, one-answer, waits or deep. */

#include <stdio.h>
#include <string.h>

static char ply[64];

static int hear(char *line)
{
    char *rest, *word = strtok_r(line, " ", &rest);

    if (word && !strcmp(word, "start"))
        puts("ready");
    else if (word && !strcmp(word, "moves"))
        snprintf(ply, sizeof ply, "%s", strtok_r(NULL, " ", &rest));
    else if (word && !strcmp(word, "go"))
        printf("move %s\n", ply);
    fflush(stdout);
    return word && !strcmp(word, "go");
}

static int search(int depth)
{
    volatile char board[256];

    board[depth % 256] = 1;
    return search(depth + 1) + board[0];
}

int main(int argc, char **argv)
{
    static char text[1 << 20];
    char *line, *rest = text;

    if (argc > 1 && !strcmp(argv[1], "reads-all")) {
        text[fread(text, 1, sizeof text - 1, stdin)] = 0;
        while ((line = strtok_r(rest, "\n", &rest)))
            hear(line);
        return 0;
    }
    while (fgets(text, sizeof text, stdin)) {
        text[strcspn(text, "\n")] = 0;
        if (!strcmp(text, "go") && argc > 1 && !strcmp(argv[1], "waits"))
            fgets(text + 3, sizeof text - 3, stdin);
        if (!strcmp(text, "go") && argc > 1 && !strcmp(argv[1], "deep"))
            search(0);
        if (hear(text) && argc > 1 && !strcmp(argv[1], "one-answer"))
            return 0;
    }
}
