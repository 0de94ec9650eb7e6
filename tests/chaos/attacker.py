#!/usr/bin/env python3
"""A bot that plays random legal plies and misbehaves in one way.

    attacker.py ATTACK FOLDER PORT

FOLDER is that of the tournament, where its results are under `out`; at PORT of this machine somebody listens, for TCP and
UDP. Each attack is a function below, with the stage at which it breaks out, in every game:

    start   before anything is read       hello   instead of the greeting    greeted  after `ugiok`
    ready   instead of `readyok`          go      at its second decision     over     at `gameover`
    quit    at `quit`

At `go`, a function that returns nothing has done everything itself. What it returns otherwise is told in the place of an
answer: `HONEST` is a random legal ply, `SUCCESS` is `bestmove resign`, by which an attack on somebody else says that it was not
prevented.
"""
import ctypes
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HONEST, SUCCESS = object(), object()
ATTACKS = {}
AT = 2


class Bot:
    """What an attack may want to know."""
    folder = "."
    port = 0
    legal = []
    last = None
    is_new = False


BOT = Bot()


def attack(stage):
    def enter(function):
        ATTACKS[function.__name__] = (stage, function)
        return function
    return enter


def write(data):
    if isinstance(data, str):
        data = data.encode()
    while data:
        data = data[os.write(1, data):]


def say(*lines):
    write("".join(line + "\n" for line in lines))


def ply():
    return random.choice(BOT.legal)


def forever():
    while True:
        time.sleep(3600)


def succeeds(action):
    """Whether an action is possible: then the attack was not prevented."""
    try:
        return SUCCESS if action() is not False else HONEST
    except (OSError, ValueError):
        return HONEST


def fork(child):
    if os.fork() == 0:
        try:
            child()
        finally:
            os._exit(0)


# What is read: lines that are none, too many, too long, at the wrong time.

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
    write(b"".join(b"option name o%d type button\n" % i for i in range(1_000_000)))
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


# Faults: ends and silences at every stage.

def die(*_):
    os._exit(3)


def kill_self():
    os.kill(os.getpid(), signal.SIGKILL)


for place, word in (("start", "start"), ("hello", "greeting"), ("ready", "set_up"), ("go", "decision"),
                    ("over", "game_over"), ("quit", "quit")):
    ATTACKS["crash_at_" + word] = (place, die)
    ATTACKS["hang_at_" + word] = (place, forever)


@attack("go")
def killed_by_itself():
    kill_self()


@attack("go")
def exit_after_answer():
    say("bestmove " + ply())
    os._exit(0)


@attack("go")
def hang_ignoring_signals():
    for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    forever()


@attack("go")
def stops_itself():
    os.kill(os.getpid(), signal.SIGSTOP)
    forever()


@attack("go")
def becomes_cat():
    os.execv("/bin/cat", ["cat"])


@attack("go")
def becomes_yes():
    os.execv("/usr/bin/yes", ["yes", "bestmove?"])


@attack("go")
def closes_everything():
    os.closerange(0, 256)
    forever()


# Processes that are left behind.

