/** Checks a snapshot against its manifest and the contract: every file is there and right, and no other files exist. */
import { type Dir, existsSync, opendirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isStamped } from "../api/validator.ts";
import { isForbidden, messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { nameNewer } from "../base/formats.ts";
import { createDigests } from "../catalog/envelope.ts";
import { digestCatalog } from "../catalog/verify.ts";
import { queryOfKey } from "../key/key.ts";
import type { OutLayout } from "./layout.ts";
import { type Manifest, type ManifestEntry, openManifest } from "./manifest.ts";
import { checkAnswer, createPageCheck, type PageCheck } from "./verify-answer.ts";

export interface VerifyReport {
  readonly files: number;
  readonly sizeBytes: number;
  /** Problems, one sentence each, with the key. Empty: the snapshot is right. */
  readonly problems: readonly string[];
  /** Files that are not in the manifest; each is also a problem. */
  readonly strays: readonly string[];
}

/**
 * Verifies a whole snapshot. @param see gets the bytes of each file of the manifest, right or wrong, which need not be read again then
 * @throws VitrineError snapshot_unreadable if there is none
 */
export async function verifySnapshot(
  layout: OutLayout,
  progress: (files: number, of: number) => void,
  see?: (entry: ManifestEntry, bytes: Buffer) => void,
): Promise<VerifyReport> {
  const manifest = openManifest(layout.manifest);
  const problems: string[] = [];
  const strays: string[] = [];
  try {
    if (existsSync(layout.moves)) {
      problems.push(
        "the snapshot is not in place yet: a build was interrupted; the next vitrine build finishes it",
      );
    }
    problems.push(...checkCatalog(layout.catalog, manifest));
    const { plain, odd } = countFiles(layout.site);
    for (const key of odd) problems.push(`${key}: is not a regular file`);
    const of = manifest.totals().files;
    let [found, done, sizeBytes] = [0, 0, 0];
    const pages = createPageCheck(manifest);
    for (const entry of manifest.entries()) {
      if (!odd.has(entry.key)) {
        const bytes = readSmall(join(layout.site, entry.key));
        if (typeof bytes === "string") problems.push(`${entry.key}: ${bytes}`);
        else {
          problems.push(...checkFile(entry, bytes, pages));
          see?.(entry, bytes);
          found += 1;
        }
      }
      done += 1;
      sizeBytes += entry.sizeBytes;
      progress(done, of);
      // Synchronous reading is fastest, but renewing a lease needs the event loop.
      if (done % 256 === 0) await setImmediate();
    }
    problems.push(...pages.finish());
    // Keys are not kept in memory: look for strays only if the count says that there are some.
    if (found !== plain) {
      for (const { key, isPlain } of walkSite(layout.site))
        if (isPlain && manifest.get(key) === undefined) strays.push(key);
    }
    problems.push(...strays.map((key) => `${key}: not in the manifest`));
    return { files: done, sizeBytes, problems: problems.sort(), strays };
  } finally {
    manifest.close();
  }
}

function checkCatalog(file: string, manifest: Manifest): string[] {
  try {
    const holds = digestCatalog(file) === manifest.meta["catalog_digest"];
    return holds ? [] : ["catalog.sqlite: its content differs from the one in the manifest"];
  } catch (error) {
    if (error instanceof VitrineError && error.code === "newer_format") throw nameNewer(file, error);
    return [`catalog.sqlite: cannot be read: ${messageOf(error)}`];
  }
}

interface FoundFiles {
  readonly key: string;
  readonly isPlain: boolean;
}

/** All files of the site; none if the folder is missing. @throws VitrineError snapshot_unreadable if it is no folder */
export function walkSite(site: string): Iterable<FoundFiles> {
  const found = statSync(site, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isDirectory()) return walkFiles(site, "");
  throw new VitrineError("snapshot_unreadable", `${site} is no folder. Move it away, then build again.`);
}

/** The number of regular files, and the keys of what is neither a file nor a folder. */
function countFiles(site: string): { readonly plain: number; readonly odd: ReadonlySet<string> } {
  let plain = 0;
  const odd = new Set<string>();
  for (const { key, isPlain } of walkSite(site)) {
    if (isPlain) plain += 1;
    else odd.add(key);
  }
  return { plain, odd };
}

/** Everything below a folder of the snapshot that is not a folder. */
function* walkFiles(site: string, folder: string): Generator<FoundFiles> {
  const folders: string[] = [];
  // Reads in small batches: a folder may hold every product of the shop.
  const entries = openFolder(join(site, folder));
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      const key = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(key);
      else yield { key, isPlain: entry.isFile() };
    }
  } finally {
    entries.closeSync();
  }
  for (const each of folders) yield* walkFiles(site, each);
}

function openFolder(path: string): Dir {
  try {
    return opendirSync(path, { bufferSize: 256 });
  } catch (error) {
    // Node does not name the folder.
    if (!isForbidden(error)) throw error;
    throw new VitrineError(
      "snapshot_unreadable",
      `Cannot read ${path}: ${messageOf(error)}. Run this as a user who may read it.`,
      { cause: error, hint: `ls -ld ${path} shows whose folder it is` },
    );
  }
}

/** Bytes of a file, or what is wrong with it. Synchronous: for small files a thread pool takes longer than the reading. */
function readSmall(file: string): Buffer | string {
  try {
    return readFileSync(file);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return "the file is missing";
    if (isForbidden(error)) return `cannot be read: ${messageOf(error)}`;
    throw error;
  }
}

/** Problems of one file. */
function checkFile(entry: ManifestEntry, bytes: Buffer, pages: PageCheck): string[] {
  const { key } = entry;
  const { etag, digestOf } = createDigests({ bytes, stamped: isStamped(key) });
  if (bytes.length !== entry.sizeBytes || digestOf(bytes) !== entry.digest)
    return [`${key}: its digest differs from the manifest's`];
  const problems = etag !== entry.etag ? [`${key}: its etag differs from the manifest's`] : [];
  const query = queryOfKey(key);
  if (query !== null) problems.push(...checkAnswer(entry, query, bytes, pages));
  else if (key.startsWith("api/")) problems.push(`${key}: is not a key of the API`);
  return problems;
}
