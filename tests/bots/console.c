/* A console program that does not flush its prompts: in a pipe they stay in its buffer. */
#include <stdio.h>

int main(void) {
    int size;
    printf("Size of the board: ");
    if (scanf("%d", &size) != 1) return 0;
    printf("%d squares\n", size * size);
    return 0;
}
