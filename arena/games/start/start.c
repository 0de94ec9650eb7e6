/* Tic-tac-toe on square boards: a game to start from. Change the rules below; `arena_rules.h` answers the arena's questions. */

enum { MOST_SIZE = 9 };

typedef struct {
    unsigned char board[MOST_SIZE * MOST_SIZE]; /* by rank and file, from a1: 0 empty, 1 a piece of p1, 2 a piece of p2 */
    unsigned size;                              /* files and ranks */
    int seat;                                   /* who is to play */
} State;

#include "arena_rules.h"

static const char LETTERS[] = "xo";

static const Game game = {
    .id = "tic-tac-toe",
    .version = "1.0",
    .title = "Tic-tac-toe",
    .about = "a line of own pieces from edge to edge",
    .notation = "the cell of the new piece: `b2`",
    .options = {{.name = "size", .about = "files and ranks", .standard = "3", .lowest = 3, .highest = MOST_SIZE}},
    .rules = "The board is a square of `size` files and ranks, and is empty at the start. p1 has the crosses, p2 the rings. p1 plays "
             "first.\n\n"
             "A ply puts an own piece on an empty cell. A seat whose pieces fill a rank, a file or a long diagonal wins (`line`). A "
             "full board without such a line is a draw (`full`).",
    .look = "{'board':{'kind':'cells','width':'size','height':'size'},'from':'rows','pieces':{"
            "'x':{'shape':'cross','colour':'blue','name':'cross','seat':'p1'},"
            "'o':{'shape':'ring','colour':'red','name':'ring','seat':'p2'}},"
            "'enter':'to','coordinates':true}",
};

static void start(State *state, const unsigned *options) {
    state->size = options[0];
    state->seat = 1;
}

static void show(const State *state, Text *text) {
    add_rows(text, state->board, state->size, state->size, LETTERS);
    add(text, state->seat == 1 ? " p1" : " p2");
}

/* What `show` would write otherwise is refused without our doing. */
static const char *parse(State *state, const unsigned *options, Reader *reader) {
    state->size = options[0];
    if (!take_rows(reader, state->board, state->size, state->size, LETTERS)) return "it begins with `size` rows of `size` cells";
    if (!take_seat(reader, &state->seat)) return "`p1` or `p2` follows the rows";
    int more = 0; /* pieces that p1 has more than p2 */
    for (unsigned cell = 0; cell < state->size * state->size; cell++) {
        if (state->board[cell]) more += state->board[cell] == 1 ? 1 : -1;
    }
    return more == state->seat - 1 ? 0 : "the pieces do not fit the seat";
}

static int seat(const State *state) { return state->seat; }

static void legal(const State *state, Plies *plies) {
    for (unsigned file = 0; file < state->size; file++) {
        for (unsigned rank = 0; rank < state->size; rank++) {
            if (!state->board[rank * state->size + file]) add_drop(plies, file, rank);
        }
    }
}

static void play(State *state, const char *ply) {
    unsigned file, rank;
    cell_of(ply, &file, &rank);
    state->board[rank * state->size + file] = (unsigned char)state->seat;
    state->seat = 3 - state->seat;
}

/* Whether a line, `size` cells from `first` on, is full of the pieces of `seat`. */
static int is_full_of(const State *state, int seat, unsigned first, unsigned step) {
    for (unsigned i = 0; i < state->size; i++) {
        if (state->board[first + i * step] != seat) return 0;
    }
    return 1;
}

static int has_line(const State *state, int seat) {
    unsigned size = state->size;
    for (unsigned i = 0; i < size; i++) {
        if (is_full_of(state, seat, i, size) || is_full_of(state, seat, i * size, 1)) return 1;
    }
    return is_full_of(state, seat, 0, size + 1) || is_full_of(state, seat, size - 1, size - 1);
}

static Result result(const State *state) {
    if (has_line(state, 1)) return (Result){P1_WINS, "line", "crosses from edge to edge"};
    if (has_line(state, 2)) return (Result){P2_WINS, "line", "rings from edge to edge"};
    for (unsigned cell = 0; cell < state->size * state->size; cell++) {
        if (!state->board[cell]) return (Result){GOES_ON, 0, 0};
    }
    return (Result){DRAW, "full", "the board is full"};
}

/* Nothing more is said of a position. */
static void more(const State *state, Text *answer) { (void)state, (void)answer; }
