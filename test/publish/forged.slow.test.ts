/**
 * A remote that somebody else wrote to: each object forged in many ways, against everything that reads one. It is refused by
 * its name, with exit code 5; nothing outside the place is touched, nothing is requested, and the bytes that are read end.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { shownText } from "../../src/base/text.ts";
import { restoreRelease } from "../../src/pipeline/rollback.ts";
import { type Journal, type Pointer, readLive } from "../../src/publish/documents.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { openCdn } from "../../src/publish/purge.ts";
import { checkBucket } from "../../src/publish/served.ts";
import { openDirectory } from "../../src/publish/targets/directory.ts";
import { runVitrine } from "../support/command.ts";
import { followBucket } from "../support/following.ts";
import { OPTIONS, portsOf } from "../support/publishing.ts";
import { createTinyShop, SILENT, type TinyShop } from "../support/tiny-shop.ts";

type Command = "publish" | "rollback" | "releases" | "check" | "follow";

/** What is forged: the object's name below the place, and how. */
interface Forgery {
  readonly what: string;
  readonly object: string;
  /** Those that read it, and so must refuse it. */
  readonly refusedBy: readonly Command[];
  /** True where it claims to be of a newer format: then nothing else of it is judged. */
  readonly isNewer?: boolean;
  forge(target: string): void;
}

const POINTER = ".vitrine/current.json";
const JOURNAL = ".vitrine/journal.json";
const COMMANDS: readonly Command[] = ["follow", "check", "rollback", "publish"];
const ALL: readonly Command[] = ["releases", ...COMMANDS];

const VICTIM = "../../victim";
const IDS: readonly unknown[] = [
  VICTIM,
  "..",
  "",
  "/etc",
  "00000001-0123456789ab/../../../victim",
  "00000001-0123456789ab\n",
  "00000001-0123456789AB",
  "\u0000",
  7,
  null,
  {},
  "0".repeat(1_000_000),
];
const KEYS: readonly unknown[] = [
  `${VICTIM}/a.txt`,
  "../../../victim/a.txt",
  "api/v1/../../../../victim/a.txt",
  "/etc/passwd",
  POINTER,
  ".vitrine/lock.sqlite",
  "api/v1/store.json\n",
  "api/v1/store.json/..",
  "api/v1//store.json",
  "api\\v1\\store.json",
  "api/v1/products/page=01.json",
  "api/v1/products/sort=newest/page=1.json",
  "explore/../../victim",
  "explore/.htaccess",
  "widgets/evil.js",
  "admin.html",
  "",
  "x".repeat(5000),
  "api/v1/\u001b[2Jstore.json",
  5,
  null,
];
const COUNTS: readonly unknown[] = [-1, 1.5, 2 ** 53, 1e300, "1", null, {}];
const TEXTS: readonly unknown[] = [
  "\u001b[2J\u001b[1;1H",
  "a\nerror: none",
  "\u202egnp.exe",
  "\u009b2J",
  "x".repeat(100_000),
  5,
  null,
];

let shop: TinyShop;
let folder: string;
let ready: string;
let next: Snapshot;
let listener: Server;
let requested = 0;
/** As they stand in the place that is forged. */
let pointer: Pointer;
let journal: Journal;
let deltaName: string;
let baseName: string;

