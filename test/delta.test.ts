import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { PublicConfig } from "../src/api/config.ts";
import { openCatalog } from "../src/catalog/catalog.ts";
import { digestCatalog } from "../src/catalog/verify.ts";
import { layoutOf } from "../src/snapshot/layout.ts";
import { openManifest } from "../src/snapshot/manifest.ts";
import {
  buildQuietly,
  DEMO_CONFIG,
  demoInputs,
  readTree,
  seedDemo,
  temporaryFolder,
  withoutTime,
} from "./support/shop.ts";
import { editAtRandom, seededRandom } from "./support/shop-edits.ts";

const folder = temporaryFolder();

/** All that a snapshot says: its files without their times, its manifest, its catalog's content. */
function contentsOf(out: string) {
  const layout = layoutOf(out);
  const manifest = openManifest(layout.manifest);
  const entries = [...manifest.entries()].map(({ key, etag, sizeBytes }) => `${key} ${etag} ${sizeBytes}`);
  const { catalog_digest, content, files, size_bytes, next_change_at } = manifest.meta;
  manifest.close();
  const catalog = openCatalog(layout.catalog);
  const { digest } = catalog;
  catalog.close();
  const site = new Map([...readTree(layout.site)].map(([key, bytes]) => [key, withoutTime(bytes)]));
  return {
    site,
    about: {
      entries,
      catalog_digest,
      content,
      files,
      size_bytes,
      next_change_at,
      digest,
      again: digestCatalog(layout.catalog),
    },
  };
}

function differing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key)).sort();
}

/** Builds by deltas beside builds from nothing, after each of some random edits. */
async function walk(seed: number, steps: number, config: PublicConfig): Promise<string[]> {
  const home = join(folder, String(seed));
  const store = seedDemoIn(home);
  const [out, clean] = [join(home, "out"), join(home, "clean")];
  const random = seededRandom(seed);
  const works: string[] = [];
  let minute = 0;
  let before = new Map<string, string>();
  const options = () => ({
    config,
    now: `2026-11-${String(20 + Math.floor(minute / 1440)).padStart(2, "0")} ${String(Math.floor((minute % 1440) / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}:00`,
    allowShrink: 1_000_000,
  });
  for (let step = 0; step < steps; step++) {
    minute += random(8) === 0 ? random(2000) : 1;
    const db = new Database(store);
    db.pragma("foreign_keys = OFF");
    const edits = step === 0 ? [] : Array.from({ length: 1 + random(3) }, () => editAtRandom(db, random));
    db.close();
    const report = await buildQuietly(demoInputs(store, out, options()));
    works.push(report.work);
    rmSync(clean, { recursive: true, force: true });
    const whole = await buildQuietly(demoInputs(store, clean, options()));
    const [made, expected] = [contentsOf(out), contentsOf(clean)];
    const where = `seed ${seed}, step ${step}: ${edits.join(", ")} (${report.work})`;
    expect(differing(made.site, expected.site), where).toEqual([]);
    expect(made.about, where).toEqual(expected.about);
    expect({ ...report, ...VOLATILE }, where).toEqual({ ...whole, ...VOLATILE });
    if (step > 0)
      expect(report.written + report.deleted, where).toBe(differing(before, expected.site).length);
    before = expected.site;
  }
  return works;
}

const VOLATILE = { out: "", work: "", seconds: null, written: 0, deleted: 0, generatedAt: "" };

function seedDemoIn(home: string): string {
  rmSync(home, { recursive: true, force: true });
  cpSync(SEED, join(home, "store.sqlite"));
  return join(home, "store.sqlite");
}

const SEED = seedDemo(folder);

const GRIDS: Readonly<Record<string, Partial<PublicConfig>>> = {
  "with one filter at most": { grid: { depth: 1, maxFiles: 250_000 } },
  "at the ceiling, where families come and go": { grid: { depth: 1, maxFiles: 1_030 } },
  "with few pages of several sizes": { grid: { depth: 0, maxFiles: 250_000, pages: 2 }, pageSizes: [20, 50] },
};

describe("a build by deltas", { timeout: 900_000 }, () => {
  const steps = Number(process.env["DELTA_STEPS"] ?? 12);
  it.each(Object.entries(GRIDS))(
    "%s, is a build from nothing after each of many random edits, and writes what differs and no more",
    async (_, change) => {
      const seed = Number(process.env["DELTA_SEED"] ?? 1);
      const works = await walk(seed, steps, { ...DEMO_CONFIG, ...change });
      expect(works.filter((work) => work === "delta").length).toBeGreaterThan(steps / 3);
    },
  );
});
