/**
 * What is read from a remote, as closed schemas: the pointer, the journal, a manifest's entries, a delta's lines. Whoever may
 * write there may have written anything: nothing is used that did not pass here.
 */
import * as Type from "typebox";
import type { ColumnType } from "../api/record.ts";
import { FORMATS } from "../base/formats.ts";
import { addFormat, compileSchema } from "../base/schema.ts";
import { RESOURCES } from "../catalog/resources.ts";
import { queryOfKey, targetKey, targetOf } from "../key/key.ts";

/** Of a delta's line: a record with its texts. */
export const MOST_LINE_BYTES = 32 * 1024 * 1024;
/** Of a delta's first line, which a follower reads in its own thread: two texts of up to a mebibyte, and how JSON spells them. */
export const MOST_HEADER_BYTES = 8 * 1024 * 1024;
/** Of the pointer and of the journal, which names 10,000 keys of up to 900 bytes at most. */
export const MOST_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** A journal names the releases of all attempts that were cut off since the last one that was not. */
const MOST_RELEASES = 100_000;
/** A pointer names kept releases, of which --keep allows fewer. */
const MOST_KEPT = 5000;
/** Longer than any lock needs to stand: a day. */
export const MOST_LEASE_SECONDS = 86_400;

/** Of any key: what `src/key` allows. */
const MOST_LETTERS = 900;

/** True for a key that this version could have made: an answer's, a page's or a widget's. */
export function isSiteKey(text: string): boolean {
  if (text.length > MOST_LETTERS) return false;
  const query = queryOfKey(text);
  return targetKey(query === null ? `/${text}` : targetOf(query)) === text;
}

const closed = { additionalProperties: false } as const;

/** True for the text of a JSON object without space around it, as a catalog keeps records. */
function isFragment(text: string): boolean {
  if (!text.startsWith('{"') || !text.endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

addFormat("site-key", isSiteKey);
addFormat("fragment", isFragment);

const KEY = Type.String({ format: "site-key" });
const RELEASE = Type.String({ pattern: "^[0-9]{8}-[0-9a-f]{12}$" });
const DIGEST = Type.String({ pattern: "^[0-9a-f]{64}$" });
const HEADERS_DIGEST = Type.String({ pattern: "^[0-9a-f]{16}$" });
const COUNT = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** What fills a release's eight digits, the next one too. */
const GENERATION = Type.Integer({ minimum: 1, maximum: 99_999_998 });
const TIME = Type.String({ pattern: "^[0-9]{4}-[0-9TZ:.+-]{6,30}$" });
const ATTEMPT = Type.String({ pattern: "^[0-9A-Za-z-]{1,64}$" });
/** A text that is shown to people: one line. */
const line = (most: number) =>
  Type.String({ maxLength: most, pattern: "^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]*$" });

const formatOf = (name: keyof typeof FORMATS) =>
  Type.Integer({ minimum: FORMATS[name].oldest, maximum: FORMATS[name].newest });

const PART = Type.Object({ id: RELEASE, kind: Type.Enum(["base", "delta"]), sizeBytes: COUNT }, closed);
const releases = Type.Array(RELEASE, { maxItems: MOST_RELEASES });
const parts = Type.Array(PART, { maxItems: MOST_RELEASES });

const RECORD = Type.Object(
  {
    id: RELEASE,
    at: TIME,
    by: line(400),
    files: COUNT,
    sizeBytes: COUNT,
    put: COUNT,
    deleted: COUNT,
    catalogDigest: DIGEST,
    // The first releases do not say it.
    catalogFormat: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    rollbackOf: Type.Optional(RELEASE),
  },
  closed,
);

export const POINTER_FORMAT = Type.Object(
  {
    format: formatOf("pointer"),
    generation: GENERATION,
    attempt: ATTEMPT,
    release: RELEASE,
    content: DIGEST,
    headerPolicy: line(400),
    conditions: Type.Enum(["quoted", "unquoted", "none"]),
    service: line(2000),
    releases: Type.Array(RECORD, { minItems: 1, maxItems: MOST_KEPT }),
    parts: Type.Optional(Type.Array(PART, { maxItems: 3 * MOST_KEPT })),
    held: Type.Optional(Type.Literal(true)),
  },
  closed,
);

export const JOURNAL_FORMAT = Type.Object(
  {
    format: formatOf("journal"),
    generation: GENERATION,
    attempt: ATTEMPT,
    release: RELEASE,
    from: Type.Union([RELEASE, Type.Null()]),
    holder: Type.Object(
      {
        host: line(300),
        pid: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
        machine: line(64),
        // Older versions do not say these.
        publisher: Type.Optional(Type.String({ pattern: "^[0-9A-Za-z-]{0,64}$" })),
        began: Type.Optional(Type.String({ pattern: "^[0-9]{0,20}$" })),
      },
      closed,
    ),
    startedAt: TIME,
    leaseSeconds: Type.Integer({ minimum: 0, maximum: MOST_LEASE_SECONDS }),
    keys: Type.Union([Type.Array(KEY, { maxItems: 10_000 }), Type.Null()]),
    attempted: releases,
    fromParts: Type.Optional(parts),
    tags: Type.Array(Type.String({ pattern: "^vitrine-[a-z0-9._-]{1,100}$" }), { maxItems: 1000 }),
    expired: releases,
    unneeded: Type.Optional(releases),
    purge: Type.Array(line(2000), { maxItems: 100 }),
    held: Type.Optional(Type.Literal(true)),
    beat: Type.Optional(COUNT),
  },
  closed,
);

const ENTRY_FIELDS = {
  key: KEY,
  digest: DIGEST,
  sizeBytes: COUNT,
  etag: Type.String({ pattern: '^W/"[0-9a-f]{32}"$' }),
  generatedAt: TIME,
};
export const RELEASED_ENTRY = Type.Object({ ...ENTRY_FIELDS, headers: HEADERS_DIGEST }, closed);
/** In a delta that was not published, no headers are known. */
const DELTA_ENTRY = Type.Object({ ...ENTRY_FIELDS, headers: Type.Optional(HEADERS_DIGEST) }, closed);

const ENDS = Type.Object({ catalog: DIGEST, content: DIGEST }, closed);
const META_TEXT = Type.String({ maxLength: 1024 * 1024, format: "fragment" });
const DELTA_HEADER = Type.Object(
  {
    delta: formatOf("delta"),
    from: ENDS,
    to: ENDS,
    meta: Type.Object({ config: META_TEXT, store: META_TEXT }, closed),
    generatedAt: TIME,
    vitrine: line(100),
  },
  closed,
);

const ROW_ID = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 });
/** What a cell of each type of column is. */
const CELL_SCHEMAS: Readonly<Record<ColumnType, Type.TSchema>> = {
  TEXT: Type.Union([Type.String(), Type.Null()]),
  INTEGER: Type.Union([
    Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    Type.Null(),
  ]),
  REAL: Type.Union([Type.Number(), Type.Null()]),
};
const FRAGMENT = Type.String({ format: "fragment" });
const TEXT = Type.String();
const DOCUMENT = Type.Object({ title: TEXT, excerpt: TEXT, text: TEXT }, closed);

