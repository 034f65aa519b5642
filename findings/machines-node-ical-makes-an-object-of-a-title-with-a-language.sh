#!/usr/bin/env bash
# node-ical gives the title of an event as a text, or as an object { params, val } as soon as it has a LANGUAGE, in one list. One would guess a text, or an object for all, with the language beside it; ical.js gives
# two texts. A calendar of releases in two languages, listed by `event.summary`, shows "[object Object]" for the German issue.
# Version: node-ical@0.27.2 and ical.js@2.2.1, seen on Node 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" node-ical@0.27.2 ical.js@2.2.1 > /dev/null
cat > "$dir/run.mjs" <<'JS'
import ICAL from 'ical.js';
import ical from 'node-ical';
const event = (uid, title) => ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20261101T000000Z', 'DTSTART:20261101T090000Z', title, 'END:VEVENT'];
const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:shop', ...event('en', 'SUMMARY:Issue 11'), ...event('de', 'SUMMARY;LANGUAGE=de:Ausgabe 11'), 'END:VCALENDAR', ''].join('\r\n');
const read = ical.sync.parseICS(text);
const other = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one).summary);
console.log(`node-ical ${[read.en, read.de].map((one) => one.summary)}, ical.js ${other}`);
JS
node --version
seen=$(node "$dir/run.mjs")
echo "seen: $seen"
[ "$seen" = 'node-ical Issue 11,[object Object], ical.js Issue 11,Ausgabe 11' ]
