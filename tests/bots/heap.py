"""Nine stones for three seats, of which each takes one or two; whoever takes the last one wins. A seat that fails goes out.

After HONEST questions `lie` says what becomes of an answer; the count is that of one process.
"""
import json, sys

HONEST = 0

def lie(answer, words):
    return  # The truth: tests put a lie here.

def position(words):
    stones, seat, out = 9, 1, {}
    if words[2] == "fen":
        stones, seat = int(words[3][2:]), int(words[4][1])
        out = {word[:2]: int(word[3:]) for word in words[5][4:].split(",") if word != "-"}
    ended = None
    for ply in words[words.index("moves") + 1:] if "moves" in words else []:
        inside = [n for n in (1, 2, 3) if f"p{n}" not in out]
        if ply.startswith("fault."):
            if ply[6:] not in [f"p{n}" for n in inside]:
                return {"error": "illegal-ply", "message": f"{ply[6:]} is not in"}
            if len(inside) == 2:
                ended = ("fault", {**out, ply[6:]: 2})
                continue
            out[ply[6:]] = len(inside)
            inside.remove(int(ply[7:]))
            if seat in inside:
                continue
        elif ply not in ("t1", "t2")[:stones]:
            return {"error": "illegal-ply", "message": ply + " takes too many"}
        else:
            stones -= int(ply[1:])
        last = seat
        seat = next(n for n in [*range(seat + 1, 4), *range(1, seat + 1)] if n in inside)
        if stones == 0:
            ended = ("last-stone", {**{f"p{n}": 2 for n in inside if n != last}, **out})
    places = ",".join(f"{seat}:{place}" for seat, place in sorted(out.items())) or "-"
    answer = {"position": f"n={stones} p{seat} out={places}", "seat": f"p{seat}", "legal": ["t1", "t2"][:stones], "out": out}
    if ended:
        answer |= {"legal": [], "reason": ended[0], "result": ",".join(str(ended[1].get(f"p{n}", 1)) for n in (1, 2, 3))}
    return answer

asked = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "about":
        answer = {"format": 2, "name": "heap"}
    elif words[0] == "games":
        answer = [{"game": "heap", "title": "Heap", "about": "nine stones for three", "seats": [3, 3]}]
    else:
        answer = position(words)
        asked += 1
        if asked > HONEST:
            answer = lie(answer, words) or answer
    print(json.dumps(answer), flush=True)
