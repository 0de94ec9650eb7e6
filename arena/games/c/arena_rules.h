/* arena_rules.h: the rules of a board game as a WebAssembly module for `arena`.
 *
 * A game is one file of C. It defines the type `State`, includes this file, and then defines `game`, `start`, `parse`,
 * `show`, `seat`, `legal`, `play`, `result` and `more`, which are declared below. Everything else is done here: reading
 * requests, writing answers, errors, options, `moves`. Nothing is remembered from one request to the next.
 *
 * A game for more than two defines `MORE_SEATS` before it includes this file, says in `least_seats` and `most_seats` how many there are,
 * and defines `out` and `put_out` too. Where the numbers differ, an option `players` chooses: its standard is the least.
 *
 *     clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry -Wl,--strip-all -o GAME.wasm GAME.c
 */
#ifndef ARENA_RULES_H
#define ARENA_RULES_H

enum {
    MOST_PLIES = 4096,         /* legal plies of a position */
    MOST_BYTES_OF_A_PLY = 63,
    MOST_BYTES_OF_A_POSITION = 4096,
    MOST_BYTES_OF_A_REQUEST = 16 << 20,
    MOST_BYTES_OF_AN_ANSWER = 1 << 20,
    MOST_PLIES_OF_A_GAME = 10000,
    MOST_OPTIONS = 8,
    MOST_SEATS = 8,
};

/* Text that is being written. What does not fit is left out, and `is_full` says so. */
typedef struct { char *start; unsigned length, capacity; int is_full; } Text;

/* Text that is being read. */
typedef struct { const char *at, *end; } Reader;

/* The legal plies of a position. */
typedef struct { unsigned count; char ply[MOST_PLIES][MOST_BYTES_OF_A_PLY + 1]; } Plies;

/* How a game ends. `reason` is a token of `a-z 0-9 -`, `words` a phrase for people or 0. With `PLACES` each seat of the table has one: one
 * plus the number of seats that did better. */
typedef enum { GOES_ON, P1_WINS, P2_WINS, DRAW, PLACES } Outcome;
typedef struct { Outcome outcome; const char *reason, *words; unsigned char places[MOST_SEATS]; } Result;

/* Whether a seat is out while the others play on: its place, or 0, and why, or 0 where the position string does not tell. */
typedef struct { unsigned place; const char *reason; } Exit;

/* An option: one of several `choices` (with blanks between), or a number from `lowest` to `highest`. */
typedef struct { const char *name, *about, *choices, *standard; unsigned lowest, highest; } Option;

/* What the game is. In `look`, which is JSON, ' stands for ". Only `id`, `version`, `title` and `about` are needed. */
typedef struct {
    const char *id, *version, *title, *about, *notation, *rules, *look;
    unsigned repetition; /* at which occurrence a position is a draw; 0: the game does not care */
    unsigned max_plies;  /* after which a game is a draw; 0: the arena's own limit */
    unsigned least_seats, most_seats; /* how many seats a table has; 0: two */
    int pass;            /* 1: a seat without another legal ply passes; `legal` need not say so, `play` gets "pass" */
    Option options[MOST_OPTIONS];
} Game;

/*
 * The game: what its author writes.
 *
 * `options` holds the options in their order: the number, or for choices the index of the choice.
 * A state is all zeros before `start` and `parse`.
 */
static const Game game;

/* Sets up the start of a game. */
static void start(State *state, const unsigned *options);

/* Reads a position string. Returns 0, or words that say why it is none. What `show` would spell in another way is refused
 * without this function's doing. */
static const char *parse(State *state, const unsigned *options, Reader *reader);

/* Writes the position string: words with single blanks between, without `;`, at most 4,096 bytes. */
static void show(const State *state, Text *text);

/* The seat that decides: 1, 2 and so on. */
static int seat(const State *state);

/* Adds the legal plies, in any order. Not called when the game is over. */
static void legal(const State *state, Plies *plies);

