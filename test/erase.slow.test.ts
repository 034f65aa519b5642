/** A withdrawn record is gone: from every file of a folder, every object of a bucket and every release to go back to. */
import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../src/api/config.ts";
import { etagOfDigest } from "../src/api/validator.ts";
import { toMetaTime } from "../src/base/time.ts";
import type { Sought } from "../src/catalog/sought.ts";
import { buildSnapshot } from "../src/pipeline/build.ts";
import { type EraseOptions, erase, eraseAt } from "../src/pipeline/erase.ts";
import { restoreRelease } from "../src/pipeline/rollback.ts";
import { JOURNAL_KEY, OBJECT_HEADERS } from "../src/publish/bucket.ts";
import { openDirectory } from "../src/publish/buckets/directory.ts";
import { readLive } from "../src/publish/documents.ts";
import type { Snapshot } from "../src/publish/options.ts";
import { publish } from "../src/publish/publish.ts";
import { openManifest } from "../src/site/manifest.ts";
import { NOW, STORE_QUERIES } from "./store-fixture.ts";
import { createMemoryCdn } from "./support/cdn.ts";
import { runVitrine } from "./support/command.ts";
import { dyingAfter, type FaultyStore, isChange } from "./support/faults.ts";
import {
  createFaultyMemory,
  expectLive,
  keptObjects,
  memoryAt,
  OPTIONS,
  portsOf,
} from "./support/publishing.ts";
import { createTinyShop, SILENT, TINY_CONFIG, type TinyShop } from "./support/tiny-shop.ts";

const WORD = "quixoticzephyr";
const CONFIG: PublicConfig = {
  ...TINY_CONFIG,
  endpoints: [
    "store",
    "products",
    "product",
    "categories",
    "reviews",
    "openapi.json",
  ] as PublicConfig["endpoints"],
};
/** As few answers as show a review: each costs requests, each of which is spoiled. */
const SMALL: PublicConfig = { ...CONFIG, endpoints: ["store", "reviews"] as PublicConfig["endpoints"] };
const LOOSE = { ...OPTIONS, allowShrink: 1000 };

/** Names of bodies that have the word, compressed or not. */
function holders(bodies: Iterable<readonly [string, Buffer]>): string[] {
  return [...bodies].flatMap(([name, body]) =>
    (name.endsWith(".gz") ? gunzipSync(body) : body).includes(WORD) ? [name] : [],
  );
}

function* filesBelow(root: string): Generator<[string, Buffer]> {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) yield [path.slice(root.length + 1), readFileSync(path)];
  }
}

