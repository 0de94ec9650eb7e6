"""Attacks on others. Each says by resigning that it was not prevented."""
from common import *  # noqa: F403


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
    """Whoever this user may signal, this process excepted; the call succeeds even where that is nobody else."""
    succeeds(lambda: os.kill(-1, signal.SIGKILL))
    return HONEST


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


def leaves_a_file_in(folder):
    def leave():
        descriptor, _ = tempfile.mkstemp(prefix="arena-chaos-left-", dir=folder)
        os.close(descriptor)
    return succeeds(leave)


@attack("go")
def file_in_tmp():
    return leaves_a_file_in("/tmp")


@attack("go")
def file_in_shared_memory():
    return leaves_a_file_in("/dev/shm")


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


@attack("go")
def types_into_the_terminal():
    """What is put into a terminal as if it had been typed is run by the shell that comes after the arena."""
    def type_into(path):
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(descriptor, termios.TIOCSTI, b"\n")

    def every():
        terminals = ["/dev/tty", "/dev/console"] + [f"/dev/pts/{number}" for number in range(64)]
        for path in terminals:
            if succeeds(lambda path=path: type_into(path)) is SUCCESS:
                return SUCCESS
        return HONEST
    return every()


@attack("go")
def types_into_a_terminal_of_its_own():
    """A terminal that a process has made is one to type into: nobody needs that to play."""
    def type_into():
        _, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        fcntl.ioctl(slave, termios.TIOCSTI, b"\n")
    return succeeds(type_into)


def plant(path):
    """Puts a file somewhere, and takes it away again."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a"):
            pass
        os.remove(path)
        return SUCCESS
    except OSError:
        return HONEST


@attack("go")
def what_other_programs_load():
    """What programs of the same user load by themselves: a library, a module, a file that a shell reads."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    places = ["/etc/ld.so.preload", f"/usr/lib/{version}/sitecustomize.py"]
    own = [f".local/lib/{version}/site-packages/usercustomize.py", ".config/environment.d/90-x.conf", ".pam_environment",
           ".bashrc", ".profile"]
    for home in {BOT.folder, pwd_home()}:
        places += [os.path.join(home, name) for name in own]
    return SUCCESS if any(plant(path) is SUCCESS for path in places) else HONEST


def pwd_home():
    """The home that the list of users knows: a variable may name another."""
    with open("/etc/passwd") as file:
        users = [line.split(":") for line in file]
    return next((user[5] for user in users if user[2] == str(os.getuid())), BOT.folder)


@attack("go")
def private_directories_of_others():
    """What the opponent loads from its own directory: `LD_PRELOAD` cannot be set for it, but files could be put there."""
    own = os.environ.get("TMPDIR", "")
    above = os.path.join(BOT.folder, "tmp")
    try:
        names = os.listdir(above)
    except OSError:
        names = []
    numbers = [name for name in names if name.startswith("arena-")]
    rooms = [os.path.join(above, name) for name in numbers if os.path.join(above, name) != own] + [above]
    return SUCCESS if any(plant(os.path.join(room, "planted.so")) is SUCCESS for room in rooms) else HONEST
