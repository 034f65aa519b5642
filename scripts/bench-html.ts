/**
 * Measures how long cleaning the demo store's descriptions takes, HTML and plain text, beside one plain pass of
 * sanitize-html over the same texts: `npm run bench:html [-- --products N]`. The ratio counts; times are this machine's.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import sanitizeHtml from "sanitize-html";
import { cleanHtml } from "../src/extract/html.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values } = parseArgs({
  options: { products: { type: "string", default: "1000" }, runs: { type: "string", default: "15" } },
});

function readDescriptions(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  try {
    const file = join(folder, "store.sqlite");
    seedStore({ products: Number(values.products), seed: "bench", now: parseTime(BASE_TIME) }, file);
    const db = new Database(file, { readonly: true });
    const sql = "SELECT description_html FROM products WHERE description_html IS NOT NULL";
    const texts = db.prepare<[], string>(sql).pluck().all();
    db.close();
    return texts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor time of one run over all texts. */
function millisecondsOf(texts: readonly string[], clean: (text: string) => unknown): number {
  const before = process.cpuUsage().user;
  for (const text of texts) clean(text);
  return (process.cpuUsage().user - before) / 1000;
}

const texts = readDescriptions();
const sizeBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
let reference = Number.POSITIVE_INFINITY;
let ours = Number.POSITIVE_INFINITY;
for (let run = 0; run < Number(values.runs); run++) {
  reference = Math.min(
    reference,
    millisecondsOf(texts, (text) => sanitizeHtml(text)),
  );
  ours = Math.min(ours, millisecondsOf(texts, cleanHtml));
}
console.log(`${texts.length} descriptions, ${sizeBytes} bytes`);
console.log(`sanitize-html alone: ${reference.toFixed(1)} ms`);
console.log(`HTML and plain text: ${ours.toFixed(1)} ms, ${(ours / reference).toFixed(2)} of that`);
