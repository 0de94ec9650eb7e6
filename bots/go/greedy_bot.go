// Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
//
// A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for
// each piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"regexp"
	"strconv"
	"strings"
)

type cell struct{ file, rank int }

var (
	cellPattern    = regexp.MustCompile(`([a-z])(\d+)`)
	capturePattern = regexp.MustCompile(`[-+x]`)
	rowPattern     = regexp.MustCompile(`\d+|[A-Za-z]`)
)

// readBoard reads `bbb/1w1/www`: the top rank comes first.
func readBoard(text string) map[cell]string {
	board := map[cell]string{}
	rows := strings.Split(text, "/")
	for i, row := range rows {
		file := 1
		for _, token := range rowPattern.FindAllString(row, -1) {
			if empty, err := strconv.Atoi(token); err == nil {
				file += empty
			} else {
				board[cell{file, len(rows) - i}] = token
				file++
			}
		}
	}
	return board
}

func score(board map[cell]string, ply string) int {
	var cells []cell
	for _, found := range cellPattern.FindAllStringSubmatch(ply, -1) {
		rank, _ := strconv.Atoi(found[2])
		cells = append(cells, cell{int(found[1][0]-'a') + 1, rank})
	}
	if len(cells) == 0 { // pass, swap
		return 0
	}
	end := cells[len(cells)-1]
	value := 10 * len(capturePattern.FindAllString(ply, -1))
	if board[end] != "" {
		value += 10
	}
	kind := board[cells[0]] // "": the ply places a new piece, and every piece is company
	for x := -1; x <= 1; x++ {
		for y := -1; y <= 1; y++ {
			letter := board[cell{end.file + x, end.rank + y}]
			switch {
			case letter == "" || x == 0 && y == 0:
			case kind == "" || kind == letter:
				value++
			default:
				value--
			}
		}
	}
	return value
}

func best(board map[cell]string, legal []string, random *rand.Rand) string {
	var plies []string
	highest := 0
	for _, ply := range legal {
		value := score(board, ply)
		if len(plies) == 0 || value > highest {
			plies, highest = nil, value
		}
		if value == highest {
			plies = append(plies, ply)
		}
	}
	return plies[random.Intn(len(plies))]
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20+1) // no line of the arena is longer
	random := rand.New(rand.NewSource(1))
	var legal []string
	var board map[cell]string
	for input.Scan() {
		words := append(strings.Fields(input.Text()), "")
		switch words[0] {
		case "ugi":
			fmt.Println("id name GoGreedy\nprotocol 1\nplays *\nwant legal board\nugiok")
		case "game":
			for _, word := range words {
				if strings.HasPrefix(word, "seed=") {
					seed, _ := strconv.ParseUint(word[5:], 10, 64)
					random.Seed(int64(seed))
				}
			}
		case "isready":
			fmt.Println("readyok")
		case "board":
			board = readBoard(words[1])
		case "legal":
			legal = words[1 : len(words)-1]
		case "go":
			fmt.Println("bestmove", best(board, legal, random))
		case "quit":
			return
		}
	}
}
