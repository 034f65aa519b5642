/**
 * A shop's bulk files at a public address (made by `site/feeds/bulk.ts`) as a release to follow. The server is not trusted:
 * schemas are closed, bytes are bounded, keys are made here and HTML is sanitised again. So the resulting catalog has a digest
 * that the shop cannot know.
 */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import * as Type from "typebox";
import type { PublicConfig } from "../api/config.ts";
import { BULK_INDEX } from "../api/endpoints.ts";
import { closed } from "../api/field.ts";
import { store } from "../api/records/store.ts";
import { CLOCK } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { FORMATS, nameNewer, readsFormat } from "../base/formats.ts";
import { parseShallowJson } from "../base/json.ts";
import type { RetryPolicy } from "../base/retries.ts";
import { problemOf, schemaCheck } from "../base/schema.ts";
import { type MetaTime, toMetaTime, toSqlTime } from "../base/time.ts";
import { RESOURCES, type ResourceName } from "../catalog/resources.ts";
import { checkMeta } from "../catalog/verify.ts";
import { bulkKey } from "../site/feeds/bulk.ts";
import { showsDetail } from "../site/feeds/feed.ts";
import { cleanLines } from "./clean-lines.ts";
import { MAX_PARTITIONS } from "./partitions.ts";
import { openPublicFiles, PATIENCE, type PublicFile, type PublicPorts } from "./public-files.ts";
import type { Partitions } from "./release-index.ts";
import type { FoundRelease, ReleaseSource } from "./source.ts";

export interface PublicBounds extends RetryPolicy {
  readonly pollMilliseconds: number;
  readonly indexBytes: number;
  /** Limit for one partition, compressed. `lineBytes` is the limit for its unzipped lines. */
  readonly fileBytes: number;
  readonly lineBytes: number;
  /** Limit for the lines of all partitions of one index together. */
  readonly allBytes: number;
  /** Attempts for a file whose digest is not the one in the index. */
  readonly looks: number;
}

const MEGABYTE = 1024 * 1024;

export const PUBLIC_BOUNDS: PublicBounds = {
  ...PATIENCE,
  pollMilliseconds: 60_000,
  indexBytes: 16 * MEGABYTE,
  fileBytes: 16 * MEGABYTE,
  lineBytes: 64 * MEGABYTE,
  allBytes: 16 * 1024 * MEGABYTE,
  looks: 4,
};

interface BulkIndex {
  readonly config: PublicConfig;
  readonly store: object;
  readonly lists: Readonly<Partial<Record<ResourceName, Partitions>>>;
}

const DIGEST = Type.Union([Type.String({ pattern: "^[0-9a-f]{32}$" }), Type.Null()]);
const LIST = Type.Array(DIGEST, { minItems: 1, maxItems: MAX_PARTITIONS });

/** `bulk/index.json` */
export const BULK_FORMAT: Type.TObject = Type.Object(
  {
    format: Type.Integer({ minimum: FORMATS.bulk.oldest, maximum: FORMATS.bulk.newest }),
    config: Type.Object({}),
    store: store.one,
    lists: Type.Object(Object.fromEntries(RESOURCES.map(({ name }) => [name, Type.Optional(LIST)])), closed),
  },
  closed,
);

const isIndex = schemaCheck<BulkIndex>(BULK_FORMAT);

/** @throws VitrineError newer_format; Error if it is not an index */
function parseBulkIndex(bytes: Buffer): BulkIndex {
  const value = parseShallowJson(bytes.toString("utf8")) as { readonly format?: unknown } | null;
  readsFormat("bulk", value?.format);
  if (!isIndex(value)) throw new Error(problemOf(isIndex, "it", "is not an index"));
  checkMeta({ config: JSON.stringify(value.config), store: JSON.stringify(value.store) });
  for (const { length } of Object.values(value.lists))
    if (!Number.isInteger(Math.log2(length))) throw new Error(`${length} partitions are not a power of two`);
  return value;
}

const unzip = promisify(gunzip);

