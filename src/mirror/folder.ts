/**
 * What a mirror holds, in a folder that commands take for an output folder: `catalog.sqlite`, made by the catalog's own writer,
 * and the bulk files below `site/`, as the shop has them. Killed at any moment, the next run goes on with what is there.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { EXCLUSIVE, takeLock } from "../base/sqlite.ts";
import { toMetaTime, toSqlTime } from "../base/time.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import { applyRows, type RowChange } from "../catalog/apply.ts";
import { recordReader } from "../catalog/record-reader.ts";
import { RESOURCES, type ResourceName } from "../catalog/resources.ts";
import { type CatalogWriter, changeCatalog, createCatalog } from "../catalog/writer.ts";
import {
  BULK_INDEX,
  type BulkIndex,
  bucketOf,
  groupByBucket,
  resourceIndexKey,
  resourceIndexText,
  shortDigestOf,
} from "../feeds/bulk-format.ts";
import { showsDetail } from "../feeds/feed.ts";
import { layoutOf } from "../snapshot/layout.ts";
import { invalid, type MirrorState, readState } from "./schemas.ts";
import { type Applied, type ChangedBucket, type Held, linesIn, type Step } from "./sync.ts";

/** Stands for a digest that is not known. */
const UNSURE = "0".repeat(32);

export class MirrorFolder implements Held, Disposable {
  readonly catalog: string;
  state: MirrorState | null;
  readonly #site: string;
  readonly #incoming: string;
  readonly #stateFile: string;
  readonly #unlock: () => void;

