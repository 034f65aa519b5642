/** A JSON value as the rows of a tree: only what is open is made, long arrays come in hundreds. Pure. */

type Kind = "object" | "array" | "string" | "number" | "literal" | "more";

export interface TreeRow {
  /** `data[0].pricing`; "" is the whole. Of what is not there yet: where it would go on. */
  readonly path: string;
  readonly name: string;
  readonly level: number;
  readonly kind: Kind;
  /** What stands beside the name: the value, or what a closed node says of itself. */
  readonly words: string;
  readonly value: unknown;
  /** Null where there is nothing to open. */
  readonly isOpen: boolean | null;
  readonly place: number;
  readonly siblings: number;
  /** Path of the node that it stands in. */
  readonly parent: string;
}

/** Which nodes are open, and how many entries of long arrays are shown. */
export interface TreeState {
  readonly open: ReadonlySet<string>;
  readonly shown: ReadonlyMap<string, number>;
}

const CHUNK = 100;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return "array";
  if (typeof value === "object" && value !== null) return "object";
  if (typeof value === "string") return "string";
  return typeof value === "number" ? "number" : "literal";
}

function pathOf(parent: string, name: string, isArray: boolean): string {
  if (isArray) return `${parent}[${name}]`;
  if (!IDENTIFIER.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === "" ? name : `${parent}.${name}`;
}

type Entries = readonly (readonly [string, unknown])[];

function entriesOf(value: object): Entries {
  return Array.isArray(value) ? value.map((item, at) => [String(at), item] as const) : Object.entries(value);
}

const NAMES: readonly string[] = [
  "title",
  "name",
  "store_name",
  "question",
  "version",
  "slug",
  "path",
  "code",
];

/** What tells a closed object from its neighbours: its title or name, else how much it holds. */
function objectWords(value: Readonly<Record<string, unknown>>): string {
  const { page, total_pages: pages } = value;
  if (typeof page === "number" && typeof pages === "number") return `page ${page} of ${pages}`;
  for (const name of NAMES) if (typeof value[name] === "string" && value[name] !== "") return value[name];
  const count = Object.keys(value).length;
  return count === 1 ? "1 field" : `${count} fields`;
}

function wordsOf(value: unknown, kind: Kind, isOpen: boolean): string {
  if (kind === "array") {
    const { length } = value as unknown[];
    return `[ ] ${length} ${length === 1 ? "entry" : "entries"}`;
  }
  if (kind === "object") return isOpen ? "{ }" : `{ } ${objectWords(value as Record<string, unknown>)}`;
  return JSON.stringify(value);
}

/** The rows that are visible, in order. */
export function rowsOf(json: unknown, { open, shown }: TreeState): TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (value: object, parent: string, level: number) => {
    const entries = entriesOf(value);
    const most = Math.min(entries.length, shown.get(parent) ?? CHUNK);
    const siblings = most < entries.length ? most + 1 : most;
    for (let at = 0; at < most; at++) {
      const [name, child] = entries[at] as Entries[number];
      const path = pathOf(parent, name, Array.isArray(value));
      const kind = kindOf(child);
      const isNode = (kind === "object" || kind === "array") && Object.keys(child as object).length > 0;
      const isOpen = isNode ? open.has(path) : null;
      const words = wordsOf(child, kind, isOpen === true);
      rows.push({ path, name, level, kind, words, value: child, isOpen, place: at + 1, siblings, parent });
      if (isOpen) walk(child as object, path, level + 1);
    }
    if (most < entries.length) {
      const words = `${entries.length - most} more`;
      const more = { name: "…", level, kind: "more" as const, words, value: null, isOpen: null, parent };
      rows.push({ ...more, path: `${parent}…`, place: siblings, siblings });
    }
  };
  if (typeof json === "object" && json !== null) walk(json, "", 1);
  return rows;
}

/** Open at first: two levels, and of a list only its first record. */
export function firstOpen(json: unknown): Set<string> {
  const open = new Set<string>();
  if (typeof json !== "object" || json === null) return open;
  for (const [name, value] of Object.entries(json)) {
    if (name !== "data" && name !== "error") continue;
    const path = pathOf("", name, false);
    if (typeof value === "object" && value !== null) open.add(path);
    if (Array.isArray(value) && typeof value[0] === "object") open.add(`${path}[0]`);
  }
  return open;
}

/** Every node, up to so many: a document of megabytes would open into more rows than a page can hold. */
export function allOpen(json: unknown, most = 2000): Set<string> {
  const open = new Set<string>();
  const waiting: (readonly [value: unknown, path: string])[] = [[json, ""]];
  for (let at = 0; at < waiting.length && open.size < most; at++) {
    const [value, path] = waiting[at] as (typeof waiting)[number];
    if (typeof value !== "object" || value === null) continue;
    if (path !== "") open.add(path);
    for (const [name, child] of entriesOf(value).slice(0, CHUNK))
      waiting.push([child, pathOf(path, name, Array.isArray(value))]);
  }
  return open;
}

/** How many entries of a long array are shown once more are asked for. */
export function shownAfter(before: number | undefined): number {
  return (before ?? CHUNK) + CHUNK;
}
