#!/usr/bin/env bash
# @valibot/to-json-schema writes Valibot's isoDateTime, which takes "2026-01-31T10:30" and nothing with seconds or a zone, as format date-time, which needs both; and isoTime, "10:30", as format time, which needs them, too. So of the values that
# the API takes its own OpenAPI document accepts none, and of those that the document accepts the API takes none. One would guess that the two agree or that it throws: for regular expressions with a flag it does ("not supported by JSON
# Schema"), and for isoTimeSecond, the sibling, it writes the right pattern.
# Clients that are made from the document send a sale's beginning as toISOString() has it, and each is refused; a mock that is made of it never shows what the API says.
# Version: @valibot/to-json-schema 1.8.0 with valibot 1.5.0, ajv 8.20.0 with ajv-formats 3.0.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @valibot/to-json-schema@1.8.0 valibot@1.5.0 ajv@8.20.0 ajv-formats@3.0.1
cat > run.js <<'JS'
import { toJsonSchema } from "@valibot/to-json-schema";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import * as v from "valibot";

const times = {
  isoDateTime: ["2026-01-31T10:30", "2026-01-31T10:30:00Z"],
  isoTime: ["10:30", "10:30:00Z"],
  isoTimeSecond: ["10:30:00", "10:30:00Z"],
};
for (const [name, values] of Object.entries(times)) {
  const schema = v.pipe(v.string(), v[name]());
  const { $schema, ...written } = toJsonSchema(schema);
  const validate = formats.default(new Ajv()).compile(written);
  console.log(name, values.map((value) => `${value} valibot ${v.safeParse(schema, value).success} schema ${validate(value)}`).join(", "));
}
JS
seen=$(node run.js)
echo "@valibot/to-json-schema 1.8.0"
echo "seen: $seen"
[ "$seen" = 'isoDateTime 2026-01-31T10:30 valibot true schema false, 2026-01-31T10:30:00Z valibot false schema true
isoTime 10:30 valibot true schema false, 10:30:00Z valibot false schema true
isoTimeSecond 10:30:00 valibot true schema true, 10:30:00Z valibot false schema false' ]
