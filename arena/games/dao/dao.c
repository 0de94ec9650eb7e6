/* Dao: four stones each on 4x4. The rules are in README.md and in `rules` below. */

typedef struct {
    unsigned char board[16]; /* by rank and file, from a1: 0 empty, 1 a stone of p1, 2 a stone of p2 */
    unsigned stones[3];      /* of p1 and p2 at 1 and 2, as bits: 0 is a1, 4 is a2 */
    int seat;                /* who decides */
} State;

#include "arena_rules.h"

static const char LETTERS[] = "wb";

static const Game game = {
    .id = "dao",
    .version = "1.0",
    .title = "Dao",
    .about = "four stones each slide on 4x4 until they form a pattern",
    .notation = "from and to: `a1a3`",
    .repetition = 3,
    .rules =
        "The board has 4x4 cells. At the start the white stones of p1 stand on a1, b2, c3 and d4, the black stones of p2 on "
        "a4, b3, c2 and d1. p1 plays first.\n\n"
        "A ply moves one own stone in a straight line, orthogonally or diagonally, over empty cells. It goes **as far as it "
        "can**: until the edge or a stone stops it. It has to move by at least one cell. Nothing is captured, and there is "
        "always a legal ply.\n\n"
        "A seat wins as soon as\n\n"
        "* its four stones fill a rank or a file (`line`),\n"
        "* its four stones fill a square of 2x2 cells (`square`),\n"
        "* its four stones stand in the four corners (`corners`), or\n"
        "* one of its stones stands in a corner and stones of the other seat fill the three cells around it (`cornered`). "
        "The seat whose stone is shut in wins, whoever played the ply.\n\n"
        "If several of these hold, which happens only in composed positions, those of the seat that has just played are looked at "
        "first, in this order.\n\n"
        "The same position with the same seat to play is a draw when it occurs for the third time.",
    .look = "{'board':{'kind':'cells','width':4,'height':4},'from':'rows','pieces':{"
            "'w':{'shape':'stone','colour':'white','name':'white stone','seat':'p1'},"
            "'b':{'shape':'stone','colour':'black','name':'black stone','seat':'p2'}},"
            "'enter':'from-to','coordinates':true}",
};

static void put(State *state, unsigned cell, int seat) {
    state->board[cell] = (unsigned char)seat;
    state->stones[seat] |= 1u << cell;
}

static void start(State *state, UNUSED const unsigned *options) {
    for (unsigned i = 0; i < 4; i++) {
        put(state, 5 * i, 1);
        put(state, 3 * i + 3, 2);
    }
    state->seat = 1;
}

static const char *parse(State *state, UNUSED const unsigned *options, Reader *reader) {
    if (!take_rows(reader, state->board, 4, 4, LETTERS)) return "it begins with four ranks of four cells";
    if (!take_seat(reader, &state->seat)) return "`p1` or `p2` follows the ranks";
    for (unsigned cell = 0; cell < 16; cell++) put(state, cell, state->board[cell]);
    int each_has_four = __builtin_popcount(state->stones[1]) == 4 && __builtin_popcount(state->stones[2]) == 4;
    return each_has_four ? 0 : "each seat has four stones";
}

static void show(const State *state, Text *text) {
    add_rows(text, state->board, 4, 4, LETTERS);
    add(text, state->seat == 1 ? " p1" : " p2");
}

static int seat(const State *state) { return state->seat; }

/* Eight directions in the order of the cells that they lead to: files first, then ranks. */
static const int steps[8] = {-5, -1, 3, -4, 4, -3, 1, 5};

/* By direction and cell, as bits: whether a stone on the cell is not at the edge. */
#define FILES(bits) (0x1111u * (bits))
static const unsigned inside[8] = {FILES(14) & 0xfff0, FILES(14), FILES(14) & 0x0fff, 0xfff0,
                                   0x0fff, FILES(7) & 0xfff0, FILES(7), FILES(7) & 0x0fff};

