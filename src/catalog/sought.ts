/** A record, or words, looked for in all that a catalog or a change of it holds: what is to be erased. */
import { foldText, tidyText } from "../base/text.ts";
import type { RowChange } from "./apply.ts";
import { type Catalog, openCatalog } from "./catalog.ts";
import { RESOURCES, type ResourceName } from "./resources.ts";

export type Sought =
  | { readonly record: ResourceName; readonly id: number }
  /** Found whatever its case, accents, spaces and the HTML between. */
  | { readonly text: string };

/** `review 123`, `the words "Jane Doe"` */
export function nameOfSought(sought: Sought): string {
  return "text" in sought ? `the words ${JSON.stringify(sought.text)}` : `${sought.record} ${sought.id}`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** What a reader sees of a text that may be HTML. */
function readable(text: string): string {
  return text
    .replace(/<[^<>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? "");
}

function folded(text: string): string {
  return foldText(tidyText(text));
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** Tells of values, at any depth, whether one of their texts has the words. */
function finderOf(words: string): (value: unknown) => boolean {
  const wanted = folded(words);
  return (value) => {
    for (const text of textsIn(value))
      if (folded(text).includes(wanted) || folded(readable(text)).includes(wanted)) return true;
    return false;
  };
}

/** So many places are named. */
const NAMED = 5;

function* placesOf({ db }: Catalog, text: string): Generator<string> {
  const holds = finderOf(text);
  const meta = db
    .prepare<[], string>("SELECT value FROM meta WHERE name IN ('store', 'config')")
    .pluck()
    .all();
  if (meta.some((json) => holds(JSON.parse(json)))) yield "store";
  for (const { name, detail } of RESOURCES) {
    const added = detail ? `UNION ALL SELECT id, json FROM ${name}_added ` : "";
    const all = db.prepare<[], { id: number; json: string }>(`SELECT id, json FROM ${name}_list ${added}`);
    for (const { id, json } of all.iterate()) if (holds(JSON.parse(json))) yield `${name} ${id}`;
  }
}

/** Up to five places of a catalog's file that have it: `review 123`, `store`. @throws VitrineError catalog_unreadable */
export function findInCatalog(file: string, sought: Sought): string[] {
  const catalog = openCatalog(file, { fragments: "file" });
  try {
    if ("record" in sought) {
      const found = catalog.db
        .prepare<[number]>(`SELECT 1 FROM ${sought.record} WHERE id = ?`)
        .get(sought.id);
      return found === undefined ? [] : [nameOfSought(sought)];
    }
    const found = new Set<string>();
    for (const place of placesOf(catalog, sought.text)) if (found.add(place).size >= NAMED) break;
    return [...found];
  } finally {
    catalog.close();
  }
}

/** Tells of a change's rows whether one of them brings it. */
export function isBroughtBy(sought: Sought): (change: RowChange) => boolean {
  if ("record" in sought) {
    return (change) => {
      if (change.resource !== sought.record || "deleted" in change) return false;
      return ("put" in change ? change.put.id : change.listed.id) === sought.id;
    };
  }
  const holds = finderOf(sought.text);
  return (change) => {
    if ("deleted" in change) return false;
    const { list, added } = "put" in change ? change.put : { ...change.listed, added: undefined };
    return holds(JSON.parse(list)) || (added !== undefined && holds(JSON.parse(added)));
  };
}
