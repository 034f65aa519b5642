/** What changed between two snapshots or releases: which files differ, or how the answer of one key differs. */
import { join } from "node:path";
import { offers } from "../api/endpoints.ts";
import { VitrineError } from "../base/error.ts";
import { diffJson, type JsonChange } from "../base/json-difference.ts";
import { type LogOption, SILENT } from "../base/log.ts";
import { temporaryFolder, writingInto } from "../base/temporary-folder.ts";
import { answerQuery } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { queryOfKey, targetKey, targetOf } from "../key/key.ts";
import type { Query } from "../key/query.ts";
import { compareKeys, type KeyChange } from "../site/manifest.ts";
import type { PlaceOptions } from "./publish.ts";
import { type Closers, type OpenSide, openSideOf } from "./sides.ts";

/** Each side is an output folder or a release of a place, `s3://BUCKET/PREFIX#RELEASE`; without `#`, the live one. */
export interface DiffOptions extends LogOption, Omit<PlaceOptions, "to"> {
  /** The older side: an output folder, or a place, `s3://BUCKET/PREFIX#RELEASE`. */
  readonly from: string;
  /** The newer side, named in the same way. */
  readonly to: string;
}

/** Plain data, so that the package's public types mention no database. */
export interface DiffSide {
  /** As the caller named it. */
  readonly place: string;
  /** The release's id; null for an output folder. */
  readonly release: string | null;
  /** When the catalog's content last changed. */
  readonly generatedAt: string;
  /** SHA-256 of the catalog's content. */
  readonly digest: string;
}

export interface DiffReport {
  /** The older side: `place`, `release`, `generatedAt` and `digest`. */
  readonly from: DiffSide;
  /** The newer side. */
  readonly to: DiffSide;
  /** True if all files and the content of both catalogs are the same. */
  readonly same: boolean;
  /** Number of equal files. */
  readonly unchanged: number;
  /** The files that differ, in order of their keys: `{kind: "changed", key: "api/v1/store.json"}`. */
  readonly keys: readonly KeyChange[];
}

export interface KeyReport {
  /** As in a `DiffReport`. */
  readonly from: DiffSide;
  /** As in a `DiffReport`. */
  readonly to: DiffSide;
  /** True if both sides give the same answer. */
  readonly same: boolean;
  /** The answer's key: `api/v1/product/slug=invoice-kit.json`. */
  readonly key: string;
  /** Differences of the bodies without `meta`; if only one side has an answer, one change with the path "". */
  readonly changes: readonly JsonChange[];
}

/** Opens both sides; releases are fetched into a temporary folder. */
async function withSides<Result>(
  options: DiffOptions,
  work: (from: OpenSide, to: OpenSide) => Result,
): Promise<Result> {
  await using folder = await temporaryFolder();
  const closers: Closers = [];
  try {
    const open = (side: string, name: string) =>
      writingInto(folder.path, () => openSideOf(side, options, join(folder.path, name), closers));
    const from = await open(options.from, "from");
    const to = await open(options.to, "to");
    (options.log ?? SILENT).progress(() => "comparing");
    return work(from, to);
  } finally {
    for (const close of closers.reverse()) close();
  }
}

function sideOf({ place, release, generatedAt, digest }: OpenSide): DiffSide {
  return { place, release, generatedAt, digest };
}

function compareSides(from: OpenSide, to: OpenSide): DiffReport {
  const keys: KeyChange[] = [];
  let unchanged = 0;
  for (const change of compareKeys(from.manifest, to.manifest)) {
    if (change.kind === "same") unchanged += 1;
    else keys.push(change);
  }
  return {
    from: sideOf(from),
    to: sideOf(to),
    same: from.digest === to.digest && keys.length === 0,
    unchanged,
    keys,
  };
}

/** The content of a query's answer without `meta`. Undefined if there is no answer. */
function answerContent(catalog: Catalog, query: Query): unknown {
  const body = offers(catalog.config, query.endpoint.path) ? answerQuery(catalog, query) : null;
  if (body === null) return undefined;
  const { meta, ...content } = JSON.parse(body.bytes.toString("utf8")) as { meta?: unknown };
  return content;
}

/** @throws VitrineError usage if no file of the API can have this key */
function queryOf(key: string): Query {
  const query = queryOfKey(key);
  if (query !== null && targetKey(targetOf(query)) === key) return query;
  throw new VitrineError(
    "usage",
    `"${key}" is not the key of an answer: write it like api/v1/product/slug=invoice-kit.json, as vitrine diff names them.`,
  );
}

/** The files that differ between two snapshots or releases. @throws VitrineError */
export function diff(options: DiffOptions): Promise<DiffReport> {
  return withSides(options, compareSides);
}

/** The JSON difference of one key's answer, made from both catalogs. @throws VitrineError */
export async function diffAnswer(options: DiffOptions & { key: string }): Promise<KeyReport> {
  const { key } = options;
  const query = queryOf(key);
  return await withSides(options, (from, to) => {
    const before = answerContent(from.catalog, query);
    const after = answerContent(to.catalog, query);
    if (before === undefined && after === undefined)
      throw new VitrineError("usage", `Neither ${from.place} nor ${to.place} has an answer for ${key}.`);
    const changes = diffJson(before, after);
    return { from: sideOf(from), to: sideOf(to), same: changes.length === 0, key, changes };
  });
}
