/** The files of single records: by slug and, if the plan includes it, by id. */
import { detailBody } from "../catalog/answer.ts";
import { keyOf } from "../key/key.ts";
import { ALIASES, type DetailFamily, queryFor } from "./grid.ts";
import { fingerprintOf, type MadeFile, type SiteInputs, shownDigest } from "./made-file.ts";
import type { Reach } from "./plan.ts";

export function* detailFiles(
  { catalog, digests, code }: SiteInputs,
  { endpoint, resource, alias }: DetailFamily,
  { pages }: Reach,
): Generator<MadeFile> {
  const { name } = resource;
  const idParam = alias === null || pages.link === 0 ? undefined : ALIASES[alias];
  const own = digests.of(name);
  const rows = catalog.db
    .prepare<[], [id: number, slug: string | null]>(`SELECT id, slug FROM ${name} ORDER BY id`)
    .raw();
  const keyFor = (param: string, value: string) => keyOf(queryFor(endpoint, { [param]: value }));
  for (const [row, [id, slug]] of rows.all().entries()) {
    if (slug === null) continue;
    const [list, detail] = [own.list(row), own.detail(row)];
    yield {
      key: keyFor("slug", slug),
      aliases: idParam === undefined ? [] : [keyFor(idParam, String(id))],
      fingerprint: fingerprintOf(code, list, detail),
      inputs: () => `code ${shownDigest(code)}\n${name} ${id}=${shownDigest(list)}${shownDigest(detail)}`,
      make: ({ allocate }) => {
        const json = catalog.detail(resource, id);
        if (json === null) throw new Error(`${name} ${id} has no detail`);
        return detailBody(json, allocate);
      },
    };
  }
}
