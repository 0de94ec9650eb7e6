# Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
#
# A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
# piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.

# Turns `bbb/1w1/www` into a dictionary from cells, such as a3, to letters; the top rank comes first.
proc read_board {rows} {
    set board [dict create]
    set rank 0
    foreach row [lreverse [split $rows /]] {
        incr rank
        set file [scan a %c]
        foreach token [regexp -all -inline {\d+|[A-Za-z]} $row] {
            if {[string is digit $token]} {
                incr file $token
            } else {
                dict set board [format %c%d $file $rank] $token
                incr file
            }
        }
    }
    return $board
}

proc score {board ply} {
    set cells [regexp -all -inline {[a-z]\d+} $ply]
    if {![llength $cells]} { return 0 } ;# pass, swap
    set first [lindex $cells 0]
    set last [lindex $cells end]
    set value [expr {10 * ([regexp -all {[-+x]} $ply] + [dict exists $board $last])}]
    scan $last %c%d file rank
    foreach x {-1 0 1} {
        foreach y {-1 0 1} {
            set cell [format %c%d [expr {$file + $x}] [expr {$rank + $y}]]
            if {$cell eq $last || ![dict exists $board $cell]} continue
            # A ply from no piece places a new one, and every piece is company.
            set is_friend [expr {![dict exists $board $first]
                || [dict get $board $first] eq [dict get $board $cell]}]
            incr value [expr {$is_friend ? 1 : -1}]
        }
    }
    return $value
}

proc best {board legal} {
    set highest -99
    foreach ply $legal {
        set value [score $board $ply]
        if {$value > $highest} {
            set plies {}
            set highest $value
        }
        if {$value == $highest} { lappend plies $ply }
    }
    return [lindex $plies [expr {int(rand() * [llength $plies])}]]
}

fconfigure stdout -buffering line

while {[gets stdin line] >= 0} {
    set rest [lassign [regexp -all -inline {\S+} $line] word]
    switch -- $word {
        ugi { puts "id name TclGreedy\nprotocol 1\nplays *\nwant legal board\nugiok" }
        game {
            set seed 1
            regexp { seed=(\d+)} $line -> seed
            expr {srand([scan [string range $seed end-8 end] %d])}
        }
        isready { puts readyok }
        board { set board [read_board [lindex $rest 0]] }
        legal { set legal $rest }
        go { puts "bestmove [best $board $legal]" }
        quit { exit }
    }
}
