/* Othello on square boards. The rules are in README.md and in `rules` below. */

enum { MOST_SIZE = 16 };

typedef struct {
    unsigned char board[MOST_SIZE * MOST_SIZE]; /* by rank and file, from a1: 0 empty, 1 a disc of p1, 2 a disc of p2 */
    int size, seat;                             /* files and ranks; who decides */
} State;

#include "arena_rules.h"

static const char LETTERS[] = "bw";

static const Game game = {
    .id = "othello",
    .version = "1.0",
    .title = "Othello",
    .about = "discs that are enclosed change sides; most discs win",
    .notation = "the cell of the new disc: `d3`; `pass` where there is no other ply",
    .pass = 1,
    .options = {{.name = "size", .about = "files and ranks", .choices = "4 6 8 10 12 14 16", .standard = "8"}},
    .rules =
        "The board is a square of `size` files and ranks. p1 has the black discs, p2 the white ones. Of the four cells in the middle, "
        "the lower left and the upper right hold white discs at the start, the other two black ones. p1 plays first.\n\n"
        "A ply puts an own disc on an empty cell so that it **encloses** discs of the other seat: in at least one of the eight "
        "directions, one or more of them follow without a gap, and then an own disc. All discs enclosed in this way, in all directions, "
        "become the player's own.\n\n"
        "A seat that can enclose nothing must `pass`; otherwise it may not. The game ends when neither seat can enclose "
        "anything. The seat with more discs wins (`most-discs`); equal numbers are a draw (`equal-discs`).",
    .look = "{'board':{'kind':'cells','width':'size','height':'size'},'from':'rows','pieces':{"
            "'b':{'shape':'disc','colour':'black','name':'black disc','seat':'p1'},"
            "'w':{'shape':'disc','colour':'white','name':'white disc','seat':'p2'}},"
            "'enter':'to','coordinates':true}",
};

static void set_size(State *state, const unsigned *options) { state->size = 4 + 2 * (int)options[0]; }

static void start(State *state, const unsigned *options) {
    set_size(state, options);
    int middle = state->size / 2 * (state->size + 1);
    state->board[middle] = state->board[middle - state->size - 1] = 2;
    state->board[middle - 1] = state->board[middle - state->size] = 1;
    state->seat = 1;
}

static const char *parse(State *state, const unsigned *options, Reader *reader) {
    set_size(state, options);
    unsigned size = (unsigned)state->size;
    if (!take_rows(reader, state->board, size, size, LETTERS)) return "it begins with as many ranks and files as `size` says";
    return take_seat(reader, &state->seat) ? 0 : "`p1` or `p2` follows the ranks";
}

static void show(const State *state, Text *text) {
    add_rows(text, state->board, (unsigned)state->size, (unsigned)state->size, LETTERS);
    add(text, state->seat == 1 ? " p1" : " p2");
}

static int seat(const State *state) { return state->seat; }

/* Returns how many discs a disc of `seat` encloses in one direction. */
static int enclosed(const State *state, int seat, int file, int rank, int dx, int dy) {
    int size = state->size, count = 0, x = file + dx, y = rank + dy;
    for (; x >= 0 && x < size && y >= 0 && y < size; x += dx, y += dy, count++) {
        int disc = state->board[y * size + x];
        if (disc == seat) return count;
        if (!disc) return 0;
    }
    return 0;
}

static int can_place(const State *state, int seat, int file, int rank) {
    if (state->board[rank * state->size + file]) return 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if ((dx || dy) && enclosed(state, seat, file, rank, dx, dy)) return 1;
        }
    }
    return 0;
}

static void legal(const State *state, Plies *plies) {
    for (int file = 0; file < state->size; file++) {
        for (int rank = 0; rank < state->size; rank++) {
            if (can_place(state, state->seat, file, rank)) add_drop(plies, (unsigned)file, (unsigned)rank);
        }
    }
}

static void play(State *state, const char *ply) {
    int own = state->seat, size = state->size;
    state->seat = 3 - own;
    if (ply[1] == 'a') return; /* `pass` */
    unsigned to_file, to_rank;
    cell_of(ply, &to_file, &to_rank);
    int file = (int)to_file, rank = (int)to_rank;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (!dx && !dy) continue;
            for (int i = enclosed(state, own, file, rank, dx, dy); i > 0; i--) {
                state->board[(rank + i * dy) * size + file + i * dx] = (unsigned char)own;
            }
        }
    }
    state->board[rank * size + file] = (unsigned char)own;
}

static int can_play(const State *state, int seat) {
    for (int rank = 0; rank < state->size; rank++) {
        for (int file = 0; file < state->size; file++) {
            if (can_place(state, seat, file, rank)) return 1;
        }
    }
    return 0;
}

static unsigned count_of(const State *state, int seat) {
    unsigned count = 0;
    for (int cell = 0; cell < state->size * state->size; cell++) count += state->board[cell] == seat;
    return count;
}

static Result result(const State *state) {
    if (can_play(state, state->seat) || can_play(state, 3 - state->seat)) return (Result){GOES_ON, 0, 0};
    unsigned p1 = count_of(state, 1), p2 = count_of(state, 2);
    if (p1 == p2) return (Result){DRAW, "equal-discs", "equally many discs"};
    return (Result){p1 > p2 ? P1_WINS : P2_WINS, "most-discs", p1 > p2 ? "more black discs" : "more white discs"};
}

static void more(const State *state, Text *answer) {
    add(answer, ",\"count\":[");
    add_number(answer, count_of(state, 1));
    add(answer, ",");
    add_number(answer, count_of(state, 2));
    add(answer, "]");
}
