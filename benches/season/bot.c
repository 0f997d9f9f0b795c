/* A bot of a simulated season: bot NUMBER. Its play depends on NUMBER and on the game's seed alone, so that a game
   that is played again is the same. It looks at 1 to 8 random plies and takes the one that ends nearest to the
   centre, which is how strong it is. One number in twenty plays one game in a process, the others play many. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static unsigned below(unsigned limit) /* SplitMix64; the bias of the remainder does not matter here */
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ (z >> 31)) % limit);
}

/* Twice the distance from the centre of the square where a ply such as a1c1 ends, squared. */
static int distance(const char *ply)
{
    int x = 2 * (ply[2] - 'a') - 7, y = 2 * (ply[3] - '0') - 7;
    return x * x + y * y;
}

int main(int argc, char **argv)
{
    static char line[1 << 16], moves[1 << 16];
    unsigned number = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0, looks = 1 + number % 8;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "seed ", 5) == 0) {
            state = strtoull(line + 5, NULL, 10) ^ number;
        } else if (strcmp(line, "start\n") == 0) {
            puts(number % 20 == 19 ? "ready" : "ready reuse");
        } else if (strncmp(line, "moves ", 6) == 0) {
            strcpy(moves, line);
        } else if (strcmp(line, "go\n") == 0) {
            unsigned plies = (unsigned)(strlen(moves) - strlen("moves\n")) / 5;
            const char *best = NULL;
            for (unsigned look = 0; look < looks; look++) {
                const char *ply = moves + strlen("moves ") + 5 * below(plies);
                if (best == NULL || distance(ply) < distance(best))
                    best = ply;
            }
            printf("move %.4s\n", best);
        } else if (strcmp(line, "quit\n") == 0) {
            return 0;
        }
    }
    return 0;
}