def limited():
    """At most so many processes of this user, whatever a bomb tries."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = 120 if hard == resource.RLIM_INFINITY else min(120, hard)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


@attack("go")
def fork_bomb():
    limited()

    def bomb():
        while True:
            try:
                os.fork()
            except OSError:
                time.sleep(0.5)
    try:
        fork(bomb)
    except OSError:
        # The bomb of the game before has taken all there is.
        pass
    time.sleep(0.5)
    return HONEST


@attack("go")
def fork_bomb_and_death():
    limited()

    def bomb():
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if os.fork() == 0:
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                else:
                    time.sleep(0.2)
            except OSError:
                time.sleep(0.5)
    fork(bomb)
    time.sleep(0.2)
    os._exit(0)


@attack("go")
def double_fork():
    fork(lambda: fork(forever))
    return HONEST


@attack("go")
def grandchild_in_own_session():
    def leave():
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        forever()
    fork(leave)
    return HONEST


@attack("go")
def daemon():
    def leave():
        os.setsid()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

        def deeper():
            os.closerange(0, 256)
            forever()
        fork(deeper)
    fork(leave)
    return HONEST


@attack("go")
def grandchild_holds_the_pipes():
    subprocess.Popen(["/bin/sleep", "3600"])
    os._exit(3)


@attack("go")
def grandchild_in_own_session_holds_the_pipes():
    subprocess.Popen(["/bin/sleep", "3600"], start_new_session=True)
    os._exit(3)


@attack("go")
def grandchild_plays_on():
    """The process that was started ends; its child answers in its place, a moment later."""
    answer = "bestmove " + ply()

    def speak():
        time.sleep(1)
        say(answer)
        forever()
    fork(speak)
    os._exit(0)


@attack("go")
def zombies():
    for _ in range(50):
        fork(lambda: None)
    return HONEST


@attack("go")
def stopped_children():
    for _ in range(5):
        fork(lambda: os.kill(os.getpid(), signal.SIGSTOP))
    return HONEST


@attack("go")
def many_threads():
    for _ in range(100):
        threading.Thread(target=forever, daemon=True).start()
    return HONEST


# Attacks on others. Each says by resigning that it was not prevented.

def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def words_of(number):
    try:
        with open(f"/proc/{number}/cmdline", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


def is_arena(number):
    """Whether a process is the arena of this tournament: no other process may ever be attacked."""
    words = words_of(number)
    return b"run" in words and os.path.join(BOT.folder, "cup.yaml").encode() in words


def above(number):
    """The processes above one, the nearest first, up to the arena; nobody if that is not seen."""
    line = []
    while number > 1 and not (line and is_arena(line[-1])):
        try:
            with open(f"/proc/{number}/stat") as file:
                number = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            return []
        line.append(number)
    return line if line and is_arena(line[-1]) else []


def arenas():
    """The arena that runs this tournament, and what it has put between itself and the bot."""
    return above(os.getpid()) or [number for number in processes() if is_arena(number)]


def opponents():
    """The honest bots of this tournament."""
    built_in = [number for number in processes() if {b"bot", b"random"} <= set(words_of(number))]
    return [number for number in built_in if above(number)]


def any_of(targets, action):
    done = False
    for target in targets:
        try:
            action(target)
            done = True
        except OSError:
            pass
    return SUCCESS if done else HONEST


def open_descriptor(name):
    def do(number):
        descriptor = os.open(f"/proc/{number}/fd/{name}", os.O_WRONLY | os.O_NONBLOCK)
        os.write(descriptor, b"bestmove resign\n")
        os.close(descriptor)
    return do


@attack("go")
def answer_in_the_opponents_name():
    return any_of(opponents(), open_descriptor(1))


@attack("go")
def words_into_the_opponents_ear():
    return any_of(opponents(), open_descriptor(0))


@attack("go")
def words_into_the_arenas_descriptors():
    def all_of_them(number):
        opened = False
        for name in os.listdir(f"/proc/{number}/fd"):
            try:
                open_descriptor(name)(number)
                opened = True
            except OSError:
                pass
        if not opened:
            raise OSError
    return any_of(arenas(), all_of_them)


def signals(targets, number):
    return lambda: any_of(targets(), lambda target: os.kill(target, number))


for victim, find in (("arena", arenas), ("opponent", opponents)):
    for verb, number in (("stop", signal.SIGSTOP), ("kill", signal.SIGKILL), ("interrupt", signal.SIGINT)):
        ATTACKS[f"{verb}_the_{victim}"] = ("go", signals(find, number))


@attack("go")
def kill_everybody():
    """Whoever this user may signal, this process excepted."""
    return succeeds(lambda: os.kill(-1, signal.SIGKILL))


@attack("go")
def kill_own_group():
    os.kill(0, signal.SIGKILL)
    forever()


@attack("go")
def slow_the_opponent_down():
    return any_of(opponents(), lambda number: os.setpriority(os.PRIO_PROCESS, number, 19))


@attack("go")
def pin_the_opponent():
    return any_of(opponents() + arenas(), lambda number: os.sched_setaffinity(number, {0}))


@attack("go")
def limit_the_opponent():
    return any_of(opponents() + arenas(),
                  lambda number: resource.prlimit(number, resource.RLIMIT_NOFILE, (0, 0)))


def results():
    return os.path.join(BOT.folder, "out")


@attack("go")
def delete_the_journal():
    return succeeds(lambda: os.unlink(os.path.join(results(), "journal.jsonl")))


@attack("go")
def append_to_the_journal():
    def append():
        with open(os.path.join(results(), "journal.jsonl"), "a") as file:
            file.write('{"type":"game"}\n')
    return succeeds(append)


@attack("go")
def empty_the_journal():
    return succeeds(lambda: os.truncate(os.path.join(results(), "journal.jsonl"), 0))


@attack("go")
def move_the_results():
    return succeeds(lambda: os.rename(results(), results() + ".gone"))


@attack("go")
def change_the_tournament():
    return succeeds(lambda: os.truncate(os.path.join(BOT.folder, "cup.yaml"), 0))


@attack("go")
def lock_the_results():
    return succeeds(lambda: os.chmod(results(), 0))


@attack("go")
def read_a_secret_file():
    return succeeds(lambda: os.close(os.open(os.path.join(BOT.folder, "secret"), os.O_RDONLY)))


@attack("go")
def read_a_secret_of_the_environment():
    return SUCCESS if "CHAOS_SECRET" in os.environ else HONEST


@attack("go")
def read_the_arenas_environment():
    return any_of(arenas(), lambda number: os.close(os.open(f"/proc/{number}/environ", os.O_RDONLY)))


@attack("go")
def inherited_descriptors():
    """More than the three streams."""
    return succeeds(lambda: any(is_open(number) for number in range(3, 256)))


def is_open(number):
    try:
        os.fstat(number)
        return True
    except OSError:
        return False


@attack("go")
def file_in_tmp():
    def leave():
        descriptor, _ = tempfile.mkstemp(prefix="arena-chaos-left-", dir="/tmp")
        os.close(descriptor)
    return succeeds(leave)


@attack("go")
def file_in_shared_memory():
    def leave():
        descriptor, _ = tempfile.mkstemp(prefix="arena-chaos-left-", dir="/dev/shm")
        os.close(descriptor)
    return succeeds(leave)


@attack("go")
def files_in_own_directories():
    """Whatever it may write to is gone afterwards: names, rights and depths that resist."""
    for place in {os.getcwd(), tempfile.gettempdir(), os.environ.get("HOME", ".")}:
        if place.rstrip("/") in ("/tmp", "", BOT.folder):
            continue
        try:
            nest = os.path.join(place, "nest")
            os.makedirs(nest)
            for name in ("-rf", "\x1b[31m", "new\nline", "\u202etxt", "*"):
                with open(os.path.join(nest, name), "w") as file:
                    file.write("x")
            os.symlink(results(), os.path.join(nest, "link"))
            depth = os.open(nest, os.O_RDONLY)
            for _ in range(300):
                os.mkdir("deep" * 20, dir_fd=depth)
                depth, old = os.open("deep" * 20, os.O_RDONLY, dir_fd=depth), depth
                os.close(old)
            os.chmod(nest, 0)
        except OSError:
            pass
    return HONEST


@attack("go")
def fill_the_disk():
    """64 MiB at most, wherever it may."""
    def fill():
        with open(os.path.join(os.getcwd(), "big"), "wb") as file:
            for _ in range(64):
                file.write(b"\0" * 1048576)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        fill()
    except OSError:
        pass
    return HONEST


LIBC = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    if getattr(LIBC, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


@attack("go")
def system_v_shared_memory():
    return succeeds(lambda: call("shmget", 0, 4096, 0o1666))


@attack("go")
def system_v_semaphores():
    return succeeds(lambda: call("semget", 0, 1, 0o1666))


@attack("go")
def system_v_messages():
    return succeeds(lambda: call("msgget", 0, 0o1666))


@attack("go")
def tcp():
    return succeeds(lambda: socket.create_connection(("127.0.0.1", BOT.port), 5).sendall(b"here\n"))


@attack("go")
def udp():
    def send():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
            end.sendto(b"here\n", ("127.0.0.1", BOT.port))
    return succeeds(send)


@attack("go")
def listening_socket():
    return succeeds(lambda: socket.create_server(("127.0.0.1", 0)))


@attack("go")
def abstract_socket():
    def connect():
        with socket.socket(socket.AF_UNIX) as end:
            end.connect(f"\0arena-chaos-{BOT.port}")
    return succeeds(connect)


@attack("go")
def raw_socket():
    return succeeds(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))


@attack("go")
def words_to_the_terminal():
    def push():
        import fcntl
        import termios
        descriptor = os.open("/dev/tty", os.O_RDWR)
        os.write(descriptor, b"\x1b[2J")
        fcntl.ioctl(descriptor, termios.TIOCSTI, b"x")
    return succeeds(push)


@attack("go")
def new_privileges():
    """Programs that run as their owner must not."""
    with open("/proc/self/status") as file:
        return HONEST if "NoNewPrivs:\t1" in file.read() else SUCCESS


@attack("over")
def busy_in_the_opponents_time():
    """From its first game on, until somebody stops it."""
    def spin():
        end = time.monotonic() + 20
        while time.monotonic() < end:
            pass
    for _ in range(2):
        fork(spin)


@attack("go")
def eats_memory():
    """512 MiB, touched."""
    try:
        block = bytearray(512 * 1048576)
        block[::4096] = b"x" * len(block[::4096])
    except MemoryError:
        pass
    return HONEST


# Names and texts.

HOSTILE = {
    "escapes": "\x1b[31m\x1b]0;owned\x07\x1b[2J\x9b31m",
    "formula": "=HYPERLINK(\"http://x\";\"y\")",
    "at_formula": "@SUM(1+1)*cmd|' /C calc'!A0",
    "pgn": "x\"] [Result \"1-0\"] [Evil \"",
    "json": "\",\"result\":\"p1win\",\"x\":\"\\",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "direction": "\u202egnp.exe\u2066\u200b",
    "path": "../../../etc/passwd\0.html",
    "comment": "} {[%emt 0]} ; 1-0 --> ]]> */",
}


def greet(text):
    return lambda: say("id name " + text, "id version " + text, "id author " + text, "id lang " + text, "protocol 1",
                       "plays *", "want legal", f"option name {text} type string default {text}", "ugiok")


def last_words(text):
    def fail():
        os.write(2, (text + "\n").encode())
        say("info string " + text, text, "info depth 1 score cp 1 pv " + text, "bestmove " + text)
        time.sleep(0.2)
        os._exit(3)
    return fail


def refuse(text):
    return lambda: say("reject no : " + text)


for kind, text in HOSTILE.items():
    ATTACKS[f"name_of_{kind}"] = ("hello", greet(text))
    ATTACKS[f"answer_of_{kind}"] = ("go", last_words(text))
ATTACKS["refusal_of_escapes"] = ("ready", refuse(HOSTILE["escapes"]))


def play(name):
    stage, vice = ATTACKS.get(name, (None, None))
    answers = 0

    def breaks_out(place):
        if stage == place:
            outcome = vice()
            return True if outcome is None else outcome
        return False

    if os.getuid() == 0 and os.path.exists("/proc/self/uid_map"):
        with open("/proc/self/uid_map") as file:
            if file.read().split() == ["0", "0", "4294967295"]:
                sys.exit("attacker: not as root")
    breaks_out("start")
    with open(0, "rb", buffering=0, closefd=False) as stream:
        lines = io_lines(stream)
        for line in lines:
            word, *rest = line.split() or [""]
            if word == "ugi":
                if not breaks_out("hello"):
                    ability = ["can stop"] if name == "answer_with_old_id" else []
                    say("id name Attacker", "protocol 1", "plays *", "want legal", *ability, "ugiok")
            elif word == "uginewgame":
                answers = 0
                BOT.is_new = True
            elif word == "isready":
                if not (BOT.is_new and breaks_out("ready")):
                    say("readyok")
                BOT.is_new = False
            elif word == "legal":
                BOT.legal = rest
            elif word == "go":
                answers += 1
                identifier = next((" " + pair for pair in rest if pair.startswith("id=")), "")
                outcome = breaks_out("go") if answers == AT else HONEST
                if outcome is SUCCESS:
                    say("bestmove resign")
                elif outcome is HONEST or outcome is False:
                    BOT.last = ply()
                    say("bestmove " + BOT.last + identifier)
            elif word == "gameover":
                breaks_out("over")
            elif word == "quit":
                breaks_out("quit")
                break


def io_lines(stream):
    rest = b""
    while chunk := stream.read(65536):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode() for line in lines)


if sys.argv[1:] == ["--list"]:
    print(json.dumps(sorted(ATTACKS)))
else:
    BOT.folder, BOT.port = sys.argv[2], int(sys.argv[3])
    play(sys.argv[1])
