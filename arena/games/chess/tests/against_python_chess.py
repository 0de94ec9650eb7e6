"""Compares the program with python-chess, ply by ply: `against_python_chess.py PROGRAM [GAMES [SEED]]`.

Random games, from the start and from positions full of promotions, castling and captures en passant: legal plies, their
notation, the positions after them, results, material. Then damaged position strings: what the program accepts, python-chess
calls valid and writes in the same way, and the other way round.
"""
import json
import random
import subprocess
import sys

import chess

STARTS = [
    chess.STARTING_FEN,
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
    "6k1/8/8/Q1Q5/8/Q1Q5/8/7K w - - 80 60",
    "6k1/8/8/N1N5/8/N1N5/8/7K w - - 0 60",
    "4k3/8/8/1b1B1b2/8/8/8/2BBK3 w - - 0 1",
]
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


class Program:
    """The program, asked line by line."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def end_of(board):
    """Returns result and reason, or nothing."""
    if board.is_checkmate():
        return ("p2win" if board.turn else "p1win"), "checkmate"
    if board.is_stalemate():
        return "draw", "stalemate"
    if board.is_insufficient_material():
        return "draw", "insufficient-material"
    return ("draw", "fifty-moves") if board.halfmove_clock >= 100 else None


def compare(board, answer):
    """Compares an answer with a board."""
    fen = board.fen(en_passant="legal")
    end = end_of(board)
    moves = [] if end else sorted(board.legal_moves, key=chess.Move.uci)
    following, ends = [], {}
    for move in moves:
        board.push(move)
        following.append(board.fen(en_passant="legal"))
        if after := end_of(board):
            ends[move.uci()] = {"result": after[0], "reason": after[1]}
        board.pop()
    material = [sum(value * len(board.pieces(kind, color)) for kind, value in VALUES.items()) for color in (True, False)]
    expected = {
        "position": fen,
        "seat": "p1" if board.turn else "p2",
        "legal": [move.uci() for move in moves],
        "san": [board.san(move) for move in moves],
        "next": following,
        "ends": ends,
        "key": " ".join(fen.split()[:4]),
        "count": material,
        "result": end[0] if end else None,
        "reason": end[1] if end else None,
    }
    for key, value in expected.items():
        assert answer.get(key) == value, (fen, key, answer.get(key), value)


def play(program, board, dice):
    """Plays a random game and compares every position; returns the number of plies and the reason."""
    start = board.fen(en_passant="legal")
    plies = []
    while True:
        answer = program.ask(f"position chess fen {board.fen(en_passant='legal')}")
        compare(board, answer)
        if answer["result"]:
            break
        # Now and then a pawn or a king: promotions and castling come about.
        weights = [4 if board.piece_type_at(chess.parse_square(ply[:2])) in (chess.PAWN, chess.KING) else 1 for ply in answer["legal"]]
        plies.append(dice.choices(answer["legal"], weights)[0])
        board.push_uci(plies[-1])
    again = program.ask(f"position chess fen {start} moves {' '.join(plies)}".removesuffix(" moves "))
    assert again == answer, (start, plies)
    return len(plies), answer["reason"]


def damage(program, fen, dice):
    """Asks for a damaged position string and compares whether it is one; returns whether it was."""
    place, chars = dice.randrange(len(fen)), list(fen)
    chars[place] = dice.choice("pnbrqkPNBRQK12345678/ -wabcdefgh0")
    if dice.random() < 0.3:
        other = dice.randrange(len(fen))
        chars[place], chars[other] = chars[other], chars[place]
    text = "".join(chars)
    answer = program.ask(f"position chess fen {text}")
    try:
        board = chess.Board(text)
        # A check that no play leads to is a composition, which the program allows.
        is_valid = board.status() & ~chess.STATUS_IMPOSSIBLE_CHECK == 0 and board.fullmove_number > 0
        is_valid = is_valid and 0 <= board.halfmove_clock <= 100 and board.fen(en_passant="legal") == " ".join(text.split())
    except ValueError:
        is_valid = False
    assert is_valid == ("error" not in answer), (text, answer, is_valid)
    if is_valid:
        compare(board, answer)
    return is_valid


def main():
    program = Program(sys.argv[1])
    games, seed = (int(word) for word in (sys.argv[2:] + ["60", "1"][len(sys.argv) - 2 :]))
    dice = random.Random(seed)
    plies, reasons, fens = 0, {}, []
    for number in range(games):
        board = chess.Board(STARTS[number % len(STARTS)])
        count, reason = play(program, board, dice)
        plies += count
        reasons[reason] = reasons.get(reason, 0) + 1
        fens.append(board.fen(en_passant="legal"))
    damaged = [damage(program, dice.choice(STARTS + fens), dice) for _ in range(games * 50)]
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    print(f"{games} games, {plies} plies ({reasons}), {sum(damaged)} of {len(damaged)} damaged positions are positions: all agree")


main()
