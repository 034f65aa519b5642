#!/usr/bin/env bash
# ical-generator writes an event's address ?ids=1,2&sort=new;old as URL;VALUE=URI:…?ids=1\,2&sort=new\;old, and an attachment's in the same way. One would guess the address as it is: RFC 5545 escapes commas and semicolons in texts, not in
# values of the type URI (3.3.13), and it writes that type itself. ical.js gives the address with the backslashes, as the standard says; node-ical takes them out.
# A calendar of releases or sales whose events point into a catalog has links that open another list, or nothing, in the calendars that read by the book.
# Version: ical-generator 10.2.0, ical.js 2.2.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund ical-generator@10.2.0 ical.js@2.2.1
cat > run.mjs <<'JS'
import ICAL from "ical.js";
import ical from "ical-generator";

const calendar = ical({ name: "Releases" });
calendar.createEvent({ id: "1", start: new Date("2026-01-02T03:04:05Z"), summary: "Mug, blue", url: "https://shop.example/?ids=1,2;3", attachments: ["https://shop.example/a,b.pdf"] });
const text = calendar.toString();
const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent");
console.log(text.split("\r\n").filter((line) => /^(URL|ATTACH)/.test(line)).join(" "));
console.log(event.getFirstPropertyValue("summary"), event.getFirstPropertyValue("url"));
JS
seen=$(node run.mjs)
echo "ical-generator@10.2.0 ical.js@2.2.1"
echo "seen: $seen"
[ "$seen" = 'URL;VALUE=URI:https://shop.example/?ids=1\,2\;3 ATTACH:https://shop.example/a\,b.pdf
Mug, blue https://shop.example/?ids=1\,2\;3' ]
