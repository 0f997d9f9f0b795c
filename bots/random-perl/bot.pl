#!/usr/bin/env perl
# A bot that plays a legal move at random: your idea goes into choose().

use strict;
use warnings;

# What the referee has said about the game.
my %game = (
    name     => '',    # loa, flipflop, lineup, gekitai, or a custom game
    options  => {},    # the rules that can be set, such as n => 8
    me       => '',    # the letter of our pieces
    opponent => '',    # the letter of theirs
    rows     => 0,     # the number of rows of the board
    board    => [],    # the rows from the top: $game{board}[0][2] is a square of the first row;
                       # '.' is an empty one, '#' a block
    moves    => [],    # every legal move of this turn
    time     => undef, # the milliseconds that are left on our clock; undef without a clock
);

# Returns one of the legal moves.
sub choose {
    my @moves = @{ $game{moves} };
    # YOUR IDEA GOES HERE
    return $moves[rand @moves];
}

$| = 1;    # sends every line at once: one that stays in our buffer loses on time

while (my $line = <STDIN>) {
    my ($word, @rest) = split ' ', $line;
    next unless defined $word;
    if    ($word eq 'game')     { $game{name} = $rest[0] }
    elsif ($word eq 'option')   { $game{options}{ $rest[0] } = $rest[1] }
    elsif ($word eq 'size')     { $game{rows} = $rest[0] }    # if there is a second number, it is that of the columns
    elsif ($word eq 'you')      { $game{me} = $rest[0] }
    elsif ($word eq 'opponent') { $game{opponent} = $rest[0] }
    elsif ($word eq 'seed')     { srand $rest[0] }            # the same seed plays the same game again
    elsif ($word eq 'start')    { print "ready\n" }
    elsif ($word eq 'clock')    { $game{time} = $rest[0] }
    elsif ($word eq 'board')    { $game{board} = [ map { read_row() } 1 .. $game{rows} ] }
    elsif ($word eq 'moves')    { $game{moves} = \@rest }
    elsif ($word eq 'go')       { print 'move ', choose(), "\n" }
    elsif ($word eq 'quit')     { last }
    # All other lines can be ignored.
}

# Reads a row of the board: a list of letters.
sub read_row {
    my $row = <STDIN> // '';
    $row =~ s/\s+$//;
    return [ split //, $row ];
}
