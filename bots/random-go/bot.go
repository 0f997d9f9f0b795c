// A bot that plays a legal move at random: your idea goes into choose.
package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

// Game is what the referee has said about the game.
type Game struct {
	name     string            // loa, flipflop, lineup, gekitai, or a custom game
	options  map[string]string // the rules that can be set, such as n=8
	me       byte              // the letter of our pieces
	opponent byte              // the letter of theirs
	rows     int               // the number of rows of the board
	// The rows from the top: board[0][2] is a square of the first row; '.' is an empty one, '#' a block.
	board  []string
	moves  []string // every legal move of this turn
	time   int      // the milliseconds that are left on our clock; -1 without a clock
	random *rand.Rand
}

// choose returns one of the legal moves.
func choose(game *Game) string {
	// YOUR IDEA GOES HERE
	return game.moves[game.random.Intn(len(game.moves))]
}

func main() {
	game := Game{options: map[string]string{}, time: -1, random: rand.New(rand.NewSource(1))}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch rest := words[1:]; words[0] {
		case "game":
			game.name = rest[0]
		case "option":
			game.options[rest[0]] = rest[1]
		case "size":
			game.rows, _ = strconv.Atoi(rest[0]) // if there is a second number, it is that of the columns
		case "you":
			game.me = rest[0][0]
		case "opponent":
			game.opponent = rest[0][0]
		case "seed":
			seed, _ := strconv.ParseUint(rest[0], 10, 64)
			game.random = rand.New(rand.NewSource(int64(seed))) // the same seed plays the same game again
		case "start":
			fmt.Println("ready")
		case "clock":
			game.time, _ = strconv.Atoi(rest[0])
		case "board":
			game.board = make([]string, game.rows)
			for row := range game.board {
				line, _ := in.ReadString('\n')
				game.board[row] = strings.TrimSpace(line)
			}
		case "moves":
			game.moves = rest
		case "go":
			fmt.Println("move", choose(&game))
		case "quit":
			return
		}
		// All other lines can be ignored.
	}
}