/* Plays a ply that is legal. */
static void play(State *state, const char *ply);

/* Whether the game is over, judged as if the last ply had just been played. */
static Result result(const State *state);

#ifdef MORE_SEATS

/* Whether a seat, from 1, is out. Not called at tables of two. */
static Exit out(const State *state, int seat);

/* Takes a seat out, whoever decides, because it commits a fault: its place is behind all that are in, and the next of them decides if
 * it was its turn. If one seat is left, `result` says so. Not called at tables of two, and not when the game is over. */
static void put_out(State *state, int seat);

#endif

/* Adds further keys to the answer, each after a comma: `,"count":[2,2]`. May be empty. */
static void more(const State *state, Text *answer);

/* Writing. */

#define UNUSED __attribute__((unused))

static void add_char(Text *text, char c) {
    if (text->length < text->capacity) text->start[text->length++] = c;
    else text->is_full = 1;
}

static void add(Text *text, const char *words) {
    char *at = text->start + text->length;
    const char *end = text->start + text->capacity;
    while (*words && at < end) *at++ = *words++;
    text->length = (unsigned)(at - text->start);
    if (*words) text->is_full = 1;
}

static void add_number(Text *text, unsigned long number) {
    if (number < 10) { add_char(text, (char)('0' + number)); return; }
    add_number(text, number / 10);
    add_char(text, (char)('0' + number % 10));
}

/* Adds the name of a cell; both numbers count from 0: `add_cell(text, 2, 0)` adds c1. */
UNUSED static void add_cell(Text *text, unsigned file, unsigned rank) {
    add_char(text, (char)('a' + file));
    add_number(text, rank + 1);
}

/* Adds rows, top rank first. `board[rank * width + file]` is 0 where a cell is empty, else `letters[piece - 1]` stands there. */
UNUSED static void add_rows(Text *text, const unsigned char *board, unsigned width, unsigned height, const char *letters) {
    for (unsigned rank = height; rank-- > 0;) {
        unsigned empty = 0;
        for (unsigned file = 0; file < width; file++) {
            unsigned piece = board[rank * width + file];
            if (!piece) { empty++; continue; }
            if (empty) add_number(text, empty);
            empty = 0;
            add_char(text, letters[piece - 1]);
        }
        if (empty) add_number(text, empty);
        if (rank) add_char(text, '/');
    }
}

/* Adds a character to a string of JSON. */
static void add_escaped(Text *text, char c) {
    if (c == '"' || c == '\\') add_char(text, '\\');
    if ((unsigned char)c >= ' ') { add_char(text, c); return; }
    add(text, "\\u00");
    add_char(text, "01"[(c >> 4) & 1]);
    add_char(text, "0123456789abcdef"[c & 15]);
}

static void add_string(Text *text, const char *words) {
    add_char(text, '"');
    while (*words) {
        /* What stands for itself, in a loop of its own. */
        char *at = text->start + text->length;
        const char *end = text->start + text->capacity;
        while ((unsigned char)*words >= ' ' && *words != '"' && *words != '\\' && at < end) *at++ = *words++;
        text->length = (unsigned)(at - text->start);
        if (*words) add_escaped(text, *words++);
    }
    add_char(text, '"');
}

/* Adds an empty ply to write into. */
static Text new_ply(Plies *plies) {
    static char unused[MOST_BYTES_OF_A_PLY + 1];
    if (plies->count == MOST_PLIES) return (Text){unused, 0, MOST_BYTES_OF_A_PLY, 0};
    return (Text){plies->ply[plies->count++], 0, MOST_BYTES_OF_A_PLY, 0};
}

/* Adds a ply, as `add_ply(plies, "a1b2")`. */
UNUSED static void add_ply(Plies *plies, const char *ply) {
    Text text = new_ply(plies);
    add(&text, ply);
    text.start[text.length] = 0;
}

