/**
 * Follows releases into a Durable Object's storage. A few records that differ are written to the tables that are answered from, in one
 * transaction. Anything larger fills tables beside them, over as many events as it takes; these then take the others' place, in one
 * transaction, too. So answers come from one release or the other, and wherever the object is stopped, it goes on: what is done is
 * written together with the rows. Both compare records in slices, and requests are answered between these.
 */
import { hash } from "node:crypto";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Notes } from "../base/log.ts";
import { RESOURCES, type ResourceName, TABLES } from "../catalog/resources.ts";
import { type CatalogView, type KnownMemory, readMeta, viewOver } from "../catalog/view.ts";
import { CatalogWriter } from "../catalog/writer.ts";
import { type Applying, beginApplying, type PartitionLines, type RecordChange } from "../release/apply.ts";
import type { Partitions } from "../release/release-index.ts";
import type { FoundRelease, ReleaseSource } from "../release/source.ts";
import { hasDocuments } from "../search/search-texts.ts";
import { isTooLarge, tooLargeError } from "./bounds.ts";
import { createTables, dropTables, prefixed, renameTables } from "./next-tables.ts";
import type { StorageSql } from "./storage.ts";

/** Up to this many partitions are compared with the tables that are answered from; fewer within a request's event. */
const MOST_COMPARED = 256;
const MOST_COMPARED_AT_ONCE = 24;
/** Up to this much is written to those at once, by {@link costOf}; a record takes 0.1 ms, in which nothing is answered. */
const MOST_WRITTEN = 1000;
/**
 * Nothing is answered while this much is compared, or while twice as much is written and committed. Records are counted, because the
 * runtime's clock does not advance meanwhile. Without readers, slices are longer.
 */
const SLICE = 16;
const SLICE_WITHOUT_READERS = 100;
/** Characters of texts that cost about as much as a record without any. */
const CHARACTERS_A_RECORD = 4096;
/** Partitions that are fetched together. All of them are in memory. */
const FETCHES = 8;
/** In place of an object's name: a partition that is being put, or was when the object was stopped. */
const UNFINISHED = "";
/** Which tables this version reads and writes. */
const SCHEMA = hash("sha256", TABLES);
const FILE = "the catalog of the object";
const FINAL: readonly string[] = ["remote_invalid", "newer_format", "catalog_unreadable"];

type Lists = Readonly<Partial<Record<ResourceName, Partitions>>>;

interface LiveRelease {
  readonly id: string;
  readonly lists: Lists;
}

/** The tables that are being filled. */
interface NextTables {
  readonly prefix: string;
  /** How many partitions each list has: with another number, a row is in another partition. */
  readonly counts: Readonly<Partial<Record<ResourceName, number>>>;
}

interface Partition {
  readonly resource: ResourceName;
  readonly partition: number;
  /** Name of its object; null if it has no records. */
  readonly object: string | null;
}

interface FetchedPartition extends Partition, PartitionLines {}

export interface FollowerPorts {
  readonly log: Notes;
  /** Lets waiting requests be answered: the runtime doesn't while only its own services are awaited. */
  readonly pause: () => Promise<void>;
  /** Requests were answered just now. */
  readonly hasReaders: () => boolean;
}

export class Follower {
  readonly #sql: StorageSql;
  readonly #source: ReleaseSource;
  readonly #ports: FollowerPorts;
  #live: LiveRelease | null;
  #view: CatalogView | null = null;
  #refusal: { readonly version: string; readonly error: unknown } | null = null;
  /** Version of a release that differs by more than is written at once. */
  #isLarge: string | null = null;
  /** The live release is larger than an object can hold. */
  #isTooLarge = false;

  constructor(sql: StorageSql, source: ReleaseSource, ports: FollowerPorts) {
    this.#sql = sql;
    this.#source = source;
    this.#ports = ports;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS object_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    );
    sql.exec(
      "CREATE TABLE IF NOT EXISTS object_done (list TEXT, partition INTEGER, object TEXT, PRIMARY KEY (list, partition)) WITHOUT ROWID",
    );
    // Another version of the Worker may have filled the tables, with other columns.
    if (this.#state<string>("schema") !== SCHEMA) {
      sql.transaction(() => {
        this.#forgetNext();
        dropTables(sql, "");
        sql.exec("DELETE FROM object_state WHERE name = 'live'");
        this.#setState("schema", SCHEMA);
      });
    }
    this.#live = this.#state<LiveRelease>("live");
  }

