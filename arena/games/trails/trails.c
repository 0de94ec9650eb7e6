/* Trails: two to eight seats leave trails on a board, and who cannot move is out. The rules are in README.md and in `rules` below. */

enum { MOST_PLAYERS = 8, MOST_SIZE = 15, MOST_CELLS = MOST_SIZE * MOST_SIZE };

typedef struct {
    unsigned char board[MOST_CELLS];    /* by rank and file, from a1: 0 free, else the seat, and HEAD more where it stands */
    unsigned char place[MOST_PLAYERS];  /* of seats that are out; 0: in */
    unsigned char reason[MOST_PLAYERS]; /* why they are out, where that is known */
    unsigned size, seats;
    int vanish; /* whether the trail of a seat goes with it */
    int seat;   /* who decides */
} State;

#define MORE_SEATS
#include "arena_rules.h"

enum { HEAD = MOST_PLAYERS };
enum { UNKNOWN, STUCK, FAULT };

static const char *const REASONS[] = {0, "stuck", "fault"};
static const char LETTERS[] = "abcdefghABCDEFGH";

static const Game game = {
    .id = "trails",
    .version = "1.1",
    .title = "Trails",
    .about = "two to eight heads leave trails, and whoever cannot move is out",
    .notation = "where the head moves: `b3`",
    .least_seats = 2,
    .most_seats = MOST_PLAYERS,
    .options = {{"players", "seats at the table", 0, "2", 2, MOST_PLAYERS},
                {"size", "files and ranks", 0, "9", 5, MOST_SIZE},
                {"out", "what becomes of the trail of a seat that goes out", "stay vanish", "stay", 0, 0}},
    .rules =
        "Every seat has a head on the square board. The heads begin on the ring of cells one step inside the edge, spread evenly "
        "clockwise from b2, p1 first.\n\n"
        "A ply moves the own head to a free cell beside it, along the file or the rank. The cell that it leaves, as all cells "
        "that it has been on, is its trail. Cells of trails and heads are not free.\n\n"
        "A seat that cannot move when its turn comes is out (`stuck`), and the next seat has the turn. It has the place behind all "
        "that are still in. The last seat that is in has won, even if it could not move.\n\n"
        "With `out=stay` the trail of a seat that is out stays on the board, its head a part of it. With `out=vanish` its cells are "
        "free again at once.",
    .look = "{'board':{'kind':'cells','width':'size','height':'size','theme':'linen'},'from':'rows','pieces':{"
            "'A':{'shape':'stone','colour':'blue','name':'blue head','seat':'p1','short':'blue','emblem':true},"
            "'a':{'shape':'tile','colour':'blue','name':'blue trail','seat':'p1'},"
            "'B':{'shape':'stone','colour':'red','name':'red head','seat':'p2','short':'red','emblem':true},"
            "'b':{'shape':'tile','colour':'red','name':'red trail','seat':'p2'},"
            "'C':{'shape':'stone','colour':'green','name':'green head','seat':'p3','short':'green','emblem':true},"
            "'c':{'shape':'tile','colour':'green','name':'green trail','seat':'p3'},"
            "'D':{'shape':'stone','colour':'yellow','name':'yellow head','seat':'p4','short':'yellow','emblem':true},"
            "'d':{'shape':'tile','colour':'yellow','name':'yellow trail','seat':'p4'},"
            "'E':{'shape':'stone','colour':'purple','name':'purple head','seat':'p5','short':'purple','emblem':true},"
            "'e':{'shape':'tile','colour':'purple','name':'purple trail','seat':'p5'},"
            "'F':{'shape':'stone','colour':'orange','name':'orange head','seat':'p6','short':'orange','emblem':true},"
            "'f':{'shape':'tile','colour':'orange','name':'orange trail','seat':'p6'},"
            "'G':{'shape':'stone','colour':'brown','name':'brown head','seat':'p7','short':'brown','emblem':true},"
            "'g':{'shape':'tile','colour':'brown','name':'brown trail','seat':'p7'},"
            "'H':{'shape':'stone','colour':'black','name':'black head','seat':'p8','short':'black','emblem':true},"
            "'h':{'shape':'tile','colour':'black','name':'black trail','seat':'p8'},"
            "'n':{'shape':'tile','colour':'grey','name':'trail of a seat that is out'}},"
            "'neutral':'n','enter':'to'}",
};

