/** `npx node scripts/seed-store.ts`: the store of tests and benchmarks, with everything that a shop can get wrong. */
import { parseArgs } from "node:util";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const HELP = `Usage: npx node scripts/seed-store.ts --out FILE [options]

Makes the private database of an invented shop. The same options give the same bytes.

  --out FILE      the SQLite file to write; replaced if it is there
  --products N    products, hidden ones included (default 240)
  --seed TEXT     chooses people, texts and numbers (default vitrine)
  --now TIME      the moment that "tomorrow" and "in five seconds" count from,
                  YYYY-MM-DD HH:MM:SS in UTC (default ${BASE_TIME})
  --help          this text
`;

function run(): string {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      products: { type: "string", default: "240" },
      seed: { type: "string", default: "vitrine" },
      now: { type: "string", default: BASE_TIME },
      help: { type: "boolean", default: false },
    },
  });
  const { out, products, seed, now, help } = values;
  if (help) return HELP;
  if (out === undefined) throw new Error("--out FILE is missing");
  if (!/^[1-9][0-9]{0,6}$/.test(products))
    throw new Error(`--products is not a number of products: ${products}`);
  seedStore({ products: Number(products), seed, now: parseTime(now) }, out);
  return `${out}: ${products} products\n`;
}

try {
  process.stdout.write(run());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