  get release(): string | null {
    return this.#live?.id ?? null;
  }

  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  /** The catalog to answer from; null until there is one. Do not keep it: a switch makes it another release's. */
  get view(): CatalogView | null {
    if (this.#live === null) return null;
    this.#view ??= viewOver(this.#sql, readMeta(this.#sql, FILE), FILE);
    return this.#view;
  }

  /** Partitions that the next tables have. */
  get done(): number {
    return this.#sql.prepare<[], number>("SELECT count(*) FROM object_done").pluck().get() ?? 0;
  }

  /** Looks for a new release and applies a small change; true if a larger one waits for {@link proceed}. @throws VitrineError */
  async look(): Promise<boolean> {
    const found = await this.#find();
    return found !== null && !(await this.#applyHere(found, MOST_COMPARED_AT_ONCE));
  }

  /** Writes what differs to the tables that are answered from; false if that is too much. */
  async #applyHere(found: FoundRelease, mostCompared: number): Promise<boolean> {
    const changed = changedPartitions(found.lists, this.#live?.lists ?? null);
    if (changed === null || changed.length > mostCompared || this.#isLarge === found.version) return false;
    const changes: RecordChange[] = [];
    try {
      const applying = beginApplying(new CatalogWriter(this.#sql, false), changesOf(found));
      let cost = 0;
      for (let at = 0; at < changed.length && cost <= MOST_WRITTEN; at += FETCHES)
        for (const partition of await this.#fetch(found, changed.slice(at, at + FETCHES)))
          await this.#inSlices(applying.changes(partition), (some) => {
            changes.push(...some);
            cost += some.reduce((sum, change) => sum + costOf(change), 0);
          });
      if (cost > MOST_WRITTEN) {
        this.#isLarge = found.version;
        return false;
      }
      this.#sql.transaction(() => {
        for (const change of changes) applying.apply(change);
        applying.finish();
        this.#forgetNext();
        this.#setState("live", { id: found.id, lists: found.lists });
      });
    } catch (error) {
      if (!isFinal(error)) throw error;
      this.#isLarge = found.version;
      this.#ports.log.warn(`cannot apply the differences, fetching everything: ${messageOf(error)}`);
      return false;
    }
    this.#live = { id: found.id, lists: found.lists };
    const known = this.#view?.known();
    this.#view = viewOver(this.#sql, readMeta(this.#sql, FILE), FILE);
    if (known !== undefined) this.#view.use(unchangedMemory(known, changes, this.#view.digest));
    this.#ports.log.info(`${found.name} followed, ${changes.length} records in ${changed.length} partitions`);
    return true;
  }

  /** Reads changes in slices, with a pause after each; `take` gets those of some slices together. */
  async #inSlices(
    changes: Iterator<RecordChange | null>,
    take: (changes: readonly RecordChange[]) => void,
  ): Promise<void> {
    let taken: RecordChange[] = [];
    let takenCost = 0;
    for (let isDone = false; !isDone; ) {
      const most = this.#ports.hasReaders() ? SLICE : SLICE_WITHOUT_READERS;
      for (let cost = 0; cost < most; ) {
        const { value, done } = changes.next();
        isDone = done === true;
        if (isDone) break;
        cost += costOf(value);
        if (value === null) continue;
        taken.push(value);
        takenCost += costOf(value);
      }
      await this.#ports.pause();
      if (takenCost < 2 * most && !(isDone && takenCost > 0)) continue;
      take(taken);
      taken = [];
      takenCost = 0;
      await this.#ports.pause();
    }
  }

  /** Goes on with a larger change, by at most so many objects; true if it is not finished. @throws VitrineError */
  async proceed(mostObjects: number): Promise<boolean> {
    const found = await this.#find();
    if (found === null || (await this.#applyHere(found, MOST_COMPARED))) return false;
    const { prefix } = this.#nextFor(found);
    const wanted = this.#wanted(found.lists);
    const isNew = wanted.every(({ isPut }) => !isPut);
    const writer = new CatalogWriter(prefixed(this.#sql, prefix), false);
    const applying = this.#orRefused(found, () => beginApplying(writer, changesOf(found), isNew));
    const now = wanted.slice(0, mostObjects);
    for (let at = 0; at < now.length; at += FETCHES)
      for (const partition of await this.#fetch(found, now.slice(at, at + FETCHES)))
        await this.#putNext(found, applying, partition);
    if (now.length < wanted.length) return true;
    this.#orRefused(found, () => this.#sql.transaction(() => applying.finish()));
    await this.#ports.pause();
    await this.#switchTo(found, prefix);
    this.#ports.log.info(`${found.name} followed, all of it`);
    return false;
  }

  /** Does a part of the work; if the release is found to be wrong, it is not tried again. @throws what the part throws */
  #orRefused<Result>(found: FoundRelease, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw this.#refused(found, error);
    }
  }

  /** The error to throw; if it is final, nothing is kept of the release. */
  #refused({ name, version }: FoundRelease, cause: unknown): unknown {
    if (!isFinal(cause)) return cause;
    const error = isTooLong(cause)
      ? new VitrineError(
          "remote_invalid",
          `${name} cannot be used: it has a record of more than 2 MB, and Cloudflare allows no longer text in a row. Nothing was changed. Shorten the record, or run vitrine fallback.`,
          { cause },
        )
      : cause;
    this.#refusal = { version, error };
    this.#sql.transaction(() => this.#forgetNext());
    return error;
  }

  /** The release to follow; null if it is the one that is here. */
  async #find(): Promise<FoundRelease | null> {
    const found = await this.#source.find();
    const partitions = Object.values(found.lists).reduce((sum, names) => sum + names.length, 0);
    this.#isTooLarge = isTooLarge(partitions);
    if (this.#isTooLarge) throw tooLargeError(found.name, partitions);
    if (found.id === this.#live?.id) {
      // The next tables are for a release that was rolled back meanwhile.
      if (this.#state("next") !== null) this.#sql.transaction(() => this.#forgetNext());
      return null;
    }
    if (found.version === this.#refusal?.version) throw this.#refusal.error;
    this.#refusal = null;
    return found;
  }

  /** The tables for a release: those that were begun, unless its partitions are cut differently. */
  #nextFor({ lists, catalog }: FoundRelease): NextTables {
    const begun = this.#state<NextTables>("next");
    const counts = countsOf(lists);
    if (begun !== null && JSON.stringify(begun.counts) === JSON.stringify(counts)) return begun;
    return this.#sql.transaction(() => {
      this.#forgetNext();
      const number = Number(this.#state<number>("tables") ?? 0) + 1;
      const next = { prefix: `g${number}_`, counts };
      createTables(this.#sql, next.prefix);
      prefixed(this.#sql, next.prefix)
        .prepare("INSERT INTO meta VALUES ('format', ?)")
        .run(String(catalog.format));
      this.#setState("tables", number);
      this.#setState("next", next);
      return next;
    });
  }

  #forgetNext(): void {
    const next = this.#state<NextTables>("next");
    if (next !== null) dropTables(this.#sql, next.prefix);
    this.#sql.exec("DELETE FROM object_state WHERE name = 'next'");
    this.#sql.exec("DELETE FROM object_done");
  }

  /** The partitions of a release that the next tables do not have; `isPut`: they have another version of it. */
  #wanted(lists: Lists): (Partition & { readonly isPut: boolean })[] {
    const sql = "SELECT list || ' ' || partition, object FROM object_done";
    const done = new Map(this.#sql.prepare<[], [string, string | null]>(sql).raw().all());
    return partitionsOf(lists).flatMap((one) => {
      const key = `${one.resource} ${one.partition}`;
      if (done.has(key) && done.get(key) === one.object) return [];
      return [{ ...one, isPut: done.has(key) }];
    });
  }

  #fetch(found: FoundRelease, partitions: readonly Partition[]): Promise<FetchedPartition[]> {
    return Promise.all(
      partitions.map(async ({ resource, partition, object }) => ({
        resource,
        partition,
        object,
        lines: object === null ? null : await found.read(resource, partition),
      })),
    );
  }

  /** Puts a partition into the next tables. After a stop it is compared with what was put. */
  async #putNext(found: FoundRelease, applying: Applying, fetched: FetchedPartition): Promise<void> {
    const { resource, partition, object } = fetched;
    const done = this.#sql.prepare<[string, number, string | null]>(
      "INSERT OR REPLACE INTO object_done VALUES (?, ?, ?)",
    );
    try {
      done.run(resource, partition, UNFINISHED);
      await this.#inSlices(applying.changes(fetched), (changes) =>
        this.#sql.transaction(() => {
          for (const change of changes) applying.apply(change);
        }),
      );
      done.run(resource, partition, object);
    } catch (error) {
      throw this.#refused(found, error);
    }
  }

  /** Reads the lists of the next tables, so that no request waits for them, then gives these tables the place of the present ones. */
  async #switchTo(found: FoundRelease, prefix: string): Promise<void> {
    const sql = prefixed(this.#sql, prefix);
    const next = viewOver(sql, readMeta(sql, FILE), FILE);
    for (const { name } of RESOURCES) {
      next.list(name);
      await this.#ports.pause();
    }
    next.searchIndex();
    await this.#ports.pause();
    const memory = next.memory();
    this.#sql.transaction(() => {
      dropTables(this.#sql, "");
      renameTables(this.#sql, prefix);
      this.#setState("live", { id: found.id, lists: found.lists });
      this.#forgetNext();
    });
    this.#live = { id: found.id, lists: found.lists };
    this.#view = viewOver(this.#sql, readMeta(this.#sql, FILE), FILE);
    this.#view.use(memory);
  }

  #state<Value>(name: string): Value | null {
    const sql = "SELECT value FROM object_state WHERE name = ?";
    const text = this.#sql.prepare<[string], string>(sql).pluck().get(name);
    return text === undefined ? null : (JSON.parse(text) as Value);
  }

  #setState(name: string, value: unknown): void {
    this.#sql.prepare("INSERT OR REPLACE INTO object_state VALUES (?, ?)").run(name, JSON.stringify(value));
  }
}