static void set_up(State *state, const unsigned *options) {
    state->seats = options[0];
    state->size = options[1];
    state->vanish = options[2] == 1;
}

static void start(State *state, const unsigned *options) {
    set_up(state, options);
    unsigned side = state->size - 3;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        unsigned step = 4 * side * seat / state->seats, along = step % side, file, rank;
        switch (step / side) {
        case 0: file = 0, rank = along; break;
        case 1: file = along, rank = side; break;
        case 2: file = side, rank = side - along; break;
        default: file = side - along, rank = 0;
        }
        state->board[(rank + 1) * state->size + file + 1] = (unsigned char)(HEAD + seat + 1);
    }
    state->seat = 1;
}

static unsigned left(const State *state) {
    unsigned count = 0;
    for (unsigned i = 0; i < state->seats; i++) count += !state->place[i];
    return count;
}

/* Returns the cell of a seat's head, or the number of cells if it has none. */
static unsigned head_of(const State *state, int seat) {
    unsigned cells = state->size * state->size, cell = 0;
    while (cell < cells && state->board[cell] != HEAD + seat) cell++;
    return cell;
}

/* Finds the free cells beside a cell. Returns how many there are. */
static unsigned free_beside(const State *state, unsigned cell, unsigned *free) {
    unsigned size = state->size, file = cell % size, rank = cell / size, count = 0;
    if (file > 0 && !state->board[cell - 1]) free[count++] = cell - 1;
    if (rank > 0 && !state->board[cell - size]) free[count++] = cell - size;
    if (rank + 1 < size && !state->board[cell + size]) free[count++] = cell + size;
    if (file + 1 < size && !state->board[cell + 1]) free[count++] = cell + 1;
    return count;
}

static int can_move(const State *state, int seat) {
    unsigned free[4];
    return free_beside(state, head_of(state, seat), free) > 0;
}

static void leave(State *state, int seat, unsigned char reason) {
    state->place[seat - 1] = (unsigned char)left(state);
    state->reason[seat - 1] = reason;
    for (unsigned cell = 0; cell < state->size * state->size; cell++) {
        unsigned char *piece = &state->board[cell];
        if (*piece == seat || *piece == HEAD + seat) *piece = state->vanish ? 0 : (unsigned char)seat;
    }
}

/* Gives the turn to the next seat that can move. Those that cannot are out. */
static void go_on(State *state) {
    for (;;) {
        do state->seat = state->seat % (int)state->seats + 1;
        while (state->place[state->seat - 1]);
        if (left(state) == 1 || can_move(state, state->seat)) return;
        leave(state, state->seat, STUCK);
    }
}

