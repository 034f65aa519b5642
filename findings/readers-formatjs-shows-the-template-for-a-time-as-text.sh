#!/usr/bin/env bash
# FormatJS, which react-intl is made of, takes a time as the API gives it, "2026-11-29T23:30:00Z", in intl.formatDate, and so in <FormattedDate>; in a message with {day, date, long} the same value is an error, and the
# reader sees the template, "Published {day, date, long}". Two other readers of the same messages format the text. One would guess that a library's component and its messages read a value alike, as they do
# with numbers: the price "19.90" is formatted in both.
# TypeScript does not see it (values are of any type), a test with a Date neither, and the page goes on: the error is in the console only. A product page needs new Date(…) for each time that a message shows.
# Version: @formatjs/intl 6.1.4 (that of react-intl 12), @messageformat/core 3.4.1, messageformat 4.0.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @formatjs/intl@6.1.4 @messageformat/core@3.4.1 messageformat@4.0.0
cat > run.js <<'JS'
import { createIntl } from "@formatjs/intl";
import MessageFormat1 from "@messageformat/core";
import { MessageFormat } from "messageformat";
import { DraftFunctions } from "messageformat/functions";

const day = "2026-11-29T23:30:00Z";
const messages = { day: "Published {day, date, long}", price: "{price, number, ::currency/EUR}" };
const intl = createIntl({ locale: "en", timeZone: "UTC", messages, onError: ({ code }) => console.log(code) });
console.log(`formatDate: ${intl.formatDate(day, { dateStyle: "long" })}`);
console.log(`message: ${intl.formatMessage({ id: "day" }, { day })}`);
console.log(`message of a Date: ${intl.formatMessage({ id: "day" }, { day: new Date(day) })}`);
console.log(`price: ${intl.formatMessage({ id: "price" }, { price: "19.90" })}`);
console.log(`@messageformat/core: ${new MessageFormat1("en").compile(messages.day)({ day })}`);
const other = new MessageFormat("en", "Published {$day :date length=long timeZone=UTC}", { functions: DraftFunctions, bidiIsolation: "none" });
console.log(`messageformat: ${other.format({ day })}`);
JS
seen=$(TZ=UTC node run.js)
echo "@formatjs/intl@6.1.4 @messageformat/core@3.4.1 messageformat@4.0.0"
echo "seen: $seen"
[ "$seen" = 'formatDate: November 29, 2026
FORMAT_ERROR
message: Published {day, date, long}
message of a Date: Published November 29, 2026
price: €19.90
@messageformat/core: Published November 29, 2026
messageformat: Published November 29, 2026' ]
