/**
 * A place that an attacker wrote to: each document forged in many ways, against every command that reads one. A forgery is refused by
 * its name, with exit code 5, and nothing changes; or the command ends correctly in spite of it. In any case nothing outside the place is
 * requested or changed, nor any key in it that this version could not make, and no bomb uses up the memory.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { shownText } from "../../src/base/text.ts";
import type { Journal, Pointer } from "../../src/publish/documents.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { openCdn } from "../../src/publish/purge.ts";
import { releaseSource } from "../../src/publish/release-source.ts";
import { MAX_CONTENT_BYTES, objectKey } from "../../src/release/objects.ts";
import { MAX_ENTRIES_BYTES } from "../../src/release/partitions.ts";
import { MAX_INDEX_BYTES, type ReleaseIndex } from "../../src/release/release-index.ts";
import { runVitrine } from "../support/command.ts";
import {
  COMMANDS,
  type Command,
  ForgedPlace,
  JOURNAL,
  MemoryFollower,
  POINTER,
  PREFIX,
  runCommand,
} from "../support/forged-place.ts";
import type { MemoryStore } from "../support/memory-bucket.ts";
import {
  createFaultyMemory,
  expectLive,
  expectObjects,
  memoryAt,
  OPTIONS,
  portsOf,
} from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

interface Forgery {
  readonly what: string;
  /** Writes the forgery and returns what errors name; by default the document of the whole place that `what` begins with. */
  forge(place: ForgedPlace): string;
  /** Commands that must refuse it. */
  readonly refusedBy: readonly Command[];
  /** Commands that must end correctly: what they publish is live afterwards, and its objects exist. */
  readonly repairedBy?: readonly Command[];
  readonly code?: "newer_format" | "remote_failed";
  /** What errors name instead. */
  readonly named?: string;
}

const WRITERS: readonly Command[] = ["publish", "repair", "erase"];
const MB = 1024 * 1024;
/** The most time and memory of a command, whatever is forged. */
const MOST_GROWTH_BYTES = 640 * MB;

