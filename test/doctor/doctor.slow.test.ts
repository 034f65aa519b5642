/** What `vitrine doctor` says of each thing that it looks at, where all is well and where it is not. */
import * as files from "node:fs";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { presentCosts } from "../../src/build/plan.ts";
import {
  checkChanges,
  checkDisk,
  checkNode,
  checkPlace,
  type Files,
  runCheck,
} from "../../src/setup/doctor.ts";
import { type Found, judgeClock } from "../../src/setup/finding.ts";
import { runVitrine } from "../support/command.ts";
import type { Upstream } from "../support/faults.ts";
import { createFaultyStore } from "../support/faults.ts";
import { createMemoryStore } from "../support/memory-bucket.ts";
import { bucketAt } from "../support/publishing.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("small");

/** `ok`, `warning: …` or `problem: …`, by the beginning. */
const saidOf = (found: Found | readonly Found[]) =>
  [found].flat().map(({ level, what }) => `${level}: ${what}`);

describe("the machine", () => {
  it.each([
    ["24.1.0", () => undefined, /^ok: Node 24\.1\.0/],
    ["23.9.0", () => undefined, /^warning: Node 23\.9\.0 gets no fixes/],
    [
      "24.1.0",
      () => {
        throw new Error("NODE_MODULE_VERSION 115");
      },
      /^problem: SQLite's native code does not run in Node 24\.1\.0: NODE_MODULE_VERSION 115/,
    ],
  ])("has Node %s", (version, open, said) => {
    expect(saidOf(checkNode(version, open))).toEqual([expect.stringMatching(said)]);
  });

  it.each([
    [0, Infinity, /^ok: The server and this machine tell the same time/],
    [-61_000, Infinity, /^warning: The server is 61 s behind/],
    [8000, Infinity, /^warning: The server is 7 s ahead/],
    [1_000_000, 900, /^problem: The server is 999 s ahead/],
  ])("is %i ms apart from another", (apart, most, said) => {
    const reading = { before: 5_000_000, theirs: 5_000_000 + apart, after: 5_000_500 };
    expect(saidOf([judgeClock("The server", reading, most)])).toEqual([expect.stringMatching(said)]);
  });
});

describe("the output folder", () => {
  const room = (free: number, filesFree: number): Files => ({
    ...files,
    statfsSync: ((path: string) => ({
      ...files.statfsSync(path),
      bsize: 1,
      bavail: free,
      files: 9,
      ffree: filesFree,
    })) as Files["statfsSync"],
  });

  it("has room for all anew, or not enough bytes or files", () => {
    const said = (place: string, stand: Files) => saidOf(checkDisk(place, 250_000, stand))[0];
    expect(said(out, room(1e12, 1e9))).toMatch(
      /^ok: 1\.0 TB and 1,000,000,000 files are free .*making all anew takes up to/,
    );
    expect(said(out, room(1000, 1e9))).toMatch(/^problem: Only 1\.0 kB/);
    expect(said(out, room(1e12, 7))).toMatch(/^problem: Only 1\.0 TB and 7 files/);
    expect(said(join(folder, "none/below"), room(1e12, 1e9))).toMatch(/^ok: .*there is no snapshot yet/);
    expect(said(join(folder, "none/below"), room(1e12, 7))).toMatch(/^warning: .*maxFiles allows 250,000/);
  });

  it("may be closed, or another machine's", () => {
    const refuse = () => {
      throw new Error("EACCES");
    };
    expect(saidOf(checkDisk(out, null, { ...room(1e12, 1e9), accessSync: refuse }))[1]).toMatch(
      /^problem: Cannot write to .*: EACCES/,
    );
    const statfsSync = ((path: string) => ({
      ...files.statfsSync(path),
      type: 0x6969,
    })) as Files["statfsSync"];
    expect(saidOf(checkDisk(out, null, { ...files, statfsSync })).at(-1)).toMatch(
      /^warning: .* is on NFS, where locks may not hold/,
    );
  });

  it("has a snapshot whose products cost few files, or many, and what to set then", () => {
    expect(saidOf(checkChanges(presentCosts(join(folder, "none"))))[0]).toMatch(/^ok: No snapshot yet/);
    const costs = presentCosts(out);
    expect(saidOf(checkChanges(costs))[0]).toMatch(
      /^ok: A price changes about \d+ files, a review \d+, a product [1-9]\d*$/,
    );
    const cost = (files: number) => ({ puts: files - 100, deletes: 100 });
    const dear = (byPages: readonly number[]) =>
      checkChanges({
        ...{ price: cost(200), review: cost(200), product: cost(16_000) },
        productByPages: byPages.map((files, at) => ({ pages: [10, 5, 1][at] ?? 0, cost: cost(files) })),
      });
    expect(dear([16_000, 9000, 4000])).toMatchObject({
      level: "warning",
      what: "A product that comes or goes changes about 16,000 files, more than 5,000",
      next: expect.stringMatching(/^"grid": \{"pages": 1\} makes that about 4,000; or lower grid\.depth/),
    });
    expect(dear([16_000, 9000, 7000]).next).toMatch(/"pages": 1\} makes that about 7,000/);
    expect(dear([16_000, 16_000, 15_900]).next).toMatch(
      /^Each product says how many its category has: lower/,
    );
  });
});

