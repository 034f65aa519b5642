/** A build in threads: what it makes, and what it leaves behind if a thread fails. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { describeProgress, type Log, SILENT } from "../../src/base/log.ts";
import type { BuildInputs } from "../../src/config/inputs.ts";
import { type BuildReport, buildSnapshot, runBuild } from "../../src/pipeline/build.ts";
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

beforeAll(() => {
  store = seedSmall(folder);
});

/** Builds with a fixed number of threads, however little there is to do. */
function buildIn(count: number, out: string, change: Partial<BuildInputs> = {}, log: Log = SILENT) {
  const inputs = demoInputs(store, out, { config: CONFIG, ...change });
  return buildSnapshot(inputs, log, { count, fromRows: 0 });
}

interface Built {
  readonly out: string;
  readonly report: BuildReport;
}
const known = new Map<number, Promise<Built>>();

/** Built once for each number of threads, for reading only. */
function builtIn(count: number): Promise<Built> {
  const out = join(folder, `built-${count}`);
  const built = known.get(count) ?? buildIn(count, out).then((report) => ({ out, report }));
  known.set(count, built);
  return built;
}

/** A copy of it, for changing. */
async function copyOf(count: number, name: string): Promise<string> {
  const copy = join(folder, name);
  execFileSync("cp", ["-a", (await builtIn(count)).out, copy]);
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

describe("a build in threads", () => {
  it.each([1, 2, 3])("makes the same bytes with %i as without", async (count) => {
    const [none, some] = [await builtIn(0), await builtIn(count)];
    const { files, records, feeds } = none.report;
    expect(some.report).toMatchObject({ files, records, feeds });
    expect(contentsOf(some.out)).toEqual(contentsOf(none.out));
    expect(await problemsOf(some.out)).toEqual([]);
  });

  it("over a snapshot, writes what differs and leaves the rest", async () => {
    const [none, some] = [await copyOf(0, "over-none"), await copyOf(2, "over-some")];
    const deeper = {
      config: { ...CONFIG, grid: { ...CONFIG.grid, maxFiles: 160 } },
      now: "2026-11-20 13:00:00",
    };
    for (const [count, out] of [
      [0, none],
      [2, some],
    ] as const) {
      const before = readStamps(join(out, "site/api/v1/product"));
      const report = await buildIn(count, out, deeper);
      expect(report).toMatchObject({ work: "whole", deleted: 0 });
      expect(report.written).toBeLessThan(report.files / 2);
      expect(readStamps(join(out, "site/api/v1/product"))).toEqual(before);
    }
    expect(contentsOf(some)).toEqual(contentsOf(none));
    expect(await problemsOf(some)).toEqual([]);
  });

  it("over a snapshot, with changed rows only, writes the same as without threads", async () => {
    const changed = changedStore();
    const [none, ...some] = await Promise.all(
      [0, 1, 3].map(async (count) => {
        const out = await copyOf(count, `part-${count}`);
        const report = await buildIn(count, out, { store: changed, now: "2026-11-20 13:00:00" });
        expect(await problemsOf(out)).toEqual([]);
        return { contents: contentsOf(out), counts: [report.work, report.written, report.deleted] };
      }),
    );
    expect(none?.counts[0]).toBe("part");
    for (const each of some) expect(each).toEqual(none);
  });

  it("reports wrong rows as a build without threads does", async () => {
    const wrong = join(folder, "wrong");
    const file = seedSmall(temporaryFolder());
    const db = new Database(file);
    db.pragma("ignore_check_constraints = ON");
    db.exec(
      "UPDATE products SET slug = 'No Slug! ' || id WHERE id % 7 = 0; UPDATE reviews SET rating = 9 WHERE id % 5 = 0",
    );
    db.close();
    const [none, some] = [
      await thrownBy(buildIn(0, wrong, { store: file })),
      await thrownBy(buildIn(2, wrong, { store: file })),
    ];
    expect(none).toMatchObject({ code: "rows_invalid" });
    expect(some).toMatchObject({ code: "rows_invalid", message: (none as Error).message });
  });

  it("ends with the error of a thread that cannot write, and leaves the snapshot unchanged", async () => {
    const out = await copyOf(2, "fails");
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
    const error = await thrownBy(buildIn(2, out, { config }, inTheWay));
    expect(error).toMatchObject({ code: "write_failed" });
    expect(readStamps(out)).toEqual(before);
    expect(existsSync(next)).toBe(false);
    expect(await buildIn(2, out, { config })).toMatchObject({ work: "whole" });
    expect(await problemsOf(out)).toEqual([]);
  });

  it("of changed rows ends with the error if a file cannot be staged, and leaves the snapshot unchanged", async () => {
    const [out, other] = [await copyOf(0, "fails-part"), await copyOf(0, "other-part")];
    const layout = layoutOf(out);
    const before = readStamps(out);
    // A folder in the place of the second file: the first one is staged.
    const second = stagedPath(layout, 1);
    const inTheWay = onceItSays("extracting", () => mkdirSync(second, { recursive: true }));
    const change = { store: changedStore(), now: "2026-11-20 13:00:00", config: CONFIG };
    const inputs = demoInputs(change.store, out, change);
    const threads = { count: 3, fromRows: 0 };
    const error = await thrownBy(runBuild(inputs, inTheWay, threads));
    expect(error).toMatchObject({ code: "write_failed" });
    expect((error as Error).message).toContain(second);
    expect(readStamps(out)).toEqual(before);
    expect(existsSync(layout.next)).toBe(false);
    expect(await problemsOf(out)).toEqual([]);
    expect(await runBuild(inputs, SILENT, threads)).toMatchObject({ work: "part" });
    expect(await problemsOf(out)).toEqual([]);
    await buildIn(0, other, change);
    expect(contentsOf(out)).toEqual(contentsOf(other));
  });
});
