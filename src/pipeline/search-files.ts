/**
 * Searches files for what is to be erased: every file of a snapshot, and every object of a place that is not one of those files. The
 * search is broad. A match in a file of the snapshot counts only if the current catalog gives that file other bytes.
 */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { BULK_FOLDER } from "../api/endpoints.ts";
import { RECORDS } from "../api/records.ts";
import { etagOfDigest } from "../api/validator.ts";
import { VitrineError } from "../base/error.ts";
import { readPlainFile } from "../base/files.ts";
import { parseShallowJson } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { answerQuery } from "../catalog/answer.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import { etagOf } from "../catalog/envelope.ts";
import { type Sought, type SoughtRecord, textFinder, withoutEntities } from "../catalog/sought.ts";
import { queryOfKey } from "../key/key.ts";
import { templateFolder } from "../package.ts";
import { type Bucket, CONTROL, DRAFTS } from "../publish/bucket.ts";
import { OBJECTS } from "../release/objects.ts";
import type { OutLayout } from "../site/layout.ts";
import { siteInputs } from "../site/made-file.ts";
import { type ManifestEntry, openManifest } from "../site/manifest.ts";
import { measureFiles } from "../site/measure.ts";
import { widgetFiles } from "../site/site.ts";
import { walkSite } from "../site/verify.ts";
import { otherFiles } from "./other-files.ts";

/** `unread`: the file cannot be decompressed, is too large, or is not a regular file. */
type Finding = "found" | "clean" | "unread";
/** Searches one whole file. */
export type FileSearch = (key: string, bytes: Buffer) => Finding;

export interface SearchReport {
  /** Files that contain it. */
  readonly holders: readonly string[];
  /** Files that could not be searched and may contain it. */
  readonly unread: readonly string[];
}

/** Searches every file of a snapshot, one at a time. Skips answers outside the manifest: they are deleted anyway. */
export async function searchSite(layout: OutLayout, search: FileSearch, log: Log): Promise<SearchReport> {
  const manifest = openManifest(layout.manifest);
  const found = createSiteSearch(layout, search);
  const of = manifest.totals().files;
  let done = 0;
  try {
    for (const { key } of walkSite(layout.site)) {
      const entry = manifest.get(key);
      if (entry === undefined && queryOfKey(key) !== null) continue;
      found.see(key, readPlainFile(join(layout.site, key)), entry);
      done += 1;
      log.progress(() => ({ what: "looking into", done, of, unit: "files" }));
      // Renewing a lease needs the event loop.
      if (done % 256 === 0) await setImmediate();
    }
  } finally {
    manifest.close();
  }
  return found.report();
}

/**
 * Searches every object of a place that is not a file of this snapshot, one at a time. The repair of the live release compares those
 * files byte by byte, and deletes answers and objects of no release.
 */
export async function searchPlace(
  bucket: Bucket,
  isFile: (key: string) => boolean,
  search: FileSearch,
  log: Log,
): Promise<PlaceSearchReport> {
  const others: string[] = [];
  const holders: string[] = [];
  const unread: string[] = [];
  const searchOne = async (key: string) => {
    log.progress(() => `looking into ${key}`);
    const finding = await searchObject(bucket, key, search);
    if (finding === "found") holders.push(key);
    else if (finding === "unread") unread.push(key);
  };
  for await (const key of bucket.list("")) {
    if (key.startsWith(CONTROL) || isFile(key) || queryOfKey(key) !== null) continue;
    others.push(key);
    await searchOne(key);
  }
  for await (const key of bucket.list(CONTROL))
    if (!key.startsWith(OBJECTS) && !key.startsWith(DRAFTS)) await searchOne(key);
  return { others, holders, unread };
}

/**
 * Searches for words, or for a record by its id and by `texts` of it. Words are found whatever their case, accents and spaces, also
 * with HTML between them; in JSON, NDJSON, XML, HTML, Markdown, TSV, CSV and plain text with their escapes (twice for HTML in XML),
 * with `%` escapes in addresses, and in gzip files of these. Not found: words that a feed has cut off, and encodings other than
 * UTF-8.
 */
export function createSearch(sought: Sought, texts: readonly string[]): FileSearch {
  const finds = textFinder("text" in sought ? [sought.text] : texts);
  const isSomething = "text" in sought || texts.length > 0;
  let clean = new Set<string>();
  let letters = 0;
  const has = (text: string) => {
    if (clean.has(text)) return false;
    if (finds(text)) return true;
    letters += text.length;
    if (letters > REMEMBERED_LETTERS) {
      clean = new Set();
      letters = text.length;
    }
    clean.add(text);
    return false;
  };
  const hasIt = (key: string, plain: Buffer) => {
    const isJson = /\.(json|jsonld)(\.gz)?$/.test(key) && plain.length <= PIECE_BYTES;
    const value = isJson ? parsed(plain.toString("utf8")) : undefined;
    if (value !== undefined) {
      for (const text of wordsIn(value)) if (has(text)) return true;
      return false;
    }
    for (const piece of piecesOf(plain)) for (const text of contentsOf(piece)) if (finds(text)) return true;
    return false;
  };
  return (key, bytes) => {
    const plain = key.endsWith(".gz") ? decompressed(bytes) : bytes;
    if (plain === null) return "unread";
    if ("record" in sought && showsId(key, () => plain.toString("utf8"), sought)) return "found";
    return isSomething && hasIt(key, plain) ? "found" : "clean";
  };
}

