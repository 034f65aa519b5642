/** The plan: which bands of the grid become files for one catalog, counted and weighed before anything is written. */

import type { PublicConfig } from "../api/config.ts";
import { ASSETS } from "../api/endpoints.ts";
import { uintAt } from "../base/arrays.ts";
import { answerQuery, DETAIL_OVERHEAD, pageCount, pageOf, pageOverhead } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/resources.ts";
import { joinedSizeSql } from "../catalog/row.ts";
import { type Band, deepestPage, type FileForm, planBands } from "./bands.ts";
import {
  type DetailFamily,
  type Family,
  type ListFamily,
  listsOf,
  queryFor,
  type SingleFamily,
} from "./grid.ts";

/** What a band weighs. */
interface Weight {
  readonly files: number;
  /** Where a list is cut, its records count with their mean size. */
  readonly sizeBytes: number;
  /** Lists and records whose first page stands in it. */
  readonly firstPages: number;
  /** Records of it that are larger than `grid.maxFileBytes`. Of lists it is not known before they are made. */
  readonly tooLarge: number;
}

export interface PlannedBand extends Weight {
  readonly band: Band;
  /** False where the fallback answers it: its pages are too deep, or its files would be more than the ceiling. */
  readonly kept: boolean;
}

export interface Plan {
  /** All bands that have files, the most important first. */
  readonly bands: readonly PlannedBand[];
  /** Files of the pages for people and of feeds: always kept. */
  readonly pageFiles: number;
  /** Of the bands that are kept, the pages and the assets. */
  readonly files: number;
  /** Of the bands that are kept. */
  readonly sizeBytes: number;
  /** Of all bands, the pages and the assets: what `grid.pages` goes by where it is "auto". */
  readonly wholeFiles: number;
  /** The last page of a list that may be a file; Infinity where all may. */
  readonly deepestPage: number;
}

/** How far a family's files go. */
export interface Reach {
  /** The last page that is a file, and the last one that is also a file by id; 0 where none is. */
  readonly pages: Readonly<Record<FileForm, number>>;
  readonly files: number;
}

function weighSingle(catalog: Catalog, family: SingleFamily): Weight {
  const body = answerQuery(catalog, queryFor(family.endpoint, {}));
  const sizeBytes = body?.bytes.length ?? 0;
  return { files: 1, sizeBytes, firstPages: 1, tooLarge: Number(sizeBytes > mostFileBytes(catalog)) };
}

function weighDetails(catalog: Catalog, family: DetailFamily): Weight {
  const { name } = family.resource;
  const row = catalog.db
    .prepare<[number], { files: number; sizeBytes: number; tooLarge: number }>(
      `SELECT COUNT(*) AS files, COALESCE(SUM(size), 0) AS sizeBytes, COUNT(*) FILTER (WHERE size > ?) AS tooLarge
       FROM (SELECT ${joinedSizeSql("l.json", "a.json")} AS size FROM ${name}_list l JOIN ${name}_added a USING (id))`,
    )
    .get(mostFileBytes(catalog) - DETAIL_OVERHEAD);
  const files = row?.files ?? 0;
  const sizeBytes = (row?.sizeBytes ?? 0) + files * DETAIL_OVERHEAD;
  return { files, sizeBytes, firstPages: files, tooLarge: row?.tooLarge ?? 0 };
}

/** Lists of one length. */
interface ListCount {
  lists: number;
  /** Of all their records. */
  sizeBytes: number;
}

/** Bytes of each record's list fragment, in order of id: SQLite knows them without reading the texts. */
function readSizes({ db }: Catalog, { name }: Resource): Uint32Array {
  const sizes = db.prepare<[], number>(`SELECT OCTET_LENGTH(json) FROM ${name}_list ORDER BY id`).pluck();
  return Uint32Array.from(sizes.all());
}

/** How many lists of which length a family has, by length. */
function countLists(catalog: Catalog, family: ListFamily, sizes: Uint32Array): Map<number, ListCount> {
  const counts = new Map<number, ListCount>();
  for (const { rows } of listsOf(catalog, family)) {
    const found = counts.get(rows.length) ?? { lists: 0, sizeBytes: 0 };
    found.lists += 1;
    for (let at = 0; at < rows.length; at++) found.sizeBytes += uintAt(sizes, uintAt(rows, at));
    counts.set(rows.length, found);
  }
  return counts;
}

