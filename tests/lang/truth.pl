# A program that records its own stack. At each marked call, it tries to open a file whose name
# contains the stack.
use strict;
use warnings;

package main;

sub mark {
    my ($label) = @_;
    my (@frames, @calls);
    for (my $i = 0; my @c = caller $i; $i++) {
        push @calls, \@c;
    }
    # Each entry has the location of a call. The next entry has the name of the sub that contains
    # this location. An eval has no name, so only the location of its call is reported.
    while (my $c = shift @calls) {
        shift @calls while @calls && $calls[0][3] eq '(eval)';
        push @frames, "$c->[1](" . (@calls ? $calls[0][3] : 'main') . ":$c->[2])";
    }
    my $text = join "\n", $label, @frames;
    open my $f, '<', '/nonexistent/' . unpack('H*', $text);
    select undef, undef, undef, $ENV{TRUTH_SLEEP} / 1e6 if $ENV{TRUTH_SLEEP};
}

package Store;
sub new { bless {} }
sub load {
    my ($self, $n) = @_;
    return $self->load($n - 1) if $n;
    main::mark('recursion');
}
sub DESTROY { main::mark('destroy') }
our $AUTOLOAD;
sub AUTOLOAD { main::mark('autoload') }

package Tied;
sub TIESCALAR { bless {} }
sub FETCH { main::mark('tied'); 1 }

package main;
sub still { mark('sub'); $_[0] }
sub guarded {
    eval { die "x\n" };
    mark('after eval');
    eval {
        mark('in eval');
    };
    eval "mark('string eval');";
}
sub by_name { mark('sort'); $a <=> $b }

{
    my $s = Store->new;
    $s->load(5);
    $s->missing;
}
still(1);
guarded();
my @sorted = sort by_name 2, 1;
my @mapped = map { still($_) } 1, 2;
my $closure = sub { mark('closure') };
$closure->();
tie my $t, 'Tied';
my $x = $t;
$SIG{USR1} = sub { mark('signal') };
kill USR1 => $$;
$SIG{__WARN__} = sub { mark('warn') };
warn "x";
(my $text = 'aa') =~ s/a/still('b')/ge;
for my $i (1 .. 20) {
    no warnings;
    eval "sub redefined { mark('redefined'); } \n" . "\n" x ($i % 3) . 'redefined();';
}
mark('top');
