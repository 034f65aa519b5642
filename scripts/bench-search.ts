/**
 * The costliest searches, as ratios to the eight most common words of the same shop: `npm run bench:search`, with `--products 5000` for
 * a smaller one. Processor time of one answer, the least of five.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openHeldCatalog } from "../src/catalog/catalog.ts";
import { loadConfig } from "../src/config/load.ts";
import { extractTemporarily } from "../src/pipeline/plan.ts";
import { answerTarget } from "../src/serve/answer.ts";
import { benchFolder } from "./bench/measure.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const TURNS = 5;
const LONGEST = 200;

const { values } = parseArgs({ options: { products: { type: "string", default: "20000" } } });
const folder = benchFolder();
try {
  const store = join(folder, "store.sqlite");
  seedStore({ products: Number(values.products), seed: "search", now: parseTime(BASE_TIME) }, store);
  const { config } = loadConfig("vitrine.config.json");
  const file = join(folder, "catalog.sqlite");
  await extractTemporarily({ store, queries: "templates/queries", config, now: BASE_TIME }, file);
  const catalog = openHeldCatalog(file);

  const { letters, starts, sums } = catalog.searchIndex().words.vocabulary;
  const words = Array.from({ length: starts.length - 1 }, (_, at) => ({
    word: letters.slice(starts[at], starts[at + 1]),
    documents: (sums[at + 1] ?? 0) - (sums[at] ?? 0),
  }))
    .sort((a, b) => b.documents - a.documents)
    .map(({ word }) => word);
  const long = words.filter((word) => word.length > 8);
  const misspelt = (word: string) => `${word.slice(0, -2)}q${word.slice(-1)}`;
  const searches: Readonly<Record<string, string>> = {
    "eight common words": words.slice(0, 8).join(" "),
    "all common words": words.slice(0, 60).join(" "),
    "a hundred letters joined by hyphens": Array(100).fill("a").join("-"),
    "compounds of 5 to 16 letters": Array.from({ length: 12 }, (_, at) =>
      Array(at + 5)
        .fill("a")
        .join("-"),
    ).join(" "),
    "common words, one misspelt": [...words.slice(0, 7), misspelt(long[0] ?? "")].join(" "),
    "common words, four misspelt": [...words.slice(0, 4), ...long.slice(0, 4).map(misspelt)].join(" "),
    "eight misspelt words": long.slice(0, 8).map(misspelt).join(" "),
    "common words and one that nothing has": [...words.slice(0, 7), "zzzxq"].join(" "),
  };

  const cost = (text: string): number => {
    const target = `/api/v1/search?per_page=100&q=${encodeURIComponent(text.slice(0, LONGEST))}`;
    const turns = Array.from({ length: TURNS }, () => {
      const before = process.cpuUsage();
      answerTarget(catalog, target);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    return Math.min(...turns);
  };
  const reference = cost(searches["eight common words"] ?? "");
  for (const [name, text] of Object.entries(searches)) {
    const milliseconds = cost(text);
    console.log(
      `${name.padEnd(40)}${milliseconds.toFixed(1).padStart(8)} ms ${(milliseconds / reference).toFixed(2)}`,
    );
  }
  catalog.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
