"""Seven stones, of which a seat takes one to three; whoever takes the last one wins. The game has no look.

After HONEST questions `lie` says what becomes of an answer; the count is that of one process.
"""
import json, sys

HONEST = 60

def lie(answer, words):
    return  # The truth: tests put a lie here.

def position(words):
    stones = 7 if words[2] == "startpos" else int(words[3][2:])
    seat = "p1" if words[2] == "startpos" else words[4]
    for ply in words[words.index("moves") + 1:] if "moves" in words else []:
        if not ply[1:].isdigit() or not 1 <= int(ply[1:]) <= min(3, stones):
            return {"error": "illegal-ply", "message": ply + " takes too many"}
        stones -= int(ply[1:])
        seat = "p2" if seat == "p1" else "p1"
    answer = {"position": f"n={stones} {seat}", "seat": seat, "legal": [f"t{n}" for n in range(1, min(3, stones) + 1)]}
    if stones == 0:
        answer |= {"result": "p1win" if seat == "p2" else "p2win", "reason": "last-stone"}
    return answer

asked = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "about":
        answer = {"format": 2, "name": "stones"}
    elif words[0] == "games":
        answer = [{"game": "stones", "title": "Stones", "about": "seven stones"}]
    else:
        answer = position(words)
        asked += 1
        if asked > HONEST:
            answer = lie(answer, words) or answer
    print(json.dumps(answer), flush=True)