/** The pages of a band, for lists of each length at once. */
function weighLists(
  counts: ReadonlyMap<number, ListCount>,
  { endpoint, perPage }: ListFamily,
  { firstPage, lastPage }: Band,
): Weight {
  const { size } = pageOf(queryFor(endpoint, { per_page: String(perPage) }));
  let [files, sizeBytes, firstPages] = [0, 0, 0];
  for (const [total, countOf] of counts) {
    const end = Math.min(lastPage, pageCount(endpoint, total, size));
    const pages = end - firstPage + 1;
    if (pages <= 0) continue;
    files += pages * countOf.lists;
    if (firstPage === 1) firstPages += countOf.lists;
    const rows = Math.min(total, end * size) - (firstPage - 1) * size;
    if (rows > 0) sizeBytes += (countOf.sizeBytes * rows) / total;
    // Commas stand between rows of one page, not between pages.
    let around = Math.max(0, rows - pages);
    for (let number = firstPage; number <= end; number++)
      around += pageOverhead(endpoint, total, { number, size });
    sizeBytes += around * countOf.lists;
  }
  return { files, sizeBytes: Math.round(sizeBytes), firstPages, tooLarge: 0 };
}

/** Weighs bands; a link weighs as much as its body. */
function createScale(catalog: Catalog): (band: Band) => Weight {
  const counts = new Map<string, ReadonlyMap<number, ListCount>>();
  const weights = new Map<string, Weight>();
  const sizes = new Map<Resource, Uint32Array>();
  // Families that differ only by sort or page size have the same lists.
  const countOf = (family: ListFamily) => {
    const name = `${family.endpoint.path} ${family.filters.join()}`;
    const { resource } = family;
    const own = sizes.get(resource) ?? readSizes(catalog, resource);
    sizes.set(resource, own);
    const made = counts.get(name) ?? countLists(catalog, family, own);
    counts.set(name, made);
    return made;
  };
  const weigh = (band: Band): Weight => {
    const { family } = band;
    if (family.kind === "single") return weighSingle(catalog, family);
    if (family.kind === "detail") return weighDetails(catalog, family);
    return weighLists(countOf(family), family, band);
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

/**
 * Takes bands in order of importance, each that is not too deep and still fits below the ceiling. Once one of a family's bands
 * is left out, so are those that go on from it: no list has deep pages without its first ones.
 */
function choose(config: PublicConfig, pageFiles: number, weigh: (band: Band) => Weight): Plan {
  const weighed = planBands(config)
    .map((band) => ({ band, ...weigh(band) }))
    .filter((each) => each.files > 0);
  let files = ASSETS.length + pageFiles;
  let sizeBytes = 0;
  const wholeFiles = weighed.reduce((sum, each) => sum + each.files, files);
  const deepest = deepestPage(config, wholeFiles);
  const ended: Record<FileForm, Set<Family>> = { body: new Set(), link: new Set() };
  const bands = weighed.map((weight): PlannedBand => {
    const { family, form, firstPage } = weight.band;
    const fits = files + weight.files <= config.grid.maxFiles;
    const kept = firstPage <= deepest && fits && !ended[form].has(family);
    if (kept) {
      files += weight.files;
      sizeBytes += weight.sizeBytes;
    } else {
      ended.link.add(family);
      if (form === "body") ended.body.add(family);
    }
    return { ...weight, kept };
  });
  return { bands, pageFiles, files, sizeBytes, wholeFiles, deepestPage: deepest };
}

/** Plans a catalog. `otherFiles`: how many files are no answers. */
export function planCatalog(catalog: Catalog, otherFiles = 0): Plan {
  return choose(catalog.config, otherFiles, createScale(catalog));
}

/** The families that have files, in order of their first band. */
export function reachOf(plan: Plan): Map<Family, Reach> {
  const reach = new Map<Family, Reach>();
  for (const { band, files, kept } of plan.bands) {
    if (!kept) continue;
    const before = reach.get(band.family) ?? { pages: { body: 0, link: 0 }, files: 0 };
    reach.set(band.family, {
      pages: { ...before.pages, [band.form]: band.lastPage },
      files: before.files + files,
    });
  }
  return reach;
}

function mostFileBytes({ config }: Catalog): number {
  return config.grid.maxFileBytes ?? Infinity;
}
