"""Names and texts."""
from common import *  # noqa: F403


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
