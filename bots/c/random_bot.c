/* Plays a random legal ply of any game: it asks the arena for the list of legal plies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20 | 1], legal[1 << 20 | 1]; /* no line of the arena is longer */

int main(void)
{
    while (fgets(line, sizeof line, stdin)) {
        char *seed = strstr(line, " seed=");
        char *rest = line + strspn(line, " \t");
        char *word = strtok_r(rest, " \t\r\n", &rest);
        if (!word)
            continue;
        if (!strcmp(word, "ugi"))
            puts("id name CRandom\nprotocol 1\nplays *\nwant legal\nugiok");
        else if (!strcmp(word, "game"))
            srand(seed ? (unsigned)strtoull(seed + 6, NULL, 10) : 1);
        else if (!strcmp(word, "isready"))
            puts("readyok");
        else if (!strcmp(word, "legal"))
            strcpy(legal, rest);
        else if (!strcmp(word, "go")) {
            int count = 0;
            char *choice = NULL, *ply = strtok(legal, " \t\r\n");
            for (; ply; ply = strtok(NULL, " \t\r\n"))
                if (rand() % ++count == 0) /* the n-th ply replaces the choice with probability 1/n */
                    choice = ply;
            printf("bestmove %s\n", choice ? choice : "resign");
        } else if (!strcmp(word, "quit"))
            break;
        fflush(stdout);
    }
    return 0;
}
