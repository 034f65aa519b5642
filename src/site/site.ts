/**
 * Stage 2, catalog → snapshot: everything in `site/`. Why it is correct:
 *
 * - Every file comes from a generator as a {@link MadeFile} (made-file.ts): a key, and a fingerprint of all inputs of its bytes.
 *   Generators know the catalog but not the changes, so they cannot miss one.
 * - Only the writer (writer.ts) decides. If the manifest (manifest.ts) has the same fingerprint for the key, the file stays.
 *   Otherwise it is made, and written if its content differs. Keys that no generator yields are deleted.
 * - Files are staged, then moved into place from a list of moves, which recovery runs again (out.ts).
 *
 * `grid.ts` says which queries may become files, `bands.ts` and `plan.ts` which of them do for one catalog; `details.ts`,
 * `lists.ts`, `feeds/` and `pages/` generate them. `verify.ts` checks a whole snapshot. Details come before the lists that name them,
 * the status comes last.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { API_PATH, ASSETS, ENDPOINTS, type Endpoint, WIDGETS } from "../api/endpoints.ts";
import { widgetCall } from "../api/records/widget.ts";
import { answerQuery } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { plainBody } from "../catalog/envelope.ts";
import { resourceOf } from "../catalog/resources.ts";
import { keyOf } from "../key/key.ts";
import { detailFiles } from "./details.ts";
import { queryFor, type SingleFamily } from "./grid.ts";
import { listFiles } from "./lists.ts";
import { fingerprintOf, type MadeFile, madeFile, type SiteInputs } from "./made-file.ts";
import { type Plan, reachOf } from "./plan.ts";

/** Files of a snapshot that are not answers: feeds, and pages for people. */
export interface OtherFiles {
  count(catalog: Catalog): number;
  files(inputs: SiteInputs): Iterable<MadeFile>;
}

/**
 * All files of a plan, in the order in which they are put in place. `widgets`: the folder with the widgets' sources. `kept`: endpoints
 * whose files are left out.
 */
export function* siteFiles(
  inputs: SiteInputs,
  plan: Plan,
  others: OtherFiles,
  widgets: string,
  kept: ReadonlySet<string> = new Set(),
): Generator<MadeFile> {
  const { catalog } = inputs;
  const reaches = [...reachOf(plan)].filter(([{ endpoint }]) => !kept.has(endpoint.path));
  for (const [family, reach] of reaches)
    if (family.kind === "detail") yield* detailFiles(inputs, family, reach);
  for (const [family, reach] of reaches)
    if (family.kind !== "single" && family.kind !== "detail") yield* listFiles(inputs, family, reach);
  yield* others.files(inputs);
  yield* widgetFiles(catalog, widgets);
  for (const [family] of reaches) if (family.kind === "single") yield singleFile(catalog, family);
}

/**
 * Paths of the endpoints whose files are all as in the last build: they have the same records, and the same pages are planned. A list
 * by the product's id is a link, which follows from its records too: they show the product's slug beside its id.
 */
export function keptEndpoints({ digests, known }: SiteInputs, plan: Plan): Set<string> {
  const reaches = [...reachOf(plan)];
  const isKept = ({ path }: Endpoint) => {
    const resource = resourceOf(path === "product" ? "products" : path);
    if (resource === undefined) return false;
    const own = reaches.filter(([{ endpoint }]) => endpoint.path === path);
    const planned = own.map(([{ name, kind }, { pages }]) => [name, kind, pages.body, pages.link]);
    return known.isSame(
      `files of ${path}`,
      fingerprintOf(digests.of(resource.name).whole, JSON.stringify(planned)),
    );
  };
  return new Set(ENDPOINTS.filter(isKept).map(({ path }) => path));
}

const ANSWER = new RegExp(`^${API_PATH.slice(1)}/([^/]+?)(?:/|\\.json$)`);

/** True for the file of an answer of one of these endpoints: `api/v1/faqs.json`, `api/v1/faqs/type=license.json` */
export function isFileOf(paths: ReadonlySet<string>, key: string): boolean {
  return paths.has(ANSWER.exec(key)?.[1] ?? "");
}

function singleFile(catalog: Catalog, { endpoint }: SingleFamily): MadeFile {
  const query = queryFor(endpoint, {});
  const body = answerQuery(catalog, query);
  if (body === null) throw new Error(`/${endpoint.path} has no answer`);
  return madeFile(keyOf(query), body);
}

/**
 * Each widget: its source, and the call that starts it with this store's base address. The other files are the same for all
 * stores. `folder`: where the sources are.
 */
export function* widgetFiles({ config }: Catalog, folder: string): Generator<MadeFile> {
  for (const [at, key] of ASSETS.entries()) {
    const source = readFileSync(join(folder, key.slice(key.lastIndexOf("/") + 1)), "utf8");
    const isWidget = at < WIDGETS.length;
    yield madeFile(key, plainBody(isWidget ? `${source}${widgetCall(config.baseUrl)}\n` : source));
  }
}
