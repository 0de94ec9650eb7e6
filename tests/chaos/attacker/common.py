"""What all attacks have in common: the list of them, and how a bot speaks."""
import ctypes
import fcntl
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import termios
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