/** A search of a snapshot's files, in any order. */
export interface SiteSearch {
  /** `entry`: the manifest's, for a file of the snapshot. */
  see(key: string, bytes: Buffer, entry: ManifestEntry | undefined): void;
  report(): SearchReport;
}

export function createSiteSearch({ catalog }: Pick<OutLayout, "catalog">, search: FileSearch): SiteSearch {
  const suspects: ManifestEntry[] = [];
  const holders: string[] = [];
  const unread: string[] = [];
  return {
    see(key, bytes, entry) {
      const finding = search(key, bytes);
      if (finding === "unread") unread.push(key);
      else if (finding === "found" && entry === undefined) holders.push(key);
      else if (finding === "found" && entry !== undefined) suspects.push(entry);
    },
    report: () => ({ holders: [...staleFiles(catalog, suspects), ...holders].sort(), unread }),
  };
}

export interface PlaceSearchReport extends SearchReport {
  /** Objects that belong to no release and stay. */
  readonly others: readonly string[];
}

/** Searches one object of a place; one that was deleted meanwhile is clean. */
async function searchObject(bucket: Bucket, key: string, search: FileSearch): Promise<Finding> {
  try {
    const stored = await bucket.get(key);
    return stored === null ? "clean" : search(key, stored.body);
  } catch (error) {
    // Too large, or a link that could lead anywhere.
    if (error instanceof VitrineError && error.code === "remote_invalid") return "unread";
    throw error;
  }
}

/** The value of a JSON text, with as many values as a list of all records has; undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return parseShallowJson(text, Infinity);
  } catch {
    // JSON.parse has one error.
    return undefined;
  }
}

/** Names and texts of a JSON value, however deep it is. */
function* wordsIn(value: unknown): Generator<string> {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string") yield next;
    else if (Array.isArray(next)) for (const inner of next) left.push(inner);
    else if (typeof next === "object" && next !== null) {
      for (const [name, inner] of Object.entries(next)) {
        yield name;
        left.push(inner);
      }
    }
  }
}

function* piecesOf(bytes: Buffer): Generator<string> {
  for (let at = 0; at === 0 || at + OVERLAP_BYTES < bytes.length; at += PIECE_BYTES - OVERLAP_BYTES)
    yield bytes.toString("utf8", at, at + PIECE_BYTES);
}

/** The readings of a file's text, whatever its format: raw, and without the escapes of JSON and Markdown, TSV and CSV quotes, XML entities. */
function contentsOf(text: string): Set<string> {
  const unescaped = [text, withoutBackslashes(text), text.replaceAll('""', '"')];
  return new Set(unescaped.flatMap((each) => [each, withoutEntities(each)]));
}

const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** A text without the backslashes of JSON and Markdown. */
function withoutBackslashes(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code?: string, letter = "") =>
    code === undefined ? (LETTERS[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Most bytes of a decompressed file. */
const MOST_PLAIN_BYTES = 1 << 28;
/** Text is searched in overlapping pieces. The overlap is generous, since escapes and tags make words longer. */
const PIECE_BYTES = 1 << 21;
const OVERLAP_BYTES = 1 << 16;
/** Answers repeat the same texts: so many letters of clean ones are remembered. */
const REMEMBERED_LETTERS = 1 << 24;

function decompressed(bytes: Buffer): Buffer | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_PLAIN_BYTES });
  } catch {
    // Damaged, or larger than the limit: it is reported as unread either way.
    return null;
  }
}

interface Identified {
  readonly id?: unknown;
  readonly _row?: { readonly id?: unknown };
}

/** True if an answer or bulk file of the record's kind contains its id. */
function showsId(key: string, plain: () => string, { record, id }: SoughtRecord) {
  const has = (value: unknown) => {
    const { id: own, _row } = (value ?? {}) as Identified;
    return own === id || _row?.id === id;
  };
  if (key.startsWith(`${BULK_FOLDER}/${record}/`) && key.includes(".ndjson"))
    return plain()
      .split("\n")
      .some((line) => has(parsed(line)));
  const path = queryOfKey(key)?.endpoint.path;
  const isOfKind = RECORDS.some(
    ({ name, endpoint }) => name === record && (path === endpoint || path === name),
  );
  if (!isOfKind) return false;
  const answer = parsed(plain()) as { readonly data?: unknown } | null | undefined;
  return [answer?.data].flat().some(has);
}

/**
 * Those files of a snapshot that differ from what its catalog makes. All other files contain only the catalog's content and Vitrine's
 * own words: `--text max` would match `Math.max` in a widget.
 */
function staleFiles(file: string, entries: readonly ManifestEntry[]): string[] {
  if (entries.length === 0) return [];
  using catalog = openCatalog(file);
  let others: Map<string, string> | undefined;
  return entries
    .filter(({ key, etag }) => {
      const query = queryOfKey(key);
      if (query === null) {
        others ??= etagsOfOthers(catalog);
        return others.get(key) !== etag;
      }
      const body = answerQuery(catalog, query);
      return body === null || etagOf(body) !== etag;
    })
    .map(({ key }) => key);
}

/** ETags of all files that are not answers, as the catalog makes them. */
function etagsOfOthers(catalog: Catalog): Map<string, string> {
  const inputs = siteInputs(catalog);
  const others = otherFiles(() => undefined);
  const files = measureFiles([...widgetFiles(catalog, templateFolder("widgets")), ...others.files(inputs)]);
  return new Map([...files].map(([key, { digest }]) => [key, etagOfDigest(digest)]));
}
