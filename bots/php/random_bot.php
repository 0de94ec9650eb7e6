<?php
// Plays a random legal ply of any game: it asks the arena for the list of legal plies.
$legal = [];

while (($line = fgets(STDIN)) !== false) {
    $words = preg_split('/\s+/', trim($line));
    switch (array_shift($words)) {
        case 'ugi':
            echo "id name PhpRandom\nprotocol 1\nplays *\nwant legal\nugiok\n";
            break;
        case 'game':
            mt_srand(preg_match('/ seed=(\d+)/', $line, $found) ? (int) substr($found[1], -9) : 1);
            break;
        case 'isready':
            echo "readyok\n";
            break;
        case 'legal':
            $legal = $words;
            break;
        case 'go':
            echo 'bestmove ', $legal[mt_rand(0, count($legal) - 1)], "\n";
            break;
        case 'quit':
            exit;
    }
    flush();
}
