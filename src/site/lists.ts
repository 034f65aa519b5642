/** The files of lists: each list of a family, cut into pages. */
import { pageBody, pageCount } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { resourceNamed } from "../catalog/resources.ts";
import { keyOf, mayHaveFile } from "../key/key.ts";
import { ALIASES, type ListFamily, listsOf, pageSizeOf, queryFor } from "./grid.ts";
import { fingerprintOf, type MadeFile, type SiteInputs, shownDigest } from "./made-file.ts";
import type { Reach } from "./plan.ts";

/** The planned pages of a family. A page depends on its list's total and on its own rows in their order. */
export function* listFiles(
  { catalog, digests, code }: SiteInputs,
  family: ListFamily,
  { pages }: Reach,
): Generator<MadeFile> {
  const { endpoint, resource, filters, sort, perPage } = family;
  const size = pageSizeOf(family);
  const own = digests.of(resource.name);
  const { ids } = catalog.list(resource.name);
  for (const { values, rows: list } of listsOf(catalog, family)) {
    const asked: Record<string, string> = { per_page: String(perPage) };
    if (sort !== null) asked["sort"] = sort;
    for (const [at, param] of filters.entries()) asked[param] = values[at] ?? "";
    const alias = pages.link > 0 ? aliasOf(catalog, family, asked) : null;
    const total = list.length;
    const last = Math.min(pages.body, pageCount(endpoint, total, size));
    for (let page = 1; page <= last; page++) {
      const number = String(page);
      const query = queryFor(endpoint, { ...asked, page: number });
      const key = keyOf(query);
      if (!mayHaveFile(query, key)) continue;
      const rows = list.subarray((page - 1) * size, page * size);
      const isLinked = alias !== null && page <= pages.link;
      yield {
        key,
        aliases: isLinked ? [keyOf(queryFor(endpoint, { ...alias, page: number }))] : [],
        fingerprint: fingerprintOf(`${code} ${total}`, own.joined(rows)),
        inputs: () => {
          const records = Array.from(rows, (row) => `${ids[row]}=${shownDigest(own.list(row))}`);
          return [`code ${shownDigest(code)}`, `total ${total}`, [resource.name, ...records].join(" ")].join(
            "\n",
          );
        },
        make: ({ allocate }) => pageBody(catalog, resource, query, list, allocate),
      };
    }
  }
}

/** The parameters of the same list by the product's id; null if the list is not one product's. */
function aliasOf(
  catalog: Catalog,
  { alias }: ListFamily,
  asked: Readonly<Record<string, string>>,
): Record<string, string> | null {
  if (alias === null) return null;
  const { [alias]: slug, ...rest } = asked;
  const id = catalog.idOfSlug(resourceNamed("product"), slug ?? "");
  return id === null ? null : { ...rest, [ALIASES[alias] as string]: String(id) };
}
