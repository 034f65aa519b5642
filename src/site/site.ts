/**
 * Stage 2, catalog → snapshot. Everything in `site/` comes from generators of one interface ({@link MadeFile}): what a file is
 * made of is named by its fingerprint, and only the writer decides whether it has to be made. Nothing here knows what changed.
 *
 * `grid.ts` says which queries may become files, `bands.ts` and `plan.ts` which of them do, `details.ts` and `lists.ts` make
 * them; feeds and pages for people come in as generators of the same kind. Details are put before the lists that name them,
 * the status comes last.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ASSETS } from "../api/endpoints.ts";
import { widgetCall } from "../api/records/widget.ts";
import { answerQuery } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { plainBody } from "../catalog/envelope.ts";
import { keyOf } from "../key/key.ts";
import { type MadeFile, type MadeTogether, madeFile, type SiteInputs } from "../snapshot/made-file.ts";
import { detailFiles } from "./details.ts";
import { queryFor, type SingleFamily } from "./grid.ts";
import { listFiles } from "./lists.ts";
import { type Plan, reachOf } from "./plan.ts";

/** Files of a snapshot that are no answers: feeds, and pages for people. */
export interface OtherFiles {
  count(catalog: Catalog): number;
  files(inputs: SiteInputs): Iterable<MadeFile | MadeTogether>;
}

/** All files of a plan, in the order in which they are put in place. `widgets`: the folder of the widgets' sources. */
export function* siteFiles(
  inputs: SiteInputs,
  plan: Plan,
  others: OtherFiles,
  widgets: string,
): Generator<MadeFile | MadeTogether> {
  const { catalog } = inputs;
  const reaches = [...reachOf(plan)];
  for (const [family, reach] of reaches)
    if (family.kind === "detail") yield* detailFiles(inputs, family, reach);
  for (const [family, reach] of reaches)
    if (family.kind !== "single" && family.kind !== "detail") yield* listFiles(inputs, family, reach);
  yield* others.files(inputs);
  yield* widgetFiles(catalog, widgets);
  for (const [family] of reaches) if (family.kind === "single") yield singleFile(catalog, family);
}

function singleFile(catalog: Catalog, { endpoint }: SingleFamily): MadeFile {
  const query = queryFor(endpoint, {});
  const body = answerQuery(catalog, query);
  if (body === null) throw new Error(`/${endpoint.path} has no answer`);
  return madeFile(keyOf(query), body);
}

/** Each widget is its source and the call that starts it with this store's base address. `folder`: of the sources. */
export function* widgetFiles({ config }: Catalog, folder: string): Generator<MadeFile> {
  for (const key of ASSETS) {
    const source = readFileSync(join(folder, key.slice(key.lastIndexOf("/") + 1)), "utf8");
    yield madeFile(key, plainBody(`${source}${widgetCall(config.baseUrl)}\n`));
  }
}
