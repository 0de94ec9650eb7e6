# Plays a random legal ply of any game: it asks the arena for the list of legal plies.
use strict;
use warnings;

$| = 1;    # flush after every line
my @legal;

while (my $line = <STDIN>) {
    my ($word, @rest) = split ' ', $line;
    next unless defined $word;
    if    ($word eq 'ugi')     { print "id name PerlRandom\nprotocol 1\nplays *\nwant legal\nugiok\n" }
    elsif ($word eq 'game')    { srand($line =~ / seed=(\d+)/ ? substr($1, -9) : 1) }
    elsif ($word eq 'isready') { print "readyok\n" }
    elsif ($word eq 'legal')   { @legal = @rest }
    elsif ($word eq 'go')      { print "bestmove $legal[rand @legal]\n" }
    elsif ($word eq 'quit')    { last }
}