/** The server's time; now if it is missing or in the future. */
function metaTime(modified: number, now: number): MetaTime {
  return toMetaTime(toSqlTime(new Date(modified > 0 && modified <= now ? modified : now)));
}

export interface PublicSourcePorts extends PublicPorts {
  /** The sanitiser of extraction. */
  readonly clean: (html: string) => string;
}

/** @param base `https://api.shop.example`: the address of the folder that has `bulk/` */
export function publicSource(
  base: string,
  { clean, log, clock = CLOCK }: PublicSourcePorts,
  bounds: PublicBounds = PUBLIC_BOUNDS,
): ReleaseSource & Disposable {
  const files = openPublicFiles(base, { log, clock }, bounds);
  let etag: string | null = null;
  let found: FoundRelease | null = null;

  const invalid = (key: string, why: string, cause?: unknown) =>
    new VitrineError("remote_invalid", `${files.urlOf(key)} cannot be used: ${why}. Nothing was changed.`, {
      cause,
    });

  const describe = ({ bytes, modified }: PublicFile): FoundRelease => {
    const id = hash("sha256", bytes, "hex");
    const { config, store, lists } = parseBulkIndex(bytes);
    let readBytes = 0;
    return {
      id,
      version: id,
      name: `${base} (index ${id.slice(0, 12)})`,
      catalog: {
        format: FORMATS.catalog.newest,
        digest: null,
        generatedAt: metaTime(modified, clock.now().getTime()),
        config,
        store,
        // The files of the shop say nothing about those of its mirrors.
        files: {},
      },
      lists,
      withoutDetail: RESOURCES.map(({ name }) => name).filter((name) => !showsDetail(config, name)),
      async read(resource, partition) {
        const key = bulkKey(resource, partition);
        const bytes = await fetchNamed(key, lists[resource]?.[partition] ?? null, id);
        try {
          const lines = await unzip(bytes, { maxOutputLength: bounds.lineBytes });
          readBytes += lines.length;
          if (readBytes > bounds.allBytes)
            throw new Error(`all records have more than ${bounds.allBytes} bytes`);
          return await cleanLines(resource, lines, clean);
        } catch (error) {
          throw invalid(key, messageOf(error), error);
        }
      },
    };
  };

  const find = async (): Promise<FoundRelease> => {
    const file = await files.get(BULK_INDEX, bounds.indexBytes, etag);
    if (file === "unchanged" && found !== null) return found;
    if (file === null || file === "unchanged")
      throw new VitrineError(
        "remote_failed",
        `${files.urlOf(BULK_INDEX)} is missing: only a shop whose configuration has feeds.bulk can be mirrored. Nothing was changed.`,
      );
    try {
      found = describe(file);
      etag = file.etag;
      return found;
    } catch (error) {
      if (error instanceof VitrineError) throw nameNewer(files.urlOf(BULK_INDEX), error);
      throw invalid(BULK_INDEX, messageOf(error), error);
    }
  };

  /** A file by its digest. During a publish, or behind an old cache, its address may have another file. */
  const fetchNamed = async (key: string, digest: string | null, index: string): Promise<Buffer> => {
    for (let look = 1; ; look++) {
      const file = await files.get(key, bounds.fileBytes);
      const bytes = file === null || file === "unchanged" ? null : file.bytes;
      if (bytes !== null && hash("sha256", bytes, "hex").slice(0, 32) === digest) return bytes;
      const isOther = look < bounds.looks && (await isOtherIndex(look, index));
      if (look < bounds.looks && !isOther) continue;
      const why = isOther
        ? "a newer release was published meanwhile"
        : "a publish is running there, or a cache is outdated";
      throw new VitrineError(
        "remote_stale",
        `${files.urlOf(key)} is not the file that the index names: ${why}. Nothing was changed.`,
      );
    }
  };

  /** Pauses, then checks for a newer index: if there is one, waiting for this one's file is useless. */
  const isOtherIndex = async (look: number, index: string): Promise<boolean> => {
    await files.pause(bounds.baseMilliseconds * 2 ** look);
    return (await find()).id !== index;
  };

  return {
    pollMilliseconds: bounds.pollMilliseconds,
    find,
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}