/* Adds the ply that is the name of a cell. */
UNUSED static void add_drop(Plies *plies, unsigned file, unsigned rank) {
    Text text = new_ply(plies);
    add_cell(&text, file, rank);
    text.start[text.length] = 0;
}

/* Adds the ply from a cell to a cell. */
UNUSED static void add_move(Plies *plies, unsigned file, unsigned rank, unsigned to_file, unsigned to_rank) {
    Text text = new_ply(plies);
    if (rank < 9 && to_rank < 9) {
        char *ply = text.start;
        ply[0] = (char)('a' + file);
        ply[1] = (char)('1' + rank);
        ply[2] = (char)('a' + to_file);
        ply[3] = (char)('1' + to_rank);
        ply[4] = 0;
        return;
    }
    add_cell(&text, file, rank);
    add_cell(&text, to_file, to_rank);
    text.start[text.length] = 0;
}

/* Reading. These return 1 if they have read what they look for. */

static int take(Reader *reader, const char *words) {
    const char *at = reader->at;
    for (; *words; words++, at++) {
        if (at == reader->end || *at != *words) return 0;
    }
    reader->at = at;
    return 1;
}

static int take_number(Reader *reader, unsigned *number) {
    const char *first = reader->at;
    *number = 0;
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
        if (*number > 99999999) return 0;
        *number = *number * 10 + (unsigned)(*reader->at - '0');
    }
    return reader->at > first;
}

/* Reads rows as `add_rows` writes them. */
UNUSED static int take_rows(Reader *reader, unsigned char *board, unsigned width, unsigned height, const char *letters) {
    for (unsigned rank = height; rank-- > 0;) {
        unsigned file = 0, run = 0;
        while (file < width) {
            if (take_number(reader, &run)) {
                if (run == 0 || run > width - file) return 0;
                for (; run > 0; run--) board[rank * width + file++] = 0;
                continue;
            }
            if (reader->at == reader->end) return 0;
            unsigned piece = 0;
            while (letters[piece] && letters[piece] != *reader->at) piece++;
            if (!letters[piece]) return 0;
            board[rank * width + file++] = (unsigned char)(piece + 1);
            reader->at++;
        }
        if (rank && !take(reader, "/")) return 0;
    }
    return 1;
}

/* Reads a blank and a seat of a table of `seats`. */
UNUSED static int take_seat_of(Reader *reader, int *seat, unsigned seats) {
    Reader after = *reader;
    *seat = 0;
    if (!take(&after, " p") || after.at == after.end) return 0;
    unsigned number = (unsigned)(*after.at++ - '0');
    if (number < 1 || number > seats) return 0;
    *reader = after;
    return *seat = (int)number;
}

/* Reads a blank and a seat of a table of two. */
UNUSED static int take_seat(Reader *reader, int *seat) { return take_seat_of(reader, seat, 2); }

/* Reads the cell that a legal ply names at `ply`; returns what follows it. */
UNUSED static const char *cell_of(const char *ply, unsigned *file, unsigned *rank) {
    *file = (unsigned)(*ply++ - 'a');
    for (*rank = 0; *ply >= '0' && *ply <= '9'; ply++) *rank = *rank * 10 + (unsigned)(*ply - '0');
    *rank -= 1;
    return ply;
}

/* Requests and answers. */

typedef struct { const char *start; unsigned length; } Word;

