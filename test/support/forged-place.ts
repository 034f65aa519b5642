/** A place in memory with forged documents, and all commands that read them, each with a separate copy of the place. */
import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { VitrineError } from "../../src/base/error.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { changeCatalog, createCatalog } from "../../src/catalog/catalog-file.ts";
import { isSiteKey } from "../../src/key/key.ts";
import { eraseAt } from "../../src/pipeline/erase.ts";
import { restoreRelease } from "../../src/pipeline/rollback.ts";
import type { Bucket } from "../../src/publish/bucket.ts";
import { readLive } from "../../src/publish/documents.ts";
import { type PublishRules, rulesOf, type Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { releaseSource } from "../../src/publish/release-source.ts";
import { checkBucket } from "../../src/publish/served.ts";
import { applyRelease } from "../../src/release/apply.ts";
import { fetchChanges, type PartitionNames, readChanges } from "../../src/release/fetch.ts";
import { OBJECTS, objectKey } from "../../src/release/objects.ts";
import type { ReleaseSource } from "../../src/release/source.ts";
import type { MemoryStore } from "./memory-bucket.ts";
import { createFaultyMemory, type FaultyMemory, memoryAt, portsOf } from "./publishing.ts";
import { SILENT } from "./tiny-shop.ts";

export const PREFIX = "shop";
export const POINTER = ".vitrine/current.json";
export const JOURNAL = ".vitrine/journal.json";

/** What a fallback does, without its threads: what differs is fetched and applied to its catalog in one transaction. */
export class MemoryFollower {
  readonly #source: ReleaseSource;
  readonly #home: string;
  #names: PartitionNames | null = null;
  #id: string | null = null;

  constructor(source: ReleaseSource, home: string) {
    this.#source = source;
    this.#home = home;
    mkdirSync(home, { recursive: true });
  }

  get file(): string {
    return join(this.#home, "catalog.sqlite");
  }

  /** The content digest of its catalog; null before it has one. */
  get digest(): string | null {
    if (this.#id === null) return null;
    using catalog = openCatalog(this.file);
    return catalog.digest;
  }

  /** True where another release was taken up. @throws VitrineError where it cannot be: the catalog stays as it was */
  async look(): Promise<boolean> {
    const found = await this.#source.find();
    if (found.id === this.#id) return false;
    const fetched = join(this.#home, "partitions");
    const changes = await fetchChanges(found, this.#names, fetched, new AbortController().signal);
    if (this.#id === null) rmSync(this.file, { force: true });
    const writer = this.#id === null ? createCatalog(this.file) : changeCatalog(this.file);
    try {
      await applyRelease(writer, readChanges(changes));
      writer.commit();
    } finally {
      writer.close();
      rmSync(fetched, { recursive: true, force: true });
    }
    this.#id = found.id;
    this.#names = found.lists;
    return true;
  }
}

/** Whatever reads a place. */
export const COMMANDS = ["releases", "follow", "check", "rollback", "publish", "repair", "erase"] as const;
export type Command = (typeof COMMANDS)[number];

/** Words that no record has. */
const NOBODY = "Xavier Nobody-Ever";

export interface Readers {
  /** What is published there. */
  readonly next: Snapshot;
  /** For what they fetch. */
  readonly scratch: string;
}

/** Runs a command as on a machine that has not seen the place. */
export async function runCommand(
  command: Command,
  bucket: Bucket,
  { next, scratch }: Readers,
  rules: Partial<PublishRules> = {},
): Promise<unknown> {
  const own = mkdtempSync(join(scratch, `${command}-`));
  rmSync(next.layout.places, { recursive: true, force: true });
  const ports = portsOf(bucket, { isGone: () => true });
  const publishRules = { ...rulesOf({ leaseSeconds: 300, waitSeconds: 0, allowShrink: 1000 }), ...rules };
  try {
    if (command === "releases") return await readLive(bucket);
    if (command === "follow") return await new MemoryFollower(releaseSource(bucket), own).look();
    if (command === "check") {
      const report = await checkBucket(bucket, { sample: 0, progress: () => undefined });
      if (report.problems.length > 0) throw new VitrineError("remote_invalid", report.problems.join("\n"));
      return report;
    }
    if (command === "rollback") {
      const { snapshot } = await restoreRelease(bucket, undefined, own, SILENT);
      return snapshot.manifest.close();
    }
    if (command === "publish") return await publish(next, publishRules, ports);
    if (command === "repair") return await publish(next, { ...publishRules, repair: true }, ports);
    const inputs = { out: "", config: next.config } as never;
    return await eraseAt(ports, next, { sought: { text: NOBODY }, inputs, allowShrink: 1000, log: SILENT });
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** A store that holds the place, and objects that no command may touch: next to it, and in it. */
export class ForgedPlace {
  readonly store: FaultyMemory = createFaultyMemory();
  readonly bucket: Bucket;

  constructor(objects: MemoryStore["objects"]) {
    for (const [key, object] of objects) this.store.upstream.objects.set(key, object);
    for (const key of OTHERS) this.#write(key, Buffer.from("not yours"));
    this.bucket = memoryAt(this.store, PREFIX);
  }

  #write(key: string, body: Buffer): void {
    const etag = `"${hash("md5", body, "hex")}"`;
    const headers = { "last-modified": new Date().toUTCString(), "content-type": "application/json" };
    this.store.upstream.objects.set(key, { body, etag, headers });
  }

  write(key: string, body: Buffer | string): void {
    this.#write(`${PREFIX}/${key}`, Buffer.from(body));
  }

  read(key: string): Buffer {
    const found = this.store.upstream.objects.get(`${PREFIX}/${key}`);
    if (found === undefined) throw new Error(`${key} is not there`);
    return found.body;
  }

  remove(key: string): void {
    this.store.upstream.objects.delete(`${PREFIX}/${key}`);
  }

  /** As a publisher would write it: an object named by its digest. */
  putObject(content: Buffer | string): string {
    const name = hash("sha256", content, "hex");
    this.write(objectKey(name), gzipSync(content, { level: 1 }));
    return name;
  }

  readObject(name: string): string {
    return gunzipSync(this.read(objectKey(name))).toString();
  }

  /** All objects that no command may touch; the others belong to the place. */
  removeOthers(): void {
    for (const key of OTHERS) this.store.upstream.objects.delete(key);
  }

  /** Keys and etags of all that the store holds. */
  state(): Map<string, string> {
    return new Map([...this.store.upstream.objects].map(([key, { etag }]) => [key, etag]));
  }

  /** Requests for what is not the place's, and changes of what no version makes: none is allowed. */
  trespasses(before: ReadonlyMap<string, string>, command: Command): string[] {
    // To erase words, all that is in the place is read.
    const isRead = (key: string) => command === "erase" && key.startsWith(`${PREFIX}/`);
    const asked = this.store.seen
      .filter(
        ({ method, key }) =>
          key !== "" && key !== "?delete" && !isOwn(key) && !(method === "GET" && isRead(key)),
      )
      .map(({ method, key }) => `${method} ${key.slice(0, 200)}`);
    const after = this.state();
    const changed = [...new Set([...before.keys(), ...after.keys()])]
      .filter((key) => before.get(key) !== after.get(key) && (OTHERS.includes(key) || !isOwn(key)))
      .map((key) => `changed ${key.slice(0, 200)}`);
    return [...asked, ...changed];
  }
}

/** Beside the place, and in it where a forged name could lead. */
const OTHERS: readonly string[] = [
  "victim/a.txt",
  "shopvictim",
  "current.json",
  `${PREFIX}/robots.txt`,
  `${PREFIX}/.vitrine/notes.txt`,
  `${PREFIX}/private/notes.txt`,
  `${PREFIX}/api/notes.txt`,
];

const OWN_CONTROLS = new RegExp(
  `^(${[POINTER, JOURNAL, "\\.vitrine/probe-[0-9a-f-]{36}", `${OBJECTS}[0-9a-f]{64}\\.gz`].join("|")})$`,
);

/** True for a key that this version could make. What is looked into to erase words may be anything in the place. */
function isOwn(key: string): boolean {
  if (!key.startsWith(`${PREFIX}/`)) return false;
  const below = key.slice(PREFIX.length + 1);
  return OWN_CONTROLS.test(below) || isSiteKey(below);
}
