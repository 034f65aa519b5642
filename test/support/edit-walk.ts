/**
 * A shop that changes at random. After each of some edits a build over the previous snapshot is compared with one from nothing
 * in another folder: every key, validator and byte but the times, what the report says, and the catalog's content.
 */
import { hash } from "node:crypto";
import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { SITEMAP_INDEX } from "../../src/api/endpoints.ts";
import { SILENT } from "../../src/base/log.ts";
import { toSqlTime } from "../../src/base/time.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { digestCatalog } from "../../src/catalog/verify.ts";
import { loadConfig } from "../../src/config/load.ts";
import { runBuild } from "../../src/pipeline/build.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { startVitrine } from "./command.ts";
import { buildQuietly, demoInputs, readTree, withoutTime } from "./shop.ts";
import { editAtRandom, type Random, seededRandom } from "./shop-edits.ts";

interface Walk {
  /** A new folder. */
  readonly home: string;
  /** The shop's SQLite file, which is edited. */
  readonly file: string;
  readonly seed: number;
  readonly steps: number;
  readonly config: PublicConfig;
  readonly queries: string;
  /** Where builds read the shop instead of its file: a server, which gets each edit too. */
  readonly server?: {
    readonly address: string;
    follow(before: string, after: string): Promise<void>;
  };
  /** What the same walk came to in the file: steps are compared with it instead of with builds from nothing. */
  readonly like?: readonly WalkStep[];
  /** So many builds at most are killed before those that are compared; the edits are the same whatever it is. */
  readonly kills?: number;
}

/** What one step came to. */
export interface WalkStep {
  readonly work: string;
  /** False where some pages are left to the fallback. */
  readonly isDeep: boolean;
  /** Of the whole snapshot without its times. */
  readonly digest: string;
  /** What the build says, apart from what differs between any two. */
  readonly report: object;
  /** What each build that was killed left in `.next/`: nothing, files of the next snapshot, or its list of moves, too. */
  readonly killed: readonly Left[];
}

type Left = "nothing" | "files" | "moves";

/** All that a snapshot says: its files without their times, its manifest, its catalog's content. */
function contentsOf(out: string) {
  const layout = layoutOf(out);
  const manifest = openManifest(layout.manifest);
  // The index of the sitemap tells when its parts changed, which only a build over the previous snapshot knows.
  const entries = [...manifest.entries()].map(({ key, etag, sizeBytes }) =>
    key === SITEMAP_INDEX ? `${key} ${sizeBytes}` : `${key} ${etag} ${sizeBytes}`,
  );
  const { catalog_digest, files, size_bytes, next_change_at } = manifest.meta;
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
      files,
      size_bytes,
      next_change_at,
      digest,
      again: digestCatalog(layout.catalog),
    },
  };
}

/** The files without the times in the sitemap's index. */
function withoutChanges(site: ReadonlyMap<string, string>): Map<string, string> {
  const index = site.get(SITEMAP_INDEX)?.replace(/(?<=<lastmod>)[^<]*/g, "-");
  return index === undefined ? new Map(site) : new Map([...site, [SITEMAP_INDEX, index]]);
}

function differing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key)).sort();
}

/** What a shop may change of its configuration; none of it is the change back. */
const CONFIGURATIONS: readonly Partial<PublicConfig>[] = [
  {},
  { siteUrl: "https://elsewhere.example" },
  { pageSizes: [50] },
  { grid: { depth: 0, maxFiles: 250_000, pages: 3 } },
];

/** What of a report is not the same for the two. */
const VOLATILE = {
  out: "",
  work: "",
  seconds: null,
  peakBytes: null,
  written: 0,
  deleted: 0,
  generatedAt: "",
  changed: null,
  changedFiles: [],
};

/** Kills are at one of so many writes, at the first ones more often. */
const MOST_WRITES = 150;
/** Kills at a moment are after so long at most: a build has ended by then. */
const MOST_MILLISECONDS = 1500;

