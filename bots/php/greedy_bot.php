<?php
// Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
//
// A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for
// each piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.

// Turns `bbb/1w1/www` into an array from cells, such as a3, to letters; the top rank comes first.
function read_board(string $rows): array
{
    $board = [];
    foreach (array_reverse(explode('/', $rows)) as $index => $row) {
        $file = ord('a');
        preg_match_all('/\d+|[A-Za-z]/', $row, $tokens);
        foreach ($tokens[0] as $token) {
            if (is_numeric($token)) {
                $file += (int) $token;
            } else {
                $board[chr($file++) . ($index + 1)] = $token;
            }
        }
    }
    return $board;
}

function score(array $board, string $ply): int
{
    if (!preg_match_all('/[a-z]\d+/', $ply, $cells)) {
        return 0; // pass, swap
    }
    $kind = $board[$cells[0][0]] ?? null; // null: the ply places a new piece, and every piece is company
    $end = end($cells[0]);
    $value = 10 * (preg_match_all('/[-+x]/', $ply) + (int) isset($board[$end]));
    foreach ([-1, 0, 1] as $x) {
        foreach ([-1, 0, 1] as $y) {
            $letter = $board[chr(ord($end) + $x) . ((int) substr($end, 1) + $y)] ?? null;
            if ($letter !== null && ($x || $y)) {
                $value += $kind === null || $kind === $letter ? 1 : -1;
            }
        }
    }
    return $value;
}

function best(array $board, array $legal): string
{
    $scores = array_map(fn ($ply) => score($board, $ply), $legal);
    $best = array_keys($scores, max($scores));
    return $legal[$best[mt_rand(0, count($best) - 1)]];
}

$board = $legal = [];

while (($line = fgets(STDIN)) !== false) {
    $words = preg_split('/\s+/', trim($line));
    switch (array_shift($words)) {
        case 'ugi':
            echo "id name PhpGreedy\nprotocol 1\nplays *\nwant legal board\nugiok\n";
            break;
        case 'game':
            mt_srand(preg_match('/ seed=(\d+)/', $line, $found) ? (int) substr($found[1], -9) : 1);
            break;
        case 'isready':
            echo "readyok\n";
            break;
        case 'board':
            $board = read_board($words[0]);
            break;
        case 'legal':
            $legal = $words;
            break;
        case 'go':
            echo 'bestmove ', best($board, $legal), "\n";
            break;
        case 'quit':
            exit;
    }
    flush();
}
