/**
 * Applies a release to a catalog in one transaction of the catalog's writer. In each partition that differs, the release's
 * records are put, and the catalog's records that the partition does not have are deleted. The result must have the content
 * digest that the release names.
 */
import { messageOf, VitrineError } from "../base/error.ts";
import { recordReader } from "../catalog/record-reader.ts";
import { idsOf, RESOURCES, type ResourceName } from "../catalog/resources.ts";
import type { CatalogRow } from "../catalog/row.ts";
import { checkMeta } from "../catalog/verify.ts";
import type { CatalogWriter, Difference } from "../catalog/writer.ts";
import { idsByPartition } from "./partitions.ts";
import type { FollowedCatalog } from "./release-index.ts";

/** A partition that differs from the catalog's. */
export interface PartitionLines {
  readonly resource: ResourceName;
  readonly partition: number;
  /** Its records, one per line, as `recordPartition` makes them; null for a partition without records. */
  readonly lines: Buffer | null;
}

export interface ReleaseChanges {
  /** For messages: `release 00000007-3fa91c20d4e5`. */
  readonly name: string;
  readonly catalog: FollowedCatalog;
  /** How many partitions each list has. A list that is missing has no records. */
  readonly counts: Readonly<Partial<Record<ResourceName, number>>>;
  /** Lists whose lines have no details: public files omit them if the shop's API does not show them. */
  readonly withoutDetail?: readonly ResourceName[] | undefined;
  /** Only one is in memory at a time. */
  readonly partitions: Iterable<PartitionLines> | AsyncIterable<PartitionLines>;
}

/**
 * Applies a release's changes, without committing the writer's transaction. Returns the content digest.
 * @throws VitrineError remote_invalid if a record is invalid, or the result does not have the release's digest
 */
export async function applyRelease(writer: CatalogWriter, changes: ReleaseChanges): Promise<string> {
  const applying = beginApplying(writer, changes);
  for await (const partition of changes.partitions)
    for (const change of applying.changes(partition)) if (change !== null) applying.apply(change);
  return applying.finish();
}

/** What a release changes: a record to put, or one to delete. */
export type RecordChange = Difference | { readonly name: ResourceName; readonly deleted: number };

/** Applies a release record by record; nothing here waits, so that a caller can do any of it in one transaction. */
export interface Applying {
  /**
   * Compares a partition with the catalog, in a step a record: what differs, else null. Records that the partition does not have come
   * last. @throws VitrineError remote_invalid
   */
  changes(partition: PartitionLines): Generator<RecordChange | null>;
  apply(change: RecordChange): void;
  /** Completes the catalog and returns its content digest. @throws VitrineError remote_invalid if the release names another */
  finish(): string;
}

/**
 * @param isNew the catalog has no other records than this release's
 * @throws VitrineError remote_invalid if the release's configuration or store is invalid
 */
export function beginApplying(
  writer: CatalogWriter,
  { name: release, catalog, counts, withoutDetail = [] }: Omit<ReleaseChanges, "partitions">,
  isNew = false,
): Applying {
  const meta = { config: JSON.stringify(catalog.config), store: JSON.stringify(catalog.store) };
  try {
    checkMeta(meta);
  } catch (error) {
    throw refused(release, messageOf(error), error);
  }

  const lists = new Map<ResourceName, FollowedList>();
  const listOf = (resource: ResourceName): FollowedList => {
    const known = lists.get(resource);
    if (known !== undefined) return known;
    const count = counts[resource] ?? 1;
    const list = {
      count,
      ids: isNew ? [] : idsByPartition(idsOf(writer.db, resource), count),
      read: recordReader(resource, !withoutDetail.includes(resource)),
    };
    lists.set(resource, list);
    return list;
  };

  return {
    *changes(partition) {
      const { resource } = partition;
      const list = listOf(resource);
      const gone = new Set(list.ids[partition.partition]);
      for (const row of readNamed(release, list, partition)) {
        gone.delete(row.id);
        yield writer.difference(resource, row);
      }
      for (const id of gone) yield { name: resource, deleted: id };
    },
    apply(change) {
      if ("deleted" in change) writer.delete(change.name, change.deleted);
      // Another record may still have this slug: that one is put later in this transaction, or deleted.
      else writer.write(change);
    },
    finish() {
      for (const { name } of RESOURCES)
        if (counts[name] === undefined) for (const id of idsOf(writer.db, name)) writer.delete(name, id);
      checkSlugs(writer, release);
      const digest = writer.finish(meta, catalog.generatedAt);
      if (catalog.digest !== null && digest !== catalog.digest) {
        const [found, named] = [digest, catalog.digest].map((text) => text.slice(0, 12));
        throw refused(release, `its records make the catalog ${found}, not ${named} as it says`);
      }
      writer.setGeneratedAt(catalog.generatedAt);
      writer.setFiles(catalog.files);
      return digest;
    },
  };
}

const LINE_END = 0x0a;

function refused(name: string, why: string, cause?: unknown): VitrineError {
  return new VitrineError("remote_invalid", `${name} cannot be used: ${why}. Nothing was changed.`, {
    cause,
  });
}

/** A list of the release, with the catalog's ids as they were before. */
interface FollowedList {
  readonly count: number;
  /** Ids of the catalog's records, by partition. */
  readonly ids: readonly (readonly number[])[];
  readonly read: (line: string) => CatalogRow;
}

/** The records of a partition. @throws Error if a line is not a record of this partition, or not in order */
function* readPartition({ count, read }: FollowedList, partition: number, lines: Buffer) {
  if (lines.length === 0) throw new Error("it is empty");
  let before = 0;
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(LINE_END, start);
    if (end < 0) throw new Error("its last line is cut off");
    const row = read(lines.toString("utf8", start, end));
    if (row.id <= before) throw new Error(`record ${row.id} is not in order`);
    if (row.id % count !== partition) throw new Error(`record ${row.id} belongs to another partition`);
    yield row;
    before = row.id;
    start = end + 1;
  }
}

/** As {@link readPartition}, but an error names the release and partition. Errors while a record is put are not caught here. */
function* readNamed(release: string, list: FollowedList, { resource, partition, lines }: PartitionLines) {
  if (lines === null) return;
  const rows = readPartition(list, partition, lines);
  for (;;) {
    let next: IteratorResult<CatalogRow, void>;
    try {
      next = rows.next();
    } catch (error) {
      const where = `partition ${partition} of its ${resource} records`;
      throw refused(release, `in ${where}, ${messageOf(error)}`, error);
    }
    if (next.done === true) return;
    yield next.value;
  }
}

function checkSlugs({ db }: CatalogWriter, release: string): void {
  for (const { name } of RESOURCES.filter(({ slug }) => slug)) {
    const id = db.prepare<[], number>(`SELECT id FROM ${name} WHERE slug IS NULL LIMIT 1`).pluck().get();
    if (id !== undefined) throw refused(release, `its ${name} ${id} has the slug of another ${name}`);
  }
}
