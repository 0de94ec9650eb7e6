#!/usr/bin/env bash
# Plays a random legal ply of any game: it asks the arena for the list of legal plies.
IFS=$' \t\r\n'

while read -r -a words; do
    case "${words[0]}" in
        ugi) printf '%s\n' 'id name BashRandom' 'protocol 1' 'plays *' 'want legal' ugiok ;;
        game) # the same seed, the same plies
            RANDOM=1
            for word in "${words[@]}"; do
                if [[ $word == seed=* ]]; then RANDOM=$((10#${word#seed=} & 32767)); fi
            done ;;
        isready) echo readyok ;;
        legal) legal=("${words[@]:1}") ;;
        go) echo "bestmove ${legal[RANDOM % ${#legal[@]}]}" ;;
        quit) exit ;;
    esac
done