/** The lists and words that some changes left as they were. Without them the next answer would wait until they are read again. */
function unchangedMemory(
  { lists, words }: KnownMemory,
  changes: readonly RecordChange[],
  digest: string,
): KnownMemory {
  const names = new Set(changes.map(({ name }) => name));
  const isInDetail = (change: RecordChange) => "deleted" in change || !change.isDetailKept;
  return {
    digest,
    lists: new Map([...lists].filter(([name]) => !names.has(name))),
    words: changes.some((change) => hasDocuments(change.name) && isInDetail(change)) ? null : words,
  };
}

/** About how long a record takes to be compared and written, as a multiple of a small one's. */
function costOf(change: RecordChange | null): number {
  if (change === null || "deleted" in change) return 1;
  const { list, added, document } = change.row;
  return 1 + (list.length + (added?.length ?? 0) + (document?.text.length ?? 0)) / CHARACTERS_A_RECORD;
}

function isFinal(error: unknown): boolean {
  return isTooLong(error) || (error instanceof VitrineError && FINAL.includes(error.code));
}

/** The storage's own error: the text does not fit into a row. */
function isTooLong(error: unknown): boolean {
  return messageOf(error).includes("SQLITE_TOOBIG");
}

function countsOf(lists: Lists): NextTables["counts"] {
  return Object.fromEntries(Object.entries(lists).map(([list, names]) => [list, names.length]));
}

function changesOf({ name, catalog, lists, withoutDetail }: FoundRelease) {
  return { name, catalog, counts: countsOf(lists), withoutDetail };
}

function partitionsOf(lists: Lists): Partition[] {
  return RESOURCES.flatMap(({ name: resource }) =>
    (lists[resource] ?? []).map((object, partition) => ({ resource, partition, object })),
  );
}

/** The partitions of a release that differ from those that are here; null if they are cut differently. */
function changedPartitions(lists: Lists, known: Lists | null): Partition[] | null {
  if (known === null || JSON.stringify(countsOf(lists)) !== JSON.stringify(countsOf(known))) return null;
  return partitionsOf(lists).filter(
    ({ resource, partition, object }) => known[resource]?.[partition] !== object,
  );
}
