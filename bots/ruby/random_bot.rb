# Plays a random legal ply of any game: it asks the arena for the list of legal plies.
$stdout.sync = true
random = Random.new(1)
legal = []

while (line = gets)
  word, *rest = line.split
  case word
  when "ugi" then puts "id name RubyRandom\nprotocol 1\nplays *\nwant legal\nugiok"
  when "game" then random = Random.new(line[/ seed=(\d+)/, 1].to_i)
  when "isready" then puts "readyok"
  when "legal" then legal = rest
  when "go" then puts "bestmove #{legal.sample(random: random)}"
  when "quit" then break
  end
end