/** As JSON Schema spells it since 2020. */
const tuple = (prefixItems: readonly Type.TSchema[]) =>
  Type.Unsafe<unknown>({ type: "array", prefixItems, items: false, minItems: prefixItems.length });

/** A delta's lines by their first words: `put product`, `file`. */
const LINES = new Map<string, Type.TSchema>([
  ["file", tuple([TEXT, DELTA_ENTRY])],
  ["gone", tuple([TEXT, KEY])],
]);
for (const { name, columns } of RESOURCES) {
  const cells = Object.entries(columns).map(([column, type]) => [column, Type.Optional(CELL_SCHEMAS[type])]);
  const listed = { id: ROW_ID, columns: Type.Object(Object.fromEntries(cells), closed), list: FRAGMENT };
  const row = { ...listed, added: Type.Optional(FRAGMENT), document: Type.Optional(DOCUMENT) };
  LINES.set(`put ${name}`, tuple([TEXT, TEXT, Type.Object(row, closed)]));
  LINES.set(`list ${name}`, tuple([TEXT, TEXT, Type.Object(listed, closed)]));
  LINES.set(`delete ${name}`, tuple([TEXT, TEXT, ROW_ID]));
}

type Check = (value: unknown) => string | null;

/** Says what is wrong with a value, or null. The schema is compiled at its first use. */
function checkOf(schema: Type.TSchema): Check {
  let validate: ReturnType<typeof compileSchema> | undefined;
  return (value) => {
    validate ??= compileSchema(schema);
    if (validate(value)) return null;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath || "it"} ${error?.message ?? "is not what it should be"}`;
  };
}

/** All that a delta may hold. */
export const DELTA_FORMAT = [DELTA_HEADER, ...LINES];

export const checkPointer: Check = checkOf(POINTER_FORMAT);
export const checkJournal: Check = checkOf(JOURNAL_FORMAT);
export const checkReleasedEntry: Check = checkOf(RELEASED_ENTRY);
export const checkDeltaHeader: Check = checkOf(DELTA_HEADER);

const LINE_CHECKS = new Map([...LINES].map(([words, schema]) => [words, checkOf(schema)]));

export const checkDeltaLine: Check = (value) => {
  if (!Array.isArray(value)) return "it is no list";
  const [kind, resource]: readonly unknown[] = value;
  const words =
    kind === "file" || kind === "gone"
      ? kind
      : typeof kind === "string" && typeof resource === "string"
        ? `${kind} ${resource}`
        : "";
  const check = LINE_CHECKS.get(words);
  return check === undefined ? "it is of no kind that there is" : check(value);
};
