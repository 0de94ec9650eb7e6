# Plays a random legal ply of any game: it asks the arena for the list of legal plies.
fconfigure stdout -buffering line

while {[gets stdin line] >= 0} {
    set rest [lassign [regexp -all -inline {\S+} $line] word]
    switch -- $word {
        ugi { puts "id name TclRandom\nprotocol 1\nplays *\nwant legal\nugiok" }
        game {
            set seed 1
            regexp { seed=(\d+)} $line -> seed
            expr {srand([scan [string range $seed end-8 end] %d])}
        }
        isready { puts readyok }
        legal { set legal $rest }
        go { puts "bestmove [lindex $legal [expr {int(rand() * [llength $legal])}]]" }
        quit { exit }
    }
}
