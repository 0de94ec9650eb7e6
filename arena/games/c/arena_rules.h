/* arena_rules.h: the rules of a board game as a WebAssembly module for `arena`.
 *
 * A game is one file of C. It defines the type `State`, includes this file, and then defines `game`, `start`, `parse`,
 * `show`, `seat`, `legal`, `play`, `result` and `more`, which are declared below. Everything else is done here: reading
 * requests, writing answers, errors, options, `moves`. No answer depends on the requests before: what is kept of them saves
 * work and nothing else (`Known`).
 *
 * A game for more than two defines `MORE_SEATS` before it includes this file, says in `least_seats` and `most_seats` how many there are,
 * and defines `out` and `put_out` too. Where the numbers differ, an option `players` chooses: its standard is the least.
 *
 *     clang --target=wasm32 -O2 -mbulk-memory -nostdlib -Wl,--no-entry -Wl,--strip-all -o GAME.wasm GAME.c
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

/* The legal plies of a position, each with a zero at its end. `length` holds their lengths, 0 where that is not known yet. */
typedef struct {
    unsigned count;
    unsigned char length[MOST_PLIES];
    char ply[MOST_PLIES][MOST_BYTES_OF_A_PLY + 1];
} Plies;

/* How a game ends. `reason` is a token of `a-z 0-9 -`, `words` a phrase for people or 0. With `PLACES` each seat of the table has one: one
 * plus the number of seats that did better. */
typedef enum { GOES_ON, P1_WINS, P2_WINS, DRAW, PLACES } Outcome;
typedef struct {
    Outcome outcome;
    const char *reason, *words;
#ifdef MORE_SEATS
    unsigned char places[MOST_SEATS];
#endif
} Result;

#ifdef MORE_SEATS

/* Whether a seat is out while the others play on: its place, or 0, and why, or 0 where the position string does not tell. */
typedef struct { unsigned place; const char *reason; } Exit;

#endif

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

/* An interpreter runs a module: a step costs the same whether it handles one byte or eight, or copies a thousand. */

typedef unsigned long long Eight;

