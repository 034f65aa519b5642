/** What one change costs: the files that its build would put and delete, found by the code that finds them in a build. */
import type { RecordDef } from "../api/record.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Cell } from "../api/row.ts";
import { itemAt } from "../base/arrays.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { resourceNamed, resourceOf } from "../catalog/resources.ts";
import { type ChangedCatalog, createFinder, dirtyPages } from "./dirty-pages.ts";
import type { Family } from "./grid.ts";
import { type Plan, type Reach, reachOf } from "./plan.ts";

export interface ChangeCost {
  readonly puts: number;
  readonly deletes: number;
}

/** The usual changes of a shop; all zeros where it has no such record. */
export interface ChangeCosts {
  /** A product's price falls by a tenth. */
  readonly price: ChangeCost;
  /** A review comes or goes. */
  readonly review: ChangeCost;
  /** A product comes or goes, with its reviews, questions and releases. */
  readonly product: ChangeCost;
  /** The same product if lists had no more pages than that as files: what `grid.pages` would save. */
  readonly productByPages: readonly { readonly pages: number; readonly cost: ChangeCost }[];
}

/** So many records are looked at, evenly spread; the one in the middle counts. */
const SAMPLE = 5;
const FEWER_PAGES = [10, 5, 3, 1];
const NOTHING: ChangeCost = { puts: 0, deletes: 0 };

type Row = Readonly<Record<string, Cell>> & { readonly id: number };

/** Rows that a change puts and deletes, with what depends on them. */
class Changed {
  readonly #db: Catalog["db"];
  readonly #put = new Map<RecordName, Map<number, Row>>();
  readonly #deleted = new Map<RecordName, Set<number>>();

  constructor({ db }: Catalog) {
    this.#db = db;
  }

  put(name: RecordName, row: Row): void {
    if (this.#deleted.get(name)?.has(row.id)) return;
    const rows = this.#put.get(name) ?? new Map<number, Row>();
    this.#put.set(name, rows.set(row.id, row));
  }

  /** With what belongs to it; what others gather of it changes, and so does whatever embeds those. */
  delete({ name, rows }: { readonly name: RecordName; readonly rows: readonly Row[] }): void {
    const ids = this.#deleted.get(name) ?? new Set<number>();
    this.#deleted.set(name, ids);
    for (const { id } of rows) ids.add(id);
    for (const row of rows) {
      for (const part of name === "product" ? RECORDS : []) this.#deletePart(part, row);
      for (const record of RECORDS)
        for (const { of, by } of record.gathers)
          if (of === name)
            for (const whole of this.rows(record.name, "id", row[by] ?? null))
              this.#putEmbedded(record.name, whole);
    }
  }

  #deletePart({ name, belongsTo }: RecordDef<RecordName>, { id }: Row): void {
    if (belongsTo !== null) this.delete({ name, rows: this.rows(name, belongsTo.column, id) });
  }

