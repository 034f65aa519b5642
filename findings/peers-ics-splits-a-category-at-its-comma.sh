#!/usr/bin/env bash
# ics, the writer of calendar files, writes the categories ["Books, Music", "Sale"] as "CATEGORIES:Books, Music,Sale", of which a reader makes three: Books, Music and Sale. It puts a backslash before the comma of a title, of a description and of a place, as RFC 5545 demands for every text, and
# one would guess that it does so here, since it takes a list.
# The releases or sales of a catalog in a calendar stand below categories that the shop does not have. Put a backslash before each comma first.
# Version: ics 3.12.0, ical.js 2.2.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund ics@3.12.0 ical.js@2.2.1
cat > run.js <<'JS'
import ICAL from "ical.js";
import { createEvent } from "ics";

const event = { start: [2026, 11, 29, 12, 0], startInputType: "utc", duration: { hours: 1 }, uid: "1", title: "Sale: 10 %, today", location: "Oslo, online" };
const { value } = createEvent({ ...event, categories: ["Books, Music", "Sale"] });
const read = new ICAL.Component(ICAL.parse(value)).getFirstSubcomponent("vevent");
console.log(value.match(/^CATEGORIES.*$/m)[0].trim());
for (const name of ["summary", "location", "categories"]) console.log(name, JSON.stringify(read.getFirstProperty(name).getValues()));
JS
seen=$(node run.js)
echo "ics 3.12.0"
echo "seen: $seen"
[ "$seen" = 'CATEGORIES:Books, Music,Sale
summary ["Sale: 10 %, today"]
location ["Oslo, online"]
categories ["Books"," Music","Sale"]' ]
