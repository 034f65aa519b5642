/**
 * Files as they stand in a bucket: gzipped, and the manifest of a release among them, lines in order of key, read and written
 * as a stream. It says what the bucket holds, which may be older bytes than the snapshot's where only `generated_at` differs.
 */
import { once } from "node:events";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { finished, pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import { FORMATS, readsFormatText } from "../base/formats.ts";
import { Lines } from "../base/lines.ts";
import type { ManifestEntry } from "../site/manifest.ts";
import { checkReleasedEntry } from "../site/schemas.ts";
import { bounded } from "./calls.ts";

/** Level 3 takes half the time of the standard one, and a sixth more room. */
const LEVEL = 3;

export async function zip(file: string, zipped: string, signal?: AbortSignal): Promise<void> {
  const [source, target] = [createReadStream(file), createWriteStream(zipped)];
  await pipeline(source, createGzip({ level: LEVEL }), target, { ...(signal && { signal }) });
}

/** What unzips to more than so many times its size is no file of ours, be it ever so repetitive. */
const MOST_RATIO = 250;
/** So much it may be whatever its size: small files are the most repetitive. */
const LEAST_BOUND = 64 * 1024 * 1024;

/** The bytes of a zipped file. @throws Error where they are more than a file of that size can honestly be */
async function* unzipped(zipped: string): AsyncGenerator<Buffer> {
  const most = Math.max(LEAST_BOUND, MOST_RATIO * statSync(zipped).size);
  const long = () => new Error(`it unzips to more than ${most} bytes`);
  const source = createReadStream(zipped);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  try {
    yield* bounded(source.pipe(gunzip) as AsyncIterable<Buffer>, most, long);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

export async function unzip(zipped: string, file: string): Promise<void> {
  await pipeline(unzipped(zipped), createWriteStream(file));
}

const NAME = "vitrine-release-manifest";

export interface ReleasedEntry extends ManifestEntry {
  /** Digest of the object's headers. */
  readonly headers: string;
}

/** One line, tabs between: no field can hold one. */
export function formatEntry(entry: ReleasedEntry): string {
  const { key, digest, sizeBytes, etag, generatedAt, headers } = entry;
  return `${key}\t${digest}\t${sizeBytes}\t${etag}\t${generatedAt}\t${headers}`;
}

/** @throws Error where it is none */
export function parseEntry(line: string): ReleasedEntry {
  const [key, digest, size, etag, generatedAt, headers, ...more] = line.split("\t", 7);
  const entry = {
    key,
    digest,
    sizeBytes: /^\d{1,16}$/.test(size ?? "") ? Number(size) : null,
    etag,
    generatedAt,
    headers,
  };
  const problem = more.length > 0 ? "it has too many fields" : checkReleasedEntry(entry);
  if (problem !== null) throw new Error(`a line is not as it should be: ${problem}`);
  return entry as ReleasedEntry;
}

export interface ReleaseManifestWriter {
  /** Resolves once there is room for more. */
  add(entry: ReleasedEntry): Promise<void>;
  finish(): Promise<void>;
}

const CHUNK = 64 * 1024;

export function createReleaseManifest(file: string): ReleaseManifestWriter {
  // Digests do not compress: the fastest level loses a few per cent and saves most of the time.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const out = gzip.pipe(createWriteStream(file));
  let pending = `${NAME} ${FORMATS.releaseManifest.newest}\n`;
  return {
    async add(entry) {
      pending += `${formatEntry(entry)}\n`;
      if (pending.length < CHUNK) return;
      const chunk = pending;
      pending = "";
      if (!gzip.write(chunk)) await once(gzip, "drain");
    },
    async finish() {
      gzip.end(pending);
      await finished(out);
    },
  };
}

/** A line's fields are bounded; a key takes the most. */
const MOST_ENTRY_BYTES = 2048;

/** @throws VitrineError newer_format; Error where it is no manifest's */
function checkFirst(line: string): void {
  const [name, format, ...more] = line.split(" ", 3);
  if (name === NAME && more.length === 0 && readsFormatText("releaseManifest", format)) return;
  throw new Error("it does not begin as a manifest of this version does");
}

/** Entries in order of key. @throws Error where the file is cut off or not one of ours */
export async function* readReleaseManifest(file: string): AsyncGenerator<ReleasedEntry> {
  const lines = new Lines(MOST_ENTRY_BYTES);
  let first = true;
  let before = "";
  for await (const piece of unzipped(file)) {
    for (const line of lines.take(piece)) {
      if (first) {
        checkFirst(line);
        first = false;
        continue;
      }
      const entry = parseEntry(line);
      if (entry.key <= before) throw new Error("its keys are not in order");
      before = entry.key;
      yield entry;
    }
  }
  if (first || lines.isOpen) throw new Error("it is cut off");
}
