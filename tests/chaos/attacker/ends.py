"""Faults: ends and silences at every stage."""
from common import *  # noqa: F403


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