let shop: TinyShop;
let folder: string;
let review: Sought & { id: number };
beforeAll(() => {
  shop = createTinyShop(8);
  folder = mkdtempSync(join(tmpdir(), "vitrine-erased-"));
  review = { record: "review", id: 1 };
});
afterAll(() => {
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

const show = () =>
  shop.sql(`UPDATE reviews SET product_id = (SELECT id FROM products WHERE slug = '${shop.slugs[0]}'),
    status = 'approved', title = '${WORD}', body = 'Jané <b>Doe</b> &amp; ${WORD}' WHERE id = 1`);
const withdraw = () => shop.sql("UPDATE reviews SET status = 'rejected' WHERE id = 1");
let prices = 2000;
const reprice = () => {
  prices += 1;
  shop.sql(`UPDATE products SET regular_price_minor = ${prices} WHERE slug = '${shop.slugs[1]}'`);
};

function optionsOf(name: string, more: Partial<EraseOptions> = {}): EraseOptions {
  const out = join(shop.folder, name);
  const inputs = {
    store: shop.store,
    queries: STORE_QUERIES,
    config: CONFIG,
    maxLeftOut: 0,
    out,
    now: NOW,
    allowShrink: 0,
    force: false,
    full: false,
    waitSeconds: 0,
  };
  return { sought: review, inputs, ...more };
}

/** A shop that showed a review in some releases and no longer shows it. */
async function published(
  name: string,
  publishNow: (snapshot: Snapshot) => Promise<unknown>,
  config = CONFIG,
): Promise<Snapshot> {
  withdraw();
  await publishNow(await shop.build(name, config));
  show();
  await publishNow(await shop.build(name, config));
  reprice();
  await publishNow(await shop.build(name, config));
  withdraw();
  const last = await shop.build(name, config);
  await publishNow(last);
  return last;
}

describe("a withdrawn record in a folder", () => {
  it("is in older releases until it is erased from all of them", async () => {
    const place = join(folder, "www");
    const out = join(shop.folder, "www");
    const to = pathToFileURL(place).href;
    const bucket = openDirectory(place);
    const last = await published("www", (snapshot) =>
      publish(snapshot, LOOSE, portsOf(openDirectory(place))),
    );
    // What somebody restored from a backup, and what a crash left behind.
    const stray = `api/v1/reviews/product_slug=${shop.slugs[0]}/rating=1/page=1.json`;
    for (const file of [join(place, stray), join(out, "site", stray)]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, WORD);
    }
    writeFileSync(join(place, ".vitrine/draft-1-1"), WORD);
    writeFileSync(join(out, "site/robots.txt"), "theirs");
    expect(holders(filesBelow(place)).length).toBeGreaterThan(1);
    expect(holders(filesBelow(out)).length).toBeGreaterThan(0);
    const [, ...before] = (await readLive(bucket)).releases.map(({ id }) => id);

    const planned = await erase(optionsOf("www", { to, dryRun: true }));
    expect(planned.remote?.dropped).toEqual(before);
    expect(holders(filesBelow(place)).length).toBeGreaterThan(1);

    const report = await erase(optionsOf("www", { to }));
    expect(holders(filesBelow(place))).toEqual([]);
    expect(holders(filesBelow(out))).toEqual([]);
    expect(report).toMatchObject({
      erased: "review 1",
      local: { deleted: [stray], others: ["robots.txt"] },
      remote: {
        dropped: before,
        heldBy: [
          expect.stringMatching(/^the catalog of release 00000003-/),
          expect.stringMatching(/^the catalog of release 00000002-/),
        ],
        deleted: [stray, ".vitrine/draft-1-1"],
      },
    });
    const live = await readLive(bucket);
    expect(live.releases.length).toBe(1);
    await expect(
      restoreRelease(bucket, undefined, mkdtempSync(join(folder, "back-")), SILENT),
    ).rejects.toMatchObject({
      code: "usage",
    });
    // And the shop goes on.
    reprice();
    await publish(await shop.build("www", CONFIG), LOOSE, portsOf(openDirectory(place)));
    expect((await readLive(bucket)).releases.length).toBe(2);
    last.manifest.close();
  });

  it("is gone at once if only one release is kept", async () => {
    const place = join(folder, "kept");
    const publishNow = async (keep: number) =>
      publish(await shop.build("kept", CONFIG), { ...LOOSE, keep }, portsOf(openDirectory(place)));
    withdraw();
    await publishNow(5);
    show();
    await publishNow(5);
    expect(holders(filesBelow(place)).join()).toContain(".vitrine/objects/");
    withdraw();
    await publishNow(1);
    expect(holders(filesBelow(place))).toEqual([]);
    expect(holders(filesBelow(join(shop.folder, "kept")))).toEqual([]);
  });

  it("is not erased while the store or the snapshot shows it", async () => {
    show();
    await shop.build("shown", CONFIG);
    const refused = (message: RegExp) => ({
      code: "guard_refused",
      exitCode: 6,
      message: expect.stringMatching(message),
      hint: expect.stringContaining("docs/erasing.md#if-it-refuses"),
    });
    await expect(erase(optionsOf("shown"))).rejects.toMatchObject(
      refused(/^The store still shows review 1\. Withdraw it/),
    );
    withdraw();
    await expect(erase(optionsOf("shown"))).rejects.toMatchObject(
      refused(/catalog\.sqlite still shows review 1\. The store no longer does: run vitrine build/),
    );
    await shop.build("shown", CONFIG);
    expect((await erase(optionsOf("shown"))).remote).toBeNull();
    expect(holders(filesBelow(join(shop.folder, "shown")))).toEqual([]);
  });

  it("is found by its words in any case, with or without accents and HTML, and by nothing else", async () => {
    show();
    await shop.build("words", CONFIG);
    const byWords = (text: string) => erase(optionsOf("words", { sought: { text } }));
    for (const text of ["JANE  doe", "Doe & QUIXOTICzephyr", WORD])
      await expect(byWords(text), text).rejects.toMatchObject({
        code: "guard_refused",
        message: expect.stringContaining("(review 1)"),
      });
    await expect(byWords("Jane Doe Doe")).resolves.toMatchObject({ erased: 'the words "Jane Doe Doe"' });
  });
});

describe("a withdrawn record in a bucket", () => {
  let last: Snapshot;
  const source = createFaultyMemory();
  /** The place before the snapshot without the record was published. */
  let behind = source;
  beforeAll(async () => {
    last = await published(
      "bucket",
      (snapshot) => {
        behind = copyOf();
        return publish(snapshot, LOOSE, portsOf(memoryAt(source, "shop")));
      },
      SMALL,
    );
  });
  afterAll(() => last.manifest.close());

  function copyOf(from = source): ReturnType<typeof createFaultyMemory> {
    const store = createFaultyMemory();
    for (const [key, object] of from.upstream.objects) {
      store.upstream.objects.set(key, object);
      store.shadow.set(key, object.body);
    }
    return store;
  }
  const holdersIn = (store: ReturnType<typeof createFaultyMemory>) =>
    holders([...store.upstream.objects].map(([key, { body }]) => [key, body] as const));
  const attempt = (store: FaultyStore, cdn = createMemoryCdn(), more: Partial<EraseOptions> = {}) => {
    const snapshot = { ...last, manifest: openManifest(last.layout.manifest) };
    const ports = portsOf(memoryAt(store, "shop"), { isGone: () => true, cdn: () => cdn });
    return eraseAt(ports, snapshot, optionsOf("bucket", { purge: ["memory"], ...more })).finally(() =>
      snapshot.manifest.close(),
    );
  };

  it("is gone from every object, and every CDN is purged as a whole", async () => {
    const store = copyOf();
    expect(holdersIn(store).length).toBeGreaterThan(0);
    const cdn = createMemoryCdn();
    await attempt(store, cdn);
    expect(holdersIn(store)).toEqual([]);
    expect(cdn.requests).toEqual([{ kind: "everything" }]);
    await expectLive(store.upstream, "shop", last);
    const controls = [...store.upstream.objects.keys()].filter((key) => key.includes("/.vitrine/"));
    const kept = [...(await keptObjects(memoryAt(store, "shop"))), ".vitrine/current.json"];
    expect(controls.sort()).toEqual(kept.map((key) => `shop/${key}`).sort());
    // Run again, it finds nothing, changes nothing, and purges: the user may have forgotten a CDN.
    const { release } = await readLive(memoryAt(store, "shop"));
    expect(await attempt(store, cdn)).toMatchObject({
      release,
      dropped: [],
      heldBy: [],
      putBack: [],
      deleted: [],
    });
    expect(cdn.requests.length).toBe(2);
  });

  it("is gone in the end if the first attempt was killed at any moment", async () => {
    const whole = copyOf();
    await attempt(whole);
    const changes = whole.seen.filter(isChange).length;
    for (let done = 0; done <= changes; done++) {
      const store = copyOf();
      const cdn = createMemoryCdn();
      store.fault = dyingAfter(done);
      await attempt(store, cdn).catch(() => undefined);
      store.reset();
      await attempt(store, cdn);
      const name = `killed after ${done} of ${changes} changes`;
      expect(holdersIn(store), name).toEqual([]);
      await expectLive(store.upstream, "shop", last);
      expect(store.shadow.has(`shop/${JOURNAL_KEY}`), name).toBe(false);
      expect(cdn.requests, name).toContainEqual({ kind: "everything" });
      expect((await readLive(memoryAt(store, "shop"))).releases.length, name).toBe(1);
    }
  });

  it.each([
    ["is in older releases", 1],
    ["is in no release", 999_999],
  ])("is not left in CDNs unsaid if it %s and the attempt was killed at any moment", async (_, id) => {
    const sought: Sought = { record: "review", id };
    const whole = copyOf(behind);
    await attempt(whole, createMemoryCdn(), { sought });
    const changes = whole.seen.filter(isChange).length;
    const before = (await readLive(memoryAt(behind, "shop"))).release;
    let left = 0;
    for (let done = 0; done <= changes; done++) {
      const store = copyOf(behind);
      const cdn = createMemoryCdn();
      store.fault = dyingAfter(done);
      await attempt(store, cdn, { sought }).catch(() => undefined);
      store.reset();
      const isPurged = cdn.requests.length > 0;
      if ((await readLive(memoryAt(store, "shop"))).release === before || isPurged) continue;
      left += 1;
      const next = (purge: readonly string[]) =>
        publish(
          last,
          { ...LOOSE, purge },
          portsOf(memoryAt(copyOf(store), "shop"), { isGone: () => true, cdn: () => cdn }),
        );
      const name = `killed after ${done} of ${changes} changes`;
      expect((await next([])).unpurged, name).toEqual(["memory"]);
      await next(["memory"]);
      expect(cdn.requests, name).toEqual([{ kind: "everything" }]);
    }
    expect(left).toBeGreaterThan(0);
  });

  it("is gone also if a release with it is damaged: that release is deleted unread", async () => {
    const holding = holdersIn(copyOf()).filter((key) => key.includes("/objects/"));
    expect(holding.length).toBeGreaterThan(0);
    for (const whole of holding) {
      const key = whole.slice("shop/".length);
      const store = copyOf();
      const bucket = memoryAt(store, "shop");
      const body = Buffer.from((await bucket.get(key))?.body ?? "");
      const middle = body.length >> 1;
      body.fill(0xff, middle, middle + 8);
      await bucket.put(key, body, OBJECT_HEADERS);
      const { heldBy } = await attempt(store);
      expect(heldBy.join()).toMatch(/the catalog of release 0000000[23]-/);
      expect(holdersIn(store)).toEqual([]);
      await expectLive(store.upstream, "shop", last);
      expect((await readLive(bucket)).releases.length).toBe(1);
    }
  });

  it("is not erased while a rollback holds; the message says what to do, and then it is gone", async () => {
    const store = copyOf();
    const bucket = () => memoryAt(store, "shop");
    const own = mkdtempSync(join(folder, "held-"));
    const { snapshot, id } = await restoreRelease(bucket(), undefined, own, SILENT);
    await publish(snapshot, { ...LOOSE, rollbackOf: id }, portsOf(bucket()));
    snapshot.manifest.close();
    const before = holdersIn(store);
    expect(before.join()).toContain("api/v1/reviews");
    const cdn = createMemoryCdn();
    for (const dryRun of [true, false]) {
      const refused = await attempt(store, cdn, { dryRun }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "release_held", exitCode: 6 });
      expect((refused as Error).message).toMatch(
        /^review 1 (?:was|would be) erased in .*, but not at s3:.* It is in the catalog of release 00000005-.* A rollback holds release 00000005-.*publish --to s3:\S+ --resume.* Then run this command again\.$/,
      );
      expect((refused as Error).message).toContain(dryRun ? "would be erased" : "was erased");
    }
    expect([holdersIn(store), cdn.requests]).toEqual([before, []]);
    const manifest = openManifest(last.layout.manifest);
    await publish({ ...last, manifest }, { ...LOOSE, resume: true }, portsOf(bucket()));
    manifest.close();
    await attempt(store, cdn);
    expect(holdersIn(store)).toEqual([]);
    await expectLive(store.upstream, "shop", last);
  });

  it("deletes no release if no release had it", async () => {
    const store = copyOf();
    const before = await readLive(memoryAt(store, "shop"));
    const other: Sought = { record: "review", id: 999_999 };
    expect(await attempt(store, createMemoryCdn(), { sought: other })).toMatchObject({
      dropped: [],
      heldBy: [],
    });
    expect((await readLive(memoryAt(store, "shop"))).releases).toEqual(before.releases);
  });

  it("is found in objects of others, at any key, before older releases are deleted", async () => {
    const store = copyOf();
    const bucket = memoryAt(store, "shop");
    const planted = Array.from({ length: 11 }, (_, at) => `backup/${String(at).padStart(2, "0")}.xml`);
    for (const key of planted) await bucket.put(key, Buffer.from(`<a>${WORD}</a>`), OBJECT_HEADERS);
    await bucket.put(".vitrine/copy.ndjson.gz", gzipSync(`{"id":1,"title":"${WORD}"}`), OBJECT_HEADERS);
    const before = (await readLive(bucket)).releases;
    const refused = await attempt(store).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "guard_refused", exitCode: 6 });
    expect((refused as Error).message).toContain(
      `${planted.slice(0, 10).join(", ")} and 2 more. These belong to no release`,
    );
    expect((await readLive(bucket)).releases).toEqual(before);
    await bucket.delete([...planted, ".vitrine/copy.ndjson.gz"]);
    await attempt(store);
    expect(holdersIn(store)).toEqual([]);
  });

  it("is deleted from answers that belong to no release", async () => {
    const store = copyOf();
    const bucket = memoryAt(store, "shop");
    const strays = ["api/v1/reviews/rating=1/page=7.json", `.vitrine/objects/${"0".repeat(64)}.gz`];
    for (const key of [...strays, "api/theirs.json"])
      await bucket.put(key, Buffer.from("{}"), OBJECT_HEADERS);
    const replaced = "api/v1/store.json";
    await bucket.put(replaced, Buffer.from(WORD), OBJECT_HEADERS);
    const report = await attempt(store);
    expect(report).toMatchObject({ putBack: [replaced], deleted: strays });
    expect(await bucket.get("api/theirs.json")).not.toBeNull();
    expect(holdersIn(store)).toEqual([]);
  });
});

