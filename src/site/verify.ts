/** Checks a snapshot against its manifest and the contract: every file, nothing missing, nothing that is not in the manifest. */
import { existsSync, opendirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isStamped } from "../api/validator.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
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
  /** What is wrong, a sentence each, with the key. Empty: the snapshot holds. */
  readonly problems: readonly string[];
  /** Files that are not in the manifest; a problem each. */
  readonly strays: readonly string[];
}

/** Verifies a whole snapshot. @throws VitrineError snapshot_unreadable where there is none */
export async function verifySnapshot(
  layout: OutLayout,
  progress: (files: number, of: number) => void,
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
    for (const key of odd) problems.push(`${key}: is not a plain file`);
    const of = manifest.totals().files;
    let [found, done, sizeBytes] = [0, 0, 0];
    const pages = createPageCheck(manifest);
    for (const entry of manifest.entries()) {
      if (!odd.has(entry.key)) {
        const wrong = checkFile(layout.site, entry, pages);
        if (wrong === null) problems.push(`${entry.key}: the file is missing`);
        else {
          problems.push(...wrong);
          found += 1;
        }
      }
      done += 1;
      sizeBytes += entry.sizeBytes;
      progress(done, of);
      // Reading is fastest without waiting, but a lease that is renewed meanwhile needs the event loop.
      if (done % 256 === 0) await setImmediate();
    }
    problems.push(...pages.finish());
    // Keys are not kept: which are strange is only asked where the count says that some are.
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
    return holds ? [] : ["catalog.sqlite: its content is not the one that the manifest names"];
  } catch (error) {
    if (error instanceof VitrineError && error.code === "newer_format") throw nameNewer(file, error);
    return [`catalog.sqlite: cannot be read: ${messageOf(error)}`];
  }
}

interface FoundFiles {
  readonly key: string;
  readonly isPlain: boolean;
}

/** Nothing where there is no site at all: then every file is missing. */
export function walkSite(site: string): Iterable<FoundFiles> {
  return existsSync(site) ? walkFiles(site, "") : [];
}

/** How many plain files there are, and the keys of what is neither file nor folder. */
function countFiles(site: string): { readonly plain: number; readonly odd: ReadonlySet<string> } {
  let plain = 0;
  const odd = new Set<string>();
  for (const { key, isPlain } of walkSite(site)) {
    if (isPlain) plain += 1;
    else odd.add(key);
  }
  return { plain, odd };
}

/** All that stands below a folder of the snapshot and is no folder. */
function* walkFiles(site: string, folder: string): Generator<FoundFiles> {
  const folders: string[] = [];
  // Read bit by bit: a folder may hold every product of the shop.
  const entries = opendirSync(join(site, folder), { bufferSize: 256 });
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

/** Bytes of a file; null where there is none. Small files, read in one go: a thread pool takes longer than the reading. */
function readSmall(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** What is wrong with one file; null where it is missing. */
function checkFile(site: string, entry: ManifestEntry, pages: PageCheck): string[] | null {
  const { key } = entry;
  const bytes = readSmall(join(site, key));
  if (bytes === null) return null;
  const { etag, digestOf } = createDigests({ bytes, stamped: isStamped(key) });
  if (bytes.length !== entry.sizeBytes || digestOf(bytes) !== entry.digest)
    return [`${key}: its digest is not the manifest's`];
  const problems = etag !== entry.etag ? [`${key}: its etag is not the manifest's`] : [];
  const query = queryOfKey(key);
  if (query !== null) problems.push(...checkAnswer(entry, query, bytes, pages));
  else if (key.startsWith("api/")) problems.push(`${key}: is no key of the API`);
  return problems;
}
