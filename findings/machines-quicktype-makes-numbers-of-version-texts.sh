#!/usr/bin/env bash
# quicktype makes long (C#) and int (Python) of a version that is a text, when all samples happen to be whole ("2", "10"), and bool of the texts
# "true" and "false"; Java, Go, Rust and TypeScript get strings. One would guess string in all, since JSON says so. A client that was made from the
# first page of a catalog refuses the whole page on which the first release 2.1 stands.
# Version: quicktype-core 26.0.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund quicktype-core@26.0.0
cat > run.js <<'JS'
import { InputData, jsonInputForTargetLanguage, quicktype } from "quicktype-core";

const samples = [JSON.stringify([{ version: "2", active: "true" }, { version: "10", active: "false" }])];
for (const lang of ["csharp", "python", "java", "go", "rust", "typescript"]) {
  const source = jsonInputForTargetLanguage(lang);
  await source.addSource({ name: "Release", samples });
  const inputData = new InputData();
  inputData.addInput(source);
  const { lines } = await quicktype({ inputData, lang, rendererOptions: { "just-types": "true" } });
  const type = (name) => {
    const field = lines.find((line) => new RegExp(`\\b${name}\\b`, "i").test(line) && !line.includes("import") && !line.includes("rename"));
    return /\b(bool|long|int|str|string|String)\b/.exec(field.replace(new RegExp(name, "i"), ""))[1];
  };
  console.log(lang, type("version"), type("active"));
}
JS
seen=$(node run.js)
echo "quicktype-core@26.0.0"
echo "seen: $seen"
[ "$seen" = 'csharp long bool
python int bool
java String String
go string string
rust String String
typescript string string' ]