  #putEmbedded(name: RecordName, row: Row): void {
    this.put(name, row);
    for (const outer of RECORDS)
      if (outer.embeds.some(({ of }) => of === name))
        for (const each of this.rows(outer.name, `${name}_id`, row.id)) this.put(outer.name, each);
  }

  rows(name: RecordName, column: string, value: Cell): Row[] {
    return this.#db.prepare<[Cell], Row>(`SELECT * FROM ${name} WHERE ${column} = ?`).all(value);
  }

  /** The catalog before and after, whose file stays as it is. */
  in(catalog: Catalog): ChangedCatalog {
    const names = new Set([...this.#put.keys(), ...this.#deleted.keys()]);
    const changes = [...names].map((name) => {
      // What is not in memory would be read as it stands.
      catalog.table(name);
      const put = [...(this.#put.get(name)?.values() ?? [])].sort((a, b) => a.id - b.id);
      const deleted = [...(this.#deleted.get(name) ?? [])].sort((a, b) => a - b);
      return [name, { put: put.map((row) => ({ id: row.id, columns: row })), deleted }] as const;
    });
    const after = catalog.next({ changes: Object.fromEntries(changes), meta: {} }, catalog.db);
    return { before: catalog, after, rows: new Map(changes) };
  }
}

type Reaches = ReadonlyMap<Family, Reach>;

function costsOfFamily(
  change: ChangedCatalog,
  family: Family,
  reach: Reach,
  find: ReturnType<typeof createFinder>,
): ChangeCost[] {
  if (family.kind === "single") {
    const resource = resourceOf(family.endpoint.path);
    return resource !== undefined && change.rows.has(resource.name) ? [{ puts: 1, deletes: 0 }] : [];
  }
  if (family.kind !== "detail") {
    const files = dirtyPages(change, family, { before: reach, after: reach }, find(family), () => []);
    let [puts, deletes] = [0, 0];
    for (const file of files) {
      if ("gone" in file) deletes += 1;
      else puts += 1 + file.aliases.length;
    }
    return [{ puts, deletes }];
  }
  const { put = [], deleted = [] } = change.rows.get(family.resource.name) ?? {};
  const files = reach.pages.link > 0 ? 2 : 1;
  return [{ puts: files * put.length, deletes: files * deleted.length }];
}

/** What a change costs where files reach so far. */
export function costOfChange(change: ChangedCatalog, reaches: Reaches): ChangeCost {
  const find = createFinder(change);
  const costs = [...reaches].flatMap(([family, reach]) => costsOfFamily(change, family, reach, find));
  return {
    puts: costs.reduce((sum, { puts }) => sum + puts, 0),
    deletes: costs.reduce((sum, { deletes }) => sum + deletes, 0),
  };
}

function cutAt(reaches: Reaches, most: number): Reaches {
  return new Map(
    [...reaches].map(([family, { pages, files }]) => [
      family,
      { files, pages: { body: Math.min(pages.body, most), link: Math.min(pages.link, most) } },
    ]),
  );
}

export function filesOf({ puts, deletes }: ChangeCost): number {
  return puts + deletes;
}

function middle(costs: readonly ChangeCost[]): ChangeCost {
  const sorted = costs.toSorted((a, b) => filesOf(a) - filesOf(b));
  return sorted[Math.floor(sorted.length / 2)] ?? NOTHING;
}

/** A record goes; that it came costs the same. */
export function removal(catalog: Catalog, name: RecordName, id: number): ChangedCatalog {
  const changed = new Changed(catalog);
  changed.delete({ name, rows: changed.rows(name, "id", id) });
  return changed.in(catalog);
}

/** A price falls by a tenth. */
export function repricing(catalog: Catalog, id: number): ChangedCatalog {
  const changed = new Changed(catalog);
  const column = resourceNamed("product").range?.column ?? "";
  for (const row of changed.rows("product", "id", id))
    changed.put("product", { ...row, [column]: 0.9 * Number(row[column]) });
  return changed.in(catalog);
}

/** What usual changes cost, in each of some reaches; nothing of the catalog changes. */
function middleCosts(
  catalog: Catalog,
  name: RecordName,
  change: (id: number) => ChangedCatalog,
  reaches: readonly Reaches[],
): ChangeCost[] {
  const { ids } = catalog.table(name);
  const count = Math.min(SAMPLE, ids.length);
  const costs = Array.from({ length: count }, (_, at) => {
    const made = change(itemAt(ids, Math.floor(((at + 0.5) * ids.length) / count)));
    return reaches.map((each) => costOfChange(made, each));
  });
  return reaches.map((_, at) => middle(costs.map((each) => itemAt(each, at))));
}

export function changeCosts(catalog: Catalog, plan: Plan): ChangeCosts {
  const reaches = reachOf(plan);
  const fewer = FEWER_PAGES.map((most) => cutAt(reaches, most));
  const removed = (name: RecordName) => (id: number) => removal(catalog, name, id);
  const [price] = middleCosts(catalog, "product", (id) => repricing(catalog, id), [reaches]);
  const [review] = middleCosts(catalog, "review", removed("review"), [reaches]);
  const [product, ...byPages] = middleCosts(catalog, "product", removed("product"), [reaches, ...fewer]);
  return {
    price: price ?? NOTHING,
    review: review ?? NOTHING,
    product: product ?? NOTHING,
    productByPages: byPages.map((cost, at) => ({ pages: itemAt(FEWER_PAGES, at), cost })),
  };
}
