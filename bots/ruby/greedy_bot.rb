# Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
#
# A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
# piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.

# Turns `bbb/1w1/www` into {[file, rank] => letter}; the top rank comes first.
def read_board(rows)
  board = {}
  rows.split("/").reverse.each.with_index(1) do |row, rank|
    file = 1
    row.scan(/\d+|[A-Za-z]/) do |token|
      board[[file, rank]] = token if token =~ /\D/
      file += token =~ /\D/ ? 1 : token.to_i
    end
  end
  board
end

def score(board, ply)
  cells = ply.scan(/([a-z])(\d+)/).map { |file, rank| [file.ord - "a".ord + 1, rank.to_i] }
  return 0 if cells.empty? # pass, swap

  file, rank = cells.last
  kind = board[cells.first] # nil: the ply places a new piece, and every piece is company
  around = [-1, 0, 1].product([-1, 0, 1]) - [[0, 0]]
  pieces = around.map { |x, y| board[[file + x, rank + y]] }.compact
  captures = ply.count("-+x") + (board[cells.last] ? 1 : 0)
  10 * captures + pieces.sum { |letter| kind.nil? || kind == letter ? 1 : -1 }
end

$stdout.sync = true
random = Random.new(1)
legal = []
board = {}

while (line = gets)
  word, *rest = line.split
  case word
  when "ugi" then puts "id name RubyGreedy\nprotocol 1\nplays *\nwant legal board\nugiok"
  when "game" then random = Random.new(line[/ seed=(\d+)/, 1].to_i)
  when "isready" then puts "readyok"
  when "board" then board = read_board(rest[0])
  when "legal" then legal = rest
  when "go" then puts "bestmove #{legal.shuffle(random: random).max_by { |ply| score(board, ply) }}"
  when "quit" then break
  end
end