static const char *parse(State *state, const unsigned *options, Reader *reader) {
    set_up(state, options);
    if (!take_rows(reader, state->board, state->size, state->size, LETTERS)) return "it begins with the ranks of the board";
    if (!take_seat_of(reader, &state->seat, state->seats)) return "the seat that decides follows the ranks";
    if (!take(reader, " out=")) return "`out=` follows the seat";
    unsigned places = 0;
    if (!take(reader, "-")) {
        do {
            unsigned seat, place;
            if (!take(reader, "p") || !take_number(reader, &seat) || !take(reader, ":") || !take_number(reader, &place)) {
                return "`out=` names seats and places, as `p2:3`";
            }
            if (seat < 1 || seat > state->seats || place < 2 || place > state->seats || state->place[seat - 1] || places >> place & 1) {
                return "`out=` names a seat or a place that cannot be";
            }
            state->place[seat - 1] = (unsigned char)place;
            places |= 1u << place;
        } while (take(reader, ","));
    }
    unsigned in = left(state), heads[MOST_PLAYERS + 1] = {0}, trails[MOST_PLAYERS + 1] = {0};
    if (places != (1u << (state->seats + 1)) - (1u << (in + 1))) return "the places of seats that are out are the last ones";
    for (unsigned cell = 0; cell < state->size * state->size; cell++) {
        unsigned piece = state->board[cell], seat = piece > HEAD ? piece - HEAD : piece;
        if (seat > state->seats) return "the table has no such seat";
        if (piece > HEAD) heads[seat]++;
        else trails[seat]++;
    }
    for (unsigned seat = 1; seat <= state->seats; seat++) {
        int is_in = !state->place[seat - 1];
        if (heads[seat] != (unsigned)is_in) return "each seat that is in has one head, and no other has any";
        if (!is_in && trails[seat] && state->vanish) return "seats that are out have no trail here";
        if (!is_in && !trails[seat] && !state->vanish) return "seats that are out leave a trail";
    }
    if (state->place[state->seat - 1]) return "the seat that decides is out";
    return in == 1 || can_move(state, state->seat) ? 0 : "the seat that decides cannot move: it would be out";
}

static void show(const State *state, Text *text) {
    add_rows(text, state->board, state->size, state->size, LETTERS);
    add(text, " p");
    add_number(text, (unsigned)state->seat);
    add(text, left(state) == state->seats ? " out=-" : " out=");
    int is_first = 1;
    for (unsigned seat = 1; seat <= state->seats; seat++) {
        if (!state->place[seat - 1]) continue;
        add(text, is_first ? "p" : ",p");
        is_first = 0;
        add_number(text, seat);
        add_char(text, ':');
        add_number(text, state->place[seat - 1]);
    }
}

static int seat(const State *state) { return state->seat; }

static void legal(const State *state, Plies *plies) {
    unsigned free[4], count = free_beside(state, head_of(state, state->seat), free);
    for (unsigned i = 0; i < count; i++) add_drop(plies, free[i] % state->size, free[i] / state->size);
}

static void play(State *state, const char *ply) {
    unsigned file, rank;
    cell_of(ply, &file, &rank);
    state->board[head_of(state, state->seat)] = (unsigned char)state->seat;
    state->board[rank * state->size + file] = (unsigned char)(HEAD + state->seat);
    go_on(state);
}

static Exit out(const State *state, int seat) {
    return (Exit){state->place[seat - 1], REASONS[state->reason[seat - 1]]};
}

static void put_out(State *state, int seat) {
    leave(state, seat, FAULT);
    if (seat == state->seat || left(state) == 1) go_on(state);
}

static Result result(const State *state) {
    Result result = {GOES_ON, 0, 0, {0}};
    if (left(state) > 1) return result;
    result = (Result){PLACES, "stuck", "one seat is left", {0}};
    for (unsigned i = 0; i < state->seats; i++) {
        result.places[i] = state->place[i] ? state->place[i] : 1;
        /* The last one to go decides why the game is over. */
        if (state->place[i] == 2 && state->reason[i] == FAULT) result.reason = "fault";
    }
    return result;
}

/* Returns how many free cells a head can reach. */
static unsigned reach(const State *state, int seat) {
    unsigned queue[MOST_CELLS + 1], tail = 0, free[4];
    State seen = *state;
    queue[tail++] = head_of(state, seat);
    for (unsigned at = 0; at < tail; at++) {
        unsigned count = free_beside(&seen, queue[at], free);
        for (unsigned i = 0; i < count; i++) {
            seen.board[free[i]] = 1;
            queue[tail++] = free[i];
        }
    }
    return tail - 1;
}

static void more(const State *state, Text *answer) {
    add(answer, ",\"count\":[");
    for (int seat = 1; seat <= (int)state->seats; seat++) {
        if (seat > 1) add_char(answer, ',');
        add_number(answer, state->place[seat - 1] ? 0 : reach(state, seat));
    }
    add(answer, "]");
}
