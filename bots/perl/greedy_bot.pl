# Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
#
# A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
# piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.
use strict;
use warnings;

my (%board, @legal);

# Turns `bbb/1w1/www` into a hash from cells, such as a3, to letters; the top rank comes first.
sub read_board {
    my @rows = split m{/}, shift;
    my %pieces;
    for my $rank (1 .. @rows) {
        my $file = ord 'a';
        for my $token ($rows[-$rank] =~ /\d+|[A-Za-z]/g) {
            if ($token =~ /\d/) { $file += $token }
            else                { $pieces{ chr($file++) . $rank } = $token }
        }
    }
    return %pieces;
}

sub score {
    my $ply   = shift;
    my @cells = $ply =~ /[a-z]\d+/g or return 0;    # pass, swap
    my $kind  = $board{ $cells[0] };                # undef: a new piece, and every piece is company
    my $value = 10 * ($ply =~ tr/-+x// + exists $board{ $cells[-1] });
    my ($file, $rank) = $cells[-1] =~ /(.)(.+)/;
    for my $x (-1 .. 1) {
        for my $y (-1 .. 1) {
            my $letter = $board{ chr(ord($file) + $x) . ($rank + $y) };
            next unless $letter && ($x || $y);
            $value += !$kind || $letter eq $kind ? 1 : -1;
        }
    }
    return $value;
}

sub best {
    my ($choice, $highest, $count);
    for my $ply (@legal) {
        my $value = score($ply);
        next if defined $highest && $value < $highest;
        $count   = 0 if !defined $highest || $value > $highest;
        $highest = $value;
        $choice  = $ply if rand(++$count) < 1;    # the n-th of equals replaces the choice with probability 1/n
    }
    return $choice;
}

$| = 1;                                           # flush after every line

while (my $line = <STDIN>) {
    my ($word, @rest) = split ' ', $line;
    next unless defined $word;
    if    ($word eq 'ugi')     { print "id name PerlGreedy\nprotocol 1\nplays *\nwant legal board\nugiok\n" }
    elsif ($word eq 'game')    { srand($line =~ / seed=(\d+)/ ? substr($1, -9) : 1) }
    elsif ($word eq 'isready') { print "readyok\n" }
    elsif ($word eq 'board')   { %board = read_board($rest[0]) }
    elsif ($word eq 'legal')   { @legal = @rest }
    elsif ($word eq 'go')      { print 'bestmove ', best(), "\n" }
    elsif ($word eq 'quit')    { last }
}
