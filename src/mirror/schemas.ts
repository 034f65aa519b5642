/** What a mirror reads of a shop, as closed schemas: whoever answers at that address may answer anything. */
import * as Type from "typebox";
import { RECORDS } from "../api/records.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { FORMATS, nameNewer, readsFormat } from "../base/formats.ts";
import { compileSchema } from "../base/schema.ts";
import { RESOURCES } from "../catalog/resources.ts";
import { checkMeta } from "../catalog/verify.ts";
import type { BulkIndex, ResourceIndex } from "../feeds/bulk-format.ts";

/** What each kind of file may have at most, in bytes. */
export const MOST = {
  /** With the configuration and the store, a mebibyte each. */
  index: 3 * 1024 * 1024,
  resourceIndex: 64 * 1024,
  bucket: 64 * 1024 * 1024,
  /** Of the lines in a bucket. */
  lines: 256 * 1024 * 1024,
};

const closed = { additionalProperties: false } as const;
const COUNT = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const DIGEST = Type.String({ pattern: "^[0-9a-f]{32}$" });
const RESOURCE = Type.Enum(RESOURCES.map(({ name }) => name));
const format = Type.Integer({ minimum: FORMATS.bulk.oldest, maximum: FORMATS.bulk.newest });

const INDEX = Type.Object(
  {
    format,
    catalog: Type.Object(
      {
        format: Type.Integer({ minimum: FORMATS.catalog.oldest, maximum: FORMATS.catalog.newest }),
        digest: Type.String({ pattern: "^[0-9a-f]{64}$" }),
        isWhole: Type.Boolean(),
        config: Type.Object({}),
        store: Type.Object({}),
      },
      closed,
    ),
    resources: Type.Object(
      Object.fromEntries(
        RESOURCES.map(({ name }) => [
          name,
          Type.Optional(Type.Object({ records: COUNT, digest: DIGEST }, closed)),
        ]),
      ),
      closed,
    ),
  },
  closed,
);

const BUCKET = Type.Unsafe<readonly [number, string]>({
  ...{ type: "array", items: false, minItems: 2 },
  prefixItems: [Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), DIGEST],
});
/** Names of buckets: they become names of files. */
const BUCKETS = Type.Unsafe<Record<string, readonly [number, string]>>({
  ...{ type: "object", additionalProperties: false },
  patternProperties: { "^[0-9a-f]{2}$": BUCKET },
});
const RESOURCE_INDEX = Type.Object({ format, resource: RESOURCE, records: COUNT, buckets: BUCKETS }, closed);

/** All that the number of this format stands for: the records are its lines. */
export const BULK_SCHEMAS = [INDEX, RESOURCE_INDEX, RECORDS.map(({ list, detail }) => [list, detail])];

/** What a mirror remembers, in a file of its own folder. */
const STATE = Type.Object(
  {
    format,
    indexEtag: Type.Union([Type.String({ maxLength: 500 }), Type.Null()]),
    resources: Type.Object(
      Object.fromEntries(RESOURCES.map(({ name }) => [name, Type.Optional(BUCKETS)])),
      closed,
    ),
  },
  closed,
);

/** Reads JSON of a schema; `name` says what it is where that fails. */
function reader<Value>(schema: Type.TSchema): (bytes: Buffer, name: string) => Value {
  let isValid: ReturnType<typeof compileSchema> | undefined;
  return (bytes, name) => {
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString("utf8"));
    } catch {
      throw invalid(name, "is no JSON");
    }
    isValid ??= compileSchema(schema);
    if (isValid(value)) return value as Value;
    const [error] = isValid.errors ?? [];
    throw invalid(name, `is not as it should be: ${error?.instancePath || "it"} ${error?.message}`);
  };
}

/** What a shop answers with can't be used. */
export function invalid(name: string, why: string, cause?: unknown): VitrineError {
  return new VitrineError("remote_invalid", `${name} ${why}. What is held stands as it was.`, { cause });
}

/** @throws VitrineError newer_format */
function checkFormats(bytes: Buffer, name: string): void {
  const found = (() => {
    try {
      return JSON.parse(bytes.toString("utf8")) as {
        format?: unknown;
        catalog?: { format?: unknown };
      } | null;
    } catch {
      return null;
    }
  })();
  try {
    readsFormat("bulk", found?.format);
    readsFormat("catalog", found?.catalog?.format);
  } catch (error) {
    throw error instanceof VitrineError ? nameNewer(name, error) : error;
  }
}

const readIndexSchema = reader<BulkIndex>(INDEX);

/** @throws VitrineError remote_invalid, newer_format */
export function readIndex(bytes: Buffer, name: string): BulkIndex {
  checkFormats(bytes, name);
  const index = readIndexSchema(bytes, name);
  const { config, store } = index.catalog;
  try {
    checkMeta({ config: JSON.stringify(config), store: JSON.stringify(store) });
  } catch (error) {
    throw invalid(name, `is not as it should be: ${messageOf(error)}`, error);
  }
  return index;
}

export const readResourceIndex: (bytes: Buffer, name: string) => ResourceIndex = reader(RESOURCE_INDEX);

/** Buckets of each list that is mirrored, with their digests. */
export type HeldBuckets = Readonly<
  Partial<Record<string, Readonly<Record<string, readonly [number, string]>>>>
>;

export interface MirrorState {
  readonly format: number;
  readonly indexEtag: string | null;
  readonly resources: HeldBuckets;
}
export const readState: (bytes: Buffer, name: string) => MirrorState = reader(STATE);
