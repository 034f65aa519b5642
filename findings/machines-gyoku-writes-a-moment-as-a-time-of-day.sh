#!/usr/bin/env bash
# Ruby's gyoku writes the Time 2026-01-02 03:04:05 UTC into XML as "03:04:05": neither day nor zone. A DateTime of the same moment is written whole, a Date as a day. One would guess the whole moment
# for the class that Ruby, Rails and their drivers use for one; its README promises xs:dateTime for all that has to_datetime, as a Time has.
# A feed of products or a SOAP request made from records has <updated_at>03:04:05</updated_at>; nothing fails on this side, and the reader takes it for a moment of its own day.
# Version: gyoku 1.3.1 with Ruby 3.1 (Debian's package ruby-gyoku).
set -euo pipefail
ruby -rgyoku -e 1 2> /dev/null || { echo "needs Debian's package ruby-gyoku"; exit 1; }
seen=$(ruby -rgyoku -rdate -e 'puts Gyoku.xml(time: Time.utc(2026, 1, 2, 3, 4, 5), datetime: DateTime.new(2026, 1, 2, 3, 4, 5), date: Date.new(2026, 1, 2))')
echo "gyoku $(dpkg-query -W -f '${Version}' ruby-gyoku), Ruby $(ruby -e 'print RUBY_VERSION')"
echo "seen: $seen"
[ "$seen" = '<time>03:04:05</time><datetime>2026-01-02T03:04:05+00:00</datetime><date>2026-01-02</date>' ]