/** What errors say of an object that is longer than allowed: it is not even unzipped. */
const TOO_LONG = "it cannot be unzipped";

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
const NAMES: readonly unknown[] = [
  VICTIM,
  "",
  `../${"0".repeat(61)}`,
  "0".repeat(63),
  "0".repeat(65),
  "F".repeat(64),
  `${"0".repeat(64)}\n`,
  7,
  {},
  ["0".repeat(64)],
];
const KEYS: readonly unknown[] = [
  `${VICTIM}/a.txt`,
  "../../../victim/a.txt",
  "api/v1/../../../../victim/a.txt",
  "/etc/passwd",
  POINTER,
  ".vitrine/notes.txt",
  "private/notes.txt",
  "robots.txt\n",
  "api/v1/store.json\n",
  "api/v1/store.json/..",
  "api/v1//store.json",
  "api\\v1\\store.json",
  "api/v1/products/page=01.json",
  "api/v1/products/sort=newest/page=1.json",
  "explore/../../victim",
  "explore/.htaccess",
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
let ready: MemoryStore["objects"];
/** The live content, and what a publish makes of it. */
let live: Snapshot;
let next: Snapshot;
let listener: Server;
let requested = 0;
let pointer: Pointer;
let journal: Journal;
/** Indexes of an interrupted publish, and of a release that is no longer kept. */
let liveIndex: string;

beforeAll(async () => {
  listener = createServer((_, response) => {
    requested += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  shop = createTinyShop(8);
  folder = mkdtempSync(join(tmpdir(), "vitrine-forged-"));
  const store = createFaultyMemory();
  const reprice = (price: number, name: string) => {
    shop.sql(`UPDATE products SET regular_price_minor = ${price} WHERE slug = '${shop.slugs[0]}'`);
    return shop.build(name);
  };
  for (const price of [1001, 1002]) {
    live = await reprice(price, "live");
    await publish(live, OPTIONS, portsOf(memoryAt(store, PREFIX)));
  }
  next = await reprice(1003, "next");
  rmSync(live.layout.places, { recursive: true });
  ready = new Map(store.upstream.objects);
  pointer = JSON.parse(ready.get(`${PREFIX}/${POINTER}`)?.body.toString() ?? "") as Pointer;
  liveIndex = pointer.releases[0]?.index ?? "";
  const manifest = indexOf(new ForgedPlace(ready), liveIndex).manifest;
  if (manifest.filter((name) => name !== null).length < 2) throw new Error("the manifest is one partition");
  journal = {
    format: 1,
    attempt: "a-1",
    generation: 9,
    release: "00000009-0123456789ab",
    from: liveIndex,
    holder: { host: "other", publisher: "other-1", pid: 999_999, machine: "", began: "7" },
    startedAt: "2026-06-01T00:00:00.000Z",
    leaseSeconds: 0,
    attempted: [],
    expired: [],
    purge: [],
  };
});
afterAll(() => {
  listener.close();
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

const address = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
const indexOf = (place: ForgedPlace, name: string) => JSON.parse(place.readObject(name)) as ReleaseIndex;

const say = (value: unknown) => JSON.stringify(value)?.slice(0, 40) ?? "nothing";

type Document = Record<string, unknown>;
type Change = (document: Document) => unknown;
type Changes = readonly (readonly [what: string, change: Change])[];

const set =
  (path: string, value: unknown): Change =>
  (document) => {
    const names = path.split(".");
    const last = names.pop() ?? "";
    const at = names.reduce((inner, name) => inner[name] as Document, document);
    at[last] = value;
    return document;
  };
const each = (path: string, values: readonly unknown[]): Changes =>
  values.map((value) => [`${path} = ${say(value)}`, set(path, value)]);

const NOT_DOCUMENTS: Changes = [
  ["not JSON", () => "{"],
  ["empty", () => " "],
  ["null", () => "null"],
  ["a list", () => "[]"],
  ["a string", () => '"x"'],
  ["nested deeply", () => "[".repeat(100_000)],
  [
    "deeply nested, and complete",
    (document) => JSON.stringify(document).replace("{", `{"x":${"[".repeat(50_000)}${"]".repeat(50_000)},`),
  ],
  ...each("format", [0, -1, 1.5, 2 ** 53, 1e300, "9", null, {}, [9]]),
  ["with an extra field", set("more", 1)],
  ["with __proto__", (document) => JSON.stringify(document).replace("{", '{"__proto__":{"x":1},')],
];
const NOT_CONTROLS: Changes = [
  ...NOT_DOCUMENTS,
  ["longer than allowed", (document) => `${JSON.stringify(document)}${" ".repeat(17 * MB)}`],
  ["16 MB of brackets", () => "[".repeat(16 * MB - 1)],
];

/** A newer format must not be judged by what this version knows: it may lack fields, or have other types. */
const NEWER: Changes = [
  ["of a newer version", set("format", 99)],
  ["of a newer version, without anything else", () => '{"format":3}'],
  [
    "of a newer version with more fields",
    (document) => ({ ...document, format: 3, release: {}, catalog: {}, more: [1] }),
  ],
];

const textOf = (changed: unknown) => (typeof changed === "string" ? changed : JSON.stringify(changed));

/** All commands use the same reader, so one command in turn is enough for each value. */
const inTurn = (forgeries: readonly Forgery[], commands: readonly Command[]): Forgery[] =>
  forgeries.map((forgery, at) => ({ ...forgery, refusedBy: [commands[at % commands.length] ?? "publish"] }));

function documents(
  key: string,
  valid: () => object,
  changes: Changes,
  more: Pick<Forgery, "refusedBy" | "code">,
): Forgery[] {
  return changes.map(([what, change]) => ({
    what: `${key}: ${what}`,
    ...more,
    forge(place) {
      place.write(key, textOf(change(structuredClone(valid()) as Document)));
      return key;
    },
  }));
}

function pointerForgeries(): Forgery[] {
  const values: Changes = [
    ...each("release", IDS),
    ...each("releases.0.id", IDS),
    ...each("releases.1.id", IDS),
    ...each("releases.0.index", NAMES),
    ...each("releases.1.index", NAMES),
    ...each("generation", [...COUNTS, 0, 100_000_000]),
    ...each("attempt", ["", "a b", "../x", "x".repeat(65), 5, null]),
    ...each("releases.0.files", COUNTS),
    ...each("releases.0.by", TEXTS),
    ...each("releases.0.at", [...TEXTS, "yesterday"]),
    ...each("releases.0.catalogDigest", [VICTIM, "f".repeat(64), "", null]),
    ...each("releases.0.rollbackOf", IDS.slice(0, 8)),
    ...each("releases.0.catalogFormat", [0, ...COUNTS]),
    ...each("conditions", ["any", null]),
    ...each("service", TEXTS),
    ...each("headerPolicy", TEXTS),
    ...each("content", [VICTIM, null, "f".repeat(63)]),
    ...each("held", [false, 1, "true"]),
    ["without releases", set("releases", [])],
    ["a number as the releases", set("releases", 1e9)],
    ["a release with an extra field", set("releases.0.more", 1)],
    [
      "5,001 releases",
      (document) => set("releases", Array(5001).fill((document["releases"] as unknown[])[0]))(document),
    ],
    [
      "another release first",
      (document) => set("releases", (document["releases"] as unknown[]).toReversed())(document),
    ],
  ];
  return [
    ...documents(POINTER, () => pointer, NEWER, { refusedBy: COMMANDS, code: "newer_format" }),
    ...inTurn(
      documents(POINTER, () => pointer, [...NOT_CONTROLS, ...values], { refusedBy: [] }),
      COMMANDS,
    ),
  ];
}

function journalForgeries(): Forgery[] {
  const values: Changes = [
    ...each("release", IDS),
    ...each("from", NAMES),
    ...["expired", "attempted"].flatMap((path) => [...NAMES, null].flatMap((name) => each(path, [[name]]))),
    ["5,001 attempts", set("attempted", Array(5001).fill("0".repeat(64)))],
    ...TEXTS.flatMap((text) => each("purge", [[text]])),
    ["101 places to purge", set("purge", Array(101).fill("webhook:https://a.example"))],
    ...each("leaseSeconds", [...COUNTS, 1e9]),
    ...each("holder.host", TEXTS),
    ...each("holder.pid", [...COUNTS, 0, -1]),
    ...each("holder.publisher", TEXTS),
    ...each("holder.began", TEXTS),
    ...each("generation", [...COUNTS, 0, 100_000_000]),
    ...each("startedAt", TEXTS),
    ...each("purgesAll", [false, "yes"]),
  ];
  return [
    ...documents(JOURNAL, () => journal, NEWER, { refusedBy: WRITERS, code: "newer_format" }),
    ...inTurn(
      documents(JOURNAL, () => journal, [...NOT_CONTROLS, ...values], { refusedBy: [] }),
      WRITERS,
    ),
    {
      what: "a journal with the last possible number",
      refusedBy: ["publish"],
      forge(place) {
        place.write(JOURNAL, JSON.stringify({ ...journal, generation: 99_999_999 }));
        return "no release number left";
      },
    },
  ];
}

/** Valid journals with content that no publish writes: commands end, and the live release is complete. */
function lyingJournals(): Forgery[] {
  const change = (what: string, to: (place: ForgedPlace) => Partial<Journal>): Forgery => ({
    what: `a journal with ${what}`,
    refusedBy: [],
    repairedBy: WRITERS,
    forge(place) {
      place.write(JOURNAL, JSON.stringify({ ...journal, ...to(place) }));
      return JOURNAL;
    },
  });
  const objectsOf = (place: ForgedPlace) => {
    const { lists, manifest } = indexOf(place, liveIndex);
    return [...Object.values(lists).flat(), ...manifest].filter((name) => name !== null);
  };
  const older = pointer.releases[1]?.index ?? "";
  const all = [
    change("nothing", () => ({})),
    change("a number far ahead", () => ({ generation: 99_999_997 })),
    change("an attempt that does not exist", () => ({ attempted: ["0".repeat(64)] })),
    change("a thousand attempts that do not exist", () => ({
      attempted: Array.from({ length: 1000 }, (_, at) => String(at).padStart(64, "0")),
    })),
    change("the live index as an attempt", () => ({ attempted: [liveIndex] })),
    change("an older index as an attempt", () => ({ attempted: [older, liveIndex] })),
    change("the live index as expired", () => ({ expired: [liveIndex] })),
    change("the live index as expired, and itself as live", () => ({
      expired: [liveIndex, older],
      release: pointer.release,
    })),
    change("objects of the live release as expired", (place) => ({ expired: objectsOf(place) })),
    change("objects of the live release as expired, and itself as live", (place) => ({
      expired: objectsOf(place),
      release: pointer.release,
    })),
    change("no predecessor, and itself as live", () => ({ from: null, release: pointer.release })),
    change("a missing predecessor, and itself as live", () => ({
      from: "0".repeat(64),
      release: pointer.release,
    })),
    change("an attempt with foreign keys", (place) => {
      const index = indexOf(place, liveIndex);
      const entry = ["widgets/reviews.js", `W/"${"0".repeat(32)}"`, 1, "2026-06-01T00:00:00+00:00"];
      const name = place.putObject(`${JSON.stringify(entry)}\n`);
      return { attempted: [place.putObject(JSON.stringify({ ...index, manifest: [name] }))] };
    }),
    change("a hold", () => ({ held: true as const, release: pointer.release })),
  ];
  return all.map((forgery, at) => ({
    ...forgery,
    repairedBy: WRITERS.filter((_, i) => i === at % WRITERS.length),
  }));
}

/** Gives all releases of the place other indexes. */
function changeIndexes(place: ForgedPlace, change: Change, which: "all" | "live" = "all"): string {
  let named = "";
  const releases = pointer.releases.map((release, at) => {
    if (which === "live" && at > 0) return release;
    const index = place.putObject(
      textOf(change(structuredClone(indexOf(place, release.index)) as unknown as Document)),
    );
    if (at === 0) named = index;
    return { ...release, index };
  });
  place.write(POINTER, JSON.stringify({ ...pointer, releases }));
  return which === "all" ? "/objects/" : objectKey(named);
}

const manyNulls = (count: number) => Array(count).fill(null);
const manyNames = (count: number) => Array.from({ length: count }, (_, at) => String(at).padStart(64, "0"));

function indexForgeries(): Forgery[] {
  const anyOf = (changes: Changes, more: Partial<Forgery> = {}): Forgery[] =>
    changes.map(([what, change]) => ({
      what: `an index ${what}`,
      refusedBy: ["follow", "check", "rollback", "publish"],
      repairedBy: ["repair", "erase"],
      forge: (place) => changeIndexes(place, change),
      ...more,
    }));
  const values: Changes = [
    ...NAMES.flatMap((name) => each("manifest.0", [name])),
    ...NAMES.slice(0, 5).flatMap((name) => each("lists.product.0", [name])),
    ...each("manifest", [null, {}, manyNulls(3), "x"]),
    ...each("lists.product", [[], null, {}, manyNulls(3), manyNulls(2 ** 17)]),
    ["the lists missing", set("lists", {})],
    ["a list more", set("lists.password", [null])],
    [
      "the list __proto__",
      (document) => JSON.stringify(document).replace('"lists":{', '"lists":{"__proto__":[null],'),
    ],
    [
      "one name twice",
      (document) => set("manifest", Array(2).fill((document["manifest"] as unknown[])[0]))(document),
    ],
    ...each("catalog.digest", [VICTIM, "", null]),
    ...each("catalog.format", [0, -1, 1.5, "1", null]),
    ...each("catalog.generatedAt", ["yesterday", "\u001b[2J", null]),
    ...each("catalog.config", [[], null, "x"]),
    ...each("catalog.config", [{}, { baseUrl: 5 }]),
    ...each("catalog.store", [[], null, "x"]),
    ["a missing catalog", set("catalog", null)],
  ];
  const otherCatalogs: Changes = [
    ["with the digest of another catalog", set("catalog.digest", "f".repeat(64))],
    ["with another store", set("catalog.store", { name: "Another" })],
    ["with a list of nulls", set("lists.product", manyNulls(2 ** 16))],
    [
      "with nothing but nulls",
      (index) =>
        set(
          "lists",
          Object.fromEntries(Object.keys(index["lists"] as object).map((list) => [list, manyNulls(2 ** 16)])),
        )(index),
    ],
  ];
  const bomb = (what: string, content: () => Buffer): Forgery => ({
    what: `an index ${what}`,
    refusedBy: ["follow", "publish"],
    repairedBy: ["repair"],
    forge(place) {
      const name = place.putObject(content());
      place.write(
        POINTER,
        JSON.stringify({ ...pointer, releases: pointer.releases.map((each) => ({ ...each, index: name })) }),
      );
      return objectKey(name);
    },
  });
  const bytes = (what: string, to: (zipped: Buffer) => Buffer): Forgery => ({
    what: `an index ${what}`,
    refusedBy: ["follow", "check", "publish"],
    repairedBy: ["repair"],
    forge(place) {
      place.write(objectKey(liveIndex), to(place.read(objectKey(liveIndex))));
      return objectKey(liveIndex);
    },
  });
  return [
    ...anyOf(NEWER, {
      refusedBy: COMMANDS.filter((command) => command !== "releases"),
      repairedBy: [],
      code: "newer_format",
    }),
    ...inTurnMended([...anyOf(NOT_DOCUMENTS), ...anyOf(values)]),
    ...inTurnMended([
      { ...bomb("longer than allowed", () => Buffer.alloc(MAX_INDEX_BYTES + 1)), named: TOO_LONG },
      bomb("of 20 MB of brackets", () => Buffer.alloc(20 * MB, "[")),
      bomb("of 20 MB of one text", () => Buffer.concat([Buffer.from('"'), Buffer.alloc(20 * MB, "x")])),
    ]),
    bytes("that is not gzip", () => Buffer.from("no gzip")),
    bytes("of nothing", () => Buffer.alloc(0)),
    bytes("cut off", (zipped) => zipped.subarray(0, zipped.length / 2)),
    bytes("that is another object", () => gzipSync("{}")),
    bytes("with bytes after its end", (zipped) => Buffer.concat([zipped, Buffer.alloc(1000, 7)])),
    // A different catalog is only noticed once its records are there.
    ...otherCatalogs.map(
      ([what, change]): Forgery => ({
        what: `an index ${what}`,
        refusedBy: ["follow", "rollback"],
        repairedBy: ["publish"],
        forge(place) {
          changeIndexes(place, change);
          return "cannot be used";
        },
      }),
    ),
    {
      what: "an index that names missing objects",
      refusedBy: ["follow", "rollback", "publish"],
      repairedBy: ["repair"],
      code: "remote_failed",
      forge: (place) =>
        changeIndexes(place, (index) =>
          set("manifest", manyNames(256))(set("lists.product", manyNames(64))(index) as Document),
        ),
    },
  ];
}

/** For forgeries that the same readers meet, one command that refuses and one that repairs is enough. */
function inTurnMended(forgeries: readonly Forgery[]): Forgery[] {
  return forgeries.map((forgery, at) => {
    const { refusedBy, repairedBy = [] } = forgery;
    const chosen = (commands: readonly Command[]) => commands.filter((_, i) => i === at % commands.length);
    return { ...forgery, refusedBy: chosen(refusedBy), repairedBy: at % 8 === 0 ? chosen(repairedBy) : [] };
  });
}

const ETAG = `W/"${"0".repeat(32)}"`;
const TIME = "2026-06-01T00:00:00+00:00";

function entryForgeries(): Forgery[] {
  /** Every release has one manifest with one partition. */
  const manifest = (what: string, content: (lines: string[]) => string | Buffer): Forgery => ({
    what: `a manifest ${what}`,
    refusedBy: ["check", "rollback", "publish"],
    repairedBy: ["repair", "erase"],
    forge(place) {
      const { manifest: names } = indexOf(place, liveIndex);
      const lines = names.flatMap((name) =>
        name === null ? [] : place.readObject(name).trimEnd().split("\n"),
      );
      const name = place.putObject(content(lines.sort()));
      changeIndexes(place, set("manifest", [name]));
      return objectKey(name);
    },
  });
  const line = (value: unknown) =>
    manifest(`with ${say(value)}`, () => `${typeof value === "string" ? value : JSON.stringify(value)}\n`);
  const entry = (at: number, value: unknown) =>
    line(["api/v1/store.json", ETAG, 1, TIME].with(at, value as never));
  const bombs = [
    {
      ...manifest("of line ends, longer than allowed", () => Buffer.alloc(MAX_ENTRIES_BYTES + 1, "\n")),
      named: TOO_LONG,
    },
    manifest("of 4 MB of line ends", () => Buffer.alloc(MAX_ENTRIES_BYTES, "\n")),
    manifest("of 4 MB of brackets", () => Buffer.alloc(MAX_ENTRIES_BYTES, "[")),
    {
      ...manifest("of one line, longer than allowed", () => `["${"x".repeat(MAX_ENTRIES_BYTES)}`),
      named: TOO_LONG,
    },
  ];
  return [
    ...inTurnMended([
      ...KEYS.map((key) => entry(0, key)),
      ...["", "../x", '"0"', `${ETAG}\n`, 5, null].map((etag) => entry(1, etag)),
      ...COUNTS.map((sizeBytes) => entry(2, sizeBytes)),
      ...["", "\u001b[2J", "yesterday", 5, null].map((time) => entry(3, time)),
      line(["api/v1/store.json", ETAG, 1, TIME, "more"]),
      line(["api/v1/store.json", ETAG, 1]),
      line({ key: "api/v1/store.json" }),
      line("null"),
      line("no json"),
      line("[".repeat(100_000)),
      line(
        `${JSON.stringify(["api/v1/store.json", ETAG, 1, TIME])}\n${JSON.stringify(["api/v1/store.json", ETAG, 1, TIME])}`,
      ),
      manifest("cut off", (lines) => lines.join("\n").slice(0, -5)),
      manifest("without its last line end", (lines) => lines.join("\n")),
      manifest("out of order", (lines) => `${lines.toReversed().join("\n")}\n`),
      manifest("of nothing", () => ""),
      manifest("of another partition", () => Buffer.from([0xff, 0xfe, 0x0a])),
    ]),
    ...bombs.map((bomb) => ({ ...bomb, refusedBy: ["publish"] as const, repairedBy: [] })),
    {
      what: "a manifest with swapped partitions",
      refusedBy: ["check", "rollback", "publish"],
      repairedBy: ["repair"],
      forge: (place) =>
        changeIndexes(place, (index) =>
          set("manifest", (index["manifest"] as unknown[]).toReversed())(index),
        ),
    },
    {
      what: "a manifest with one key in two partitions",
      refusedBy: ["check", "rollback", "publish"],
      repairedBy: ["repair"],
      forge: (place) =>
        changeIndexes(place, (index) => {
          const [first = ""] = index["manifest"] as string[];
          const again = place.putObject(`${place.readObject(first).split("\n")[0]}\n`);
          return set("manifest", [first, again])(index);
        }),
    },
    ...(["no gzip", "another object", "nothing"] as const).map(
      (what): Forgery => ({
        what: `a partition of the manifest that is ${what}`,
        refusedBy: what === "nothing" ? ["check", "publish", "rollback"] : ["check", "publish"],
        repairedBy: ["repair", "erase"],
        ...(what === "nothing" && { code: "remote_failed" as const }),
        forge(place) {
          const names = new Set(pointer.releases.flatMap(({ index }) => indexOf(place, index).manifest));
          for (const name of names) {
            if (name === null) continue;
            if (what === "nothing") place.remove(objectKey(name));
            else place.write(objectKey(name), what === "no gzip" ? Buffer.from("no gzip") : gzipSync("[]\n"));
          }
          return "/objects/";
        },
      }),
    ),
  ];
}

function recordForgeries(): Forgery[] {
  /** All products of all releases are in one partition. */
  const products = (what: string, content: (lines: string[]) => string | Buffer): Forgery => ({
    what: `records ${what}`,
    refusedBy: ["follow", "rollback"],
    repairedBy: ["publish", "erase"],
    forge(place) {
      const { lists } = indexOf(place, liveIndex);
      const lines = lists.product.flatMap((name) =>
        name === null ? [] : place.readObject(name).trimEnd().split("\n"),
      );
      const name = place.putObject(content(lines));
      changeIndexes(place, set("lists.product", [name]));
      return "product records, ";
    },
  });
  const changed = (what: string, change: Change) =>
    products(
      what,
      ([first = "", ...lines]) => `${[textOf(change(JSON.parse(first) as Document)), ...lines].join("\n")}\n`,
    );
  const line = (value: string) =>
    products(`with the line ${value.slice(0, 40)}`, (lines) => `${[...lines, value].join("\n")}\n`);
  return [
    ...inTurnMended([
      ...each("id", [-1, 0, 1.5, 2 ** 53, "1; DROP TABLE product", null, {}]).map(([what, change]) =>
        changed(what, change),
      ),
      ...each("slug", [5, null, {}, "../../victim", "", "A b"]).map(([what, change]) =>
        changed(what, change),
      ),
      ...each("name", [5, null, []]).map(([what, change]) => changed(what, change)),
      ...each("price", ["x", [], { amount: "NaN" }]).map(([what, change]) => changed(what, change)),
      changed("with a field more", set("password", "x")),
      changed("with __proto__", (record) => JSON.stringify(record).replace("{", '{"__proto__":{"x":1},')),
      ...each("_row", [null, 5, [], { password: "x" }, { id: 5 }]).map(([what, change]) =>
        changed(what, change),
      ),
      ...["null", "5", "[]", '"x"', "{}", "no json", "", " ", "[".repeat(100_000), `{"id":1e9}`].map(line),
      products("of nothing", () => ""),
      products("of line ends", () => "\n\n\n"),
      products("cut off", (lines) => lines.join("\n").slice(0, -5)),
      products("out of order", (lines) => `${lines.toReversed().join("\n")}\n`),
      products("twice", (lines) => `${[...lines, ...lines].join("\n")}\n`),
      products("that are not text", () => Buffer.from([0xff, 0xfe, 0xfd, 0x0a])),
    ]),
    ...[
      products("of 40 MB of line ends", () => Buffer.alloc(40 * MB, "\n")),
      products("of 40 MB of brackets", () => Buffer.alloc(40 * MB, "[")),
      products("of one line of 40 MB", () =>
        Buffer.concat([Buffer.from('{"id":1,"name":"'), Buffer.alloc(40 * MB, "x"), Buffer.from('"}\n')]),
      ),
    ].map((bomb, at) => ({
      ...bomb,
      refusedBy: at < 2 ? (["follow"] as const) : [],
      repairedBy: at < 2 ? [] : (["erase"] as const),
    })),
    {
      ...products("longer than allowed", () => Buffer.alloc(MAX_CONTENT_BYTES + 1)),
      refusedBy: [],
      repairedBy: ["repair"],
    },
    // Other records than the digest promises.
    {
      ...products("of which one is missing", (lines) => `${lines.slice(1).join("\n")}\n`),
      named: "cannot be used",
    },
    {
      what: "records whose partition is missing",
      refusedBy: ["follow", "rollback"],
      repairedBy: ["repair", "erase"],
      code: "remote_failed",
      forge(place) {
        const names = new Set(pointer.releases.flatMap(({ index }) => indexOf(place, index).lists.product));
        for (const name of names) if (name !== null) place.remove(objectKey(name));
        return "/objects/";
      },
    },
  ];
}

/** Runs one command on a copy of the forged place; returns the problems. `named`: what errors name. */
async function problemsOf(
  forgery: Forgery,
  { store }: ForgedPlace,
  named: string,
  command: Command,
  expected: "refused" | "repaired",
  scratch: string,
): Promise<string[]> {
  const place = new ForgedPlace(store.upstream.objects);
  const before = place.state();
  requested = 0;
  const grown = process.resourceUsage().maxRSS;
  const error: unknown = await runCommand(command, place.bucket, { next, scratch }).then(
    () => null,
    (failure: unknown) => failure,
  );
  const problems = place.trespasses(before, command);
  if (requested > 0) problems.push("a purge was made");
  if ((process.resourceUsage().maxRSS - grown) * 1024 > MOST_GROWTH_BYTES)
    problems.push("it took too much memory");
  if (error !== null && !(error instanceof VitrineError)) problems.push(`our bug: ${(error as Error).stack}`);
  else if (expected === "refused") {
    if (error === null) problems.push("it is taken");
    else if (
      error.code !== (forgery.code ?? "remote_invalid") &&
      !(command === "check" && error.code === "remote_invalid")
    )
      problems.push(`${error.code}: ${error.message}`);
    else if (!error.message.includes(named)) problems.push(`does not name ${named}: ${error.message}`);
    const after = place.state();
    if (JSON.stringify([...after]) !== JSON.stringify([...before])) problems.push("the place changed");
  } else if (error !== null) problems.push(`it is not repaired: ${error.message}`);
  else {
    try {
      place.removeOthers();
      await expectLive(place.store.upstream, PREFIX, next);
      // A publish leaves objects of others where they are.
      if (command === "publish") await expectWholeRelease(place);
      else await expectObjects(place.bucket, next);
      if (place.state().has(`${PREFIX}/${JOURNAL}`)) problems.push("a journal is left");
    } catch (failure) {
      problems.push(`what is live then: ${(failure as Error).message.slice(0, 500)}`);
    }
  }
  return problems.map((problem) => `${forgery.what}: ${command}: ${problem}`);
}

/** A follower that starts from nothing gets the snapshot's catalog. */
async function expectWholeRelease(place: ForgedPlace): Promise<void> {
  const home = mkdtempSync(join(folder, "follow-"));
  const follower = new MemoryFollower(releaseSource(place.bucket), home);
  await follower.look();
  expect(follower.digest).toBe(next.manifest.meta["catalog_digest"]);
  rmSync(home, { recursive: true, force: true });
}

const LIBRARY = {
  pointers: pointerForgeries,
  journals: journalForgeries,
  "journals that lie": lyingJournals,
  indexes: indexForgeries,
  manifests: entryForgeries,
  records: recordForgeries,
};

describe("a forged place", () => {
  it.each(Object.keys(LIBRARY) as (keyof typeof LIBRARY)[])(
    "is refused by its document's name or repaired, and nothing else is touched: %s",
    async (kind) => {
      const scratch = mkdtempSync(join(folder, "scratch-"));
      const problems: string[] = [];
      const all = LIBRARY[kind]();
      for (const forgery of all) {
        const place = new ForgedPlace(ready);
        const forged = forgery.forge(place);
        const look = (command: Command, expected: "refused" | "repaired") =>
          problemsOf(forgery, place, forgery.named ?? forged, command, expected, scratch);
        for (const command of forgery.refusedBy) problems.push(...(await look(command, "refused")));
        for (const command of forgery.repairedBy ?? []) problems.push(...(await look(command, "repaired")));
      }
      const shown = problems.map((problem) => problem.slice(0, 700));
      expect(shown, `${problems.length} of ${all.length}`).toEqual([]);
    },
    600_000,
  );

  it("has at least 150 forgeries", () => {
    const all = Object.values(LIBRARY).flatMap((forgeries) => forgeries());
    expect(new Set(all.map(({ what }) => what)).size).toBeGreaterThan(400);
  });
});

describe("a purge that a journal names", () => {
  it.each(["committed", "not committed"])("is skipped unless this run names it, too: %s", async (state) => {
    const place = new ForgedPlace(ready);
    const spec = `webhook:${address()}/hook?token=s3cret`;
    const release = state === "committed" ? pointer.release : journal.release;
    place.write(JOURNAL, JSON.stringify({ ...journal, release, purge: [spec, "cloudflare:evil"] }));
    requested = 0;
    const ports = portsOf(place.bucket, {
      isGone: () => true,
      cdn: (named) =>
        openCdn(named, { origin: "https://shop.example", env: { VITRINE_WEBHOOK_SECRET: "s3cret" } }),
    });
    const report = await publish(next, { ...OPTIONS, purge: [] }, ports);
    expect(requested).toBe(0);
    // The rest of an address may be a secret.
    const unpurged = [`webhook:${address()}`, "cloudflare:evil"];
    expect(report).toMatchObject({ outcome: "published", unpurged, purges: [] });
    expect(place.state().has(`${PREFIX}/${JOURNAL}`)).toBe(false);
  });
});

describe("a live release whose publish was interrupted", () => {
  it.each(["index", "manifest"] as const)("is repaired even if it has lost its %s", async (what) => {
    for (const snapshot of [live, next]) {
      const place = new ForgedPlace(ready);
      place.write(
        JOURNAL,
        JSON.stringify({ ...journal, release: pointer.release, from: pointer.releases[1]?.index }),
      );
      const lost = what === "index" ? liveIndex : (indexOf(place, liveIndex).manifest[0] ?? "");
      place.remove(objectKey(lost));
      const missing = { code: "remote_failed", message: expect.stringContaining(objectKey(lost)) };
      const readers = { next: snapshot, scratch: folder };
      await expect(runCommand("publish", place.bucket, readers)).rejects.toMatchObject(missing);
      await runCommand("repair", place.bucket, readers);
      place.removeOthers();
      await expectLive(place.store.upstream, PREFIX, snapshot);
      await expectObjects(place.bucket, snapshot);
      expect(place.state().has(`${PREFIX}/${JOURNAL}`)).toBe(false);
    }
  });
});

describe("a release of a newer catalog", () => {
  /** As a newer version publishes it: with a list that this one does not know. */
  function newerPlace(): ForgedPlace {
    const place = new ForgedPlace(ready);
    const rating = place.putObject('{"id":1}\n');
    const catalogOf = (index: Document) => ({
      ...(index["catalog"] as Document),
      format: 2,
      config: { more: 1 },
    });
    changeIndexes(
      place,
      (index) => ({
        ...index,
        catalog: catalogOf(index),
        lists: { ...(index["lists"] as object), rating: [rating] },
      }),
      "live",
    );
    const written = JSON.parse(place.read(POINTER).toString()) as Pointer;
    const [first, ...older] = written.releases;
    place.remove(objectKey(liveIndex));
    place.write(
      POINTER,
      JSON.stringify({ ...written, releases: [{ ...first, catalogFormat: 2 }, ...older] }),
    );
    return place;
  }

  it("is left alone by commands that would publish over it, follow it or go back to it", async () => {
    for (const command of ["follow", "publish", "repair", "erase"] as const) {
      const place = newerPlace();
      const before = [...place.state()];
      const newer = { code: "newer_format", message: expect.stringContaining("made by a newer Vitrine") };
      await expect(
        runCommand(command, place.bucket, { next, scratch: folder }),
        command,
      ).rejects.toMatchObject(newer);
      expect([...place.state()]).toEqual(before);
    }
  });

  it("may be rolled back: objects that only it needs are deleted once it is no longer kept", async () => {
    const place = newerPlace();
    const [, older] = pointer.releases;
    await runCommand(
      "publish",
      place.bucket,
      { next, scratch: folder },
      { rollbackOf: older?.id ?? "", keep: 1 },
    );
    place.removeOthers();
    await expectLive(place.store.upstream, PREFIX, next);
    await expectObjects(place.bucket, next);
  });
});

describe("a follower", () => {
  it("fetches a refused index once, and looks again when the pointer changes", async () => {
    const place = new ForgedPlace(ready);
    const key = changeIndexes(place, () => "{}", "live");
    const follower = new MemoryFollower(releaseSource(place.bucket), mkdtempSync(join(folder, "follow-")));
    const refused = { code: "remote_invalid", message: expect.stringContaining(key) };
    for (let look = 0; look < 3; look++) await expect(follower.look()).rejects.toMatchObject(refused);
    expect(place.store.seen.filter((request) => request.key === `${PREFIX}/${key}`).length).toBe(1);
    place.write(POINTER, JSON.stringify(pointer));
    expect(await follower.look()).toBe(true);
    expect(follower.digest).toBe(live.manifest.meta["catalog_digest"]);
  });
});

/** Control sequences of terminals, and characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters.
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe("commands", () => {
  it("refuse forgeries with exit code 5, and print nothing that controls a terminal", async () => {
    const target = join(folder, "target");
    const file = join(target, POINTER);
    mkdirSync(dirname(file), { recursive: true });
    const release = `${VICTIM}\u001b[2J\u009b1;1H\u202e`;
    writeFileSync(file, JSON.stringify({ ...pointer, release }));
    const to = ["--to", `file://${target}`];
    const out = ["--out", dirname(next.layout.site)];
    for (const args of [
      ["rollback", ...to, "--list"],
      ["publish", ...to, ...out],
      ["rollback", ...to],
      ["check", "--to", `file://${target}`],
      ["diff", `file://${target}`, dirname(next.layout.site)],
    ]) {
      const { code, out: said, err } = await runVitrine(args);
      expect([code, args[0], err]).toEqual([5, args[0], expect.stringContaining(POINTER)]);
      expect(err).toContain("remote_invalid");
      expect(said + err).not.toMatch(STEERING);
    }
    expect(readFileSync(file, "utf8")).toContain(VICTIM);
  });

  it("print nothing that controls a terminal from a store's own words", () => {
    expect(shownText("a\u001b[31mb\u009bc\u202ed\u0000e\r\nf\tg")).toBe("a[31mbcde\nf\tg");
  });
});
