/**
 * Measures a build of a 20,000-product store in memory-backed files, beside `cp -r` of the site it makes:
 * `npm run bench [-- --products N]`. Ratios count; seconds are this machine's.
 */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchFolder, median, runNode, type Used } from "./bench/measure.ts";

const { values } = parseArgs({
  options: { products: { type: "string", default: "20000" }, runs: { type: "string", default: "3" } },
});
const folder = benchFolder();

interface BuildResult {
  readonly files: number;
  readonly sizeBytes: number;
  readonly seconds: { readonly extract: number; readonly render: number; readonly commit: number };
  readonly records: Readonly<Record<string, number>>;
}

type Run = BuildResult & { readonly ran: Used };

/** One build in a process of its own. */
async function build(store: string, out: string): Promise<Run> {
  const args = ["build", "--store", store, "--out", out, "--as-of", "2026-11-20T12:00:00Z", "--json"];
  const ran = await runNode(process.execPath, ["dist/cli/main.js", ...args], join(folder, "usage.json"));
  return { ...(JSON.parse(ran.stdout) as BuildResult), ran };
}

function secondsOf(work: () => void): number {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}

try {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  const store = join(folder, "store.sqlite");
  execFileSync("npx", ["node", "scripts/seed-store.ts", "--products", values.products, "--out", store], {
    stdio: "ignore",
  });
  const out = join(folder, "out");
  const copy = join(folder, "copy");
  const builds: Run[] = [];
  const copies: number[] = [];
  for (let run = 0; run < Number(values.runs); run++) {
    rmSync(out, { recursive: true, force: true });
    builds.push(await build(store, out));
    copies.push(secondsOf(() => execFileSync("cp", ["-r", join(out, "site"), copy])));
    rmSync(copy, { recursive: true, force: true });
  }
  const again = await build(store, out);
  const first = builds[0] as Run;
  const rows = Object.values(first.records).reduce((sum, count) => sum + count, 0);
  const extract = median(builds.map((run) => run.seconds.extract));
  const write = median(builds.map((run) => run.seconds.render + run.seconds.commit));
  const wall = median(builds.map(({ ran }) => ran.seconds));
  console.log(
    `store         ${values.products} products, ${rows} public rows; ${first.files} files, ${(first.sizeBytes / 1e6).toFixed(0)} MB`,
  );
  console.log(`extraction    ${extract.toFixed(1)} s, ${(rows / extract).toFixed(0)} rows/s`);
  console.log(
    `rendering     ${write.toFixed(1)} s, ${(first.files / write).toFixed(0)} files/s, ${(first.sizeBytes / 1e6 / write).toFixed(0)} MB/s`,
  );
  console.log(
    `whole build   ${wall.toFixed(1)} s, peak memory ${(Math.max(...builds.map(({ ran }) => ran.peakBytes)) / 1e6).toFixed(0)} MB`,
  );
  console.log(`cp -r site    ${median(copies).toFixed(1)} s`);
  console.log(
    `ratio         ${median(builds.map(({ ran }, at) => ran.seconds / (copies[at] ?? 1))).toFixed(2)} (whole build to cp -r, median of ${builds.length} pairs)`,
  );
  console.log(`second build  ${again.ran.seconds.toFixed(1)} s, nothing changed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