/** Starts the command and kills it: at a write to the disk, at one of those that put the next snapshot in place, or at a moment. */
async function killBuild(args: readonly string[], out: string, random: Random): Promise<Left> {
  const { moves, next } = layoutOf(out);
  const write = `${1 + random(1 + random(MOST_WRITES))} ${random(2) === 0 ? "before" : "behind"}`;
  const milliseconds = 200 + random(MOST_MILLISECONDS);
  const way = ["a write", "a write of the commit", "a moment"][random(3)];
  const loaded = `--import ${import.meta.resolve("./killed-process.ts")}`;
  const killAt = way === "a write" ? write : `${write} ${moves}`;
  const { child, ended } = startVitrine(
    args,
    way === "a moment" ? {} : { NODE_OPTIONS: loaded, KILL_AT: killAt },
  );
  if (way === "a moment") {
    await Promise.race([sleep(milliseconds), ended]);
    child.kill("SIGKILL");
  }
  await ended;
  if (existsSync(moves)) return "moves";
  return existsSync(next) ? "files" : "nothing";
}

/** Walks, and gives what each step came to. */
export async function walk({
  home,
  file,
  seed,
  steps,
  config,
  queries,
  server,
  like,
  kills = 0,
}: Walk): Promise<WalkStep[]> {
  const [out, clean, configFile, before] = ["out", "clean", "config.json", "before.sqlite"].map((name) =>
    join(home, name),
  ) as [string, string, string, string];
  const [random, randomOfKills] = [seededRandom(seed), seededRandom(seed + 1)];
  const store = server?.address ?? file;
  const walked: WalkStep[] = [];
  let minute = 0;
  let configured: Partial<PublicConfig> = {};
  let previous = new Map<string, string>();
  let killsLeft = kills;
  const edit = async (): Promise<string[]> => {
    copyFileSync(file, before);
    const db = new Database(file);
    db.pragma("foreign_keys = OFF");
    db.pragma("ignore_check_constraints = ON");
    const edits = Array.from({ length: 1 + random(3) }, () => editAtRandom(db, random));
    db.close();
    await server?.follow(before, file);
    return edits;
  };
  for (let step = 0; step < steps; step++) {
    minute += random(8) === 0 ? random(2000) : 1;
    const edits = step === 0 ? [] : await edit();
    if (step > 0 && random(10) === 0) {
      configured = CONFIGURATIONS[random(CONFIGURATIONS.length)] ?? {};
      edits.push(`configuration ${JSON.stringify(configured)}`);
    }
    const now = toSqlTime(new Date(Date.UTC(2026, 10, 20, 0, minute)));
    const rows = { maxLeftOut: 0.3 };
    writeFileSync(configFile, JSON.stringify({ ...config, ...configured, queries: resolve(queries), rows }));
    const killed: Left[] = [];
    while (random(3) > 0) {
      if (killsLeft > 0) {
        const flags = {
          store,
          out,
          config: configFile,
          "as-of": `${now.replace(" ", "T")}Z`,
          "allow-shrink": "1000000",
        };
        const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
        const left = await killBuild(["build", ...args, "--json"], out, randomOfKills);
        killed.push(left);
        killsLeft -= 1;
        edits.push(`a killed build, which left ${left}`);
      }
      if (random(2) === 0) edits.push(...(await edit()));
    }
    const inputs = demoInputs(store, out, {
      config: loadConfig(configFile).config,
      queries,
      now,
      allowShrink: 1_000_000,
      ...rows,
    });
    const made = await runBuild(inputs, SILENT);
    const report = { ...made, ...VOLATILE };
    const found = contentsOf(out);
    const site = withoutChanges(found.site);
    const digest = hash("sha256", JSON.stringify([...site, found.about]));
    const where = `seed ${seed}, step ${step}: ${edits.join(", ")} (${made.work})`;
    if (like === undefined) {
      rmSync(clean, { recursive: true, force: true });
      const whole = await buildQuietly({ ...inputs, out: clean, full: true });
      const expected = contentsOf(clean);
      expect(differing(site, withoutChanges(expected.site)), where).toEqual([]);
      expect(found.about, where).toEqual(expected.about);
      expect(report, where).toEqual({ ...whole, ...VOLATILE });
    } else
      expect({ report, digest }, where).toEqual({ report: like[step]?.report, digest: like[step]?.digest });
    if (killed.length > 0)
      expect((await verifySnapshot(layoutOf(out), () => undefined)).problems, where).toEqual([]);
    if (step > 0 && killed.length === 0)
      expect(made.written + made.deleted, where).toBe(differing(previous, found.site).length);
    previous = found.site;
    walked.push({ work: made.work, isDeep: made.leftToFallback.length === 0, digest, report, killed });
  }
  return walked;
}
