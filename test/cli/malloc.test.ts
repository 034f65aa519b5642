/** What the allocator of a command is told, as the processes that a command becomes say it themselves. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { LARGE_STORE_BYTES } from "../../src/extract/stores/large-store.ts";
import { runVitrine } from "../support/command.ts";
import { SMALL_CONFIG, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const config = join(folder, "config.json");
let store = "";

/** Has each Node say at its start which process it is and how it was told. */
const TELL = `
  import { writeSync } from "node:fs";
  import { isMainThread } from "node:worker_threads";
  if (isMainThread) writeSync(2, "started " + process.pid + " " + process.env.MALLOC_MMAP_THRESHOLD_ + "\\n");`;

async function startsOf(env: Record<string, string>, ...args: string[]) {
  let pid = 0;
  const tell = `--import data:text/javascript,${encodeURIComponent(TELL)}`;
  const common = ["--store", store, "--config", config];
  const ran = await runVitrine([...args, ...common], (own) => (pid = own), { NODE_OPTIONS: tell, ...env });
  const starts = [...ran.err.matchAll(/^started (\d+) (.*)$/gm)].map(([, own, told]) => [Number(own), told]);
  return { pid, code: ran.code, starts, out: ran.out };
}

beforeAll(() => {
  store = seedDemo(folder);
  writeFileSync(config, JSON.stringify(SMALL_CONFIG));
});

describe.runIf(process.platform === "linux")("a command that builds", () => {
  it("stays the process that it is where the store is small", async () => {
    const { pid, code, starts } = await startsOf({}, "build", "--out", join(folder, "small"));
    expect({ code, starts }).toEqual({ code: 0, starts: [[pid, "undefined"]] });
  });

  it("begins anew where it is large: the same process, told to give memory back, and ends as it would have", async () => {
    const db = new Database(store);
    db.exec(`CREATE TABLE filler AS SELECT zeroblob(${LARGE_STORE_BYTES}) AS bytes`);
    db.close();
    const out = join(folder, "large");
    const { pid, code, starts, out: said } = await startsOf({}, "build", "--json", "--out", out);
    const expected = [
      [pid, "undefined"],
      [pid, "65536"],
    ];
    expect({ code, starts }).toEqual({ code: 0, starts: expected });
    expect(JSON.parse(said)).toMatchObject({ work: "whole", out });
    const changed = new Database(store);
    changed.exec("UPDATE products SET regular_price_minor = 4321 WHERE slug = 'invoice-kit'");
    changed.close();
    const next = await startsOf({}, "build", "--json", "--out", out);
    expect([JSON.parse(next.out).work, next.starts.length]).toEqual(["delta", 1]);
    expect((await startsOf({}, "plan")).starts).toHaveLength(2);
    const failed = await startsOf({}, "build", "--out", out, "--full", "--queries", join(folder, "none"));
    expect([failed.code, failed.starts.length]).toEqual([3, 2]);
  });

  it("leaves alone what whoever starts it has said", async () => {
    const env = { MALLOC_MMAP_THRESHOLD_: "1000000" };
    const { pid, starts } = await startsOf(env, "build", "--out", join(folder, "told"));
    expect(starts).toEqual([[pid, "1000000"]]);
  });
});
