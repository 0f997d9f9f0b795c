/* A minimal bot that flushes, with one fault: faults reads-all, or faults one-answer. */

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
        if (hear(text))
            return 0;
    }
}
