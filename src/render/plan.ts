/** The plan: which families of the grid become files for one catalog, counted and weighed before anything is written. */

import { answerQuery, paginationOf } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { listOverhead } from "../catalog/envelope.ts";
import { ASSETS, DEFAULT_FAQ_LIMIT } from "../contract/endpoints.ts";
import { type DetailFamily, type Family, type ListFamily, planFamilies, TWINS } from "./grid.ts";
import { type Group, groupsOf } from "./groups.ts";
import { queryFor } from "./queries.ts";

export interface PlannedFamily {
  readonly family: Family;
  readonly files: number;
  readonly sizeBytes: number;
  /** False where the fallback answers it, because the files would be more than the ceiling. */
  readonly kept: boolean;
}

export interface Plan {
  /** All families, the most important first. */
  readonly families: readonly PlannedFamily[];
  /** Of the families that are kept, and the assets. */
  readonly files: number;
  /** Of the families that are kept. */
  readonly sizeBytes: number;
}

interface Weight {
  readonly files: number;
  readonly sizeBytes: number;
}

/** Bytes of a stamped answer around the record: envelope, meta. */
const RECORD_OVERHEAD = listOverhead(null) - 2;

function weighDetails(catalog: Catalog, family: DetailFamily): Weight {
  const { name } = family.resource;
  const row = catalog.db
    .prepare<[], { files: number; sizeBytes: number }>(
      `SELECT COUNT(*) AS files, COALESCE(SUM(OCTET_LENGTH(json)), 0) AS sizeBytes FROM ${name}_detail`,
    )
    .get();
  const copies = family.twin === null ? 1 : 2;
  const files = row?.files ?? 0;
  return { files: files * copies, sizeBytes: ((row?.sizeBytes ?? 0) + files * RECORD_OVERHEAD) * copies };
}

/** Pages of one group, `limit` rows each; a group without rows has one, empty page. */
export function pagesOf(group: Group, perPage: number): number {
  return Math.max(1, Math.ceil(group.rows.length / perPage));
}

function weighLists(catalog: Catalog, family: ListFamily, groups: readonly Group[]): Weight {
  const pool = catalog.fragments(family.resource.name);
  let files = 0;
  let sizeBytes = 0;
  for (const group of groups) {
    const pages = family.endpoint.paginated ? pagesOf(group, family.perPage) : 1;
    files += pages;
    const shown = family.endpoint.paginated ? group.rows : group.rows.subarray(0, DEFAULT_FAQ_LIMIT);
    for (const row of shown) sizeBytes += pool.size(row);
    // Commas stand between rows of one page, not between pages.
    sizeBytes += Math.max(0, shown.length - pages);
    for (let number = 1; number <= pages; number++) {
      const page = { number, size: family.perPage };
      sizeBytes += listOverhead(family.endpoint.paginated ? paginationOf(group.rows.length, page) : null);
    }
  }
  const copies = family.filters.some((param) => TWINS[param] !== undefined) ? 2 : 1;
  return { files: files * copies, sizeBytes: sizeBytes * copies };
}

/** Weighs each family; lists that differ only by sort weigh the same. */
function createScale(catalog: Catalog): (family: Family) => Weight {
  const known = new Map<string, Weight>();
  return (family) => {
    if (family.kind === "detail") return weighDetails(catalog, family);
    if (family.kind === "single") {
      const body = answerQuery(catalog, queryFor(family.endpoint, {}));
      return { files: 1, sizeBytes: body?.bytes.length ?? 0 };
    }
    const name = `${family.endpoint.path} ${family.filters.join()} ${family.perPage}`;
    const weighed = known.get(name);
    if (weighed !== undefined) return weighed;
    const weight = weighLists(catalog, family, groupsOf(catalog, family));
    known.set(name, weight);
    return weight;
  };
}

/** Plans a catalog: families are taken in order of importance, each whole, as long as they fit below the ceiling. */
export function planCatalog(catalog: Catalog): Plan {
  const weigh = createScale(catalog);
  let files = ASSETS.length;
  let sizeBytes = 0;
  const families = planFamilies(catalog.config).map((family): PlannedFamily => {
    const weight = weigh(family);
    const kept = files + weight.files <= catalog.config.grid.maxFiles;
    if (kept) {
      files += weight.files;
      sizeBytes += weight.sizeBytes;
    }
    return { family, ...weight, kept };
  });
  return { families, files, sizeBytes };
}
