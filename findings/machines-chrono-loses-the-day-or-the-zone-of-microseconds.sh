#!/usr/bin/env bash
# chrono-node reads 2026-11-29T23:30:00Z and …00.123Z right. Of …00.123456Z it reads "2026-11-29T23:30:00" and leaves the rest, the Z with it: the moment is one of the reader's time zone. Of …00.123456-05:00, the same with an offset, it
# reads the time only, on the day of reading, here in January; and …00.1234Z is a second later. One would guess that more digits of a second are cut off or the text is refused: chrono has a parser of its own for ISO times.
# Python and PostgreSQL write microseconds, and only where there are some. An import or a feed reader that gives all its texts to chrono, for it reads "tomorrow" too, moves a release by hours or to today, and one of a whole second it does not.
# Version: chrono-node 2.10.3, on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund chrono-node@2.10.3
cat > run.js <<'JS'
import { parse } from "chrono-node";

const now = new Date("2026-01-02T12:00:00Z");
for (const text of ["00Z", "00.123Z", "00.1234Z", "00.123456Z", "00-05:00", "00.123456-05:00"]) {
  const moment = `2026-11-29T23:30:${text}`;
  const [found] = parse(moment, now);
  const isRight = found.date().getTime() === new Date(moment).getTime();
  console.log(`${text}: ${isRight ? "right" : `${found.date().toISOString()} of "${found.text}"`}`);
}
JS
seen=$(TZ=Europe/Berlin node run.js)
echo "chrono-node@2.10.3, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '00Z: right
00.123Z: right
00.1234Z: 2026-11-29T23:30:01.234Z of "2026-11-29T23:30:00.1234Z"
00.123456Z: 2026-11-29T22:30:00.000Z of "2026-11-29T23:30:00"
00-05:00: right
00.123456-05:00: 2026-01-02T22:30:00.123Z of "23:30:00.123456-05:00"' ]
