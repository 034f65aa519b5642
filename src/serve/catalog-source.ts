/** Sources of the catalog that a server answers from: a release (release/source.ts), or a file of this machine. */
import { constants, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { messageOf, VitrineError } from "../base/error.ts";
import { refusePipe } from "../base/files.ts";
import { runInThread } from "../base/thread.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { startedModule } from "../package.ts";
import { type FetchedChanges, fetchChanges, type PartitionNames } from "../release/fetch.ts";
import type { FoundRelease, ReleaseSource } from "../release/source.ts";
import type { CatalogTask } from "./catalog-thread.ts";

/** The local copy of an earlier catalog. */
interface PresentCopy {
  readonly file: string;
  /** Names of its partitions; null if unknown. */
  readonly names: PartitionNames | null;
}

/** A source's current catalog. */
export interface FoundCatalog {
  /** Unique: different catalogs have different ids. */
  readonly id: string;
  /** A catalog that cannot be used is tried again when this changes. */
  readonly version: string;
  /** For the log. */
  readonly name: string;
  /** Its content digest; null if the source does not know it. */
  readonly digest: string | null;
  /** Names of its partitions; null if they are not remembered. */
  readonly names: PartitionNames | null;
  /** Fetches the differences from a copy into a folder, or everything; null if the catalog is to be copied. @throws VitrineError */
  changesFrom(copy: PresentCopy | null, folder: string, signal: AbortSignal): Promise<FetchedChanges | null>;
  /** Copies it to a new file, if the source can. @throws VitrineError if it is damaged */
  copyTo?(file: string): Promise<void>;
}

export interface CatalogSource {
  readonly pollMilliseconds: number;
  find(): Promise<FoundCatalog>;
}

/** The releases of a bucket or of a public address. */
export function followReleases(source: ReleaseSource): CatalogSource {
  const found = (release: FoundRelease): FoundCatalog => ({
    id: release.id,
    version: release.version,
    name: release.name,
    digest: release.catalog.digest,
    names: release.lists,
    changesFrom: (copy, folder, signal) => fetchChanges(release, copy?.names ?? null, folder, signal),
  });
  return {
    pollMilliseconds: source.pollMilliseconds,
    find: async () => found(await source.find()),
  };
}

/** The error for a catalog that cannot be used. */
function unusable(file: string, why: string, cause?: unknown): VitrineError {
  return new VitrineError("catalog_unreadable", `The catalog ${file} cannot be used: ${why}.`, { cause });
}

/** Changes when a file is replaced or written to; "" if it is missing. */
function fingerprint(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`;
}

/** Copies a catalog, fast if the file system can share blocks, and checks the copy. */
async function copyWhole(file: string, target: string): Promise<void> {
  const before = fingerprint(file);
  refusePipe(file);
  await copyFile(file, target, constants.COPYFILE_FICLONE);
  if (before === "" || fingerprint(file) !== before) throw unusable(file, "it changed while it was read");
  await runTask({ task: "check", file: target }).catch((error: unknown) => {
    throw unusable(file, messageOf(error), error);
  });
}

/** A catalog file that builds change or replace. */
export function fileSource(file: string, pollMilliseconds = 1000): CatalogSource {
  const describe = (id: string): FoundCatalog => {
    using catalog = openCatalog(file);
    return {
      id,
      version: id,
      name: `the catalog of ${catalog.generatedAt}`,
      digest: catalog.digest,
      names: null,
      async changesFrom(copy, folder, signal) {
        if (copy === null) return null;
        try {
          const order = { task: "compare", file: copy.file, source: file, folder } as const;
          return await runTask<FetchedChanges>(order, signal);
        } catch {
          // If the comparison fails, the copy follows, and reports what is wrong.
          signal.throwIfAborted();
          return null;
        }
      },
      copyTo: (target) => copyWhole(file, target),
    };
  };
  let seen = fingerprint(file);
  let found: FoundCatalog | null = null;
  return {
    pollMilliseconds,
    async find() {
      const now = fingerprint(file);
      // A changed file may still be written: it waits until it looks the same twice.
      const isFinished = now === seen;
      seen = now;
      if (found !== null && now === "") throw unusable(file, "it was deleted");
      if (found === null || (found.id !== now && isFinished)) found = describe(now);
      return found;
    },
  };
}

/** Runs a task on a catalog in a thread, so that requests are answered meanwhile; the thread ends with the task or at the signal. */
export function runTask<Result = void>(task: CatalogTask, signal?: AbortSignal): Promise<Result> {
  return runInThread<CatalogTask, Result>(startedModule("serve/catalog-thread"), task, signal);
}