  /** @throws VitrineError out_busy, write_failed */
  constructor(folder: string) {
    const { site, catalog, lock } = layoutOf(folder);
    this.catalog = catalog;
    this.#site = site;
    this.#incoming = join(folder, ".incoming");
    this.#stateFile = join(folder, "mirror.json");
    mustWrite(folder, () => mkdirSync(site, { recursive: true }));
    if (existsSync(catalog) && !existsSync(this.#stateFile))
      throw new VitrineError(
        "guard_refused",
        `${catalog} is no mirror's: nothing was changed. Name a folder that is empty, or a mirror.`,
      );
    const unlock = mustWrite(folder, () => takeLock(lock, EXCLUSIVE));
    if (unlock === null)
      throw new VitrineError("out_busy", `Another process works in ${folder}: wait until it is done.`);
    this.#unlock = unlock;
    this.state = this.#readState();
  }

  [Symbol.dispose](): void {
    this.#unlock();
  }

  /** Of a file that is damaged nothing is believed: what it tells of is looked for again. */
  #readState(): MirrorState | null {
    if (!existsSync(this.catalog) || !existsSync(this.#stateFile)) return null;
    try {
      return readState(readFileSync(this.#stateFile), this.#stateFile);
    } catch {
      return null;
    }
  }

  /** Also where it stands in its place already: a run that was cut off got as far as that. */
  has(key: string, digest: string): boolean {
    return this.#find(key, digest) !== null;
  }

  keep(key: string, bytes: Buffer): void {
    replace(join(this.#incoming, key), bytes);
  }

  commit(step: Step): Applied {
    return mustWrite(dirname(this.catalog), () => this.#commit(step));
  }

  #commit({ index, indexBytes, changed, next }: Step): Applied {
    if (this.state !== null && changed.length > 0) this.#remember(unsureOf(this.state, changed));
    const applied = this.#applyToCatalog(index, next, changed);
    for (const { resource, bucket, key } of changed) {
      const digest = next.resources[resource]?.[bucket]?.[1];
      const target = join(this.#site, key);
      if (digest === undefined) rmSync(target, { force: true });
      else replace(target, this.#read(key, digest));
    }
    for (const resource of new Set(changed.map((each) => each.resource))) {
      const own = next.resources[resource];
      const file = join(this.#site, resourceIndexKey(resource));
      if (own === undefined) rmSync(dirname(file), { recursive: true, force: true });
      else replace(file, resourceIndexText(resource, new Map(Object.entries(own))));
    }
    replace(join(this.#site, BULK_INDEX), indexBytes);
    this.#remember(next);
    rmSync(this.#incoming, { recursive: true, force: true });
    return applied;
  }

  #remember(state: MirrorState): void {
    this.state = state;
    replace(this.#stateFile, JSON.stringify(state));
  }

  /** A bucket's bytes: those that were fetched last, or those in their place; null where neither are these. */
  #find(key: string, digest: string): Buffer | null {
    for (const folder of [this.#incoming, this.#site]) {
      const file = join(folder, key);
      const bytes = existsSync(file) ? readFileSync(file) : null;
      if (bytes !== null && shortDigestOf(bytes) === digest) return bytes;
    }
    return null;
  }

  #read(key: string, digest: string): Buffer {
    const bytes = this.#find(key, digest);
    if (bytes === null) throw new Error(`${key} is gone from ${this.#incoming}`);
    return bytes;
  }

  #applyToCatalog(index: BulkIndex, next: MirrorState, changed: readonly ChangedBucket[]): Applied {
    const isNew = this.state === null;
    const draft = `${this.catalog}.part`;
    if (isNew) rmSync(draft, { force: true });
    const writer = isNew ? createCatalog(draft) : changeCatalog(this.catalog);
    try {
      const applied = this.#applyRows(writer, index, this.#rows(writer, isNew, index, next, changed));
      if (isNew) for (const { name } of RESOURCES) writer.complete(name);
      writer.commit();
      if (isNew) putInPlace(draft, this.catalog);
      return applied;
    } finally {
      writer.close();
    }
  }

  #applyRows(writer: CatalogWriter, index: BulkIndex, rows: Iterable<RowChange>): Applied {
    const { digest, isWhole, config, store } = index.catalog;
    const step = {
      // Where it leads is looked at below: also where the catalog is there already, no row is taken unread.
      ...{ from: writer.meta("digest"), to: null },
      meta: { config: JSON.stringify(config), store: JSON.stringify(store) },
      generatedAt: toMetaTime(toSqlTime(new Date())),
    };
    const applied = { put: 0, deleted: 0 };
    applyRows(writer, rows, step, (outcome) => {
      if (outcome === true) applied.deleted += 1;
      else if (typeof outcome === "object") throw invalid(BULK_INDEX, "leads to two records with one slug");
      else if (typeof outcome === "string" && outcome !== "unchanged") applied.put += 1;
    });
    if (isWhole && writer.meta("digest") !== digest)
      throw invalid(
        BULK_INDEX,
        `names the catalog ${digest.slice(0, 12)}, and its records give another: another version of Vitrine made it, or it is damaged`,
      );
    return applied;
  }

  /** What the changed buckets make of the catalog: one of them at a time in memory. */
  *#rows(
    writer: CatalogWriter,
    isNew: boolean,
    index: BulkIndex,
    next: MirrorState,
    changed: readonly ChangedBucket[],
  ): Generator<RowChange> {
    const config = index.catalog.config as PublicConfig;
    const readers = new Map<ResourceName, ReturnType<typeof recordReader>>();
    // Read once a list: a bucket's ids are nobody else's.
    const held = new Map<ResourceName, Map<string, number[]>>();
    for (const { resource, bucket, key } of changed) {
      const read = readers.get(resource) ?? recordReader(resource, showsDetail(config, resource));
      readers.set(resource, read);
      const ids = held.get(resource) ?? groupByBucket(isNew ? [] : writer.ids(resource));
      held.set(resource, ids);
      const before = new Set(ids.get(bucket));
      const digest = next.resources[resource]?.[bucket]?.[1];
      const lines = digest === undefined ? NO_LINES : linesIn(this.#read(key, digest), key);
      const rows = [...rowsIn(lines, read, bucket, key)];
      for (const { put } of rows) before.delete(put.id);
      for (const id of before) yield { resource, deleted: id };
      for (const { put } of rows) yield { resource, put };
    }
  }
}

const NO_LINES = Buffer.alloc(0);

type Put = Pick<Extract<RowChange, { put: unknown }>, "put">;

/** The records of a bucket, which are there once each, in order of id. @throws VitrineError remote_invalid */
function* rowsIn(
  lines: Buffer,
  read: ReturnType<typeof recordReader>,
  bucket: string,
  key: string,
): Generator<Put> {
  let [from, last] = [0, 0];
  for (let end = lines.indexOf(0x0a); end >= 0; end = lines.indexOf(0x0a, from)) {
    let put: Put["put"];
    try {
      put = read(lines.toString("utf8", from, end));
    } catch (error) {
      throw invalid(key, `has a line that is no record: ${messageOf(error)}`, error);
    }
    if (put.id <= last || bucketOf(put.id) !== bucket)
      throw invalid(key, `has record ${put.id} where it can't be`);
    yield { put };
    [from, last] = [end + 1, put.id];
  }
  if (from < lines.length) throw invalid(key, "ends within a line");
}

/** The same, but for what is about to change: where that is cut off, it is looked for again. */
function unsureOf(state: MirrorState, changed: readonly ChangedBucket[]): MirrorState {
  const resources: Record<string, Record<string, readonly [number, string]>> = {};
  for (const [name, own] of Object.entries(state.resources)) resources[name] = { ...own };
  for (const { resource, bucket, records } of changed) {
    resources[resource] ??= {};
    resources[resource][bucket] = [Math.max(1, records), UNSURE];
  }
  return { ...state, resources, indexEtag: null };
}

/** Puts bytes in the place of a file, whole or not at all. */
function replace(file: string, bytes: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, bytes);
  renameSync(`${file}.part`, file);
}

/** Renames a file once its bytes are sure to stay. */
function putInPlace(draft: string, file: string): void {
  const opened = openSync(draft, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(draft, file);
}

function mustWrite<Result>(folder: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw explainWriteFailure(error, folder);
  }
}