describe("a store in a file", () => {
  const place = join(folder, "store");
  mkdirSync(place);
  const store = seedDemo(place);
  const look = async () => saidOf(await runCheck("store", { store, timeoutSeconds: 30 }));

  it.each([
    [0o755, 0o640, /^ok: .* can be read; its writers wait/, undefined],
    [0o755, 0o644, /^ok/, /^warning: Anybody on this machine may read .*\(mode 644\)/],
    [0o755, 0o646, /^ok/, /^warning: Anybody on this machine may change/],
    [0o700, 0o646, /^ok/, undefined],
  ])("of a folder with mode %i and of mode %i", async (above, mode, first, second) => {
    chmodSync(folder, above);
    chmodSync(place, 0o755);
    chmodSync(store, mode);
    const said = await look();
    expect(said[0]).toMatch(first);
    if (second === undefined) expect(said).toHaveLength(1);
    else expect(said[1]).toMatch(second);
  });

  it("in WAL mode goes on being written; one that is none is told", async () => {
    const db = new Database(store);
    db.pragma("journal_mode = WAL");
    db.close();
    expect((await look())[0]).toMatch(/its writers go on during a build/);
    const none = await runCheck("store", { store: join(place, "none"), timeoutSeconds: 30 });
    expect(saidOf(none)[0]).toMatch(/^problem: Cannot read the store .*there is no such file/);
  });
});

describe("SQL files", () => {
  const queries = join(folder, "queries");
  cpSync("templates/queries", queries, { recursive: true });
  const place = join(folder, "files");
  mkdirSync(place);
  const store = seedDemo(place);
  const look = async (timeoutSeconds = 30) =>
    saidOf(await runCheck("SQL files", { store, queries, timeoutSeconds }));
  const edit = (file: string, from: string, to: string) => {
    const text = readFileSync(join("templates/queries", file), "utf8");
    expect(text).toContain(from);
    writeFileSync(join(queries, file), text.replace(from, to));
  };

  it("are told in one line where they fit", async () => {
    expect(await look()).toEqual([expect.stringMatching(/^ok: 10 of 10 files can be read, [1-9]\d+ rows$/)]);
  });

  it("are told one by one where they do not", async () => {
    edit("faqs.sql", "f.question AS question", "f.question AS questoin");
    edit("reviews.sql", "r.id AS id", "r.number AS id");
    expect(await look()).toEqual([
      expect.stringMatching(/^ok: 8 of 10 files can be read/),
      expect.stringMatching(/^problem: faqs\.sql lacks the column question.*gives questoin/),
      expect.stringMatching(/^problem: .*reviews\.sql.*r\.number/),
    ]);
    writeFileSync(join(queries, "prodcuts.sql"), "SELECT 1");
    expect(await look()).toEqual([
      expect.stringMatching(/^problem: .*prodcuts\.sql is no file of the allow-list/),
    ]);
  });
});

describe("where releases go", () => {
  const look = (upstream: Upstream, writes: boolean) =>
    checkPlace(bucketAt(createFaultyStore(upstream), "catalog"), writes).then(saidOf);

  it("is read, and written to only where that is asked for; no key stays", async () => {
    const memory = createMemoryStore();
    expect(await look(memory, false)).toEqual([
      "ok: s3://shop/catalog can be read: nothing was published there yet",
      "ok: s3://shop/catalog can be listed",
      expect.stringMatching(/^ok: Whether it can be written is not tried without --try-writing/),
      expect.stringMatching(/^ok: The store's clock and this machine/),
    ]);
    const put: string[] = [];
    const spied = {
      ...memory,
      ask: (request: Parameters<Upstream["ask"]>[0]) => {
        if (request.method === "PUT") put.push(request.path);
        return memory.ask(request);
      },
    };
    expect((await look(spied, true))[2]).toMatch(/can be written and deleted, and keeps If-Match/);
    expect([...new Set(put.map((path) => path.replace(/probe-.*/, "probe")))]).toEqual([
      "/shop/catalog/.vitrine/probe",
    ]);
    expect([...memory.objects.keys()]).toEqual([]);
  });

  it("refuses what the credentials may not do, and has another time", async () => {
    const memory = createMemoryStore();
    const denied: Upstream = {
      ...memory,
      ask: async ({ method }) => ({
        status: method === "PUT" ? 403 : 404,
        headers: { date: new Date(0).toUTCString(), "content-type": "application/xml" },
        body: Buffer.from(
          `<Error><Code>${method === "PUT" ? "AccessDenied" : "NoSuchKey"}</Code><Message>No</Message></Error>`,
        ),
      }),
    };
    const said = await look(denied, true);
    expect(said[1]).toMatch(/^problem: .*listing what stands there failed/);
    expect(said[2]).toMatch(/^problem: .*putting .*lack s3:PutObject/);
    expect(said[3]).toMatch(/^problem: The store's clock is \d+ s behind/);
  });
});

describe("vitrine doctor", () => {
  it("goes on after a check that hangs, ends with 1, and names no password", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as AddressInfo;
    const options = [
      "--store",
      `postgres://a@127.0.0.1:${port}/b`,
      // Long enough for all others on a machine that does other things as well.
      "--timeout",
      "8",
      "--queries",
      join(folder, "no-queries"),
      "--out",
      join(folder, "hung"),
    ];
    const {
      code,
      out: said,
      err,
    } = await runVitrine(["doctor", ...options], undefined, {
      VITRINE_STORE_PASSWORD: "canary-password",
    });
    silent.close();
    expect([code, err]).toEqual([4, ""]);
    expect(said).toMatch(/^to do {4}store: No answer within 8 s\. Look what hangs there/m);
    expect(said).toMatch(/^to do {4}SQL files: Cannot read the allow-list folder/m);
    // What is to be done stands last, what is OK in one line.
    expect(said).toMatch(
      /^OK {7}node(?:, [\w ]+)+\n(?:warning .*\n)*to do .*\nto do .*\n\d+ OK, \d+ warnings?, 2 to do; /,
    );
    expect(said).not.toContain("canary");
  });
});
