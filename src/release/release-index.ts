/**
 * The index of a release: facts about its catalog, and the names of the objects that hold its records and manifest entries,
 * cut into partitions. The index is an object itself, so its name identifies the whole release.
 *
 *     {"format":1,"catalog":{"format":1,"digest":"3f…","generatedAt":"…","config":{…},"store":{…},
 *      "files":{"products category":10,…}},
 *      "lists":{"product":["9a…",null,…],…},"manifest":["c4…",…]}
 */
import * as Type from "typebox";
import type { PublicConfig } from "../api/config.ts";
import { closed } from "../api/field.ts";
import { FORMATS, readsFormat } from "../base/formats.ts";
import { parseShallowJson } from "../base/json.ts";
import { problemOf, schemaCheck } from "../base/schema.ts";
import type { FileShapes } from "../catalog/files.ts";
import { RESOURCES, type ResourceName } from "../catalog/resources.ts";
import { checkMeta } from "../catalog/verify.ts";
import { MAX_PARTITIONS } from "./partitions.ts";

/** Names of the objects of a list's partitions, in order; null for a partition without rows. */
export type Partitions = readonly (string | null)[];

/** A catalog's description, without its records. */
export interface FollowedCatalog {
  /** Number of its format. It is part of the digest, so a catalog made from these records gets the same number. */
  readonly format: number;
  /** The content digest that the rows must give; null if the source does not have all records (public files may lack details). */
  readonly digest: string | null;
  readonly generatedAt: string;
  readonly config: object;
  readonly store: object;
  /** The queries that have a file in this release. */
  readonly files: FileShapes;
}

export interface ReleaseIndex {
  readonly format: number;
  readonly catalog: FollowedCatalog & { readonly digest: string };
  /** By list: partition `n` of `count` holds the records with id % count = n. */
  readonly lists: Readonly<Record<ResourceName, Partitions>>;
  /** Objects of the manifest's partitions, in order of key. */
  readonly manifest: readonly string[];
}

/** Enough for a manifest of 100 million keys. */
const MAX_ENTRY_PARTITIONS = 2 ** 20;
/** The names of all partitions, and the catalog's description. */
const MAX_VALUES = 2 * MAX_ENTRY_PARTITIONS;
export const MAX_INDEX_BYTES: number = 64 * 1024 * 1024;

const NAME = Type.String({ pattern: "^[0-9a-f]{64}$" });
const PARTITIONS = Type.Array(Type.Union([NAME, Type.Null()]), { minItems: 1, maxItems: MAX_PARTITIONS });

const LISTS = Type.Object(Object.fromEntries(RESOURCES.map(({ name }) => [name, PARTITIONS])), closed);
/** A catalog of a newer format may have other lists. */
const OTHER_LISTS = Type.Record(Type.String({ pattern: "^[a-z_]{1,40}$" }), PARTITIONS);

const indexFormat = (lists: Type.TSchema): Type.TObject =>
  Type.Object(
    {
      format: Type.Integer({ minimum: FORMATS.releaseIndex.oldest, maximum: FORMATS.releaseIndex.newest }),
      catalog: Type.Object(
        {
          format: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          digest: Type.String({ pattern: "^[0-9a-f]{64}$" }),
          generatedAt: Type.String({
            pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\+00:00$",
          }),
          config: Type.Object({}),
          store: Type.Object({}),
          files: Type.Record(
            Type.String({ pattern: "^[a-z_.]{0,20}(?: [a-z0-9_=]{1,40}){0,12}$" }),
            Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()]),
            { maxProperties: 100_000 },
          ),
        },
        closed,
      ),
      lists,
      manifest: Type.Array(NAME, { maxItems: MAX_ENTRY_PARTITIONS }),
    },
    closed,
  );
export const INDEX_FORMAT: Type.TObject = indexFormat(LISTS);
export const NEWER_INDEX_FORMAT: Type.TObject = indexFormat(OTHER_LISTS);

const isIndex = schemaCheck<ReleaseIndex>(INDEX_FORMAT);
const isNewerIndex = schemaCheck<ReleaseIndex>(NEWER_INDEX_FORMAT);

export function encodeIndex(index: ReleaseIndex): Buffer {
  return Buffer.from(`${JSON.stringify(index)}\n`);
}

/**
 * Also accepts an index whose catalog has a newer format ({@link refuseNewerCatalog} refuses that): its objects must be known, so that they are kept.
 * @throws VitrineError newer_format; Error if it is not an index
 */
export function parseIndex(content: Buffer): ReleaseIndex {
  const value = parseShallowJson(content.toString("utf8"), MAX_VALUES) as Partial<ReleaseIndex> | null;
  readsFormat("releaseIndex", value?.format);
  const isNewer = Number(value?.catalog?.format) > FORMATS.catalog.newest;
  const check = isNewer ? isNewerIndex : isIndex;
  if (!check(value)) throw new Error(problemOf(check, "it", "is not an index"));
  for (const names of Object.values(value.lists))
    if (!Number.isInteger(Math.log2(names.length)))
      throw new Error(`${names.length} partitions are not a power of two`);
  for (const names of partitionsIn(value)) {
    // Each row is in exactly one partition, so no two partitions have the same content.
    const objects = names.filter((name) => name !== null);
    if (new Set(objects).size < objects.length) throw new Error("two partitions of a list have one name");
  }
  if (!isNewer)
    checkMeta({ config: JSON.stringify(value.catalog.config), store: JSON.stringify(value.catalog.store) });
  return value;
}

/** @throws VitrineError newer_format */
export function refuseNewerCatalog({ catalog }: ReleaseIndex): void {
  readsFormat("catalog", catalog.format);
}

/** The configuration of a release's catalog, checked when its index was parsed; null if a newer version made it. */
export function configIn({ catalog }: ReleaseIndex): PublicConfig | null {
  return catalog.format > FORMATS.catalog.newest ? null : (catalog.config as PublicConfig);
}

function partitionsIn({ lists, manifest }: ReleaseIndex): Partitions[] {
  return [...Object.values(lists), manifest];
}

/** Names of all objects of a release except its index. */
export function objectsOf(index: ReleaseIndex): Set<string> {
  return new Set(partitionsIn(index).flatMap((names) => names.filter((name) => name !== null)));
}
