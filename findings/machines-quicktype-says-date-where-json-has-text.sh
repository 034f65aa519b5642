#!/usr/bin/env bash
# The TypeScript interfaces that quicktype makes from JSON type a time with T and zone as Date; JSON.parse gives a text, so getTime() compiles and throws. A
# time with a blank (2026-01-02 03:04:05) stays string. One would guess string for interfaces without any converting code. An API that changes from the
# one spelling to the other breaks its readers twice: their types and their code.
# Version: quicktype-core 26.0.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund quicktype-core@26.0.0
cat > run.js <<'JS'
import { InputData, jsonInputForTargetLanguage, quicktype } from "quicktype-core";

const text = JSON.stringify({ generated_at: "2026-01-02T03:04:05+00:00", created_at: "2026-01-02 03:04:05" });
const source = jsonInputForTargetLanguage("typescript");
await source.addSource({ name: "Meta", samples: [text] });
const inputData = new InputData();
inputData.addInput(source);
const { lines } = await quicktype({ inputData, lang: "typescript", rendererOptions: { "just-types": "true" } });
console.log(lines.filter((line) => line.includes("_at")).map((line) => line.trim().replace(/ +/g, " ")).join(" "));
console.log(typeof JSON.parse(text).generated_at);
JS
seen=$(node run.js)
echo "quicktype-core@26.0.0"
echo "seen: $seen"
[ "$seen" = 'generated_at: Date; created_at: string;
string' ]