static void legal(const State *state, Plies *plies) {
    unsigned empty = ~(state->stones[1] | state->stones[2]), free[8];
    /* By direction: the cells from which the next cell is on the board and empty. */
    for (int i = 0; i < 8; i++) free[i] = inside[i] & (steps[i] < 0 ? empty << -steps[i] : empty >> steps[i]);
    for (unsigned file = 0; file < 4; file++) {
        for (unsigned own = state->stones[state->seat] & FILES(1u << file); own; own &= own - 1) {
            unsigned from = (unsigned)__builtin_ctz(own);
            for (int i = 0; i < 8; i++) {
                unsigned to = from;
                while (free[i] >> to & 1) to += (unsigned)steps[i];
                if (to != from) add_move(plies, file, from / 4, to % 4, to / 4);
            }
        }
    }
}

static void play(State *state, const char *ply) {
    unsigned file, rank, to_file, to_rank;
    cell_of(cell_of(ply, &file, &rank), &to_file, &to_rank);
    state->board[4 * rank + file] = 0;
    state->stones[state->seat] &= ~(1u << (4 * rank + file));
    put(state, 4 * to_rank + to_file, state->seat);
    state->seat = 3 - state->seat;
}

/* A way to have won, and the cells that show it: bit 0 is a1, bit 4 a2. */
typedef struct { const char *reason, *shape, *words; unsigned cells; } Proof;

#define RANK(n) {"line", "row", "four stones in a rank", 0x000fu << 4 * (n)}
#define FILE(n) {"line", "row", "four stones in a file", 0x1111u << (n)}
#define SQUARE(low) {"square", "square", "four stones in a square", 0x0033u << (low)}

/* The patterns of a seat's four stones that win. */
static const Proof patterns[] = {
    RANK(0), FILE(0), RANK(1), FILE(1), RANK(2), FILE(2), RANK(3), FILE(3),
    SQUARE(0), SQUARE(1), SQUARE(2), SQUARE(4), SQUARE(5), SQUARE(6), SQUARE(8), SQUARE(9), SQUARE(10),
    {"corners", "corners", "four stones in the four corners", 0x9009},
};

/* Looks for a way in which a seat has won whose stones stand on `own`. */
static int has_won(unsigned own, unsigned others, Proof *proof) {
    static const unsigned corner[4] = {0x0001, 0x0008, 0x1000, 0x8000}, around[4] = {0x0032, 0x00c4, 0x2300, 0x4c00};
    /* Nearly always none of them: a pattern has one of these shapes from its lowest cell on. */
    unsigned shape = own >> __builtin_ctz(own);
    int may_fit = shape == 0x000f || shape == 0x1111 || shape == 0x0033 || shape == 0x9009;
    for (unsigned i = 0; may_fit && i < sizeof patterns / sizeof *patterns; i++) {
        if (own != patterns[i].cells) continue;
        *proof = patterns[i];
        return 1;
    }
    for (int i = 0; own & 0x9009 && i < 4; i++) {
        if (!(own & corner[i]) || (others & around[i]) != around[i]) continue;
        *proof = (Proof){"cornered", "stuck", "a stone shut into a corner wins", corner[i] | around[i]};
        return 1;
    }
    return 0;
}

/* Returns the seat that has won, or 0: the one that has just played is looked at first. */
static int winner(const State *state, Proof *proof) {
    const unsigned *stones = state->stones, other = 3 - (unsigned)state->seat;
    if (has_won(stones[other], stones[state->seat], proof)) return (int)other;
    return has_won(stones[state->seat], stones[other], proof) ? state->seat : 0;
}

static Result result(const State *state) {
    Proof proof;
    int seat = winner(state, &proof);
    if (!seat) return (Result){GOES_ON, 0, 0};
    return (Result){seat == 1 ? P1_WINS : P2_WINS, proof.reason, proof.words};
}

static void more(const State *state, Text *answer) {
    Proof proof;
    int seat = winner(state, &proof);
    if (!seat) return;
    add(answer, ",\"proofs\":[{\"cells\":[");
    for (unsigned cell = 0, is_first = 1; cell < 16; cell++) {
        if (!(proof.cells >> cell & 1)) continue;
        add(answer, is_first ? "\"" : ",\"");
        add_cell(answer, cell % 4, cell / 4);
        add(answer, "\"");
        is_first = 0;
    }
    add(answer, "],\"seat\":\"p");
    add_number(answer, (unsigned)seat);
    add(answer, "\",\"shape\":");
    add_string(answer, proof.shape);
    add(answer, ",\"words\":");
    add_string(answer, proof.words);
    add(answer, "}]");
}
