/** Writes `vitrine.config.schema.json`, which editors read, from the table that validates: `npm run schema`. */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Config } from "../src/contract/config.ts";

export function makeConfigSchema(): unknown {
  return JSON.parse(JSON.stringify(Config));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync("vitrine.config.schema.json", `${JSON.stringify(makeConfigSchema(), null, 2)}\n`);
}