__attribute__((no_builtin("memcpy"), used)) void *memcpy(void *to, const void *from, unsigned long count) {
    for (unsigned long i = 0; i < count; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

__attribute__((no_builtin("memset"), used)) void *memset(void *to, int byte, unsigned long count) {
    for (unsigned long i = 0; i < count; i++) ((char *)to)[i] = (char)byte;
    return to;
}

static int is_blank(char c) { return c == ' ' || (unsigned)(c - '\t') < 5; }

/* Returns the next word, which is empty at the end. */
static Word next_word(Reader *reader) {
    const char *at = reader->at, *end = reader->end;
    while (at < end && is_blank(*at)) at++;
    const char *first = at;
    while (at < end && !is_blank(*at)) at++;
    reader->at = at;
    return (Word){first, (unsigned)(at - first)};
}

static Word word_of(const char *text) {
    Word word = {text, 0};
    while (text[word.length]) word.length++;
    return word;
}

static int is_same(Word a, Word b) {
    unsigned i = 0;
    while (i < a.length && i < b.length && a.start[i] == b.start[i]) i++;
    return i == a.length && i == b.length;
}

static int is_word(Word word, const char *text) {
    unsigned i = 0;
    while (i < word.length && text[i] == word.start[i] && text[i]) i++;
    return i == word.length && !text[i];
}

static void add_word(Text *text, Word word) {
    unsigned room = text->capacity - text->length, count = word.length < room ? word.length : room;
    char *to = text->start + text->length;
    for (unsigned i = 0; i < count; i++) to[i] = word.start[i];
    text->length += count;
    if (count < word.length) text->is_full = 1;
}

static Reader reader_of(Word word) { return (Reader){word.start, word.start + word.length}; }

/* Adds text of a request to a message: at most 80 bytes, those that are not printable ASCII as \xNN. */
static void add_shown(Text *answer, Word word) {
    add_char(answer, '`');
    for (unsigned i = 0; i < word.length && i < 80; i++) {
        char c = word.start[i];
        if (c >= ' ' && c <= '~') { add_escaped(answer, c); continue; }
        add(answer, "\\\\x");
        add_char(answer, "0123456789abcdef"[(c >> 4) & 15]);
        add_char(answer, "0123456789abcdef"[c & 15]);
    }
    add(answer, word.length > 80 ? "…`" : "`");
}

/* Answers with an error. The message is `before`, the text of the request if there is any, and `after`. */
static void fail(Text *answer, const char *code, const char *before, Word word, const char *after) {
    add(answer, "{\"error\":\"");
    add(answer, code);
    add(answer, "\",\"message\":\"");
    for (; *before; before++) add_escaped(answer, *before);
    if (word.length) add_shown(answer, word);
    for (; *after; after++) add_escaped(answer, *after);
    add(answer, "\"}");
}

static const Word NO_WORD = {0, 0};

/* Returns the index of a word among words with single blanks between, or -1. */
static int index_of(Word word, const char *choices) {
    Reader reader = reader_of(word_of(choices));
    for (int i = 0;; i++) {
        Word choice = next_word(&reader);
        if (!choice.length) return -1;
        if (is_same(choice, word)) return i;
    }
}

/* Reads the value of an option. */
static int read_value(const Option *option, Word word, unsigned *value) {
    if (option->choices) {
        int i = index_of(word, option->choices);
        *value = (unsigned)i;
        return i >= 0;
    }
    Reader reader = reader_of(word);
    int is_canonical = word.length == 1 || (word.length && word.start[0] != '0');
    return is_canonical && take_number(&reader, value) && reader.at == reader.end && *value >= option->lowest &&
           *value <= option->highest;
}

static void set_defaults(unsigned *options) {
    for (int i = 0; i < MOST_OPTIONS && game.options[i].name; i++) {
        read_value(&game.options[i], word_of(game.options[i].standard), &options[i]);
    }
}

/* Reads `KEY=VALUE`. Returns 0 and answers with an error if it is no option. */
static int read_option(Text *answer, Word word, unsigned *options, unsigned *given) {
    unsigned equals = 0;
    while (word.start[equals] != '=') equals++;
    Word name = {word.start, equals}, value = {word.start + equals + 1, word.length - equals - 1};
    for (unsigned i = 0; i < MOST_OPTIONS && game.options[i].name; i++) {
        if (!is_word(name, game.options[i].name)) continue;
        if (*given & 1u << i) {
            fail(answer, "bad-option", "the option ", name, " is given twice");
            return 0;
        }
        *given |= 1u << i;
        if (read_value(&game.options[i], value, &options[i])) return 1;
        fail(answer, "bad-option", "", word, " is not within the values of this option");
        return 0;
    }
    fail(answer, "bad-option", "the game has no option ", name, "");
    return 0;
}

/* Returns how many seats the table has. */
static unsigned seats_of(const unsigned *options) {
    for (int i = 0; i < MOST_OPTIONS && game.options[i].name && game.most_seats; i++) {
        if (is_word(word_of("players"), game.options[i].name)) return options[i];
    }
    return game.least_seats ? game.least_seats : 2;
}

static void add_options(Text *answer, const unsigned *options) {
    unsigned defaults[MOST_OPTIONS] = {0};
    set_defaults(defaults);
    for (int i = 0; i < MOST_OPTIONS && game.options[i].name; i++) {
        if (options[i] == defaults[i]) continue;
        add_char(answer, ' ');
        add(answer, game.options[i].name);
        add_char(answer, '=');
        if (!game.options[i].choices) { add_number(answer, options[i]); continue; }
        Reader reader = reader_of(word_of(game.options[i].choices));
        Word choice = next_word(&reader);
        for (unsigned k = 0; k < options[i]; k++) choice = next_word(&reader);
        add_word(answer, choice);
    }
}

/* Returns the position string, which stays until the next call. */
static Word position_of(const State *state) {
    static char bytes[MOST_BYTES_OF_A_POSITION + 1];
    Text text = {bytes, 0, MOST_BYTES_OF_A_POSITION, 0};
    show(state, &text);
    bytes[text.length] = 0;
    return (Word){bytes, text.length};
}

static Plies plies;

/* Lists the legal plies, a forced pass among them. */
static void list_plies(const State *state, Result end) {
    plies.count = 0;
    if (end.outcome != GOES_ON) return;
    legal(state, &plies);
    if (!plies.count && game.pass) add_ply(&plies, "pass");
}

static int is_before(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a < (unsigned char)*b;
}

/* The legal plies in byte order. */
static const char *sorted[MOST_PLIES];

/* Shell sort: no recursion, and quick on lists that are nearly sorted. Many games list their plies in order. */
static void sort_plies(void) {
    int is_sorted = 1;
    for (unsigned i = 0; i < plies.count; i++) {
        sorted[i] = plies.ply[i];
        if (i && is_before(plies.ply[i], plies.ply[i - 1])) is_sorted = 0;
    }
    if (is_sorted) return;
    for (unsigned gap = 1093; gap > 0; gap /= 3) {
        for (unsigned i = gap; i < plies.count; i++) {
            const char *moved = sorted[i];
            unsigned to = i;
            for (; to >= gap && is_before(moved, sorted[to - gap]); to -= gap) sorted[to] = sorted[to - gap];
            sorted[to] = moved;
        }
    }
}

/* Reads `startpos` or `fen STRING`. Returns 0 and answers with an error if it is no position. */
static int read_start(Text *answer, Reader *reader, State *state, const unsigned *options, Word *after) {
    static char given[MOST_BYTES_OF_A_POSITION];
    Word word = *after;
    if (is_word(word, "startpos")) {
        start(state, options);
        *after = next_word(reader);
        return 1;
    }
    if (!is_word(word, "fen")) {
        fail(answer, "bad-request", "`startpos` or `fen` is needed here, not ", word, word.length ? "" : "the end");
        return 0;
    }
    Text text = {given, 0, sizeof given, 0};
    for (word = next_word(reader); word.length && !is_word(word, "moves"); word = next_word(reader)) {
        if (text.length) add_char(&text, ' ');
        add_word(&text, word);
    }
    *after = word;
    Reader position = reader_of((Word){given, text.length});
    const char *why = text.is_full ? "a position has at most 4096 bytes" : parse(state, options, &position);
    if (!why && position.at != position.end) why = "something follows the position";
    if (!why) {
        Word canonical = position_of(state);
        if (is_same(canonical, (Word){given, text.length})) return 1;
        fail(answer, "bad-position", "the position is written ", canonical, "");
        return 0;
    }
    fail(answer, "bad-position", "not a position of this game: ", NO_WORD, why);
    return 0;
}

#ifdef MORE_SEATS

/* Returns the seat of `fault.pN` if it is in at a table of more than two, or 0. */
static int faulty_seat(const State *state, Word word, unsigned seats) {
    Reader reader = reader_of(word);
    if (seats < 3 || !take(&reader, "fault.p") || reader.end - reader.at != 1) return 0;
    unsigned number = (unsigned)(*reader.at - '0');
    return number >= 1 && number <= seats && !out(state, (int)number).place ? (int)number : 0;
}

#endif

/* Plays the plies after `moves`. Returns 0 and answers with an error if one is illegal. */
static int play_plies(Text *answer, Reader *reader, State *state, UNUSED unsigned seats) {
    unsigned number = 0;
    for (Word word = next_word(reader); word.length; word = next_word(reader)) {
        if (++number > MOST_PLIES_OF_A_GAME) {
            fail(answer, "bad-request", "a game has at most 10000 plies", NO_WORD, "");
            return 0;
        }
        Result end = result(state);
#ifdef MORE_SEATS
        int faulty = end.outcome == GOES_ON ? faulty_seat(state, word, seats) : 0;
        if (faulty) { put_out(state, faulty); continue; }
#endif
        list_plies(state, end);
        unsigned i = 0;
        while (i < plies.count && !is_word(word, plies.ply[i])) i++;
        if (i < plies.count) { play(state, plies.ply[i]); continue; }
        const char *why = end.outcome == GOES_ON ? "it is not legal here" : "the game is over";
        add(answer, "{\"error\":\"illegal-ply\",\"message\":\"ply ");
        add_number(answer, number);
        add(answer, ", ");
        add_shown(answer, word);
        add(answer, ", is refused to p");
        add_number(answer, (unsigned)seat(state));
        add(answer, ": ");
        add(answer, why);
        add(answer, "\",\"why\":");
        add_string(answer, why);
        add_char(answer, '}');
        return 0;
    }
    return 1;
}

static void add_result(Text *answer, Result end, unsigned seats) {
    static const char *const outcomes[] = {"null", "\"p1win\"", "\"p2win\"", "\"draw\""};
    if (end.outcome == PLACES && seats == 2) {
        end.outcome = end.places[0] < end.places[1] ? P1_WINS : end.places[1] < end.places[0] ? P2_WINS : DRAW;
    }
    add(answer, "\"result\":");
    if (end.outcome == PLACES) {
        for (unsigned i = 0; i < seats; i++) {
            add_char(answer, i ? ',' : '"');
            add_number(answer, end.places[i]);
        }
        add_char(answer, '"');
    } else add(answer, outcomes[end.outcome]);
    add(answer, ",\"reason\":");
    if (end.outcome == GOES_ON) add(answer, "null");
    else add_string(answer, end.reason);
    if (end.outcome != GOES_ON && end.words) {
        add(answer, ",\"words\":");
        add_string(answer, end.words);
    }
}

/* Adds `next` and `ends`: what every legal ply leads to. */
static void add_following(Text *answer, const State *state, unsigned seats) {
    static Result ends[MOST_PLIES];
    add(answer, ",\"next\":[");
    for (unsigned i = 0; i < plies.count; i++) {
        State after = *state;
        play(&after, sorted[i]);
        ends[i] = result(&after);
        if (i) add_char(answer, ',');
        add_string(answer, position_of(&after).start);
    }
    add(answer, "],\"ends\":{");
    int is_first = 1;
    for (unsigned i = 0; i < plies.count; i++) {
        if (ends[i].outcome == GOES_ON) continue;
        if (!is_first) add_char(answer, ',');
        is_first = 0;
        add_string(answer, sorted[i]);
        add(answer, ":{");
        add_result(answer, ends[i], seats);
        add_char(answer, '}');
    }
    add_char(answer, '}');
}

#ifdef MORE_SEATS

/* Adds the seats that are out with their places, and why they are. */
static void add_exits(Text *answer, const State *state, unsigned seats) {
    for (int with_reasons = 0; with_reasons < 2; with_reasons++) {
        int is_first = 1;
        add(answer, with_reasons ? ",\"exits\":{" : ",\"out\":{");
        for (unsigned i = 1; i <= seats; i++) {
            Exit exit = out(state, (int)i);
            if (!exit.place || (with_reasons && !exit.reason)) continue;
            add(answer, is_first ? "\"p" : ",\"p");
            is_first = 0;
            add_number(answer, i);
            add(answer, "\":");
            if (with_reasons) add_string(answer, exit.reason);
            else add_number(answer, exit.place);
        }
        add_char(answer, '}');
    }
}

#endif

/* Answers `position` or, without what follows, `legal`. */
static void answer_position(Text *answer, Reader *reader, int with_following) {
    unsigned options[MOST_OPTIONS] = {0}, given = 0;
    Word word = next_word(reader);
    if (!word.length) { fail(answer, "bad-request", "the request names no game", NO_WORD, ""); return; }
    if (!is_word(word, game.id)) { fail(answer, "unknown-game", "these are not the rules of ", word, ""); return; }
    set_defaults(options);
    for (word = next_word(reader);; word = next_word(reader)) {
        unsigned i = 0;
        while (i < word.length && word.start[i] != '=') i++;
        if (i == word.length) break;
        if (!read_option(answer, word, options, &given)) return;
    }
    State state;
    memset(&state, 0, sizeof state);
    if (!read_start(answer, reader, &state, options, &word)) return;
    if (word.length && !is_word(word, "moves")) {
        fail(answer, "bad-request", "`moves` is needed here, not ", word, "");
        return;
    }
    unsigned seats = seats_of(options);
    if (word.length && !play_plies(answer, reader, &state, seats)) return;
    Result end = result(&state);
    list_plies(&state, end);
    sort_plies();
    add(answer, "{\"game\":\"");
    add(answer, game.id);
    add_options(answer, options);
    add(answer, "\",\"position\":");
    add_string(answer, position_of(&state).start);
    add(answer, ",\"seat\":\"p");
    add_number(answer, (unsigned)seat(&state));
    add(answer, "\",\"legal\":[");
    for (unsigned i = 0; i < plies.count; i++) {
        if (i) add_char(answer, ',');
        add_string(answer, sorted[i]);
    }
    add_char(answer, ']');
    if (with_following) add_following(answer, &state, seats);
    add_char(answer, ',');
    add_result(answer, end, seats);
#ifdef MORE_SEATS
    if (seats > 2) add_exits(answer, &state, seats);
#endif
    more(&state, answer);
    add_char(answer, '}');
}

static void add_key(Text *answer, const char *key, const char *value) {
    if (!value) return;
    add_char(answer, ',');
    add_string(answer, key);
    add_char(answer, ':');
    add_string(answer, value);
}

static void answer_games(Text *answer) {
    add(answer, "[{\"game\":");
    add_string(answer, game.id);
    add_key(answer, "title", game.title);
    add_key(answer, "about", game.about);
    add(answer, ",\"options\":[");
    for (int i = 0; i < MOST_OPTIONS && game.options[i].name; i++) {
        const Option *option = &game.options[i];
        add(answer, i ? ",{\"name\":" : "{\"name\":");
        add_string(answer, option->name);
        add_key(answer, "default", option->standard);
        if (option->choices) {
            add(answer, ",\"values\":[\"");
            for (const char *c = option->choices; *c; c++) add(answer, *c == ' ' ? "\",\"" : (char[]){*c, 0});
            add(answer, "\"]");
        } else {
            add(answer, ",\"min\":");
            add_number(answer, option->lowest);
            add(answer, ",\"max\":");
            add_number(answer, option->highest);
        }
        add_key(answer, "about", option->about);
        add_char(answer, '}');
    }
    add(answer, "],\"seats\":[");
    add_number(answer, game.least_seats ? game.least_seats : 2);
    add_char(answer, ',');
    add_number(answer, game.most_seats ? game.most_seats : 2);
    add(answer, "],\"repetition\":");
    add_number(answer, game.repetition);
    add(answer, game.pass ? ",\"pass\":true" : ",\"pass\":false");
    if (game.max_plies) {
        add(answer, ",\"max-plies\":");
        add_number(answer, game.max_plies);
    }
    add_key(answer, "notation", game.notation);
    add_key(answer, "rules", game.rules);
    if (game.look) {
        add(answer, ",\"look\":");
        for (const char *c = game.look; *c; c++) add_char(answer, *c == '\'' ? '"' : *c);
    }
    add(answer, "}]");
}

static void answer_request(Text *answer, Reader reader) {
    Word word = next_word(&reader);
    if (is_word(word, "position")) answer_position(answer, &reader, 1);
    else if (is_word(word, "legal")) answer_position(answer, &reader, 0);
    else if (is_word(word, "games")) answer_games(answer);
    else if (is_word(word, "about")) {
        add(answer, "{\"format\":2");
        add_key(answer, "name", game.id);
        add_key(answer, "version", game.version);
        add(answer, ",\"deterministic\":true}");
    } else if (word.length) fail(answer, "bad-request", "", word, " is no request");
    else fail(answer, "bad-request", "the request is empty", NO_WORD, "");
}

/* Answers a line: one request, or several with `;` between, which are answered by an array. The loop that looks for the end
 * of a request holds nothing else: an iteration of a loop costs the steps of its whole body, also of what is jumped over. */
static void answer_line(Text *answer, const char *line, unsigned length) {
    const char *end = line + length;
    unsigned count = 0;
    for (;; count++) {
        Reader request = {line, line};
        while (request.end < end && *request.end != ';') request.end++;
        line = request.end + 1;
        if (request.end < end || count) add_char(answer, count ? ',' : '[');
        answer_request(answer, request);
        if (request.end == end || answer->is_full) break;
    }
    if (count) add_char(answer, ']');
    if (!answer->is_full) return;
    *answer = (Text){answer->start, 0, answer->capacity, 0};
    fail(answer, "bad-request", "the answer would have more than 1 MiB", NO_WORD, "");
}

/* The interface of modules. Requests lie behind everything else in memory, which grows if a long one comes. */

extern char __heap_base;

static unsigned long room_for_requests(void) {
    return __builtin_wasm_memory_size(0) * 65536 - (unsigned long)&__heap_base;
}

/* A marker: this module answers format 1 of the interface. */
__attribute__((export_name("arena_rules_1"))) void arena_rules_1(void) {}

/* Returns where to write a request of `length` bytes; 0 if there is no room. */
__attribute__((export_name("arena_alloc"))) char *arena_alloc(unsigned length) {
    unsigned long room = room_for_requests();
    if (length > MOST_BYTES_OF_A_REQUEST) return 0;
    if (length > room && __builtin_wasm_memory_grow(0, (length - room + 65535) / 65536) == -1ul) return 0;
    return &__heap_base;
}

/* Answers the request at `request`, which `arena_alloc` has returned. */
__attribute__((export_name("arena_ask"))) unsigned long long arena_ask(const char *request, unsigned length) {
    static char bytes[MOST_BYTES_OF_AN_ANSWER];
    Text answer = {bytes, 0, sizeof bytes, 0};
    if (request != &__heap_base || length > room_for_requests()) {
        fail(&answer, "bad-request", "the request is not where `arena_alloc` has said", NO_WORD, "");
    } else {
        answer_line(&answer, request, length);
    }
    return (unsigned long long)(unsigned long)answer.start << 32 | answer.length;
}

#endif