/** Escaped by every format that has it. */
const ESCAPED = 'Größe "A" & <b>';
const FED: PublicConfig = {
  ...CONFIG,
  feeds: { sitemap: true, news: true, llms: true, jsonLd: true, google: true, bulk: true },
};

/** Keeps a file of a snapshot as it was in an older one, as a feed that no build made again. */
function makeStale({ layout }: Snapshot, key: string, bytes: Buffer): void {
  const file = join(layout.site, key);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, bytes);
  const digest = hash("sha256", bytes, "hex");
  const etag = etagOfDigest(digest);
  const db = new Database(layout.manifest);
  db.prepare(
    `INSERT OR REPLACE INTO file (key, digest, size, etag, generated_at, fingerprint, inputs, why)
     VALUES (?, ?, ?, ?, ?, '', '', '')`,
  ).run(key, digest, bytes.length, etag, toMetaTime(NOW));
  db.close();
}

describe("withdrawn texts in feeds and files of others", () => {
  const name = (title: string) => shop.sql(`UPDATE products SET name = '${title}'`);
  const fed = (more: Partial<EraseOptions> = {}, folderName = "fed") => {
    const options = optionsOf(folderName, more);
    return { ...options, inputs: { ...options.inputs, config: FED } };
  };
  const refusedFor = (keys: readonly string[]) => ({
    code: "guard_refused",
    exitCode: 6,
    message: expect.stringMatching(
      new RegExp(`^Not erased: .* still contains it, in ${keys.join(", ").replaceAll(".", "\\.")}\\. `),
    ),
  });
  const rebuilt = (out: string) =>
    buildSnapshot({ ...optionsOf(out).inputs, config: FED, full: true, allowShrink: 1000 }, SILENT);

  it("are found in each old file, and are gone once all files are made again", async () => {
    // Google takes no SVG.
    shop.sql("UPDATE product_media SET url = replace(url, '.svg', '.png')");
    name(ESCAPED);
    const shown = await shop.build("fed", FED);
    const before = new Map(filesBelow(shown.layout.site));
    shown.manifest.close();
    name("Another");
    const last = await shop.build("fed", FED);
    const after = new Map(filesBelow(last.layout.site));
    const sought = { text: ESCAPED };
    expect((await erase(fed({ sought }))).erased).toContain("Größe");
    const ending = (key: string) => key.replace(/^[^.]*/, "");
    const changed = [...before.keys()].filter((key) => {
      const isFeed = /^feeds\/(?!sitemap)|^bulk\/.*gz$/.test(key);
      return isFeed && after.get(key)?.equals(before.get(key) ?? Buffer.alloc(0)) === false;
    });
    const ofEachKind = [...new Map(changed.map((key) => [ending(key), key])).values()];
    expect(ofEachKind.map(ending).sort()).toEqual([
      ".atom",
      ".json",
      ".jsonld",
      ".ndjson.gz",
      ".tsv",
      ".xml",
    ]);
    for (const key of ofEachKind) {
      makeStale(last, key, before.get(key) ?? Buffer.alloc(0));
      await expect(erase(fed({ sought })), key).rejects.toMatchObject(refusedFor([key]));
      await expect(erase(fed({ sought, dryRun: true })), key).rejects.toMatchObject({
        code: "guard_refused",
      });
      makeStale(last, key, after.get(key) ?? Buffer.alloc(0));
    }
    const [key = ""] = changed;
    makeStale(last, key, before.get(key) ?? Buffer.alloc(0));
    await rebuilt("fed");
    await expect(erase(fed({ sought }))).resolves.toMatchObject({ local: { others: [], unread: [] } });
    last.manifest.close();
  });

  it("are not confused with Vitrine's own texts", async () => {
    (await shop.build("own", FED)).manifest.close();
    const widget = readFileSync(join(shop.folder, "own/site/widgets/reviews.js"), "utf8");
    expect(widget).toContain("Math.max");
    await expect(erase(fed({ sought: { text: "Math.max" } }, "own"))).resolves.toMatchObject({
      dryRun: false,
    });
  });

  it("are found by a record's id", async () => {
    withdraw();
    (await shop.build("texts", FED)).manifest.close();
    show();
    const shown = await shop.build("texts", FED);
    const before = new Map(filesBelow(shown.layout.site));
    shown.manifest.close();
    withdraw();
    const last = await shop.build("texts", FED);
    last.manifest.close();
    const theirs = join(last.layout.site, "theirs.html");
    writeFileSync(theirs, `<p>${WORD}</p>`);
    // Here no older release says which texts the review had: files without its id are found by words alone.
    expect((await erase(fed({}, "texts"))).mayStillHold.join()).toContain(theirs);
    const byWords = erase(fed({ sought: { text: WORD } }, "texts"));
    await expect(byWords).rejects.toMatchObject(refusedFor(["theirs.html"]));
    writeFileSync(theirs, "<p>Nothing</p>");
    const key = "bulk/review/0.ndjson.gz";
    makeStale(last, key, before.get(key) ?? Buffer.alloc(0));
    await expect(erase(fed({}, "texts"))).rejects.toMatchObject(refusedFor([key]));
    await rebuilt("texts");
    const { local, mayStillHold } = await erase(fed({}, "texts"));
    expect(local.others).toEqual(["theirs.html"]);
    expect(mayStillHold.join()).toContain(theirs);
    expect(holders(filesBelow(join(shop.folder, "texts")))).toEqual([]);
  });

  it("are found in a published folder, before older releases are deleted", async () => {
    const place = join(folder, "fed");
    const to = pathToFileURL(place).href;
    const last = await published(
      "place",
      (snapshot) => publish(snapshot, LOOSE, portsOf(openDirectory(place))),
      FED,
    );
    last.manifest.close();
    const planted: Readonly<Record<string, string>> = {
      "feeds/google-old.tsv": `1\t"say ""${WORD}"""\n`,
      ".vitrine/theirs/index.html": `<p>${WORD}</p>`,
    };
    for (const [path, text] of Object.entries({ ...planted, "theirs.txt": "theirs" })) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), text);
    }
    writeFileSync(join(place, "theirs.xml.gz"), "no gzip");
    const before = (await readLive(openDirectory(place))).releases;
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(erase(fed({ to }, "place"))).rejects.toMatchObject(
        refusedFor(["feeds/google-old.tsv", ".vitrine/theirs/index.html"]),
      );
    expect((await readLive(openDirectory(place))).releases).toEqual(before);
    for (const path of Object.keys(planted)) rmSync(join(place, path));
    const { remote, mayStillHold } = await erase(fed({ to }, "place"));
    expect(remote).toMatchObject({ others: ["theirs.txt", "theirs.xml.gz"], unread: ["theirs.xml.gz"] });
    expect(mayStillHold[0]).toBe(`files that could not be read, or are too large: ${to}/theirs.xml.gz`);
    expect(mayStillHold[1]).toContain(`${to}/theirs.txt`);
    const readable = [...filesBelow(place)].filter(([path]) => !path.endsWith("theirs.xml.gz"));
    expect(holders(readable)).toEqual([]);
  });
});

