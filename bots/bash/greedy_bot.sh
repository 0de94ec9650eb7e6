#!/usr/bin/env bash
# Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
#
# A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
# piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.
IFS=$' \t\r\n'
files=abcdefghijklmnopqrstuvwxyz
declare -A board

# Fills board[a3] and so on from `bbb/1w1/www`: the top rank comes first.
read_board() {
    board=()
    local slashes=${1//[^\/]/} text=$1 file=0
    local rank=$((${#slashes} + 1))
    while [[ $text =~ ^([0-9]+|.) ]]; do
        local token=${BASH_REMATCH[1]}
        text=${text:${#token}}
        case $token in
            /) rank=$((rank - 1)) file=0 ;;
            [0-9]*) file=$((file + token)) ;;
            *) board[${files:file:1}$rank]=$token file=$((file + 1)) ;;
        esac
    done
}

# Sets `value` to what a ply is worth.
score() {
    local text=$1 first='' last='' captures=${1//[^-+x]/}
    while [[ $text =~ [a-z][0-9]+ ]]; do
        last=${BASH_REMATCH[0]} first=${first:-$last}
        text=${text#*"$last"}
    done
    value=0
    if [[ ! $last ]]; then return; fi # pass, swap
    if [[ ${board[$last]} ]]; then captures+=x; fi
    value=$((10 * ${#captures}))
    local kind=${board[$first]} before=${files%%"${last:0:1}"*} x y letter # no kind: a new piece, all are company
    for x in -1 0 1; do
        if ((${#before} + x < 0)); then continue; fi
        for y in -1 0 1; do
            letter=${board[${files:${#before}+x:1}$((${last:1} + y))]}
            if [[ ! $letter || $x$y == 00 ]]; then continue; fi
            if [[ ! $kind || $letter == "$kind" ]]; then value=$((value + 1)); else value=$((value - 1)); fi
        done
    done
}

# Prints one of the plies that are worth most.
choose() {
    local ply highest=-99 value best=()
    for ply in "${legal[@]}"; do
        score "$ply"
        if ((value > highest)); then best=() highest=$value; fi
        if ((value == highest)); then best+=("$ply"); fi
    done
    echo "bestmove ${best[RANDOM % ${#best[@]}]}"
}

while read -r -a words; do
    case "${words[0]}" in
        ugi) printf '%s\n' 'id name BashGreedy' 'protocol 1' 'plays *' 'want legal board' ugiok ;;
        game) # the same seed, the same plies
            RANDOM=1
            for word in "${words[@]}"; do
                if [[ $word == seed=* ]]; then RANDOM=$((10#${word#seed=} & 32767)); fi
            done ;;
        isready) echo readyok ;;
        board) read_board "${words[1]}" ;;
        legal) legal=("${words[@]:1}") ;;
        go) choose ;;
        quit) exit ;;
    esac
done
