/* Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
 *
 * A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
 * piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 64 /* more files and ranks than any board has; there is a rim on every side */

static char line[1 << 20 | 1], legal[1 << 20 | 1]; /* no line of the arena is longer */
static char board[SIDE][SIDE];                     /* by file and rank; 0 where nothing stands */

/* Reads `bbb/1w1/www`: the top rank comes first. */
static void read_board(const char *text)
{
    int file = 1, rank = 1;
    for (const char *c = text; *c && !isspace((unsigned char)*c); c++)
        rank += *c == '/';
    memset(board, 0, sizeof board);
    for (; *text && !isspace((unsigned char)*text); text++) {
        if (*text == '/') {
            rank--;
            file = 1;
        } else if (isdigit((unsigned char)*text)) {
            file += (int)strtol(text, (char **)&text, 10);
            text--;
        } else if (file < SIDE - 1 && rank < SIDE - 1)
            board[file++][rank] = *text;
    }
}

static int score(const char *ply)
{
    int value = 0, file = 0, rank = 0;
    char kind = 0; /* 0: the ply places a new piece, and every piece is company */
    for (const char *c = ply; *c; c++) {
        if (strchr("+-x", *c))
            value += 10;
        if (islower((unsigned char)c[0]) && isdigit((unsigned char)c[1])) {
            int is_first = file == 0;
            file = *c - 'a' + 1;
            rank = atoi(c + 1);
            if (rank > SIDE - 2)
                return 0;
            if (is_first)
                kind = board[file][rank];
        }
    }
    if (!file) /* pass, swap */
        return 0;
    if (board[file][rank])
        value += 10;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++) {
            char letter = board[file + x][rank + y];
            if (letter && (x || y))
                value += !kind || letter == kind ? 1 : -1;
        }
    return value;
}

int main(void)
{
    while (fgets(line, sizeof line, stdin)) {
        char *seed = strstr(line, " seed=");
        char *rest = line + strspn(line, " \t");
        char *word = strtok_r(rest, " \t\r\n", &rest);
        if (!word)
            continue;
        if (!strcmp(word, "ugi"))
            puts("id name CGreedy\nprotocol 1\nplays *\nwant legal board\nugiok");
        else if (!strcmp(word, "game"))
            srand(seed ? (unsigned)strtoull(seed + 6, NULL, 10) : 1);
        else if (!strcmp(word, "isready"))
            puts("readyok");
        else if (!strcmp(word, "board"))
            read_board(rest + strspn(rest, " \t"));
        else if (!strcmp(word, "legal"))
            strcpy(legal, rest);
        else if (!strcmp(word, "go")) {
            int count = 0, highest = 0;
            char *choice = NULL, *ply = strtok(legal, " \t\r\n");
            for (; ply; ply = strtok(NULL, " \t\r\n")) {
                int value = score(ply);
                if (!choice || value > highest)
                    count = 0;
                if (count && value < highest)
                    continue;
                highest = value;
                if (rand() % ++count == 0) /* the n-th of equals replaces the choice with probability 1/n */
                    choice = ply;
            }
            printf("bestmove %s\n", choice ? choice : "resign");
        } else if (!strcmp(word, "quit"))
            break;
        fflush(stdout);
    }
    return 0;
}
