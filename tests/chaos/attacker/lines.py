"""Lines that are none, too many, too long, at the wrong time."""
from common import *  # noqa: F403


@attack("go")
def endless_line():
    while True:
        write(b"x" * 65536)


@attack("go")
def gigabyte_without_newline():
    for _ in range(1024):
        write(b"x" * 1048576)
    say("", "bestmove " + ply())


@attack("go")
def torrent_of_lines():
    lines = b"thinking about it\n" * 4096
    while True:
        write(lines)


@attack("go")
def torrent_of_long_lines():
    lines = (b"y" * 60000 + b"\n") * 16
    while True:
        write(lines)


@attack("go")
def torrent_of_newlines():
    while True:
        write(b"\n" * 65536)


@attack("go")
def torrent_of_short_lines():
    while True:
        write(b"x\n" * 32768)


@attack("go")
def nul_in_answer():
    write(b"bestmove " + ply().encode() + b"\0\n")


@attack("go")
def nul_before_answer():
    write(b"\0\0\0\n")
    return HONEST


@attack("go")
def nul_glued_to_answer():
    write(b"\0bestmove " + ply().encode() + b"\n")
    forever()


@attack("go")
def invalid_utf8_in_answer():
    write(b"bestmove \xff\xfe" + ply().encode() + b"\n")


@attack("go")
def invalid_utf8_in_info():
    write(b"info string \xe9t\xe9 \xf0\x28\x8c\xbc \xed\xa0\x80\n")
    return HONEST


@attack("go")
def crlf():
    write("info string so\r\nbestmove " + ply() + "\r\n")


@attack("go")
def cr_without_lf():
    write("bestmove " + ply() + "\r")
    forever()


@attack("go")
def half_a_line_and_death():
    write("bestmove " + ply())
    os._exit(0)


@attack("go")
def half_a_line_and_silence():
    write("bestmove " + ply())
    forever()


@attack("go")
def two_answers():
    one = ply()
    say("bestmove " + one, "bestmove " + one)


@attack("go")
def second_answer_resigns():
    say("bestmove " + ply(), "bestmove resign")


@attack("ready")
def answer_before_question():
    say("bestmove a1", "readyok", "bestmove resign", "bestmove resign")


@attack("go")
def answer_to_last_question():
    """The ply that it played before: that cell is taken."""
    say("bestmove " + BOT.last)


@attack("go")
def answer_with_old_id():
    say("bestmove resign id=0", "bestmove resign id=999999999")
    return HONEST


@attack("go")
def answer_in_info_string():
    say("info string bestmove " + ply())
    forever()


@attack("go")
def resignation_in_info_string():
    say("info string bestmove resign", "info depth 3 pv bestmove resign", "# bestmove resign")
    return HONEST


@attack("go")
def answer_in_capitals():
    say("BESTMOVE " + ply())
    forever()


@attack("go")
def answer_after_byte_order_mark():
    say("\ufeffbestmove " + ply())
    forever()


@attack("go")
def answer_in_cyrillic():
    say("bestmove \u0430\u0431")


@attack("go")
def answer_of_sixty_thousand_bytes():
    say("bestmove a" + "1" * 60000)


@attack("go")
def answer_without_ply():
    say("bestmove")


@attack("go")
def answer_of_a_thousand_plies():
    """Those after the end of its turn are dropped."""
    say("bestmove " + " ".join([ply()] * 1000))


@attack("go")
def answer_with_a_thousand_pairs():
    say("bestmove " + ply() + "".join(f" k{i}=v" for i in range(1000)))


@attack("go")
def line_of_the_longest_length():
    say("info string " + "x" * (65536 - 12))
    return HONEST


@attack("go")
def line_one_byte_too_long():
    say("info string " + "x" * (65536 - 11))
    return HONEST


@attack("go")
def escapes_in_answer():
    say("\x1b]0;owned\x07\x1b[2J\x1b[31minfo", "bestmove \x1b[2J\x1b]8;;http://x\x07")


@attack("go")
def numbers_out_of_range():
    big = "9" * 400
    say(f"info depth {big} seldepth -{big} score cp {big} nodes -1 time 1e999 nps nan",
        f"info depth -5 score mate -9223372036854775809 multipv {big}",
        "info depth 1 score mate 9223372036854775807 wdl=1e9,-1,nan winrate=inf scores=nan,nan",
        "info depth 4294967295 score cp -9223372036854775808 nodes 18446744073709551615 pv " + "z99 " * 9000)
    return HONEST


@attack("go")
def info_just_below_the_limit():
    line = b"info depth 1 score cp 1 string " + b"y" * 969 + b"\n"
    for _ in range(15 * 1024 * 1024 // len(line)):
        write(line)
    return HONEST


@attack("every")
def fifteen_mebibytes_at_every_decision():
    line = b"y" * 61439 + b"\n"
    for _ in range(256):
        write(line)
    return HONEST


@attack("go")
def slow_drip_without_end():
    while True:
        write(".")
        time.sleep(0.05)


@attack("go")
def slow_drip_of_an_answer():
    for byte in "bestmove " + ply() + "\n":
        write(byte)
        time.sleep(0.03)


@attack("go")
def handshake_again():
    say("id name Somebody Else", "id version 9", "protocol 0", "plays nothing", "want after", "can stop ponder query",
        "option name Hash type spin default 1 min 1 max 2", "ugiok", "readyok", "readyok")
    return HONEST


@attack("go")
def words_of_the_arena():
    say("gameover p1win resign plies=1", "position startpos", "legal a1", "go movetime 1", "played p1 a1 ms=1", "stop",
        "quit", "isready", "uginewgame", "game farook", "setoption name x value y", "ponderhit", "query legal")
    return HONEST


@attack("go")
def rejection_in_mid_game():
    say("reject too-late : I have lost")
    return HONEST


@attack("go")
def errors_in_mid_game():
    say(*["error illegal-move move=a1 : that was the other one"] * 1000)
    return HONEST


@attack("hello")
def million_options():
    for thousand in range(1000):
        write(b"option name o%d type button\n" % thousand * 1000)
    say("ugiok")


@attack("hello")
def hundred_thousand_options():
    say("protocol 1", "plays *", "want legal")
    write(b"".join(b"option name o%d type button\n" % i for i in range(100_000)))
    say("ugiok")


@attack("hello")
def long_identity():
    say("protocol 1", "plays *", "want legal", "id name " + "N" * 60000, "id version " + "V" * 60000,
        "id author " + "A" * 60000, "ugiok")


@attack("hello")
def protocol_of_the_far_future():
    say("protocol 4294967295", "plays *", "want legal after-all teleports", "can fly", "ugiok")


@attack("go")
def closed_stdout():
    os.close(1)
    forever()


@attack("go")
def closed_stdin():
    os.close(0)
    forever()


@attack("go")
def closed_stdin_after_answer():
    os.close(0)
    say("bestmove " + ply())
    forever()


@attack("go")
def stdin_never_read_again():
    forever()


@attack("ready")
def torrent_instead_of_readiness():
    torrent_of_lines()


@attack("over")
def torrent_between_games():
    for _ in range(64):
        write(b"x\n" * 524288)


@attack("go")
def stderr_flood():
    for _ in range(256):
        os.write(2, b"e" * 1048576)
    return HONEST


@attack("start")
def stderr_flood_for_ever():
    def flood():
        try:
            while True:
                os.write(2, b"e" * 65536)
        except OSError:
            pass
    threading.Thread(target=flood, daemon=True).start()
