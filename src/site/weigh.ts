/** The size of a plan's files, for people. Makes no files except the answers without parameters. */
import { uintAt } from "../base/arrays.ts";
import { answerQuery, DETAIL_OVERHEAD, pageOverhead } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/resources.ts";
import { joinedSizeSql } from "../catalog/row.ts";
import type { Band } from "./bands.ts";
import {
  type DetailFamily,
  type ListFamily,
  listsOf,
  pageSizeOf,
  queryFor,
  type SingleFamily,
} from "./grid.ts";
import { lastPageOf, type Plan, type PlannedBand } from "./plan.ts";

/** Size of a band. */
interface Weight {
  /** If a band cuts a list, the list's records count with their mean size. */
  readonly sizeBytes: number;
  /** Number of records larger than `grid.maxFileBytes`. For lists this is unknown until they are made. */
  readonly tooLarge: number;
}

export interface WeighedBand extends PlannedBand, Weight {}

export interface WeighedPlan extends Plan {
  readonly bands: readonly WeighedBand[];
  /** Total of the kept bands. */
  readonly sizeBytes: number;
}

function mostFileBytes({ config }: Catalog): number {
  return config.grid.maxFileBytes ?? Infinity;
}

function weighSingle(catalog: Catalog, family: SingleFamily): Weight {
  const sizeBytes = answerQuery(catalog, queryFor(family.endpoint, {}))?.bytes.length ?? 0;
  return { sizeBytes, tooLarge: Number(sizeBytes > mostFileBytes(catalog)) };
}

function weighDetails(catalog: Catalog, family: DetailFamily): Weight {
  const { name } = family.resource;
  const row = catalog.db
    .prepare<[number], { files: number; sizeBytes: number; tooLarge: number }>(
      `SELECT COUNT(*) AS files, COALESCE(SUM(size), 0) AS sizeBytes, COUNT(*) FILTER (WHERE size > ?) AS tooLarge
       FROM (SELECT ${joinedSizeSql("l.json", "a.json")} AS size FROM ${name}_list l JOIN ${name}_added a USING (id))`,
    )
    .get(mostFileBytes(catalog) - DETAIL_OVERHEAD);
  const sizeBytes = (row?.sizeBytes ?? 0) + (row?.files ?? 0) * DETAIL_OVERHEAD;
  return { sizeBytes, tooLarge: row?.tooLarge ?? 0 };
}

/** All lists of one length. */
interface ListWeight {
  lists: number;
  /** Total of all their records. */
  sizeBytes: number;
}

/** Bytes of each record's list fragment, in order of id: SQLite knows them without reading the texts. */
function readSizes({ db }: Catalog, { name }: Resource): Uint32Array {
  const sizes = db.prepare<[], number>(`SELECT OCTET_LENGTH(json) FROM ${name}_list ORDER BY id`).pluck();
  return Uint32Array.from(sizes.all());
}

/** The total size of the lists of each length, by length. */
function weighLists(catalog: Catalog, family: ListFamily, sizes: Uint32Array): Map<number, ListWeight> {
  const weights = new Map<number, ListWeight>();
  for (const { rows } of listsOf(catalog, family)) {
    const found = weights.get(rows.length) ?? { lists: 0, sizeBytes: 0 };
    found.lists += 1;
    for (let at = 0; at < rows.length; at++) found.sizeBytes += uintAt(sizes, uintAt(rows, at));
    weights.set(rows.length, found);
  }
  return weights;
}

/** Size of a band's pages, for all lists of the same length at once. */
function weighPages(weights: ReadonlyMap<number, ListWeight>, family: ListFamily, band: Band): Weight {
  const { firstPage } = band;
  const size = pageSizeOf(family);
  let sizeBytes = 0;
  for (const [total, weight] of weights) {
    const end = lastPageOf(family, band, total);
    const pages = end - firstPage + 1;
    if (pages <= 0) continue;
    const rows = Math.min(total, end * size) - (firstPage - 1) * size;
    if (rows > 0) sizeBytes += (weight.sizeBytes * rows) / total;
    // Commas separate the rows of one page, not pages.
    let around = Math.max(0, rows - pages);
    for (let number = firstPage; number <= end; number++)
      around += pageOverhead(family.endpoint, total, { number, size });
    sizeBytes += around * weight.lists;
  }
  return { sizeBytes: Math.round(sizeBytes), tooLarge: 0 };
}

/** Weighs bands; a link weighs as much as its body. */
function createScale(catalog: Catalog): (band: Band) => Weight {
  const lists = new Map<string, ReadonlyMap<number, ListWeight>>();
  const weights = new Map<string, Weight>();
  const sizes = new Map<Resource, Uint32Array>();
  // Families that differ only by sort or page size have the same lists.
  const listsIn = (family: ListFamily) => {
    const { resource } = family;
    const name = `${family.endpoint.path} ${family.filters.join()}`;
    const own = sizes.get(resource) ?? readSizes(catalog, resource);
    sizes.set(resource, own);
    const weighed = lists.get(name) ?? weighLists(catalog, family, own);
    lists.set(name, weighed);
    return weighed;
  };
  const weigh = (band: Band): Weight => {
    const { family } = band;
    if (family.kind === "single") return weighSingle(catalog, family);
    if (family.kind === "detail") return weighDetails(catalog, family);
    return weighPages(listsIn(family), family, band);
  };
  return (band) => {
    const { family, firstPage, lastPage } = band;
    const list = "filters" in family ? `${family.filters.join()} ${family.perPage}` : family.kind;
    const name = `${family.endpoint.path} ${list} ${firstPage} ${lastPage}`;
    const weight = weights.get(name) ?? weigh(band);
    weights.set(name, weight);
    return weight;
  };
}

/** Adds the sizes of its files to a catalog's plan. */
export function weighPlan(catalog: Catalog, plan: Plan): WeighedPlan {
  const weigh = createScale(catalog);
  const bands = plan.bands.map((band) => ({ ...band, ...weigh(band.band) }));
  const sizeBytes = bands.reduce((sum, band) => sum + (band.kept ? band.sizeBytes : 0), 0);
  return { ...plan, bands, sizeBytes };
}