beforeAll(async () => {
  listener = createServer((_, response) => {
    requested += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  // So many that a quarter of a base holds two deltas.
  shop = createTinyShop(30);
  folder = mkdtempSync(join(tmpdir(), "vitrine-forged-"));
  ready = join(folder, "ready");
  const reprice = (price: number) => {
    shop.sql(`UPDATE products SET regular_price_minor = ${price} WHERE slug = '${shop.slugs[0]}'`);
    return shop.build("forged");
  };
  for (const price of [1001, 1002, 1003])
    await publish(await reprice(price), OPTIONS, portsOf(openDirectory(ready)));
  next = await reprice(1004);
  pointer = JSON.parse(readFileSync(join(ready, POINTER), "utf8")) as Pointer;
  const [base, second] = pointer.parts;
  if (base === undefined || second?.kind !== "delta") throw new Error("a base and deltas were to be made");
  baseName = base.id;
  deltaName = `.vitrine/releases/${second.id}/delta.ndjson.gz`;
  journal = {
    format: 1,
    attempt: "a-1",
    generation: 9,
    release: "00000009-0123456789ab",
    from: pointer.release,
    holder: { host: "other", publisher: "other-1", pid: 999_999, machine: "", began: "7" },
    startedAt: "2026-06-01T00:00:00.000Z",
    leaseSeconds: 0,
    keys: ["api/v1/store.json"],
    attempted: ["00000009-0123456789ab"],
    fromParts: [],
    tags: ["vitrine-store"],
    expired: [],
    unneeded: [],
    purge: [],
  };
});
afterAll(() => {
  listener.close();
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

const address = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;

/** Everything in a folder but the place itself: paths and bytes. */
function outsideOf(room: string): string {
  return readdirSync(room, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(room, "place")))
    .sort()
    .map(
      (path) => `${path} ${existsSync(path) && !path.endsWith("victim") ? readFileSync(path, "utf8") : ""}`,
    )
    .join("\n");
}

interface Room {
  readonly room: string;
  readonly target: string;
}

let rooms = 0;

/** A copy of the place, beside which stands what nobody may touch. */
function makeRoom(): Room {
  rooms += 1;
  const room = join(folder, `room-${rooms}`);
  const target = join(room, "place/target");
  mkdirSync(join(room, "victim"), { recursive: true });
  mkdirSync(join(room, "place"), { recursive: true });
  writeFileSync(join(room, "victim/a.txt"), "not yours");
  cpSync(ready, target, { recursive: true, verbatimSymlinks: true });
  return { room, target };
}

/** Everything that reads a remote, in this process. */
async function run(command: Command, target: string, scratch: string): Promise<unknown> {
  const bucket = openDirectory(target);
  const own = mkdtempSync(join(scratch, `${command}-`));
  if (command === "releases") return readLive(bucket);
  if (command === "check") {
    // What is wrong with an object that a release is made of, a check tells among all else that is wrong.
    const { problems } = await checkBucket(bucket, own, { sample: 0, progress: () => undefined });
    if (problems.length > 0) throw new VitrineError("remote_invalid", problems.join("\n"));
    return;
  }
  if (command === "rollback") {
    const { snapshot } = await restoreRelease(bucket, undefined, own, SILENT);
    return snapshot.manifest.close();
  }
  if (command === "follow") return (await followBucket(bucket, own)).stop();
  const ports = portsOf(bucket, {
    cdn: (spec) =>
      openCdn(spec, { origin: "https://shop.example", env: { VITRINE_WEBHOOK_SECRET: "s3cret" } }),
  });
  return publish(next, { ...OPTIONS, purge: [] }, ports);
}

/** Refused, the place is as it was: its object is put back for the next. */
async function expectRefused(
  { what, object, refusedBy, isNewer = false, forge }: Forgery,
  { room, target }: Room,
): Promise<void> {
  const file = join(target, object);
  const original = existsSync(file) ? readFileSync(file) : null;
  const scratch = mkdtempSync(join(folder, "scratch-"));
  forge(target);
  const before = outsideOf(room);
  requested = 0;
  for (const command of refusedBy) {
    const error: unknown = await run(command, target, scratch).then(
      () => null,
      (failure: unknown) => failure,
    );
    const told = `${what}: ${command}: ${error instanceof Error ? error.stack : "takes it"}`;
    expect(error, told).toBeInstanceOf(VitrineError);
    const { exitCode, code, message } = error as VitrineError;
    if (isNewer) expect(code, told).toBe("newer_format");
    else expect(exitCode, told).toBe(5);
    expect(message, told).toContain(object);
    expect(outsideOf(room), told).toBe(before);
    expect(requested, told).toBe(0);
  }
  if (original === null) rmSync(file);
  else writeFileSync(file, original);
  rmSync(scratch, { recursive: true, force: true });
}

const say = (value: unknown) => JSON.stringify(value)?.slice(0, 40) ?? "nothing";

/** Writes an object anew, unzipped and zipped again where it is so. */
function rewrite(target: string, object: string, change: (text: string) => string): void {
  const file = join(target, object);
  const bytes = readFileSync(file);
  const isZipped = object.endsWith(".gz");
  const text = change((isZipped ? gunzipSync(bytes) : bytes).toString());
  writeFileSync(file, isZipped ? gzipSync(text) : text);
}

function documentForgeries(
  object: string,
  refusedBy: readonly Command[],
  valid: () => object,
  changes: readonly [string, (document: Record<string, never>) => unknown][],
): Forgery[] {
  return changes.map(([what, change]) => ({
    what: `${object}: ${what}`,
    object,
    refusedBy,
    forge(target) {
      const document = structuredClone(valid()) as Record<string, never>;
      const changed = change(document) ?? document;
      writeFileSync(join(target, object), typeof changed === "string" ? changed : JSON.stringify(changed));
    },
  }));
}

type Changes = [string, (document: Record<string, never>) => unknown][];

const set =
  (path: string, value: unknown) =>
  (document: Record<string, unknown>): void => {
    const names = path.split(".");
    const last = names.pop() ?? "";
    const at = names.reduce((inner, name) => inner[name] as Record<string, unknown>, document);
    at[last] = value;
  };
const each = (path: string, values: readonly unknown[]): Changes =>
  values.map((value) => [`${path} = ${say(value)}`, set(path, value)]);

const NOT_DOCUMENTS: Changes = [
  ["not JSON", () => "{"],
  ["empty", () => " "],
  ["null", () => "null"],
  ["a list", () => "[]"],
  ["a text", () => '"x"'],
  ["nested deeply", () => "[".repeat(100_000)],
  ...each("format", [0, -1, 1.5, 2 ** 53, 1e300, "9", null, {}, [9]]),
  ["with a field more", set("more", 1)],
  ["with __proto__", (document) => JSON.stringify(document).replace("{", '{"__proto__":{"x":1},')],
  ["longer than any", (document) => `${JSON.stringify(document)}${" ".repeat(17 * 1024 * 1024)}`],
];

/** Nothing of a newer format is judged by what this version knows: fields that it lacks, and fields of other types. */
const NEWER: Changes = [
  ["of a newer version", set("format", 99)],
  ["of a newer version, and nothing else", () => '{"format":3}'],
  [
    "of a newer version that knows more",
    (document) => JSON.stringify({ ...(document as object), format: 3, release: {}, more: [1] }),
  ],
];

const newerDocuments = (...args: Parameters<typeof documentForgeries>): Forgery[] =>
  documentForgeries(...args).map((forgery) => ({ ...forgery, isNewer: true }));

/** All commands read the pointer by one reader, which must refuse each value; so must one of the commands, in turn. */
const inTurn = (forgeries: readonly Forgery[]): Forgery[] =>
  forgeries.map((forgery, at) => ({
    ...forgery,
    refusedBy: ["releases", COMMANDS[at % COMMANDS.length] ?? "publish"],
  }));

const pointerForgeries = () => [
  ...newerDocuments(POINTER, ALL, () => pointer, NEWER),
  ...documentForgeries(POINTER, ALL, () => pointer, NOT_DOCUMENTS),
  ...inTurn(
    documentForgeries(POINTER, ALL, () => pointer, [
      ...each("release", IDS),
      ...each("releases.0.id", IDS),
      ...each("releases.1.id", IDS),
      ...each("parts.0.id", IDS),
      ...each("parts.1.id", IDS.slice(0, 6)),
      ...each("parts.1.kind", ["whole", null, {}]),
      ...each("parts.1.sizeBytes", COUNTS),
      ...each("generation", [...COUNTS, 0, 100_000_000]),
      ...each("releases.0.files", COUNTS),
      ...each("releases.0.by", TEXTS),
      ...each("releases.0.at", [...TEXTS, "yesterday"]),
      ...each("releases.0.catalogDigest", [VICTIM, "f".repeat(64), "", null]),
      ...each("releases.0.rollbackOf", IDS.slice(0, 8)),
      ...each("conditions", ["any", null]),
      ...each("service", TEXTS),
      ...each("content", [VICTIM, null, "f".repeat(63)]),
      ["without releases", set("releases", [])],
      ["without parts", set("parts", [])],
      ["with a part twice", (document) => set("parts", [...pointer.parts, ...pointer.parts])(document)],
      ...each("releases.0.catalogFormat", [0, ...COUNTS]),
    ]),
  ),
];

const journalForgeries = () => [
  ...newerDocuments(JOURNAL, ["publish"], () => journal, NEWER),
  ...documentForgeries(JOURNAL, ["publish"], () => journal, [
    ...NOT_DOCUMENTS,
    ...each("release", IDS),
    ...["expired", "unneeded", "attempted"].flatMap((path) => IDS.flatMap((id) => each(path, [[id]]))),
    ...each(
      "from",
      IDS.filter((id) => id !== null),
    ),
    ...IDS.flatMap((id) => each("fromParts", [[{ id, kind: "base", sizeBytes: 0 }]])),
    ...KEYS.flatMap((key) => each("keys", [[key]])),
    ["with too many keys", set("keys", Array(10_001).fill("api/v1/store.json"))],
    ...each("tags", [["../x"], ["vitrine-\u001b[2J"], [5], "vitrine-store"]),
    ...TEXTS.flatMap((text) => each("purge", [[text]])),
    ...each("leaseSeconds", [...COUNTS, 1e9]),
    ...each("holder.host", TEXTS),
    ...each("holder.pid", [...COUNTS, 0, -1]),
    ...each("holder.publisher", TEXTS),
    ...each("holder.began", TEXTS),
    ...each("generation", [...COUNTS, 0, 100_000_000]),
    ...each("startedAt", TEXTS),
  ]),
];

const FIELDS = ["key", "digest", "sizeBytes", "etag", "generatedAt", "headers"] as const;

function manifestForgeries(): Forgery[] {
  const object = `.vitrine/releases/${baseName}/manifest.tsv.gz`;
  const change = (what: string, to: (text: string) => string): Forgery => ({
    what: `${object}: ${what}`,
    object,
    refusedBy: ["check"],
    forge: (target) => rewrite(target, object, to),
  });
  const lineWith = (at: number, value: unknown) => (text: string) => {
    const [head, first = "", ...rest] = text.split("\n");
    const fields = first.split("\t");
    fields[at] = String(value);
    return [head, fields.join("\t"), ...rest].join("\n");
  };
  return [
    ...KEYS.filter((key) => typeof key === "string").map((key) =>
      change(`key ${say(key)}`, lineWith(0, key)),
    ),
    ...FIELDS.slice(1).flatMap((field, at) =>
      ["", "../x", "-1", "1e3", "\u001b[2J"].map((value) =>
        change(`${field} ${say(value)}`, lineWith(at + 1, value)),
      ),
    ),
    ...["0", "1 1", "x", "1e9", "-1"].map((format) =>
      change(`format ${format}`, (text) => text.replace("manifest 1", `manifest ${format}`)),
    ),
    {
      ...change("a newer format", () => "vitrine-release-manifest 9\n{}\n"),
      isNewer: true,
      // A check finds another size than the pointer's.
      refusedBy: ["rollback"],
    },
    change("cut off", (text) => text.slice(0, -5)),
    change("empty", () => ""),
    change("out of order", (text) => {
      const [head = "", ...lines] = text.trimEnd().split("\n");
      return `${[head, ...lines.reverse()].join("\n")}\n`;
    }),
    change("one endless line", (text) => text + "x".repeat(10_000_000)),
    {
      what: `${object}: no gzip`,
      object,
      refusedBy: ["check", "rollback"],
      forge: (target) => writeFileSync(join(target, object), "no gzip"),
    },
    {
      what: `${object}: half of it`,
      object,
      refusedBy: ["check", "rollback"],
      forge: (target) => {
        const bytes = readFileSync(join(target, object));
        writeFileSync(join(target, object), bytes.subarray(0, bytes.length / 2));
      },
    },
  ];
}

function deltaForgeries(): Forgery[] {
  const object = deltaName;
  const READERS: readonly Command[] = ["follow", "check", "rollback"];
  const change = (what: string, to: (lines: string[]) => string[], refusedBy = READERS): Forgery => ({
    what: `${object}: ${what}`,
    object,
    refusedBy,
    forge: (target) => rewrite(target, object, (text) => `${to(text.trimEnd().split("\n")).join("\n")}\n`),
  });
  const header = (path: string, value: unknown) =>
    change(`${path} = ${say(value)}`, ([first = "", ...lines]) => {
      const document = JSON.parse(first) as Record<string, unknown>;
      set(path, value)(document);
      return [JSON.stringify(document), ...lines];
    });
  // Who follows and who goes back read lines in a thread, which takes a while to start: for most of them one reader will do.
  const more = (line: unknown, refusedBy: readonly Command[] = ["check"]) =>
    change(
      `a line ${say(line)}`,
      (lines) => [...lines, typeof line === "string" ? line : JSON.stringify(line)],
      refusedBy,
    );
  const entry = {
    key: "api/v1/store.json",
    digest: "0".repeat(64),
    sizeBytes: 1,
    etag: `W/"${"0".repeat(32)}"`,
    generatedAt: "2026-06-01T00:00:00+00:00",
    headers: "0".repeat(16),
  };
  // A check finds another size than the pointer's.
  const newer = { isNewer: true, refusedBy: ["follow", "rollback"] as const };
  const row = { id: 1, columns: {}, list: '{"id":1}' };
  return [
    ...["", VICTIM, "f".repeat(64), null, 5].map((value) => header("from.catalog", value)),
    ...["", VICTIM, "f".repeat(64), null].map((value) => header("to.catalog", value)),
    ...[{}, null, { config: "{}", store: "{}", more: "x" }, { config: "[", store: "{}" }].map((value) =>
      header("meta", value),
    ),
    ...["\u001b[2J", null, 7].map((value) => header("vitrine", value)),
    ...[0, 1, 2 ** 53, "3", null].map((value) => header("delta", value)),
    { ...header("delta", 3), ...newer },
    { ...change("of a newer version, with other lines", () => ['{"delta":3}', "x"]), ...newer },
    more(["gone", `${VICTIM}/a.txt`], READERS),
    ...KEYS.map((key) => more(["gone", key])),
    ...KEYS.map((key) => more(["file", { ...entry, key }])),
    ...[...COUNTS].map((sizeBytes) => more(["file", { ...entry, sizeBytes }])),
    more(["file", { ...entry, more: 1 }]),
    more(["file", { ...entry, digest: VICTIM }]),
    more(["file"]),
    more(["drop", "product", 1]),
    more(["delete", "sqlite_schema", 1]),
    more(["delete", "product", "1; DROP TABLE product"]),
    more(["delete", "product", 2 ** 53]),
    more(["delete", "product", 1, 2]),
    more(["put", "product", { ...row, list: "not json" }]),
    more(["put", "product", { ...row, columns: { password: "x" } }]),
    more(["put", "product", { ...row, columns: { slug: {} } }]),
    more(["put", "product", { ...row, more: 1 }]),
    more(["list", "product", { ...row, id: -1 }]),
    more(["put", "constructor", row]),
    more(["put", "__proto__", row]),
    more([["put"], "product", row]),
    more("{}"),
    more("null"),
    more("no json"),
    more("[".repeat(100_000)),
    change("one line of 40 MB", (lines) => [...lines, `["gone","${"x".repeat(40_000_000)}"]`]),
    change("no lines", () => [""]),
    {
      what: `${object}: 70 MB of nothing in 70 kB`,
      object,
      refusedBy: READERS,
      forge: (target) => writeFileSync(join(target, object), gzipSync(Buffer.alloc(70_000_000))),
    },
    {
      what: `${object}: no gzip`,
      object,
      refusedBy: READERS,
      forge: (target) => writeFileSync(join(target, object), "no gzip"),
    },
  ];
}

function catalogForgeries(): Forgery[] {
  const object = `.vitrine/releases/${baseName}/catalog.sqlite.gz`;
  const READERS: readonly Command[] = ["follow"];
  const change = (what: string, to: (db: Database.Database) => void): Forgery => ({
    what: `${object}: ${what}`,
    object,
    refusedBy: READERS,
    forge(target) {
      const file = join(target, "..", "forged.sqlite");
      writeFileSync(file, gunzipSync(readFileSync(join(target, object))));
      const db = new Database(file);
      to(db);
      db.close();
      writeFileSync(join(target, object), gzipSync(readFileSync(file)));
      for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
    },
  });
  const run = (sql: string) => change(sql, (db) => void db.exec(sql));
  const bytes = (what: string, to: (zipped: Buffer) => Buffer): Forgery => ({
    what: `${object}: ${what}`,
    object,
    refusedBy: READERS,
    forge: (target) => writeFileSync(join(target, object), to(readFileSync(join(target, object)))),
  });
  return [
    run("UPDATE product_list SET json = replace(json, 'a', 'e')"),
    run("UPDATE product SET featured = 1 - featured"),
    run("DELETE FROM product WHERE id = (SELECT min(id) FROM product)"),
    run("INSERT INTO product_list VALUES (99999, '{\"id\":99999}')"),
    run("INSERT INTO document VALUES (99999, 'a', 'b', 'c')"),
    run("UPDATE meta SET value = '{}' WHERE name = 'config'"),
    run("UPDATE meta SET value = '[' WHERE name = 'store'"),
    ...["x", "0", "-1", "1.5", "1e3", "9".repeat(30)].map((format) =>
      run(`UPDATE meta SET value = '${format}' WHERE name = 'format'`),
    ),
    { ...run("UPDATE meta SET value = '9' WHERE name = 'format'; DROP TABLE product"), isNewer: true },
    run(
      "DROP TABLE meta; CREATE VIEW meta AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'format' AS name, '9' AS value FROM n",
    ),
    run("UPDATE meta SET value = 'yesterday' WHERE name = 'generated_at'"),
    run(`UPDATE meta SET value = '${"f".repeat(64)}' WHERE name = 'digest'`),
    run(`UPDATE meta SET value = '${"f".repeat(64)}' WHERE name = 'rows'`),
    run("INSERT INTO meta VALUES ('more', 'x')"),
    run("DELETE FROM meta"),
    run("CREATE TRIGGER evil AFTER INSERT ON product BEGIN DELETE FROM product; END"),
    run("CREATE VIEW evil AS SELECT * FROM product"),
    run("CREATE TABLE evil (id INTEGER)"),
    run("CREATE INDEX evil ON product (abs(id))"),
    run("DROP TABLE product; CREATE VIEW product AS SELECT 1 AS id"),
    run("DROP INDEX product_slug"),
    run("PRAGMA journal_mode = WAL"),
    bytes("no gzip", () => Buffer.from("no gzip")),
    bytes("no database", () => gzipSync("no database")),
    bytes("half of it", (zipped) => zipped.subarray(0, zipped.length / 2)),
    bytes("pages of others", (zipped) => {
      const file = gunzipSync(zipped);
      file.fill(0xff, 8192, 3 * 8192);
      return gzipSync(file);
    }),
    bytes("200 MB of nothing in 200 kB", () => gzipSync(Buffer.alloc(200_000_000))),
    bytes("more than the pointer says", (zipped) => Buffer.concat([zipped, Buffer.alloc(1_000_000)])),
  ];
}

describe("a forged remote", () => {
  it.each([
    ["pointer", pointerForgeries],
    ["journal", journalForgeries],
    ["manifest", manifestForgeries],
    ["delta", deltaForgeries],
    ["catalog", catalogForgeries],
  ] as const)(
    "is refused by its object's name, and touches nothing: the %s",
    async (_, forgeries) => {
      const failures: string[] = [];
      const all = forgeries();
      let room = makeRoom();
      for (const forgery of all) {
        await expectRefused(forgery, room).catch((error: Error) => {
          failures.push(error.message.slice(0, 600));
          room = makeRoom();
        });
      }
      expect(failures, `${failures.length} of ${all.length}`).toEqual([]);
    },
    600_000,
  );
});

/** As an attacker's journal: of the live release, with deletions, and places to purge. */
function forgeJournal(target: string, change: Partial<Journal>): void {
  writeFileSync(join(target, JOURNAL), JSON.stringify({ ...journal, ...change }));
}

/** What a terminal obeys, and what turns the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe("a purge that a journal names", () => {
  it.each(["committed", "not committed"])(
    "is not made where this run does not name it: %s",
    async (state) => {
      const { target } = makeRoom();
      const place = `webhook:${address()}/hook?token=s3cret`;
      const release = state === "committed" ? pointer.release : journal.release;
      forgeJournal(target, { release, attempted: [release], purge: [place, "cloudflare:evil"] });
      requested = 0;
      const report = await run("publish", target, mkdtempSync(join(folder, "scratch-")));
      expect(requested).toBe(0);
      // The rest of an address may be a secret.
      expect(report).toMatchObject({
        outcome: "published",
        unpurged: [`webhook:${address()}`, "cloudflare:evil"],
        purges: [],
      });
      expect(existsSync(join(target, JOURNAL))).toBe(false);
    },
  );
});

describe("a fallback that follows", () => {
  it("reads a release that it refuses once, and the next one again", async () => {
    const { target } = makeRoom();
    const bucket = openDirectory(target);
    let fetched = 0;
    const counting = {
      ...bucket,
      getFile: (...args: Parameters<typeof bucket.getFile>) => {
        fetched += 1;
        return bucket.getFile(...args);
      },
    };
    const followed = await followBucket(counting, mkdtempSync(join(folder, "follow-")));
    await publish(next, OPTIONS, portsOf(openDirectory(target)));
    const { release } = await readLive(bucket);
    const delta = `.vitrine/releases/${release}/delta.ndjson.gz`;
    const honest = readFileSync(join(target, delta));
    writeFileSync(join(target, delta), gzipSync(`${"x".repeat(40_000_000)}\n`));
    const refused = { code: "remote_invalid", message: expect.stringContaining(delta) };
    await expect(followed.look()).rejects.toMatchObject(refused);
    fetched = 0;
    for (let look = 0; look < 3; look++) await expect(followed.look()).rejects.toMatchObject(refused);
    expect(fetched).toBe(0);
    // Another pointer is another try.
    writeFileSync(join(target, delta), honest);
    rewrite(target, POINTER, (text) => text.replace(/"attempt":"[^"]+"/, '"attempt":"another"'));
    expect(await followed.look()).toBe(true);
    await followed.stop();
  });
});

describe("commands", () => {
  it("say what is forged with exit code 5, as nobody's fault here, and show nothing that steers a terminal", async () => {
    const forge = (target: string, name: string, value: unknown) =>
      rewrite(target, name, (text) => {
        const document = JSON.parse(text) as Record<string, unknown>;
        set("release", value)(document);
        return JSON.stringify(document);
      });
    const { target } = makeRoom();
    forge(target, POINTER, `${VICTIM}\u001b[2J\u009b1;1H\u202e`);
    const to = ["--to", `file://${target}`];
    const out = ["--out", join(shop.folder, "forged")];
    for (const args of [
      ["rollback", ...to, "--list"],
      ["publish", ...to, ...out],
      ["rollback", ...to],
      ["check", "--remote", `file://${target}`],
      ["diff", `file://${target}`, join(shop.folder, "forged")],
    ]) {
      const { code, out: said, err } = await runVitrine(args);
      expect([code, args[0], err]).toEqual([5, args[0], expect.stringContaining(POINTER)]);
      expect(err).toContain("remote_invalid");
      expect(said + err).not.toMatch(STEERING);
    }
  });

  it("show nothing that steers a terminal of what a store's own words hold", () => {
    expect(shownText("a\u001b[31mb\u009bc\u202ed\u0000e\r\nf\tg")).toBe("a[31mbcde\nf\tg");
  });
});
