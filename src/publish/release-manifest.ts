/**
 * The manifest of a release, as it stands in the bucket: gzipped lines in order of key, read and written as a stream.
 * It says what the bucket holds, which may be older bytes than the snapshot's where only `generated_at` differs.
 */
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import { VitrineError } from "../base/error.ts";
import type { ManifestEntry } from "../snapshot/manifest.ts";

const FORMAT = "vitrine-release-manifest 1";

export interface ReleasedEntry extends ManifestEntry {
  /** Digest of the object's headers. */
  readonly headers: string;
}

/** One line, tabs between: no field can hold one. */
export function formatEntry(entry: ReleasedEntry): string {
  const { key, digest, sizeBytes, etag, generatedAt, headers } = entry;
  return `${key}\t${digest}\t${sizeBytes}\t${etag}\t${generatedAt}\t${headers}`;
}

export function parseEntry(line: string): ReleasedEntry | null {
  const [key, digest, size, etag, generatedAt, headers, ...more] = line.split("\t");
  if (!key || !digest || !etag || !generatedAt || !headers || more.length > 0) return null;
  const sizeBytes = Number(size);
  return Number.isInteger(sizeBytes) ? { key, digest, sizeBytes, etag, generatedAt, headers } : null;
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
  let pending = `${FORMAT}\n`;
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

/** Entries in order of key. @throws VitrineError remote_failed where the file is cut off or not one of ours */
export async function* readReleaseManifest(file: string): AsyncGenerator<ReleasedEntry> {
  const broken = (cause?: unknown) =>
    new VitrineError(
      "remote_failed",
      "The manifest of the live release cannot be read: it is cut off or of a version that this one does not know. " +
        "Update Vitrine, or publish to an empty prefix.",
      { cause },
    );
  const source = createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.on("error", (error) => unzipped.destroy(error));
  const lines = createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY });
  // Readline ends quietly when its input breaks: the failure is kept and told at the end.
  let failure: unknown;
  unzipped.on("error", (error) => {
    failure = error;
    lines.close();
  });
  let first = true;
  for await (const line of lines) {
    if (first && line !== FORMAT) throw broken();
    const entry = first ? undefined : parseEntry(line);
    first = false;
    if (entry === null) throw broken();
    if (entry !== undefined) yield entry;
  }
  if (first || failure !== undefined) throw broken(failure);
}
