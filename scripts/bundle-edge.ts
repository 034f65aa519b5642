/** Bundles the key function for each edge into templates/edge: `npx node scripts/bundle-edge.ts`. */
import { writeFileSync } from "node:fs";
import { bundleEdges } from "./edge/bundle.ts";

for (const { file, text } of await bundleEdges()) {
  writeFileSync(file, text);
  process.stdout.write(`${file}: ${text.length} bytes\n`);
}
