/** Checks a snapshot against its manifest and the contract: every file, nothing missing, nothing that nobody knows. */
import { hash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ValidateFunction } from "ajv";
import { messageOf } from "../base/error.ts";
import { compileSchema } from "../base/schema.ts";
import { etagOf } from "../catalog/envelope.ts";
import { answerSchema, type Pagination } from "../contract/answers.ts";
import { DEFAULT_PER_PAGE, type Endpoint } from "../contract/endpoints.ts";
import { isStamped } from "../contract/validator.ts";
import { keyOf, queryOfKey } from "../key/key.ts";
import { paramIndex, type Query } from "../key/query.ts";
import { digestFile } from "./digest.ts";
import type { OutLayout } from "./layout.ts";
import { type Manifest, type ManifestEntry, openManifest } from "./manifest.ts";

export interface VerifyReport {
  readonly files: number;
  readonly sizeBytes: number;
  /** What is wrong, a sentence each, with the key. Empty: the snapshot holds. */
  readonly problems: readonly string[];
}

interface Check {
  readonly manifest: Manifest;
  readonly problems: string[];
  /** Total of each list, by the key of its first page: all pages must agree. */
  readonly totals: Map<string, number>;
}

/** Verifies a whole snapshot. @throws VitrineError snapshot_unreadable where there is none */
export async function verifySnapshot(
  layout: OutLayout,
  progress: (files: number) => void,
): Promise<VerifyReport> {
  const manifest = openManifest(layout.manifest);
  const check: Check = { manifest, problems: [], totals: new Map() };
  try {
    if (existsSync(layout.journal)) {
      check.problems.push(
        "the snapshot is not in place yet: a build was interrupted; the next vitrine build finishes it",
      );
    }
    checkCatalog(check, layout.catalog);
    let known = 0;
    let done = 0;
    for (const key of walkFiles(layout.site, "")) {
      if (checkFile(check, layout.site, key)) known += 1;
      done += 1;
      progress(done);
      // Reading is fastest without waiting, but whoever keeps a lease beside must get a turn.
      if (done % 256 === 0) await setImmediate();
    }
    // Keys are not kept: which are missing is only asked where the count says that some are.
    if (known !== manifest.totals.files) {
      for (const { key } of manifest.entries()) {
        if (!existsSync(join(layout.site, key))) check.problems.push(`${key}: the file is missing`);
      }
    }
    return { ...manifest.totals, problems: check.problems.sort() };
  } finally {
    manifest.close();
  }
}

function checkCatalog(check: Check, file: string): void {
  try {
    if (digestFile(file) === check.manifest.meta["catalog"]) return;
    check.problems.push("catalog.sqlite: its digest is not the manifest's");
  } catch (error) {
    check.problems.push(`catalog.sqlite: cannot be read: ${messageOf(error)}`);
  }
}

/** Keys of all files below a folder of the snapshot. */
function* walkFiles(site: string, prefix: string): IterableIterator<string> {
  for (const entry of readdirSync(join(site, prefix), { withFileTypes: true })) {
    const key = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFiles(site, key);
    else yield key;
  }
}

/** Checks one file; true where the manifest knows it. */
function checkFile(check: Check, site: string, key: string): boolean {
  const entry = check.manifest.get(key);
  if (entry === undefined) {
    check.problems.push(`${key}: nobody knows this file`);
    return false;
  }
  const path = join(site, key);
  // Small files, read in one go: trips to a thread pool take longer than the reading.
  if (!lstatSync(path).isFile()) {
    check.problems.push(`${key}: is not a plain file`);
    return true;
  }
  const bytes = readFileSync(path);
  const digest = hash("sha256", bytes, "hex");
  if (digest !== entry.digest || bytes.length !== entry.sizeBytes) {
    check.problems.push(`${key}: its digest is not the manifest's`);
    return true;
  }
  if (etagOf({ bytes, stamped: isStamped(key) }) !== entry.etag)
    check.problems.push(`${key}: its etag is not the manifest's`);
  const query = queryOfKey(key);
  if (query !== null) checkAnswer(check, entry, query, bytes);
  else if (key.startsWith("api/")) check.problems.push(`${key}: is no key of the API`);
  return true;
}

interface Answer {
  readonly data: unknown;
  readonly pagination?: Pagination;
  readonly meta?: { readonly generated_at: string };
}

function checkAnswer(check: Check, entry: ManifestEntry, query: Query, bytes: Buffer): void {
  let answer: Answer;
  try {
    answer = JSON.parse(bytes.toString("utf8")) as Answer;
  } catch (error) {
    check.problems.push(`${entry.key}: is not JSON: ${messageOf(error)}`);
    return;
  }
  const validate = validatorOf(query);
  if (validate !== null && !validate(answer)) {
    const error = validate.errors?.[0];
    check.problems.push(
      `${entry.key}: ${error?.instancePath ?? ""} ${error?.message ?? "breaks its schema"}`,
    );
    return;
  }
  if (answer.meta !== undefined && answer.meta.generated_at !== entry.generatedAt) {
    check.problems.push(`${entry.key}: its generated_at is not the manifest's`);
  }
  if (answer.pagination !== undefined) checkPage(check, entry.key, query, answer.pagination, answer.data);
}

const validators = new Map<string, ValidateFunction | null>();

function validatorOf(query: Query): ValidateFunction | null {
  const one = selectsOne(query);
  const name = `${query.endpoint.path} ${one}`;
  const known = validators.get(name);
  if (known !== undefined) return known;
  const schema = answerSchema(query.endpoint, one);
  const made = schema === null ? null : compileSchema(schema);
  validators.set(name, made);
  return made;
}

function selectsOne({ endpoint, values }: Query): boolean {
  return endpoint.params.some((param, at) => param.selects === true && values[at] !== null);
}

function numberOf(query: Query, param: string, standard: number): number {
  return Number(query.values[paramIndex(query.endpoint, param)] ?? standard);
}

function pageKey(query: Query, page: number): string {
  return keyOf({ ...query, values: withPage(query.endpoint, query.values, page) });
}

function withPage(endpoint: Endpoint, values: Query["values"], page: number): (string | null)[] {
  return values.map((value, at) => (at === paramIndex(endpoint, "page") ? String(page) : value));
}

/** The page is what its key says, has the rows it should have, and stands in a row of pages without a gap. */
function checkPage(check: Check, key: string, query: Query, pagination: Pagination, data: unknown): void {
  const page = numberOf(query, "page", 1);
  const perPage = numberOf(query, "per_page", DEFAULT_PER_PAGE);
  const { total, total_pages: pages } = pagination;
  const rows = Math.max(0, Math.min(perPage, total - (page - 1) * perPage));
  const first = pageKey(query, 1);
  const known = check.totals.get(first) ?? total;
  check.totals.set(first, known);
  const wrong =
    pagination.page !== page ||
    pagination.per_page !== perPage ||
    pages !== Math.ceil(total / perPage) ||
    (Array.isArray(data) ? data.length : -1) !== rows ||
    known !== total ||
    (page > 1 && page > pages);
  if (wrong) check.problems.push(`${key}: its pagination is wrong`);
  const next = check.manifest.get(pageKey(query, page + 1)) !== undefined;
  if (next !== page < pages) {
    check.problems.push(
      `${key}: page ${page + 1} ${next ? "stands although the list has ended" : "is missing"}`,
    );
  }
}
