"""Tries everything that a hostile bot might, and says of each attempt whether it was `done` or `refused`.

Arguments: the number of a victim's process, a file and a directory of the victim, a port of TCP and the path of a Unix
socket where somebody listens, a file of the bot, the name of an abstract socket. Nothing here does lasting harm where it succeeds.
"""

import ctypes
import os
import platform
import resource
import signal
import socket
import sys

victim = int(sys.argv[1])
file, folder, port, path = sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]
libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"


def checked(result):
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def call(number, *arguments):
    return checked(libc.syscall(number, *[ctypes.c_long(argument) for argument in arguments]))


def in_child(action):
    """Does something in a process of its own, which may change what it is."""
    child = os.fork()
    if child == 0:
        try:
            action()
            os._exit(0)
        except OSError as error:
            os._exit(error.errno)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        raise OSError(status, os.strerror(status))


def shared_memory():
    libc.shmctl(checked(libc.shmget(0x5A5A, 4096, 0o1600)), 0, None)


def semaphores():
    libc.semctl(checked(libc.semget(0x5A5A, 1, 0o1600)), 0, 0, 0)


def queue():
    libc.msgctl(checked(libc.msgget(0x5A5A, 0o1600)), 0, None)


def posix_queue():
    name = b"/arena-attack-%d" % os.getpid()
    checked(libc.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None))
    libc.mq_unlink(name)


def posix_memory():
    name = "/dev/shm/arena-attack-%d" % os.getpid()
    os.close(os.open(name, os.O_CREAT | os.O_RDWR, 0o600))
    os.unlink(name)


def trace():
    checked(libc.ptrace(0x4206, victim, None, None))  # PTRACE_SEIZE
    # Nobody waits for it: it is let go when this process ends.


def read_memory():
    class Vector(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    with open("/proc/%d/maps" % victim) as maps:
        start = int(maps.readline().split("-")[0], 16)
    here = ctypes.create_string_buffer(16)
    mine = Vector(ctypes.addressof(here), 16)
    checked(libc.process_vm_readv(victim, ctypes.byref(mine), 1, ctypes.byref(Vector(start, 16)), 1, 0))


def touch_other(name, action):
    """Does something with a new file of the victim's directory."""
    return action(os.path.join(folder, name))


def linked():
    touch_other("linked", lambda new: (os.link(file, new), os.unlink(new)))


def made():
    touch_other("made", lambda new: (os.mkdir(new), os.rmdir(new)))


def renamed():
    os.rename(file, file + ".new")
    os.rename(file + ".new", file)


def cut():
    os.close(os.open(file, os.O_RDONLY | os.O_TRUNC))


def connect(family, kind, address):
    with socket.socket(family, kind) as it:
        it.connect(address)


def listen():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        it.listen()


def datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as it:
        it.sendto(b"x", ("127.0.0.1", port))


def pair():
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.close()
    other.close()


def write(name):
    os.close(os.open(name, os.O_WRONLY))


def read(name):
    with open(name, "rb") as it:
        it.read(1)


def rings():
    os.close(call(425, 2, ctypes.addressof(ctypes.create_string_buffer(256))))


def key():
    checked(libc.syscall(248 if X86 else 217, b"user", b"arena-attack", b"x", ctypes.c_long(1), ctypes.c_long(-1)))


ATTACKS = {
    "write to the victim's output": lambda: write("/proc/%d/fd/1" % victim),
    "read the victim's input": lambda: os.close(os.open("/proc/%d/fd/0" % victim, os.O_RDONLY | os.O_NONBLOCK)),
    "open the victim's memory": lambda: write("/proc/%d/mem" % victim),
    "read the victim's memory": read_memory,
    "read the victim's environment": lambda: read("/proc/%d/environ" % victim),
    "trace the victim": trace,
    "signal the victim": lambda: os.kill(victim, signal.SIGCONT),
    "signal the victim's group": lambda: os.killpg(os.getpgid(victim), signal.SIGCONT),
    "signal the victim by descriptor": lambda: signal.pidfd_send_signal(os.pidfd_open(victim), signal.SIGCONT),
    "stop the victim": lambda: (os.kill(victim, signal.SIGSTOP), os.kill(victim, signal.SIGCONT)),
    "limit the victim": lambda: resource.prlimit(victim, resource.RLIMIT_CORE, (0, 0)),
    "slow the victim down": lambda: os.setpriority(os.PRIO_PROCESS, victim, 1),
    "slow the user's processes down": lambda: in_child(lambda: os.setpriority(os.PRIO_PGRP, os.getpgid(victim), 1)),
    "move the victim": lambda: os.sched_setaffinity(victim, os.sched_getaffinity(victim)),
    "leave the session": lambda: in_child(os.setsid),
    "leave the group": lambda: in_child(lambda: os.setpgid(0, 0)),
    "read a file of the user": lambda: read(file),
    "list a directory of the user": lambda: os.listdir(folder),
    "write a file of the user": lambda: write(file),
    "cut off a file of the user": lambda: os.truncate(file, 1),
    "cut off a file by reading it": cut,
    "rename a file of the user": renamed,
    "link a file of the user": linked,
    "make a directory elsewhere": made,
    "close a file of the user": lambda: os.chmod(file, 0o600),
    "date a file of the user": lambda: os.utime(file),
    "mark a file of the user": lambda: os.chown(file, os.getuid(), os.getgid()),
    "write beside the programs": lambda: write(sys.argv[6]),
    "connect over TCP": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port)),
    "listen on TCP": listen,
    "send over UDP": datagram,
    "connect to a Unix socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, path),
    "connect to an abstract socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + sys.argv[7]),
    "make a pair that can be sent anywhere": pair,
    "ask the routing table": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close(),
    "leave a key behind": key,
    "leave shared memory behind": shared_memory,
    "leave semaphores behind": semaphores,
    "leave a queue behind": queue,
    "leave a POSIX queue behind": posix_queue,
    "leave POSIX memory behind": posix_memory,
    "make a user namespace": lambda: in_child(lambda: checked(libc.unshare(0x10000000))),
    "make a ring of system calls": rings,
}

FACTS = {
    "descriptors": lambda: sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],
    "secret": lambda: os.environ.get("ARENA_TEST_SECRET"),
    "entry": lambda: os.environ.get("ARENA_TEST_ENTRY"),
    "home": lambda: os.environ["HOME"] == os.environ["TMPDIR"],
    "core": lambda: resource.getrlimit(resource.RLIMIT_CORE)[1],
    "privileges": lambda: [line.split()[1] for line in open("/proc/self/status") if line.startswith(("NoNewPrivs", "CapEff", "CapBnd"))],
    "user": os.getuid,
    "private": lambda: open(os.path.join(os.environ["TMPDIR"], "x"), "w").write("kept"),
}

for name, fact in FACTS.items():
    try:
        print("fact", name, fact(), sep="\t")
    except (OSError, KeyError) as error:
        print("fact", name, "%r" % error, sep="\t")
for name, attack in ATTACKS.items():
    try:
        attack()
        print("done", name, sep="\t")
    except OSError as error:
        print("refused", name, error, sep="\t")
