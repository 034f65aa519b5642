#!/usr/bin/env bash
# Ruby's icalendar reads the URL https://shop.example/?id=1,2;page=3 of an event as a list of three links, cut at the comma and the semicolon, and writes it back with commas only, which is another address. One would guess one link:
# the type URI of RFC 5545 has no lists and no escapes, and URL stands once in an event. The same link without ;page=3 is one link, comma and all.
# Sales and releases of a catalog come as a calendar; a link with a semicolon leads to the first part of its address, and a copy of the calendar leads elsewhere.
# Version: icalendar 2.8.0 with Ruby 3.1 (Debian's package ruby-icalendar).
set -euo pipefail
ruby -ricalendar -e 1 2> /dev/null || { echo "needs Debian's package ruby-icalendar"; exit 1; }
seen=$(ruby -ricalendar -e '
%w[https://shop.example/?id=1,2 https://shop.example/?id=1,2;page=3].each do |link|
  event = Icalendar::Event.parse("BEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260102T030405Z\r\nURL:#{link}\r\nEND:VEVENT\r\n").first
  puts [event.url].flatten.join(" + "), event.to_ical[/^URL.*(?=\r)/]
end')
echo "icalendar $(dpkg-query -W -f '${Version}' ruby-icalendar), Ruby $(ruby -e 'print RUBY_VERSION')"
echo "seen: $seen"
[ "$seen" = 'https://shop.example/?id=1,2
URL:https://shop.example/?id=1,2
https://shop.example/?id=1 + 2 + page=3
URL:https://shop.example/?id=1,2,page=3' ]
