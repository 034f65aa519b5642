/**
 * A delta's file: what turns one catalog into the next, and with it the keys of one snapshot into the next's. Lines of JSON
 * that anybody can read: the first says from what to what, then rows put and deleted, then keys put and deleted.
 *
 *     {"delta":2,"from":{"catalog":"3f…","content":"9a…"},"to":{…},"meta":{…},"generatedAt":"…","vitrine":"0.1.0"}
 *     ["put","product",{"id":12,"columns":{…},"list":"{…}","added":"{…}","document":{…}}]
 *     ["list","product",{"id":13,"columns":{…},"list":"{…}"}]
 *     ["delete","review",77]
 *     ["file",{"key":"api/v1/product/slug=kit.json","digest":"…","sizeBytes":5120,"etag":"W/…","generatedAt":"…"}]
 *     ["gone","api/v1/products/page=9.json"]
 */
import { appendFileSync, closeSync, fsyncSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { messageOf, VitrineError } from "../base/error.ts";
import { FORMATS, readsFormat } from "../base/formats.ts";
import { Lines } from "../base/lines.ts";
import type { CatalogStep, RowChange } from "../catalog/apply.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { CatalogRow, ListRow } from "../catalog/row.ts";
import type { ManifestEntry } from "./manifest.ts";
import { checkDeltaHeader, checkDeltaLine, MOST_HEADER_BYTES, MOST_LINE_BYTES } from "./schemas.ts";

/** What identifies a catalog and its snapshot: the content digest, and the sum of the manifest's entries. */
export interface Ends {
  readonly catalog: string;
  readonly content: string;
}

export interface DeltaHeader {
  /** Number of its format. */
  readonly delta: number;
  readonly from: Ends;
  readonly to: Ends;
  /** The catalog's meta that its digest says. */
  readonly meta: Readonly<Record<string, string>>;
  readonly generatedAt: string;
  /** Version of the package that made it. */
  readonly vitrine: string;
}

type DeltaLine = RowChange | { readonly file: ManifestEntry } | { readonly gone: string };

export function stepOf({ from, to, meta, generatedAt }: DeltaHeader): CatalogStep {
  return { from: from.catalog, to: to.catalog, meta, generatedAt };
}

const PIECE_BYTES = 1 << 20;

/** Collects changed rows in a separate file: what comes first in a delta is known last. */
export class RowLines {
  readonly file: string;
  #lines: string[] = [];
  #length = 0;
  /** Bytes, roughly, of all that was written. */
  size = 0;

  constructor(file: string) {
    this.file = file;
    writeFileSync(file, "");
  }

  put(resource: ResourceName, row: CatalogRow): void {
    this.#add(JSON.stringify(["put", resource, row]));
  }

  /** Only the list part of an existing row changes. */
  list(resource: ResourceName, { id, columns, list }: ListRow): void {
    this.#add(JSON.stringify(["list", resource, { id, columns, list }]));
  }

  delete(resource: ResourceName, id: number): void {
    this.#add(JSON.stringify(["delete", resource, id]));
  }

  flush(): void {
    if (this.#lines.length > 0) appendFileSync(this.file, `${this.#lines.join("\n")}\n`);
    this.#lines = [];
    this.#length = 0;
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    this.size += line.length;
    if (this.#length > PIECE_BYTES) this.flush();
  }
}

/** Writes a delta that survives a crash once this returns. */
export function writeDelta(
  file: string,
  header: Omit<DeltaHeader, "delta">,
  rows: RowLines,
  files: Iterable<ManifestEntry>,
  gone: Iterable<string>,
): void {
  rows.flush();
  const target = openSync(file, "w");
  try {
    writeSync(target, `${JSON.stringify({ delta: FORMATS.delta.newest, ...header })}\n`);
    copyInto(target, rows.file);
    for (const entry of files) writeSync(target, `${JSON.stringify(["file", entry])}\n`);
    for (const key of gone) writeSync(target, `${JSON.stringify(["gone", key])}\n`);
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
}

function copyInto(target: number, file: string): void {
  const source = openSync(file, "r");
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  try {
    for (let length = readSync(source, piece); length > 0; length = readSync(source, piece))
      writeSync(target, piece, 0, length);
  } finally {
    closeSync(source);
  }
}

function damaged(why: string): VitrineError {
  return new VitrineError(
    "delta_refused",
    `This is no delta that this version can read: ${why}. Nothing was changed.`,
  );
}

function parseHeader(line: string): DeltaHeader {
  const header = parseLine(line);
  readsFormat("delta", (header as Partial<DeltaHeader> | null)?.delta);
  const problem = checkDeltaHeader(header);
  if (problem !== null) throw damaged(`its first line does not say from what to what: ${problem}`);
  return header as DeltaHeader;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged("a line is no JSON");
  }
}

function toLine(line: string): DeltaLine {
  const value = parseLine(line);
  const problem = checkDeltaLine(value);
  if (problem !== null) throw damaged(`a line is not as it should be: ${problem}`);
  const [kind, first, second] = value as [string, never, never];
  if (kind === "put") return { resource: first, put: second };
  if (kind === "list") return { resource: first, listed: second };
  if (kind === "delete") return { resource: first, deleted: second };
  return kind === "file" ? { file: first } : { gone: first };
}

export interface Delta {
  readonly header: DeltaHeader;
  /** To be read once. */
  readonly lines: Iterable<DeltaLine>;
}

function* linesOf(file: string, mostBytes: number): Generator<string> {
  const source = openSync(file, "r");
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const lines = new Lines(mostBytes);
  try {
    for (let length = readSync(source, piece); length > 0; length = readSync(source, piece))
      yield* linesIn(lines, piece.subarray(0, length));
    if (lines.isOpen) throw damaged("its last line is cut off");
  } finally {
    closeSync(source);
  }
}

function* linesIn(lines: Lines, piece: Buffer): Generator<string> {
  try {
    yield* lines.take(piece);
  } catch (error) {
    throw damaged(messageOf(error));
  }
}

/** What a delta's file says of itself. @throws VitrineError delta_refused where it is none */
export function readHeader(file: string): DeltaHeader {
  for (const line of linesOf(file, MOST_HEADER_BYTES)) return parseHeader(line);
  throw damaged("it is empty");
}

function* afterHeader(file: string, mostBytes: number): Generator<DeltaLine> {
  let isHeader = true;
  for (const line of linesOf(file, mostBytes)) {
    if (!isHeader) yield toLine(line);
    isHeader = false;
  }
}

/** Opens a delta's file. @param mostBytes of a line @throws VitrineError delta_refused where it is none */
export function openDelta(file: string, mostBytes: number = MOST_LINE_BYTES): Delta {
  return { header: readHeader(file), lines: afterHeader(file, mostBytes) };
}

/** The rows of a delta. */
export function* rowsOf({ lines }: Delta): Generator<RowChange> {
  for (const line of lines) if ("resource" in line) yield line;
}

/** The keys of a delta. */
export function* keysOf({
  lines,
}: Delta): Generator<{ readonly file: ManifestEntry } | { readonly gone: string }> {
  for (const line of lines) if (!("resource" in line)) yield line;
}
