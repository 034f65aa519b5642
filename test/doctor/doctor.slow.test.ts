/** What `vitrine doctor` says of each thing that it looks at, where all is well and where it is not. */
import * as files from "node:fs";
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { objectToNothing } from "../../src/pipeline/policies.ts";
import {
  checkDisk,
  checkNode,
  checkPlace,
  checkTemporary,
  type Files,
  runCheck,
  runChecks,
} from "../../src/setup/doctor.ts";
import { type Found, judgeClock } from "../../src/setup/finding.ts";
import { runVitrine } from "../support/command.ts";
import type { Upstream } from "../support/faults.ts";
import { createFaultyStore } from "../support/faults.ts";
import { createMemoryStore } from "../support/memory-bucket.ts";
import { bucketAt } from "../support/publishing.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { buildQuietly, demoInputs, SMALL_CONFIG, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("small");

/** `ok`, `warning: …` or `problem: …`, by the beginning. */
const saidOf = (found: Found | readonly Found[]) =>
  [found].flat().map(({ level, what }) => `${level}: ${what}`);

describe("the machine", () => {
  it.each([
    ["24.1.0", () => undefined, /^ok: Node 24\.1\.0/],
    ["23.9.0", () => undefined, /^warning: Node 23\.9\.0 will soon get no more fixes/],
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
    [0, Infinity, /^ok: The server and this machine's agree/],
    [-61_000, Infinity, /^warning: The server is 61 s behind/],
    [8000, Infinity, /^warning: The server is 7 s ahead/],
    [1_000_000, 900, /^problem: The server is 999 s ahead/],
  ])("has a clock that is %i ms apart from another", (apart, most, said) => {
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

  it("has room for another whole snapshot, or too few bytes or files", () => {
    const said = (place: string, stand: Files) => saidOf(checkDisk(place, 250_000, stand))[0];
    expect(said(out, room(1e12, 1e9))).toMatch(
      /^ok: 1\.0 TB and 1,000,000,000 files are free .*making all files again needs up to/,
    );
    expect(said(out, room(1000, 1e9))).toMatch(/^problem: Only 1\.0 kB/);
    expect(said(out, room(1e12, 7))).toMatch(/^problem: Only 1\.0 TB and 7 files/);
    expect(said(join(folder, "none/below"), room(1e12, 1e9))).toMatch(/^ok: .*there is no snapshot yet/);
    expect(said(join(folder, "none/below"), room(1e12, 7))).toMatch(/^warning: .*maxFiles allows 250,000/);
  });

  it("has a temporary folder beside it, which a rollback needs", () => {
    const said = (stand: Files) => saidOf(checkTemporary(out, stand, "/tmp"));
    expect(said(room(1e12, 1e9))).toEqual([]);
    for (const small of [room(1000, 1e9), room(1e12, 7)])
      expect(said(small)).toEqual([
        expect.stringMatching(
          /^warning: .* files are free in \/tmp, where a rollback makes a whole snapshot/,
        ),
      ]);
    expect(saidOf(checkTemporary(join(folder, "none"), room(1000, 7), "/tmp"))).toEqual([]);
  });

  it("has too little room for a first build", () => {
    const said = (free: number) => saidOf(checkDisk(join(folder, "none"), null, room(free, 1e9)));
    expect(said(0)).toEqual([expect.stringMatching(/^problem: Only 0 bytes .*are free/)]);
    expect(said(2e6)).toEqual([expect.stringMatching(/^problem: Only 2\.0 MB .*are free/)]);
    expect(said(1e9)).toEqual([expect.stringMatching(/^ok: 1\.0 GB /)]);
  });

  it("has the store in what a web server serves, which a build and a publish refuse", async () => {
    const place = join(folder, "served");
    const store = join(place, "site/shop.sqlite");
    expect(saidOf(await runCheck("disk", { store, out: place, timeoutSeconds: 30 }))).toEqual([
      expect.stringMatching(/^problem: .*shop\.sqlite is in .*site, which a web server serves/),
    ]);
    const beside = { store: join(folder, "live/shop.sqlite"), out: place, to: `file://${folder}/live` };
    expect(saidOf(await runCheck("disk", { ...beside, timeoutSeconds: 30 }))).toEqual([
      expect.stringMatching(/^problem: .*live is no place to publish to: the store .* is in it/),
    ]);
  });

  it("is in the way, or below a file", () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    for (const place of [file, join(file, "out")])
      expect(saidOf(checkDisk(place, null, room(1e12, 1e9)))).toEqual([
        `problem: ${file} is a file: no folder can be made there`,
      ]);
  });

  it("may be closed, or belong to another machine", () => {
    const refuse = () => {
      throw new Error("EACCES");
    };
    // It says nothing else of a folder that no build can use.
    expect(saidOf(checkDisk(out, null, { ...room(1e12, 1e9), accessSync: refuse }))).toEqual([
      expect.stringMatching(/^problem: Cannot write to .*: EACCES/),
    ]);
    const statfsSync = ((path: string) => ({
      ...files.statfsSync(path),
      type: 0x6969,
    })) as Files["statfsSync"];
    expect(saidOf(checkDisk(out, null, { ...files, statfsSync })).at(-1)).toMatch(
      /^warning: .* is on NFS, where locks are not reliable/,
    );
  });
});

describe("a store in a file", () => {
  const place = join(folder, "store");
  mkdirSync(place);
  const store = seedDemo(place);
  const look = async () => saidOf(await runCheck("store", { store, timeoutSeconds: 30 }));

  it.each([
    [0o755, 0o640, /^ok: .* can be read; the shop cannot write during a build/, undefined],
    [0o755, 0o644, /^ok/, /^warning: Every user of this machine can read .*\(mode 644\)/],
    [0o755, 0o646, /^ok/, /^warning: Every user of this machine can change/],
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

  it("in WAL mode can be written during a build; a missing one is reported", async () => {
    const db = new Database(store);
    db.pragma("journal_mode = WAL");
    db.close();
    expect((await look())[0]).toMatch(/the shop can write during a build/);
    const none = await runCheck("store", { store: join(place, "none"), timeoutSeconds: 30 });
    expect(saidOf(none)[0]).toMatch(/^problem: Cannot read the store .*there is no such file/);
  });
});

describe("a store that a writer keeps locked", () => {
  const store = seedDemo(temporaryFolder());
  const lock = () => {
    const writer = new Database(store);
    writer.exec("BEGIN EXCLUSIVE");
    return writer;
  };

  it("is waited for until --timeout, and no longer", async () => {
    const writer = lock();
    const started = performance.now();
    const found = await runCheck("store", { store, timeoutSeconds: 1 });
    expect(saidOf(found)).toEqual(["problem: No answer within 1 s"]);
    // SQLite itself would wait 30 s.
    expect(performance.now() - started).toBeLessThan(20_000);
    writer.close();
  });

  it("is read once it is free", async () => {
    const writer = lock();
    const found = runCheck("store", { store, timeoutSeconds: 30 });
    setTimeout(() => writer.close(), 200);
    expect(saidOf(await found)[0]).toMatch(/^ok: .* can be read/);
  });
});

it("a store that cannot be read is waited for once, and reported in one line", async () => {
  const home = temporaryFolder();
  const store = join(home, "store.sqlite");
  writeFileSync(store, "not a database");
  cpSync("templates/queries", join(home, "queries"), { recursive: true });
  const began: string[] = [];
  const options = { store, queries: join(home, "queries"), out: join(home, "out"), timeoutSeconds: 30 };
  const found = await runChecks(options, (name) => void began.push(name));
  expect(saidOf(found.filter(({ check }) => check === "store"))).toEqual([
    `problem: The store ${store} is not an SQLite database.`,
  ]);
  expect(began).toContain("SQL files");
  for (const name of ["choices", "public products", "privacy"]) expect(began).not.toContain(name);
});

describe("public products", () => {
  const home = temporaryFolder();
  const queries = join(home, "queries");
  cpSync("templates/queries", queries, { recursive: true });
  const store = seedDemo(home);
  const look = async () => saidOf(await runCheck("public products", { store, queries, timeoutSeconds: 30 }));

  it("are worth no word if there are some", async () => {
    expect(await look()).toEqual([]);
  });

  it("are missing in a shop that is closed or empty, which a build refuses", async () => {
    writeFileSync(join(queries, "closed.sql"), "SELECT 'it is in maintenance' AS reason");
    expect(await look()).toEqual([
      expect.stringMatching(
        /^problem: A build would be refused: The shop is closed to visitors: it is in mainte/,
      ),
    ]);
    rmSync(join(queries, "closed.sql"));
    new Database(store).exec("PRAGMA foreign_keys = OFF; UPDATE products SET status = 'draft'").close();
    expect(await look()).toEqual([
      expect.stringMatching(/^problem: A build would be refused: (No product|None of the \d+ products)/),
    ]);
  });

  it("are missing as of a time years ago: the refusal says which, and names the clock", () => {
    const objection = objectToNothing({ products: 0, before: 56, now: "1970-01-01 00:01:00" }, {});
    expect(objection?.error.message).toBe(
      "No product would become public: products.sql gives no row as of 1970-01-01 00:01:00 UTC, and the snapshot has 56. Nothing was " +
        "written. Check that this is the shop's database and that this machine's clock is right, and change products.sql.",
    );
  });
});

describe("values", () => {
  it("that the last build found wrong are reported: pictures that only this machine can load, with their rows", async () => {
    const home = temporaryFolder();
    const store = seedDemo(home);
    const place = join(home, "out");
    const said = async () => saidOf(await runCheck("values", { out: place, timeoutSeconds: 30 }));
    expect(await said()).toEqual([]);
    const db = new Database(store);
    db.exec(
      `UPDATE product_media SET url = 'http://localhost:8000/a.png' WHERE product_id IN
        (SELECT id FROM products WHERE slug = 'invoice-kit')`,
    );
    db.close();
    const config = { ...SMALL_CONFIG, siteUrl: "https://shop.example" };
    await buildQuietly(demoInputs(store, place, { config }));
    expect(await said()).toEqual([
      expect.stringMatching(
        /^warning: The last build found wrong values: .*is left empty in 1 row of products\.sql \(id \d+\): it must be an address that visitors can open, not one of localhost/,
      ),
    ]);
    const mended = new Database(store);
    mended.exec("UPDATE product_media SET url = '/media/a.png' WHERE url LIKE 'http://localhost%'");
    mended.close();
    await buildQuietly(demoInputs(store, place, { config }));
    expect(await said()).toEqual(["ok: The last build found no wrong value"]);
  });
});

describe("SQL files", () => {
  const queries = join(folder, "queries");
  cpSync("templates/queries", queries, { recursive: true });
  const look = async () =>
    saidOf(await runCheck("SQL files", { store: "not-read.sqlite", queries, timeoutSeconds: 30 }));

  it("are one line if all have a query", async () => {
    writeFileSync(join(queries, "faqs.sql"), "SELEKT");
    expect(await look()).toEqual(["ok: All files have their query"]);
  });

  it("are named if they have only comments, or are required and missing", async () => {
    writeFileSync(join(queries, "faqs.sql"), "-- SELECT\n/* id */\n");
    writeFileSync(join(queries, "store.sql"), "-- SELECT … AS store_name\n");
    rmSync(join(queries, "products.sql"));
    expect(await look()).toEqual([
      "problem: Without a query: store.sql, products.sql: nothing can be built",
      "warning: Without a query: faqs.sql: their answers are empty",
    ]);
  });
});

describe("changed.sql", () => {
  const home = temporaryFolder();
  const queries = join(home, "queries");
  cpSync("templates/queries", queries, { recursive: true });
  const store = join(home, "shop.sqlite");
  new Database(store)
    .exec(
      `CREATE TABLE products (id INTEGER, category_id INTEGER, saved DATETIME);
       INSERT INTO products VALUES (1, NULL, 1795168800000), (2, 7, 1795168800000)`,
    )
    .close();
  const look = async (sql: string) => {
    writeFileSync(join(queries, "changed.sql"), sql);
    return saidOf(await runCheck("changed.sql", { store, queries, timeoutSeconds: 30 }));
  };

  it("is worth no word if each column has a value, or if the build reports it", async () => {
    expect(await look("SELECT COUNT(*) AS products, SUM(saved) AS saved FROM products")).toEqual([]);
    expect(await look("SELECT COUNT(*) FROM nothing")).toEqual([]);
    rmSync(join(queries, "changed.sql"));
    expect(saidOf(await runCheck("changed.sql", { store, queries, timeoutSeconds: 30 }))).toEqual([]);
  });

  it("is blind where SQLite reads no time in a number", async () => {
    expect(
      await look("SELECT COUNT(*) AS products, SUM(unixepoch(saved)) AS saved, NULL AS other FROM products"),
    ).toEqual([expect.stringMatching(/^note: NULL in saved, other, where watch sees no change/)]);
  });
});

describe("the place of releases", () => {
  const look = (upstream: Upstream, writes: boolean) =>
    checkPlace(bucketAt(createFaultyStore(upstream), "catalog"), writes).then(saidOf);

  it("is read, and written to only with --try-writing, which leaves no key", async () => {
    const memory = createMemoryStore();
    expect(await look(memory, false)).toEqual([
      "ok: s3://shop/catalog can be read: nothing was published there yet",
      "ok: s3://shop/catalog can be listed",
      expect.stringMatching(/^ok: Writing is tried only with --try-writing/),
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
    expect((await look(spied, true))[2]).toMatch(/can be written and deleted, and supports If-Match/);
    expect([...new Set(put.map((path) => path.replace(/probe-.*/, "probe")))]).toEqual([
      "/shop/catalog/.vitrine/probe",
    ]);
    expect([...memory.objects.keys()]).toEqual([]);
  });

  it("is reported if it refuses the credentials or has another time", async () => {
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
    expect(said[1]).toMatch(/^problem: .*listing its keys failed/);
    expect(said[2]).toMatch(/^problem: .*putting .*lack s3:PutObject/);
    expect(said[2]).toMatch(/Give them the rights of templates/);
    expect(said[3]).toMatch(/^problem: The store's clock is \d+ s behind/);
  });

  it("is asked no more once nothing answers, and the finding says what to do", async () => {
    let asked = 0;
    const dead: Upstream = {
      ...createMemoryStore(),
      ask: () => {
        asked += 1;
        return Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
      },
    };
    const said = await look(dead, true);
    expect(said).toEqual([
      expect.stringMatching(
        /^problem: .*reading .*ECONNREFUSED.*Start the service, or correct host and port/,
      ),
    ]);
    expect(asked).toBeGreaterThan(0);
  });
});

describe("vitrine doctor", () => {
  it("continues after a check that hangs, exits with 1, and reveals no password", async () => {
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
    expect(said).toMatch(/^to do {4}store: No answer within 8 s\. Find out what hangs there/m);
    expect(said).toMatch(/^to do {4}SQL files: There is no folder .*queries with SQL files/m);
    // The findings to do come last; those that are OK are one line.
    expect(said).toMatch(
      /^OK {7}node(?:, [\w ]+)+\n(?:warning .*\n)*to do .*\nto do .*\n\d+ OK, \d+ warnings?, 2 to do; /,
    );
    expect(said).not.toContain("canary");
  });
});
