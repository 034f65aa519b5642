/** A record, or words, looked for in all that a catalog or a release holds: what is to be erased. */
import { foldText, tidyText } from "../base/text.ts";
import { type Catalog, openCatalog } from "./catalog.ts";
import { idOfLine } from "./record-line.ts";
import { RESOURCES, type ResourceName } from "./resources.ts";

export interface SoughtRecord {
  readonly record: ResourceName;
  readonly id: number;
}

export type Sought =
  | SoughtRecord
  /** Found whatever its case, accents, spaces and the HTML between. */
  | { readonly text: string };

/** `review 123`, `the words "Jane Doe"` */
export function nameOfSought(sought: Sought): string {
  return "text" in sought ? `the words ${JSON.stringify(sought.text)}` : `${sought.record} ${sought.id}`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const MOST_CODE_POINT = 0x10ffff;

/** A text without the entities of HTML and XML that formats need; other names stay. */
export function withoutEntities(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole, name, ten, hex) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
      return code <= MOST_CODE_POINT ? String.fromCodePoint(code) : whole;
    },
  );
}

const TAGS = /<[^<>]*>/g;

/** What an address spells by bytes in hexadecimal: `J%C3%B6rg` → `Jörg` */
function withoutPercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

/** What a text may say: as it is, to a reader of it as HTML, and as a part of an address. */
function readingsOf(text: string): Set<string> {
  return new Set([text, withoutEntities(text.replace(TAGS, "")), withoutPercents(text)]);
}

function folded(text: string): string {
  return foldText(tidyText(text));
}

/** Tells of a text whether a reading of it has one of the words, whatever their case, accents and spaces. */
export function textFinder(words: readonly string[]): (text: string) => boolean {
  const wanted = words.map(folded);
  return (text) => {
    for (const reading of readingsOf(text)) {
      const whole = folded(reading);
      if (wanted.some((one) => whole.includes(one))) return true;
    }
    return false;
  };
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** Tells of values, at any depth, whether one of their texts has the words. */
function finderOf(words: string): (value: unknown) => boolean {
  const holds = textFinder([words]);
  return (value) => {
    for (const text of textsIn(value)) if (holds(text)) return true;
    return false;
  };
}

/** So many places are named. */
const NAMED = 5;

/** All that a catalog holds, with its place: `review 123`, `store`. */
function* valuesOf({ db }: Catalog): Generator<{ readonly place: string; readonly value: unknown }> {
  const meta = db
    .prepare<[], string>("SELECT value FROM meta WHERE name IN ('store', 'config')")
    .pluck()
    .all();
  for (const json of meta) yield { place: "store", value: JSON.parse(json) };
  for (const { name, detail } of RESOURCES) {
    const added = detail ? `UNION ALL SELECT id, json FROM ${name}_added ` : "";
    const all = db.prepare<[], { id: number; json: string }>(`SELECT id, json FROM ${name}_list ${added}`);
    for (const { id, json } of all.iterate()) yield { place: `${name} ${id}`, value: JSON.parse(json) };
  }
}

/** Up to five places of a catalog's file that have it: `review 123`, `store`. @throws VitrineError catalog_unreadable */
export function findInCatalog(file: string, sought: Sought): string[] {
  const catalog = openCatalog(file);
  try {
    if ("record" in sought) {
      const found = catalog.db
        .prepare<[number]>(`SELECT 1 FROM ${sought.record} WHERE id = ?`)
        .get(sought.id);
      return found === undefined ? [] : [nameOfSought(sought)];
    }
    const found = new Set<string>();
    const holds = finderOf(sought.text);
    for (const { place, value } of valuesOf(catalog))
      if (holds(value) && found.add(place).size >= NAMED) break;
    return [...found];
  } finally {
    catalog.close();
  }
}

/** A record as a line of a release has it (record-line.ts). */
type LineValues = Readonly<Record<string, unknown>>;

/** Tells whether a record of a release is what is sought, or has the words. */
export function recordFinder(sought: Sought): (resource: ResourceName, values: LineValues) => boolean {
  if ("text" in sought) {
    const holds = finderOf(sought.text);
    return (_, values) => holds(values);
  }
  return (resource, values) => resource === sought.record && idOfLine(values) === sought.id;
}

/** Words that a record is known by: as many of its texts, the longest ones, and the beginning of each. */
const MOST_TEXTS = 32;
const TEXT_LETTERS = { least: 8, most: 60 } as const;
const TIME = /^\d{4}-\d\d-\d\d[ t]\d\d:/;

/** The beginning of a text's longest stretch without HTML: feeds cut texts, and put other things for tags. */
function beginningOf(text: string): string {
  let longest = "";
  for (const stretch of text.split(TAGS)) {
    const words = folded(withoutEntities(stretch));
    if (words.length > longest.length) longest = words;
  }
  return longest.slice(0, TEXT_LETTERS.most).trim();
}

/** Texts of a record, as an older release has it: files without ids, like feeds, are known by them. */
export function textsOfRecord(values: LineValues): string[] {
  const texts = new Set<string>();
  for (const text of textsIn(values)) {
    const words = beginningOf(text);
    if (words.length >= TEXT_LETTERS.least && /\p{L}/u.test(words) && !TIME.test(words)) texts.add(words);
  }
  return [...texts];
}

/** Those of texts that a catalog holds nowhere, the longest: what else the shop says is no trace of a record that is gone. */
export function textsUnknownTo(file: string, texts: Iterable<string>): string[] {
  using catalog = openCatalog(file);
  const left = new Set(texts);
  for (const { value } of valuesOf(catalog)) {
    if (left.size === 0) break;
    for (const text of textsIn(value)) {
      const readings = [...readingsOf(text)].map(folded);
      for (const words of left) if (readings.some((reading) => reading.includes(words))) left.delete(words);
    }
  }
  return [...left].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, MOST_TEXTS);
}
