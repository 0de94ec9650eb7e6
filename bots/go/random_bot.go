// Plays a random legal ply of any game: it asks the arena for the list of legal plies.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20+1) // no line of the arena is longer
	random := rand.New(rand.NewSource(1))
	var legal []string
	for input.Scan() {
		words := append(strings.Fields(input.Text()), "")
		switch words[0] {
		case "ugi":
			fmt.Println("id name GoRandom\nprotocol 1\nplays *\nwant legal\nugiok")
		case "game":
			for _, word := range words {
				if strings.HasPrefix(word, "seed=") {
					seed, _ := strconv.ParseUint(word[5:], 10, 64)
					random.Seed(int64(seed))
				}
			}
		case "isready":
			fmt.Println("readyok")
		case "legal":
			legal = words[1 : len(words)-1]
		case "go":
			fmt.Println("bestmove", legal[random.Intn(len(legal))])
		case "quit":
			return
		}
	}
}
