#!/usr/bin/env bash
# The JavaScript SDK of CloudEvents writes an event whose data is 0, false or an empty text as JSON in structured mode ("data":0), but its own reader gives that event back without data.
# One would guess that a JSON value that is written is read: 5 and true are, and the specification allows any.
# Events of a shop say a stock, a price or "is published" in their data: "sold out", "free" and "hidden" arrive as events that say nothing, and a consumer keeps the value from before.
# Version: cloudevents 10.0.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund cloudevents@10.0.0
cat > run.js <<'JS'
import { CloudEvent, HTTP } from "cloudevents";

for (const data of [5, 0, true, false]) {
  const event = new CloudEvent({ type: "stock", source: "/product/12", data });
  const structured = HTTP.structured(event);
  console.log(structured.body.match(/"data":\w+/)[0], "read:", HTTP.toEvent(structured).data);
}
JS
seen=$(node run.js)
echo "cloudevents 10.0.0"
echo "seen: $seen"
[ "$seen" = '"data":5 read: 5
"data":0 read: undefined
"data":true read: true
"data":false read: undefined' ]
