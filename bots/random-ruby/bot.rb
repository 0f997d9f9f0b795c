#!/usr/bin/env ruby
# A bot that plays a legal move at random: your idea goes into choose.

# What the referee has said about the game.
Game = Struct.new(
  :name,     # loa, flipflop, lineup, gekitai, or a custom game
  :options,  # the rules that can be set, such as { "n" => "8" }
  :me,       # the letter of our pieces
  :opponent, # the letter of theirs
  :rows,     # the number of rows of the board
  :board,    # the rows from the top: board[0][2] is a square of the first row;
             # "." is an empty one, "#" a block
  :moves,    # every legal move of this turn
  :time      # the milliseconds that are left on our clock; nil without a clock
)

# Returns one of game.moves.
def choose(game)
  # YOUR IDEA GOES HERE
  game.moves.sample
end

$stdout.sync = true # sends every line at once: one that stays in our buffer loses on time
game = Game.new("", {}, "", "", 0, [], [], nil)

while (line = $stdin.gets)
  word, *rest = line.split
  case word
  when "game" then game.name = rest[0]
  when "option" then game.options[rest[0]] = rest[1]
  when "size" then game.rows = rest[0].to_i # if there is a second number, it is that of the columns
  when "you" then game.me = rest[0]
  when "opponent" then game.opponent = rest[0]
  when "seed" then srand(rest[0].to_i) # the same seed plays the same game again
  when "start" then puts "ready"
  when "clock" then game.time = rest[0].to_i
  when "board" then game.board = Array.new(game.rows) { $stdin.gets.to_s.strip }
  when "moves" then game.moves = rest
  when "go" then puts "move #{choose(game)}"
  when "quit" then break
  end # all other lines can be ignored
end