static inline Eight eight_at(const void *from) {
    Eight bytes;
    __builtin_memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

#ifdef __wasm_bulk_memory__
#define copy __builtin_memcpy
#else
static void copy(char *to, const char *from, unsigned count) {
    for (; count >= 8; count -= 8, to += 8, from += 8) __builtin_memcpy(to, from, 8);
    while (count-- > 0) *to++ = *from++;
}

__attribute__((no_builtin("memcpy"), used)) void *memcpy(void *to, const void *from, unsigned long count) {
    for (unsigned long i = 0; i < count; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

__attribute__((no_builtin("memset"), used)) void *memset(void *to, int byte, unsigned long count) {
    for (unsigned long i = 0; i < count; i++) ((char *)to)[i] = (char)byte;
    return to;
}
#endif

/* The compiler makes calls of this of loops that look like it. */
__attribute__((no_builtin("strlen"), used)) unsigned long strlen(const char *text) {
    const char *end = text;
    while (*end) end++;
    return (unsigned long)(end - text);
}

static int is_same_text(const char *a, const char *b, unsigned length) {
    if (length >= 8) {
        for (unsigned i = 0; i + 8 <= length; i += 8) {
            if (eight_at(a + i) != eight_at(b + i)) return 0;
        }
        return eight_at(a + length - 8) == eight_at(b + length - 8);
    }
    for (unsigned i = 0; i < length; i++) {
        if (a[i] != b[i]) return 0;
    }
    return 1;
}

static const Eight ONES = 0x0101010101010101, TOPS = 0x8080808080808080;

/* Whether a byte is among eight. */
static inline int has_byte(Eight bytes, char byte) {
    bytes ^= ONES * (unsigned char)byte;
    return ((bytes - ONES) & ~bytes & TOPS) != 0;
}

/* Whether a string of JSON holds these characters as they are: none is a quote, a backslash or below a blank. */
static int is_plain(const char *text, unsigned length) {
    for (; length >= 8; length -= 8, text += 8) {
        Eight bytes = eight_at(text);
        if ((bytes - ONES * ' ') & ~bytes & TOPS || has_byte(bytes, '"') || has_byte(bytes, '\\')) return 0;
    }
    for (; length > 0; length--, text++) {
        if ((unsigned char)*text < ' ' || *text == '"' || *text == '\\') return 0;
    }
    return 1;
}

static inline void add_char(Text *text, char c) {
    if (text->length < text->capacity) text->start[text->length++] = c;
    else text->is_full = 1;
}

static void add_bytes(Text *text, const char *bytes, unsigned count) {
    unsigned room = text->capacity - text->length;
    if (count > room) {
        count = room;
        text->is_full = 1;
    }
    copy(text->start + text->length, bytes, count);
    text->length += count;
}

static void add_words(Text *text, const char *words) {
    char *at = text->start + text->length;
    const char *end = text->start + text->capacity;
    while (*words && at < end) *at++ = *words++;
    text->length = (unsigned)(at - text->start);
    if (*words) text->is_full = 1;
}

/* Adds words: `add(text, " p1")`. The compiler knows how long a literal is. */
#define add(text, ...) \
    (__builtin_constant_p(__builtin_strlen(__VA_ARGS__)) ? add_bytes(text, __VA_ARGS__, (unsigned)__builtin_strlen(__VA_ARGS__)) \
                                                         : add_words(text, __VA_ARGS__))

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

/* Writes a number that is 1 to 99. */
static inline char *write_short(char *at, unsigned number) {
    if (number >= 10) {
        *at++ = (char)('0' + number / 10);
        number %= 10;
    }
    *at++ = (char)('0' + number);
    return at;
}

/* Adds rows, top rank first. `board[rank * width + file]` is 0 where a cell is empty, else `letters[piece - 1]` stands there.
 * A rank has at most 99 files. */
UNUSED static void add_rows(Text *text, const unsigned char *board, unsigned width, unsigned height, const char *letters) {
    if (text->capacity - text->length < height * (width + 1)) { text->is_full = 1; return; }
    char *at = text->start + text->length;
    for (unsigned rank = height; rank-- > 0;) {
        unsigned empty = 0;
        const unsigned char *cell = board + rank * width, *end = cell + width;
        for (; cell < end; cell++) {
            unsigned piece = *cell;
            if (!piece) { empty++; continue; }
            if (empty) {
                at = write_short(at, empty);
                empty = 0;
            }
            *at++ = letters[piece - 1];
        }
        if (empty) at = write_short(at, empty);
        if (rank) *at++ = '/';
    }
    text->length = (unsigned)(at - text->start);
}

/* Adds a character to a string of JSON. */
static void add_escaped(Text *text, char c) {
    if (c == '"' || c == '\\') add_char(text, '\\');
    if ((unsigned char)c >= ' ') { add_char(text, c); return; }
    add(text, "\\u00");
    add_char(text, "01"[(c >> 4) & 1]);
    add_char(text, "0123456789abcdef"[c & 15]);
}

/* Adds a string of JSON. */
static void add_text(Text *text, const char *words, unsigned length) {
    add_char(text, '"');
    if (is_plain(words, length)) add_bytes(text, words, length);
    else for (unsigned i = 0; i < length; i++) add_escaped(text, words[i]);
    add_char(text, '"');
}

static void add_string(Text *text, const char *words) { add_text(text, words, (unsigned)strlen(words)); }

/* Adds an empty ply to write into. */
static Text new_ply(Plies *plies) {
    static char unused[MOST_BYTES_OF_A_PLY + 1];
    if (plies->count == MOST_PLIES) return (Text){unused, 0, MOST_BYTES_OF_A_PLY, 0};
    plies->length[plies->count] = 0;
    __builtin_memset(plies->ply[plies->count], 0, sizeof(Eight)); /* the first bytes are compared at once */
    return (Text){plies->ply[plies->count++], 0, MOST_BYTES_OF_A_PLY, 0};
}

/* Adds a ply, as `add_ply(plies, "a1b2")`. */
UNUSED static void add_ply(Plies *plies, const char *ply) {
    Text text = new_ply(plies);
    add_words(&text, ply);
    text.start[text.length] = 0;
}

/* Adds a ply of at most 7 characters, the first one in the lowest byte. */
static inline void add_short_ply(Plies *plies, Eight text, unsigned length) {
    unsigned i = plies->count;
    if (i == MOST_PLIES) return;
    __builtin_memcpy(plies->ply[i], &text, sizeof text);
    plies->length[i] = (unsigned char)length;
    plies->count = i + 1;
}

/* Adds the ply that is the name of a cell. */
UNUSED static void add_drop(Plies *plies, unsigned file, unsigned rank) {
    if (rank < 9) { add_short_ply(plies, 0x3161u + file + (rank << 8), 2); return; }
    Text text = new_ply(plies);
    add_cell(&text, file, rank);
    text.start[text.length] = 0;
}

/* Adds the ply from a cell to a cell. */
UNUSED static void add_move(Plies *plies, unsigned file, unsigned rank, unsigned to_file, unsigned to_rank) {
    if (rank < 9 && to_rank < 9) {
        add_short_ply(plies, 0x31613161u + file + (rank << 8) + (to_file << 16) + (to_rank << 24), 4);
        return;
    }
    Text text = new_ply(plies);
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
    const char *at = reader->at, *end = reader->end;
    for (unsigned rank = height; rank-- > 0;) {
        unsigned char *cell = board + rank * width, *edge = cell + width;
        while (cell < edge) {
            if (at == end) return 0;
            unsigned c = (unsigned char)*at++, run = c - '0';
            if (run <= 9) {
                for (; at < end && (unsigned)(*at - '0') <= 9 && run <= width; at++) run = run * 10 + (unsigned)(*at - '0');
                if (run == 0 || run > (unsigned)(edge - cell)) return 0;
                for (; run > 0; run--) *cell++ = 0;
                continue;
            }
            unsigned piece = 0;
            while (letters[piece] && (unsigned char)letters[piece] != c) piece++;
            if (!letters[piece]) return 0;
            *cell++ = (unsigned char)(piece + 1);
        }
        if (rank && (at == end || *at++ != '/')) return 0;
    }
    reader->at = at;
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

static int is_blank(char c) { return (unsigned char)c <= ' ' && (c == ' ' || (unsigned)(c - '\t') < 5); }

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
    return (Word){text, (unsigned)strlen(text)};
}

static int is_same(Word a, Word b) {
    return a.length == b.length && is_same_text(a.start, b.start, a.length);
}

static int is_word(Word word, const char *text) {
    unsigned i = 0;
    while (i < word.length && text[i] == word.start[i] && text[i]) i++;
    return i == word.length && !text[i];
}

static void add_word(Text *text, Word word) { add_bytes(text, word.start, word.length); }

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
    static unsigned defaults[MOST_OPTIONS], are_read;
    for (int i = 0; i < MOST_OPTIONS && game.options[i].name; i++) {
        if (!are_read) read_value(&game.options[i], word_of(game.options[i].standard), &defaults[i]);
        options[i] = defaults[i];
    }
    are_read = 1;
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

/* A position and what was found out about it. Most questions go on from a position that was the answer before, or that was
 * asked about before: then nothing of it is read, checked and listed again. Two are kept. */
typedef struct {
    State state;
    Result end;
    unsigned options[MOST_OPTIONS];
    unsigned seats; /* of the table */
    /* Whether plies led to it at a table of more than two: `state` and `end` may know then what the position string does not tell. */
    int is_played;
    /* What a request about it says after its first word: the game and options as they were given (`before` bytes), then
     * `fen ` and the position. `is_kept`: the next request may go on from here. */
    int is_kept;
    unsigned before;
    Text request;
    char bytes[2 * MOST_BYTES_OF_A_POSITION];
    /* Its legal plies, and where they stand in byte order if they do not lie so. */
    int is_listed, is_in_order;
    Plies plies;
    unsigned short order[MOST_PLIES];
} Known;

static Known known[2];

static const char fen[] = "fen ";

/* Returns the position string. */
static Word position_of(const Known *now) {
    unsigned start = now->before + sizeof fen - 1;
    return (Word){now->bytes + start, now->request.length - start};
}

/* Writes the position string behind the first `before` bytes of `bytes`. */
static void write_position(Known *now) {
    unsigned start = now->before + sizeof fen - 1;
    __builtin_memcpy(now->bytes + now->before, fen, sizeof fen - 1);
    now->request = (Text){now->bytes, start, start + MOST_BYTES_OF_A_POSITION, 0};
    show(&now->state, &now->request);
}

/* Returns whether a ply comes before another in byte order. */
static int is_before(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a < (unsigned char)*b;
}

/* Returns the first four bytes of a ply as a number: the less, the earlier in byte order. */
static inline unsigned first_four(const char *ply) {
    unsigned bytes;
    __builtin_memcpy(&bytes, ply, sizeof bytes);
    return __builtin_rotateleft32(bytes & 0xff00ff, 24) | (__builtin_rotateleft32(bytes, 8) & 0xff00ff);
}

/* Shell sort: no recursion, and quick on lists that are nearly sorted. */
static void sort_plies(Known *now) {
    const Plies *plies = &now->plies;
    unsigned gap = 1;
    for (unsigned i = 0; i < plies->count; i++) now->order[i] = (unsigned short)i;
    while (gap < plies->count / 10) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (unsigned i = gap; i < plies->count; i++) {
            unsigned short moved = now->order[i];
            const char *ply = plies->ply[moved];
            unsigned to = i, key = first_four(ply);
            for (; to >= gap; to -= gap) {
                const char *other = plies->ply[now->order[to - gap]];
                unsigned other_key = first_four(other);
                if (key != other_key ? key > other_key : !is_before(ply, other)) break;
                now->order[to] = now->order[to - gap];
            }
            now->order[to] = moved;
        }
    }
}

/* Lists the legal plies in byte order, a forced pass among them. Many games list them nearly in order. */
static void list_plies(Known *now) {
    Plies *plies = &now->plies;
    now->is_listed = 1;
    plies->count = 0;
    if (now->end.outcome != GOES_ON) return;
    legal(&now->state, plies);
    if (!plies->count && game.pass) add_ply(plies, "pass");
    unsigned last = 0;
    now->is_in_order = 1;
    for (unsigned i = 0, count = plies->count; i < count; i++) {
        const char *ply = plies->ply[i];
        if (!plies->length[i]) plies->length[i] = (unsigned char)strlen(ply);
        unsigned key = first_four(ply);
        if (key <= last && i && (key < last || is_before(ply, ply - sizeof *plies->ply))) now->is_in_order = 0;
        last = key;
    }
    if (!now->is_in_order) sort_plies(now);
}

/* Reads `startpos` or `fen STRING` into `now`, of which `before` and the options are there. Returns 0 and answers with an error
 * if it is no position. */
static int read_start(Text *answer, Reader *reader, Known *now, Word *after) {
    static char given[MOST_BYTES_OF_A_POSITION];
    Word word = *after;
    __builtin_memset(&now->state, 0, sizeof now->state);
    if (is_word(word, "startpos")) {
        start(&now->state, now->options);
        write_position(now);
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
    const char *why = text.is_full ? "a position has at most 4096 bytes" : parse(&now->state, now->options, &position);
    if (!why && position.at != position.end) why = "something follows the position";
    if (!why) {
        write_position(now);
        Word canonical = position_of(now);
        if (is_same(canonical, (Word){given, text.length})) return 1;
        fail(answer, "bad-position", "the position is written ", canonical, "");
        return 0;
    }
    fail(answer, "bad-position", "not a position of this game: ", NO_WORD, why);
    return 0;
}

/* Returns the legal ply that a word is, or 0. */
static const char *find_ply(const Plies *plies, Word word) {
    Eight first = 0;
    for (unsigned i = 0; i < word.length && i < 8; i++) first |= (Eight)(unsigned char)word.start[i] << 8 * i;
    for (unsigned i = 0, count = plies->count; i < count; i++) {
        const char *ply = plies->ply[i];
        if (eight_at(ply) != first || plies->length[i] != word.length) continue;
        if (word.length <= 8 || is_same_text(ply, word.start, word.length)) return ply;
    }
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

/* Plays the plies after `moves`, of which `word` is the first. `now` becomes the position after them. Returns 0 and answers
 * with an error if one is illegal. */
static int play_plies(Text *answer, Reader *reader, Word word, Known *from, Known *now) {
    int is_kept = from->is_kept;
    now->is_kept = 0;
    now->state = from->state;
    now->before = from->before;
    now->seats = from->seats;
    now->is_played = now->seats > 2;
    copy(now->bytes, from->bytes, from->before);
    for (int i = 0; i < MOST_OPTIONS && game.options[i].name; i++) now->options[i] = from->options[i];
    unsigned number = 0;
    for (Known *last = from; word.length; last = now, word = next_word(reader)) {
        if (++number > MOST_PLIES_OF_A_GAME) {
            fail(answer, "bad-request", "a game has at most 10000 plies", NO_WORD, "");
            return 0;
        }
#ifdef MORE_SEATS
        int faulty = last->end.outcome == GOES_ON ? faulty_seat(&now->state, word, now->seats) : 0;
        if (faulty) {
            put_out(&now->state, faulty);
            now->end = result(&now->state);
            now->is_listed = 0;
            continue;
        }
#endif
        if (!last->is_listed) list_plies(last);
        const char *ply = find_ply(&last->plies, word);
        if (ply) {
            play(&now->state, ply);
            now->end = result(&now->state);
            now->is_listed = 0;
            continue;
        }
        const char *why = last->end.outcome == GOES_ON ? "it is not legal here" : "the game is over";
        add(answer, "{\"error\":\"illegal-ply\",\"message\":\"ply ");
        add_number(answer, number);
        add(answer, ", ");
        add_shown(answer, word);
        add(answer, ", is refused to p");
        add_number(answer, (unsigned)seat(&now->state));
        add(answer, ": ");
        add(answer, why);
        add(answer, "\",\"why\":");
        add_string(answer, why);
        add_char(answer, '}');
        return 0;
    }
    write_position(now);
    now->is_kept = is_kept && !now->request.is_full;
    return 1;
}

#ifdef MORE_SEATS

/* Adds the result of a game that is over: the places, or what they mean at a table of two. */
static void add_places(Text *answer, const unsigned char *places, unsigned seats) {
    if (seats == 2) {
        add(answer, places[0] < places[1] ? "\"p1win\"" : places[1] < places[0] ? "\"p2win\"" : "\"draw\"");
        return;
    }
    for (unsigned i = 0; i < seats; i++) {
        add_char(answer, i ? ',' : '"');
        add_number(answer, places[i]);
    }
    add_char(answer, '"');
}

#endif

static void add_result(Text *answer, Result end, UNUSED unsigned seats) {
    static const char *const outcomes[] = {"null", "\"p1win\"", "\"p2win\"", "\"draw\""};
    add(answer, "\"result\":");
#ifdef MORE_SEATS
    if (end.outcome == PLACES) add_places(answer, end.places, seats);
    else
#endif
    add(answer, outcomes[end.outcome]);
    add(answer, ",\"reason\":");
    if (end.outcome == GOES_ON) add(answer, "null");
    else add_string(answer, end.reason);
    if (end.outcome != GOES_ON && end.words) {
        add(answer, ",\"words\":");
        add_string(answer, end.words);
    }
}

/* Returns a legal ply by its place in byte order. */
static const char *ply_at(const Known *now, unsigned i) { return now->plies.ply[now->is_in_order ? i : now->order[i]]; }

/* Adds the legal plies. */
static void add_plies(Text *answer, const Known *now) {
    const Plies *plies = &now->plies;
    /* Behind the longest answer there is room for the longest list (`arena_ask`). */
    char *at = answer->start + answer->length;
    if (!plies->count) return;
    *at++ = '"';
    for (unsigned i = 0, count = plies->count; i < count; i++) {
        unsigned number = now->is_in_order ? i : now->order[i], length = plies->length[number];
        const char *ply = plies->ply[number];
        Eight first = eight_at(ply);
        __builtin_memcpy(at, &first, sizeof first);
        if (length > 8) copy(at + 8, ply + 8, length - 8);
        __builtin_memcpy(at += length, "\",\"", 4);
        at += 3;
    }
    answer->length = (unsigned)(at - 2 - answer->start);
    if (answer->length <= answer->capacity) return;
    answer->length = answer->capacity;
    answer->is_full = 1;
}

/* Adds `next` and `ends`: what every legal ply leads to. */
static void add_following(Text *answer, const Known *now) {
    static Result ends[MOST_PLIES];
    static char bytes[MOST_BYTES_OF_A_POSITION];
    const Plies *plies = &now->plies;
    add(answer, ",\"next\":[");
    for (unsigned i = 0; i < plies->count; i++) {
        State after = now->state;
        play(&after, ply_at(now, i));
        ends[i] = result(&after);
        Text position = {bytes, 0, sizeof bytes, 0};
        show(&after, &position);
        if (i) add_char(answer, ',');
        add_text(answer, bytes, position.length);
    }
    add(answer, "],\"ends\":{");
    int is_first = 1;
    for (unsigned i = 0; i < plies->count; i++) {
        if (ends[i].outcome == GOES_ON) continue;
        if (!is_first) add_char(answer, ',');
        is_first = 0;
        add_string(answer, ply_at(now, i));
        add(answer, ":{");
        add_result(answer, ends[i], now->seats);
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

/* Forgets what a known position owes to the plies that led to it: it becomes what its string says. Returns 0 if it is no position. */
static int read_again(Known *now) {
    Outcome outcome = now->end.outcome;
    Reader reader = reader_of(position_of(now));
    __builtin_memset(&now->state, 0, sizeof now->state);
    now->is_played = 0;
    now->is_kept = !parse(&now->state, now->options, &reader) && reader.at == reader.end;
    if (!now->is_kept) return 0;
    now->end = result(&now->state);
    if (now->end.outcome != outcome) now->is_listed = 0;
    return 1;
}

#endif

/* Returns the known position that a request is about from its second word on, and reads it and the word after it; else 0. */
static Known *find_known(Reader *reader, Word *after) {
    Reader rest = *reader;
    if (!take(&rest, " ")) return 0;
    for (Known *now = known; now < known + 2; now++) {
        unsigned length = now->request.length;
        if (!now->is_kept || (unsigned)(rest.end - rest.at) < length || !is_same_text(rest.at, now->bytes, length)) continue;
        rest.at += length;
        if (rest.at < rest.end && !is_blank(*rest.at)) return 0;
        Word word = next_word(&rest);
        if (word.length && !is_word(word, "moves")) return 0;
#ifdef MORE_SEATS
        if (now->is_played && !read_again(now)) return 0;
#endif
        *after = word;
        *reader = rest;
        return now;
    }
    return 0;
}

/* Reads the game, its options and the position that a request starts from. Returns 0 and answers with an error if it is none. */
static int read_from(Text *answer, Reader *reader, Known *now, Word *after) {
    unsigned given = 0;
    now->is_kept = 0;
    Word word = next_word(reader);
    const char *first = word.start;
    if (!word.length) { fail(answer, "bad-request", "the request names no game", NO_WORD, ""); return 0; }
    if (!is_word(word, game.id)) { fail(answer, "unknown-game", "these are not the rules of ", word, ""); return 0; }
    set_defaults(now->options);
    for (word = next_word(reader);; word = next_word(reader)) {
        unsigned i = 0;
        while (i < word.length && word.start[i] != '=') i++;
        if (i == word.length) break;
        if (!read_option(answer, word, now->options, &given)) return 0;
    }
    unsigned before = (unsigned)(word.start - first);
    int is_short = before + sizeof fen + MOST_BYTES_OF_A_POSITION <= sizeof now->bytes;
    now->before = is_short ? before : 0;
    copy(now->bytes, first, now->before);
    if (!read_start(answer, reader, now, &word)) return 0;
    if (word.length && !is_word(word, "moves")) {
        fail(answer, "bad-request", "`moves` is needed here, not ", word, "");
        return 0;
    }
    now->end = result(&now->state);
    now->seats = seats_of(now->options);
    now->is_played = 0;
    now->is_listed = 0;
    now->is_kept = is_short && !now->request.is_full;
    *after = word;
    return 1;
}

/* Answers `position` or, without what follows, `legal`. */
static void answer_position(Text *answer, Reader *reader, int with_following) {
    Word word;
    Known *now = find_known(reader, &word);
    if (!now) {
        now = known;
        if (!read_from(answer, reader, now, &word)) return;
    }
    if (word.length && (word = next_word(reader)).length) {
        Known *from = now;
        now = from == known ? known + 1 : known;
        if (!play_plies(answer, reader, word, from, now)) return;
    }
    if (!now->is_listed) list_plies(now);
    add(answer, "{\"game\":\"");
    add(answer, game.id);
    add_options(answer, now->options);
    add(answer, "\",\"position\":");
    Word position = position_of(now);
    add_text(answer, position.start, position.length);
    add(answer, ",\"seat\":\"p");
    add_number(answer, (unsigned)seat(&now->state));
    add(answer, "\",\"legal\":[");
    add_plies(answer, now);
    add_char(answer, ']');
    if (with_following) add_following(answer, now);
    add_char(answer, ',');
    add_result(answer, now->end, now->seats);
#ifdef MORE_SEATS
    if (now->seats > 2) add_exits(answer, &now->state, now->seats);
#endif
    more(&now->state, answer);
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
        while (end - request.end >= 8 && !has_byte(eight_at(request.end), ';')) request.end += 8;
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
    static char bytes[MOST_BYTES_OF_AN_ANSWER + MOST_PLIES * (MOST_BYTES_OF_A_PLY + 3) + sizeof(Eight)];
    Text answer = {bytes, 0, MOST_BYTES_OF_AN_ANSWER, 0};
    if (request != &__heap_base || length > room_for_requests()) {
        fail(&answer, "bad-request", "the request is not where `arena_alloc` has said", NO_WORD, "");
    } else {
        answer_line(&answer, request, length);
    }
    return (unsigned long long)(unsigned long)answer.start << 32 | answer.length;
}

#endif
