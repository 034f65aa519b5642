/** `grid.maxFileBytes`: larger files are not made, an existing snapshot loses them, and plan and build report them. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { describePlan } from "../../src/cli/plan-lines.ts";
import { planBuild } from "../../src/pipeline/plan.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedSmall,
  temporaryFolder,
} from "../support/shop.ts";

const folder = temporaryFolder();
const store = seedSmall(folder);
const out = join(folder, "out");

function configOf(maxFileBytes?: number): PublicConfig {
  const grid = maxFileBytes === undefined ? {} : { maxFileBytes };
  return { ...SMALL_CONFIG, feeds: { bulk: true }, grid: { ...SMALL_CONFIG.grid, ...grid } };
}

it("leaves out exactly the larger files, in a full and in an incremental build, and counts them", async () => {
  await buildQuietly(demoInputs(store, out, { config: configOf() }));
  const whole = readTree(join(out, "site"));
  const most = 12_000;
  const large = [...whole].filter(([, bytes]) => bytes.length > most).map(([key]) => key);
  const config = configOf(most);
  const report = await buildQuietly(demoInputs(store, out, { config, allowShrink: 100_000 }));
  const kept = readTree(join(out, "site"));
  const gone = [...whole.keys()].filter((key) => !kept.has(key));
  expect(gone.sort()).toEqual(large.sort());
  expect(report.plannedFiles - report.files).toBe(large.length);
  expect(report.plannedFiles).toBe(whole.size);
  const db = new Database(store);
  db.exec("UPDATE products SET regular_price_minor = regular_price_minor + 1 WHERE id = 3");
  db.close();
  const next = await buildQuietly(demoInputs(store, out, { config, now: "2026-11-20 12:01:00" }));
  expect(next).toMatchObject({ work: "part", plannedFiles: whole.size, files: report.files });

  const plan = await planBuild(demoInputs(store, "", { config }), mkdtempSync(join(folder, "plan-")));
  expect(plan.files).toBe(whole.size);
  const { lines } = describePlan(plan, config, false);
  expect(lines.join("\n")).toContain("Not made because larger than 12.0 kB (grid.maxFileBytes): 1 file, and");
  const { problems } = await verifySnapshot(layoutOf(out), () => undefined);
  for (const problem of problems)
    expect(
      large.some((key) => problem.includes(key)),
      problem,
    ).toBe(true);
});
