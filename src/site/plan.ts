/** The plan: which bands of the grid become files for one catalog, counted before anything is written. */

import type { PublicConfig } from "../api/config.ts";
import { ASSETS, DEFAULT_PER_PAGE } from "../api/endpoints.ts";
import { pageCount } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type FileShapes, shapeOf, shapeWord } from "../catalog/files.ts";
import type { Resource } from "../catalog/resources.ts";
import { type Band, deepestPage, type FileForm, planBands } from "./bands.ts";
import { ALIASES, type Family, type ListFamily, listsOf, pageSizeOf } from "./grid.ts";
import { fingerprintOf, type SiteInputs } from "./made-file.ts";

/** Size of a band. */
interface Count {
  readonly files: number;
  /** Number of lists and records that have their first page in the band. */
  readonly firstPages: number;
}

export interface PlannedBand extends Count {
  readonly band: Band;
  /** False if the fallback answers it: its pages are too deep, or its files would exceed the limit. */
  readonly kept: boolean;
}

export interface Plan {
  /** All bands that have files, the most important first. */
  readonly bands: readonly PlannedBand[];
  /** Number of pages for people and feed files: always kept. */
  readonly pageFiles: number;
  /** Total of the kept bands, the pages and the assets. */
  readonly files: number;
  /** Total of all bands, the pages and the assets: decides about `grid.pages` if that is "auto". */
  readonly wholeFiles: number;
  /** The last page of a list that may be a file; Infinity if all may. */
  readonly deepestPage: number;
}

/** How deep a family's files reach. */
export interface Reach {
  /** The last page that is a file, and the last one that is also a file by id; 0 for none. */
  readonly pages: Readonly<Record<FileForm, number>>;
  readonly files: number;
}

/** Numbers of lists by their length. */
type ListCounts = readonly (readonly [length: number, lists: number])[];

/** Counts a family's lists, unless their records have the same values of all filters as in the last build. */
function countLists({ catalog, digests, known }: SiteInputs, family: ListFamily): ListCounts {
  const { resource, endpoint, filters } = family;
  const values = known.of(`values of ${resource.name}`, digests.of(resource.name).whole, () =>
    digestOfFilters(catalog, resource),
  );
  return known.of(`${endpoint.path} by ${filters.join()}`, values, () => {
    const counts = new Map<number, number>();
    for (const { rows } of listsOf(catalog, family))
      counts.set(rows.length, (counts.get(rows.length) ?? 0) + 1);
    return [...counts];
  });
}

/** A digest of the values of all columns that filters compare. */
function digestOfFilters(catalog: Catalog, { name, filters }: Resource): string {
  const { columns } = catalog.list(name).data;
  return fingerprintOf(
    ...Object.values(filters).flatMap(({ column }) => {
      const read = columns.get(column);
      return read === undefined ? [] : [JSON.stringify(read.values), Buffer.from(read.codes.buffer)];
    }),
  );
}

/** The last page of a list within a band. */
export function lastPageOf(family: ListFamily, { lastPage }: Band, total: number): number {
  return Math.min(lastPage, pageCount(family.endpoint, total, pageSizeOf(family)));
}

/** Counts the pages of a band, for all lists of the same length at once. */
function countPages(counts: ListCounts, family: ListFamily, band: Band): Count {
  const { firstPage } = band;
  let files = 0;
  let firstPages = 0;
  for (const [total, lists] of counts) {
    files += Math.max(0, lastPageOf(family, band, total) - firstPage + 1) * lists;
    if (firstPage === 1) firstPages += lists;
  }
  return { files, firstPages };
}

/** Counts the files of bands; a link has as many as its body. */
function createCounter(inputs: SiteInputs): (band: Band) => Count {
  return (band) => {
    const { family } = band;
    if (family.kind === "single") return { files: 1, firstPages: 1 };
    if (family.kind === "detail") {
      const { size } = inputs.digests.of(family.resource.name);
      return { files: size, firstPages: size };
    }
    // Families that differ only by sort or page size have the same lists.
    return countPages(countLists(inputs, family), family, band);
  };
}

/**
 * Takes bands in order of importance: each one that is not too deep and still fits below the limit. If a band of a family is left out,
 * so are the following ones: no list has deep pages without its first ones.
 */
function choose(config: PublicConfig, pageFiles: number, count: (band: Band) => Count): Plan {
  const counted = planBands(config)
    .map((band) => ({ band, ...count(band) }))
    .filter((each) => each.files > 0);
  let files = ASSETS.length + pageFiles;
  const wholeFiles = counted.reduce((sum, each) => sum + each.files, files);
  const deepest = deepestPage(config, wholeFiles);
  const ended: Record<FileForm, Set<Family>> = { body: new Set(), link: new Set() };
  const bands = counted.map((each): PlannedBand => {
    const { family, form, firstPage } = each.band;
    const fits = files + each.files <= config.grid.maxFiles;
    const kept = firstPage <= deepest && fits && !ended[form].has(family);
    if (kept) files += each.files;
    else {
      ended.link.add(family);
      if (form === "body") ended.body.add(family);
    }
    return { ...each, kept };
  });
  return { bands, pageFiles, files, wholeFiles, deepestPage: deepest };
}

/** Plans a catalog. `otherFiles`: the number of files that are not answers. */
export function planCatalog(inputs: SiteInputs, otherFiles = 0): Plan {
  return choose(inputs.catalog.config, otherFiles, createCounter(inputs));
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

/** The parameters of a family's queries, as words of their shape. */
function wordsOf(family: Family, form: FileForm): string[] {
  const named = (param: string) =>
    form === "link" && param === family.alias ? (ALIASES[param] ?? param) : param;
  if (family.kind === "single") return [];
  if (family.kind === "detail") return [named("slug")];
  const words = family.filters.map((param) => shapeWord(named(param), ""));
  if (family.sort !== null) words.push(shapeWord("sort", family.sort));
  if (family.perPage !== DEFAULT_PER_PAGE) words.push(shapeWord("per_page", `${family.perPage}`));
  return words;
}

/** The queries that have files, by their shape. */
export function shapesOf(plan: Plan): FileShapes {
  const shapes: Record<string, number | null> = {};
  for (const { band, kept } of plan.bands) {
    if (!kept) continue;
    const shape = shapeOf(band.family.endpoint.path, wordsOf(band.family, band.form));
    shapes[shape] = band.lastPage === Infinity ? null : band.lastPage;
  }
  return shapes;
}
