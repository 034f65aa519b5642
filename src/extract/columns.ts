/**
 * Matches an allow-list with a store: the form in which each file gives its columns, and slugs for files that give only their
 * source. A slug depends on all rows of a file, so it is added to the row's text before the text is compared for changes.
 */

import anyAscii from "any-ascii";
import type { AllowList, AllowListQuery } from "./allow-list.ts";
import { type RowText, type StoreReader, type StoreValue, valuesOf } from "./store.ts";

const SOURCE = "slug_source";
const SLUG = "slug";

/** Asks a store for the columns of all files. @throws VitrineError allow_list_invalid */
export async function resolveColumns(store: StoreReader, queries: AllowList): Promise<AllowList> {
  const fitted: Record<string, AllowListQuery> = {};
  for (const [name, query] of Object.entries(queries))
    fitted[name] = { ...query, columns: await store.columns(query) };
  return fitted;
}

/** Why visitors can't see the shop, from `closed.sql`; null if it is open, or there is no such file. */
export async function reasonClosed(store: StoreReader, query: AllowListQuery | null): Promise<string | null> {
  if (query === null) return null;
  const columns = await store.columns(query);
  let reason: string | null = null;
  for await (const rows of store.batches({ ...query, columns }))
    for (const row of rows) reason ??= String(valuesOf(row)[0] ?? "it is closed");
  return reason;
}

/** True if a row's slug depends on other rows of its file, too. */
function makesSlugs({ columns }: AllowListQuery): boolean {
  return columns?.includes(SOURCE) === true;
}

/** Names of a row's values in their order, as {@link withSlugs} returns them. */
export function rowColumns(query: AllowListQuery): readonly string[] {
  const { columns = [] } = query;
  return makesSlugs(query) ? [...columns, SLUG] : columns;
}

async function readSlugs(store: StoreReader, query: AllowListQuery): Promise<Slugs> {
  const slugs = new Slugs();
  for await (const rows of store.batches({ ...query, columns: ["id", SOURCE] }, [SOURCE])) {
    for (const { id, extra } of rows) {
      const [source] = extra;
      if (typeof id === "number" && typeof source === "string") slugs.add(id, source);
    }
  }
  return slugs;
}

/** A row with its slug appended to its values, and at its index among the extra ones. */
function withSlug(row: RowText, slug: string | null, at: number): RowText {
  const text = `${row.text.slice(0, -1)},${JSON.stringify(slug)}]`;
  return { id: row.id, text, extra: at < 0 ? row.extra : row.extra.with(at, slug) };
}

/** The store, with a slug added to each row of a file that gives its source. */
export function withSlugs(store: StoreReader): StoreReader {
  const known = new Map<string, Slugs>();
  async function* batches(
    query: AllowListQuery,
    extra: readonly string[] = [],
    ids?: readonly number[],
  ): AsyncGenerator<readonly RowText[]> {
    if (!makesSlugs(query)) {
      yield* store.batches(query, extra, ids);
      return;
    }
    const slugs = known.get(query.name) ?? (await readSlugs(store, query));
    known.set(query.name, slugs);
    const at = extra.indexOf(SLUG);
    const wanted = extra.map((column) => (column === SLUG ? SOURCE : column));
    for await (const batch of store.batches(query, wanted, ids))
      yield batch.map((row) => withSlug(row, slugs.of(row.id), at));
  }
  return {
    columns: (query) => store.columns(query),
    batches,
    row: (query) => store.row(query),
    origins: (query) => store.origins(query),
    explain: (query) => store.explain(query),
    close: () => store.close(),
  };
}

/** Leaves room for a hyphen and the longest id within a slug's maximum length. */
const MAX_BASE_LENGTH = 130;
/** Only this much of a longer text is used. */
const MAX_SOURCE_LENGTH = 1000;

/**
 * `"Café Menü: 50 % off"` → `"cafe-menu-50-off"`: transliterated, lower case, words joined by hyphens. Empty if the text has
 * no letter and no digit.
 */
export function slugify(text: string): string {
  const letters = anyAscii(text.slice(0, MAX_SOURCE_LENGTH).normalize("NFC")).toLowerCase();
  const words = letters.replaceAll("'", "").match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, MAX_BASE_LENGTH).replace(/-$/, "");
}

/** `"foo-12"` → `["foo", 12]`: the base and the id whose slug this could be; null if it has no id at its end. */
function readSuffixed(base: string): readonly [base: string, id: number] | null {
  const match = /^(?:(.*)-)?([1-9]\d{0,14})$/.exec(base);
  return match === null ? null : [match[1] ?? "", Number(match[2])];
}

/**
 * Slugs of a file's records. Among records with the same base, the smallest id gets the bare base, the others get their id
 * appended. If a bare base equals another record's base with its id, it gets its own id as well. So slugs follow from ids and
 * texts alone, in any order, and a new record takes another's slug only if its id is smaller, or if that slug is its own base
 * and id.
 */
export class Slugs {
  readonly #bases = new Map<number, string>();
  readonly #smallest = new Map<string, number>();

  add(id: number, text: string): void {
    const base = slugify(text);
    this.#bases.set(id, base);
    this.#smallest.set(base, Math.min(id, this.#smallest.get(base) ?? id));
  }

  /** The slug of a record that was added; null for any other. */
  of(id: StoreValue): string | null {
    const base = typeof id === "number" ? this.#bases.get(id) : undefined;
    if (base === undefined) return null;
    if (this.#bareOwner(base) === id) return base;
    return base === "" ? String(id) : `${base}-${id}`;
  }

  /** The id of the record whose slug is the bare base; null if no record has this base. */
  #bareOwner(base: string): number | null {
    const smallest = this.#smallest.get(base);
    if (base === "" || smallest === undefined) return null;
    const taken = readSuffixed(base);
    if (taken === null) return smallest;
    const [inner, id] = taken;
    return this.#bases.get(id) === inner && this.#bareOwner(inner) !== id ? null : smallest;
  }
}