describe("vitrine erase", () => {
  it("names what it deleted and where else to look, and refuses with exit code 6", async () => {
    const out = join(shop.folder, "command");
    const place = pathToFileURL(join(folder, "command")).href;
    await published("command", (snapshot) =>
      publish(snapshot, LOOSE, portsOf(openDirectory(join(folder, "command")))),
    );
    const config = join(folder, "vitrine.config.json");
    writeFileSync(
      config,
      JSON.stringify({ baseUrl: CONFIG.baseUrl, siteUrl: CONFIG.siteUrl, endpoints: CONFIG.endpoints }),
    );
    const flags = ["--store", shop.store, "--queries", STORE_QUERIES, "--config", config, "--out", out];
    const done = await runVitrine(["erase", "review", "1", "--to", place, ...flags]);
    expect(done.err).toBe("");
    expect(done.code).toBe(0);
    expect(done.out).toMatch(
      /^erased review 1 in .*\/.* and at file:.*\n.*: deleted 0 answers .*; rewrote the catalog and the manifest\n.*: it was in the catalog of release 00000003-.*, the catalog of release 00000002-.*\ndeleted these releases, so no rollback brings it back: 00000003-/,
    );
    expect(done.out).toContain("find cache -type f -delete");
    const never = await runVitrine(["erase", "review", "999999", "--to", place, ...flags]);
    expect(never.out).toMatch(/^review 999999 was not found in .* and at file:/);
    show();
    const refused = await runVitrine(["erase", "review", "1", ...flags]);
    expect([refused.code, refused.out]).toEqual([6, ""]);
    expect(refused.err).toContain("The store still shows review 1");
    for (const wrong of [
      ["customer", "1"],
      ["review", "1", "--text", "x"],
    ])
      expect((await runVitrine(["erase", ...wrong, ...flags])).code, wrong.join(" ")).toBe(2);
  });
});
