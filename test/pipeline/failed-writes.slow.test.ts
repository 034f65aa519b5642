/** A build whose files cannot be written: what it leaves behind. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { describeProgress, type Log, SILENT } from "../../src/base/log.ts";
import type { BuildInputs } from "../../src/config/inputs.ts";
import { buildSnapshot, runBuild } from "../../src/pipeline/build.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { stagedPath } from "../../src/site/writer.ts";
import {
  DEMO_CONFIG,
  demoInputs,
  readStamps,
  readTree,
  seedSmall,
  temporaryFolder,
} from "../support/shop.ts";

const folder = temporaryFolder();
const CONFIG = {
  ...DEMO_CONFIG,
  grid: { depth: 0, maxFiles: 150 },
  feeds: { sitemap: true, news: true, llms: true, jsonLd: true, google: true, bulk: true },
};
let store = "";

beforeAll(async () => {
  store = seedSmall(folder);
  await buildTo(join(folder, "built"));
});

function buildTo(out: string, change: Partial<BuildInputs> = {}, log: Log = SILENT) {
  return buildSnapshot(demoInputs(store, out, { config: CONFIG, ...change }), log);
}

/** A copy of one snapshot, for changing. */
function copyOf(name: string): string {
  const copy = join(folder, name);
  execFileSync("cp", ["-a", join(folder, "built"), copy]);
  return copy;
}

/** All bytes of the site, the manifest's entries and its meta. */
function contentsOf(out: string) {
  const manifest = openManifest(layoutOf(out).manifest);
  const about = { meta: manifest.meta, entries: [...manifest.entries()] };
  manifest.close();
  return { site: readTree(layoutOf(out).site), about };
}

async function problemsOf(out: string): Promise<readonly string[]> {
  return (await verifySnapshot(layoutOf(out), () => undefined)).problems;
}

/** Runs an action once the build's progress begins with these words. */
function onceItSays(words: string, work: () => void): Log {
  return {
    info: () => undefined,
    warn: () => undefined,
    progress: (message) => {
      if (describeProgress(message()).startsWith(words)) work();
    },
  };
}

/** A store with one product deleted and other prices changed: a deleted product changes most pages of its lists. */
function changedStore(): string {
  const changed = join(folder, "changed.sqlite");
  cpSync(store, changed);
  const db = new Database(changed);
  db.exec(`UPDATE products SET visibility = 'hidden' WHERE id = 120;
    UPDATE products SET regular_price_minor = 4200 WHERE id BETWEEN 30 AND 60`);
  db.close();
  return changed;
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe("a build that cannot write", () => {
  it("ends with the error, and leaves the snapshot unchanged", async () => {
    const out = copyOf("fails");
    const { nextFiles, next } = layoutOf(out);
    const before = readStamps(out);
    const inTheWay = onceItSays("rendering", () => {
      rmSync(nextFiles, { recursive: true, force: true });
      writeFileSync(nextFiles, "");
    });
    const config = {
      ...CONFIG,
      baseUrl: "https://elsewhere.example/api/v1",
      // Progress is reported every 500 files.
      grid: { depth: 1, maxFiles: 800 },
    };
    const error = await thrownBy(buildTo(out, { config }, inTheWay));
    expect(error).toMatchObject({ code: "write_failed" });
    expect(readStamps(out)).toEqual(before);
    expect(existsSync(next)).toBe(false);
    expect(await buildTo(out, { config })).toMatchObject({ work: "whole" });
    expect(await problemsOf(out)).toEqual([]);
  });

  it("of changed rows ends with the error if one file cannot be staged, and leaves the snapshot unchanged", async () => {
    const [out, other] = [copyOf("fails-part"), copyOf("other-part")];
    const layout = layoutOf(out);
    const before = readStamps(out);
    // A folder in the place of the second file: the first one is staged.
    const second = stagedPath(layout, 1);
    const inTheWay = onceItSays("extracting", () => mkdirSync(second, { recursive: true }));
    const change = { store: changedStore(), now: "2026-11-20 13:00:00", config: CONFIG };
    const inputs = demoInputs(change.store, out, change);
    const error = await thrownBy(runBuild(inputs, inTheWay));
    expect(error).toMatchObject({ code: "write_failed" });
    expect((error as Error).message).toContain(second);
    expect(readStamps(out)).toEqual(before);
    expect(existsSync(layout.next)).toBe(false);
    expect(await problemsOf(out)).toEqual([]);
    expect(await runBuild(inputs, SILENT)).toMatchObject({ work: "part" });
    expect(await problemsOf(out)).toEqual([]);
    await buildTo(other, change);
    expect(contentsOf(out)).toEqual(contentsOf(other));
  });
});
