#!/usr/bin/env bash
# Perl's Furl writes what follows the # into the request: GET /product?slug=mug#reviews HTTP/1.1. RFC 3986 (3.5) keeps it with the client, and LWP and HTTP::Tiny leave it out, as one would guess of every client.
# A record's address may lead to a part of its page. A server that is strict answers 400; one that is not takes "mug#reviews" for the slug, or keeps one copy of the answer for each anchor.
# Version: Furl 3.14, beside LWP 6.68 and HTTP::Tiny 0.082, with Perl 5.36 (Debian's packages libfurl-perl and libwww-perl).
set -euo pipefail
/usr/bin/perl -MFurl -MLWP::UserAgent -e 1 2> /dev/null || { echo "needs Debian's packages libfurl-perl and libwww-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.pl" <<'PERL'
use strict; use warnings;
use Furl; use HTTP::Tiny; use IO::Socket::INET; use LWP::UserAgent;
my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 0, Listen => 5) or die;
my $url = "http://127.0.0.1:" . $server->sockport . "/product?slug=mug#reviews";
my %ask = (
  furl => sub { Furl->new->get($url) },
  lwp => sub { LWP::UserAgent->new->get($url) },
  tiny => sub { HTTP::Tiny->new->get($url) },
);
for my $name (sort keys %ask) {
  my $pid = fork // die;
  if ($pid == 0) { $ask{$name}->(); exit 0; }
  my $socket = $server->accept;
  my $line = <$socket>;
  while (my $head = <$socket>) { last if $head eq "\r\n"; }
  print $socket "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
  close $socket;
  waitpid $pid, 0;
  $line =~ s/\r\n//;
  print "$name $line\n";
}
PERL
seen=$(/usr/bin/perl "$dir/run.pl")
echo "Furl $(/usr/bin/perl -MFurl -e 'print $Furl::VERSION') LWP $(/usr/bin/perl -MLWP::UserAgent -e 'print $LWP::UserAgent::VERSION') HTTP::Tiny $(/usr/bin/perl -MHTTP::Tiny -e 'print $HTTP::Tiny::VERSION')"
echo "seen: $seen"
[ "$seen" = 'furl GET /product?slug=mug#reviews HTTP/1.1
lwp GET /product?slug=mug HTTP/1.1
tiny GET /product?slug=mug HTTP/1.1' ]
