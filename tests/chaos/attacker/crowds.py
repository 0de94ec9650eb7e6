"""Processes that are left behind."""
from common import *  # noqa: F403


def limited():
    """At most so many processes of this user, whatever a bomb tries."""
    _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
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
