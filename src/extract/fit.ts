/**
 * An allow-list and a store brought together: the form in which each file gives its columns, and slugs where a file gives
 * only what they are made of. A slug follows from all rows of a file, so it is put into the row's text before anybody
 * looks whether that changed.
 */
import type { AllowList, AllowListQuery } from "./allow-list.ts";
import { Slugs } from "./slug.ts";
import type { RowsBy, RowText, StoreReader } from "./store.ts";

const SOURCE = "slug_source";
const SLUG = "slug";

/** Asks a store for the columns of all files. @throws VitrineError allow_list_invalid */
export async function fitAllowList(store: StoreReader, queries: AllowList): Promise<AllowList> {
  const fitted: Record<string, AllowListQuery> = {};
  for (const [name, query] of Object.entries(queries))
    fitted[name] = { ...query, columns: await store.columns(query) };
  return fitted;
}

/** The forms of all columns as one text: where it is another, what is remembered of rows does not say what it said. */
export function formsWord(queries: AllowList): string {
  return JSON.stringify(Object.values(queries).map(({ name, columns }) => [name, columns]));
}

/** True where a row's slug follows from other rows of its file, too. */
function makesSlugs({ columns }: AllowListQuery): boolean {
  return columns?.includes(SOURCE) === true;
}

/** What the values of a row are, in their order, as {@link withSlugs} gives it. */
export function rowColumns(query: AllowListQuery): readonly string[] {
  const { columns = [] } = query;
  return makesSlugs(query) ? [...columns, SLUG] : columns;
}

/** The file with no more of its columns than these, and what they are made of. */
export function withColumns(
  { columns = [], ...query }: AllowListQuery,
  wanted: readonly string[],
): AllowListQuery {
  return { ...query, columns: columns.filter((column) => column === SOURCE || wanted.includes(column)) };
}

async function readSlugs(store: StoreReader, query: AllowListQuery): Promise<Slugs> {
  const slugs = new Slugs();
  for await (const rows of store.batches({ ...query, columns: ["id", SOURCE] }, [SOURCE])) {
    for (const { id, beside } of rows) {
      const [source] = beside;
      if (typeof id === "number" && typeof source === "string") slugs.add(id, source);
    }
  }
  return slugs;
}

/** A row with its slug behind its values, and in its place among those that are wanted beside it. */
function withSlug(row: RowText, slug: string | null, at: number): RowText {
  const text = `${row.text.slice(0, -1)},${JSON.stringify(slug)}]`;
  return { id: row.id, text, beside: at < 0 ? row.beside : row.beside.with(at, slug) };
}

/** The store, with a slug in each row of a file that gives its source. */
export function withSlugs(store: StoreReader): StoreReader {
  const known = new Map<string, Slugs>();
  async function* batches(
    query: AllowListQuery,
    beside: readonly string[] = [],
    rows?: RowsBy,
  ): AsyncGenerator<readonly RowText[]> {
    if (!makesSlugs(query)) {
      yield* store.batches(query, beside, rows);
      return;
    }
    const slugs = known.get(query.name) ?? (await readSlugs(store, query));
    known.set(query.name, slugs);
    const at = beside.indexOf(SLUG);
    const wanted = beside.map((column) => (column === SLUG ? SOURCE : column));
    for await (const batch of store.batches(query, wanted, rows))
      yield batch.map((row) => withSlug(row, slugs.of(row.id), at));
  }
  return {
    columns: (query) => store.columns(query),
    batches,
    changesSince: async (before, queries) => {
      const { within = new Map(), ...changes } = await store.changesSince(before, queries);
      // A row's slug may be another because another row changed.
      const isOwn = (name: string) => !queries.some((query) => query.name === name && makesSlugs(query));
      return { ...changes, within: new Map([...within].filter(([name]) => isOwn(name))) };
    },
    origins: (query) => store.origins(query),
    explain: (query) => store.explain(query),
    close: () => store.close(),
  };
}
