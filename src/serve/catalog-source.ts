/** Where the catalog comes from that a server answers from: a file of this machine here, or a bucket (publish/release-source.ts). */
import { constants, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf, VitrineError } from "../base/error.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { deltasBetween } from "../site/delta-chain.ts";
import { layoutOf } from "../site/layout.ts";
import { deltaFiles } from "../site/writer.ts";
import { runInThread } from "./in-thread.ts";

/** The catalog that a source has now. */
export interface FoundCatalog {
  /** Two catalogs have different ids. */
  readonly id: string;
  /** One that cannot be used is tried again once its version changes. */
  readonly version: string;
  /** What the log calls it. */
  readonly name: string;
  /** Its content digest, or how that begins. */
  readonly digest: string;
  /** Files of deltas that lead to it from another catalog, fetched to a folder if need be; null where none do. */
  deltasSince(
    catalog: { readonly id: string; readonly digest: string },
    folder: string,
  ): Promise<string[] | null>;
  /** Brings all of it to a new file. @throws where it is damaged */
  fetchTo(file: string): Promise<void>;
}

export interface CatalogSource {
  readonly pollMilliseconds: number;
  find(): Promise<FoundCatalog>;
}

/** What is said where a catalog cannot be used. */
function unusable(file: string, why: string, cause?: unknown): VitrineError {
  return new VitrineError("catalog_unreadable", `The catalog ${file} cannot be used: ${why}.`, { cause });
}

/** Changes when a file is replaced or written to; "" where there is none. */
function fingerprint(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`;
}

/** Copies a catalog, fast where the file system shares blocks, and checks the copy. */
async function copyWhole(file: string, target: string): Promise<void> {
  const before = fingerprint(file);
  await copyFile(file, target, constants.COPYFILE_FICLONE);
  if (before === "" || fingerprint(file) !== before)
    throw new Error(`the catalog ${file} changed while it was read`);
  await runInThread({ task: "check", file: target }).catch((error: unknown) => {
    throw unusable(file, messageOf(error), error);
  });
}

/** Deltas that builds leave in the output folder of a catalog. */
function deltasOf(file: string): string[] {
  const layout = layoutOf(dirname(file));
  return deltaFiles(layout).map((name) => join(layout.deltas, name));
}

/** A file that builds change, or put another one in the place of. */
export function fileSource(file: string, pollMilliseconds = 1000): CatalogSource {
  const stateNow = () => [fingerprint(file), ...deltasOf(file)].join("\n");
  const describe = (id: string): FoundCatalog => {
    const catalog = openCatalog(file);
    catalog.close();
    return {
      id,
      version: id,
      name: `the catalog of ${catalog.generatedAt}`,
      digest: catalog.digest,
      deltasSince: async ({ digest }) =>
        deltasBetween(deltasOf(file), { catalog: digest }, { catalog: catalog.digest }),
      fetchTo: (target) => copyWhole(file, target),
    };
  };
  let seen = stateNow();
  let found: FoundCatalog | null = null;
  return {
    pollMilliseconds,
    async find() {
      const now = stateNow();
      // One that is still being written waits until it looks the same twice.
      const isFinished = now === seen;
      seen = now;
      if (found !== null && fingerprint(file) === "") throw unusable(file, "it is gone");
      if (found === null || (found.id !== now && isFinished)) found = describe(now);
      return found;
    },
  };
}
