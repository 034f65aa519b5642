/** What changed between two snapshots, catalogs or releases: by record, by key, or in the answer of one key. */
import { join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { diffJson, type JsonChange } from "../base/json-difference.ts";
import { type LogOption, SILENT } from "../base/log.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { answerQuery } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { compareCatalogs } from "../catalog/compare.ts";
import type { CatalogChanges } from "../catalog/comparison.ts";
import { isEnabled } from "../catalog/singles.ts";
import { queryOfKey, targetKey, targetOf } from "../key/key.ts";
import type { Query } from "../key/query.ts";
import { compareKeys, type KeyChange, type Manifest } from "../snapshot/manifest.ts";
import type { DiffSide } from "./diff-side.ts";
import type { PlaceOptions } from "./publish.ts";
import { type Closers, type OpenSide, openSideOf } from "./sides.ts";

export type { DiffSide };

/** Two of: an output folder, a catalog file, or a place's release, `s3://BUCKET/PREFIX#RELEASE`; without `#`, its live one. */
export interface DiffOptions extends LogOption, Omit<PlaceOptions, "to"> {
  readonly from: string;
  readonly to: string;
  /** Names the files that differ. Default: they are counted. */
  readonly keys?: boolean | undefined;
}

export interface FileChanges {
  readonly new: number;
  readonly changed: number;
  readonly gone: number;
  readonly same: number;
  /** Those that differ, in order; null where they were not asked for. */
  readonly keys: readonly KeyChange[] | null;
}

export interface DiffReport {
  readonly from: DiffSide;
  readonly to: DiffSide;
  /** True where catalogs have the same content, and snapshots the same files. */
  readonly same: boolean;
  /** By record; only those in which something differs. */
  readonly records: CatalogChanges;
  readonly store: readonly JsonChange[];
  readonly config: readonly JsonChange[];
  /** Null where a side is a catalog file: it does not say which files there are. */
  readonly files: FileChanges | null;
}

export interface KeyReport {
  readonly from: DiffSide;
  readonly to: DiffSide;
  readonly same: boolean;
  readonly key: string;
  /** Of the body but for its `meta`; where only one side has an answer, one change with the path "". */
  readonly changes: readonly JsonChange[];
}

/** Opens both sides; what is fetched goes to an empty folder. */
async function withSides<Result>(
  options: DiffOptions,
  folder: string,
  work: (from: OpenSide, to: OpenSide) => Result,
): Promise<Result> {
  const closers: Closers = [];
  try {
    const from = await openSideOf(options.from, options, join(folder, "from"), closers);
    const to = await openSideOf(options.to, options, join(folder, "to"), closers);
    (options.log ?? SILENT).progress(() => "comparing");
    return work(from, to);
  } finally {
    for (const close of closers.reverse()) close();
  }
}

function sideOf({ place, release, generatedAt, digest }: OpenSide): DiffSide {
  return { place, release, generatedAt, digest };
}

function compareFiles(from: Manifest, to: Manifest, named: boolean): FileChanges {
  const counts = { new: 0, changed: 0, gone: 0, same: 0 };
  const keys: KeyChange[] = [];
  for (const change of compareKeys(from, to)) {
    counts[change.kind] += 1;
    if (named && change.kind !== "same") keys.push(change);
  }
  return { ...counts, keys: named ? keys : null };
}

function compareSides(from: OpenSide, to: OpenSide, named: boolean): DiffReport {
  const [earlier, later] = [from.manifest, to.manifest];
  const files = earlier === null || later === null ? null : compareFiles(earlier, later, named);
  if (files === null && named) {
    throw new VitrineError("usage", "--keys needs two folders or releases: a catalog file has no manifest.");
  }
  const sameFiles = files === null || files.new + files.changed + files.gone === 0;
  return {
    from: sideOf(from),
    to: sideOf(to),
    same: from.digest === to.digest && sameFiles,
    records: compareCatalogs(from.catalog, to.catalog),
    store: diffJson(from.catalog.store, to.catalog.store),
    config: diffJson(from.catalog.config, to.catalog.config),
    files,
  };
}

/** The content of a query's answer: all but `meta`. Undefined where there is none. */
function contentOf(catalog: Catalog, query: Query): unknown {
  const body = isEnabled(catalog, query.endpoint) ? answerQuery(catalog, query) : null;
  if (body === null) return undefined;
  const { meta, ...content } = JSON.parse(body.bytes.toString("utf8")) as { meta?: unknown };
  return content;
}

/** @throws VitrineError usage where no file of the API can have this key */
function queryOf(key: string): Query {
  const query = queryOfKey(key);
  if (query !== null && targetKey(targetOf(query)) === key) return query;
  throw new VitrineError(
    "usage",
    `"${key}" is no key of an answer: write it like api/v1/product/slug=invoice-kit.json, as --keys names them.`,
  );
}

/** As {@link diff}; what is fetched goes to an empty folder. */
export function diffIn(folder: string, options: DiffOptions): Promise<DiffReport> {
  return withSides(options, folder, (from, to) => compareSides(from, to, options.keys === true));
}

/** As {@link diffAnswer}; what is fetched goes to an empty folder. */
export function diffAnswerIn(folder: string, options: DiffOptions & { key: string }): Promise<KeyReport> {
  const { key } = options;
  const query = queryOf(key);
  return withSides(options, folder, (from, to) => {
    const [before, after] = [contentOf(from.catalog, query), contentOf(to.catalog, query)];
    if (before === undefined && after === undefined)
      throw new VitrineError("usage", `Neither ${from.place} nor ${to.place} has an answer for ${key}.`);
    const changes = diffJson(before, after);
    return { from: sideOf(from), to: sideOf(to), same: changes.length === 0, key, changes };
  });
}

/** What changed from one snapshot, catalog or release to another. @throws VitrineError */
export async function diff(options: DiffOptions): Promise<DiffReport> {
  await using folder = await temporaryFolder();
  return await diffIn(folder.path, options);
}

/** The JSON difference of one key's answer, made from both catalogs. @throws VitrineError */
export async function diffAnswer(options: DiffOptions & { key: string }): Promise<KeyReport> {
  await using folder = await temporaryFolder();
  return await diffAnswerIn(folder.path, options);
}
