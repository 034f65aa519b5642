/** Store → catalog → plan: what a build from scratch would make, without leaving anything behind. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { CLOCK, secondsSince } from "../base/clock.ts";
import { SILENT } from "../base/log.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { createCatalog } from "../catalog/catalog-file.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { DEFAULT_MAX_LEFT_OUT } from "../config/schema.ts";
import { readAllowList, readBeside } from "../extract/allow-list.ts";
import { reasonClosed, resolveColumns, withSlugs } from "../extract/columns.ts";
import { extract } from "../extract/extract.ts";
import type { ExtractReport } from "../extract/extract-report.ts";
import type { StoreReader } from "../extract/store.ts";
import { siteInputs } from "../site/made-file.ts";
import { planCatalog } from "../site/plan.ts";
import { type WeighedPlan, weighPlan } from "../site/weigh.ts";
import { openStore } from "../store/open.ts";
import { untilStill } from "./again.ts";
import type { NotPublic } from "./build-report.ts";
import { countNotPublic } from "./left-out.ts";
import { otherFiles, weighOtherFiles } from "./other-files.ts";
import { type Objection, objectToClosed, objectToNothing } from "./policies.ts";
import { hasRows, readAgain } from "./read-again.ts";

type StoreInputs = Pick<BuildInputs, "store" | "queries" | "config" | "now"> &
  Partial<Pick<BuildInputs, "maxLeftOut">>;

/** Extracts a store into a catalog in a new file. `also` reads more of the same state. @throws VitrineError store_unreadable, allow_list_invalid, rows_invalid */
export function extractTemporarily(
  inputs: StoreInputs,
  target: string,
  also: (reader: StoreReader) => Promise<void> = async () => {},
): Promise<ExtractReport> {
  return untilStill({ log: SILENT }, () => {
    rmSync(target, { force: true });
    return extractOnce(inputs, target, also);
  });
}

async function extractOnce(
  inputs: StoreInputs,
  target: string,
  also: (reader: StoreReader) => Promise<void>,
): Promise<ExtractReport> {
  const { store: file, queries, config, maxLeftOut = DEFAULT_MAX_LEFT_OUT, now } = inputs;
  const list = readAllowList(queries);
  const reader = await openStore(file, now, Object.values(list));
  const writer = createCatalog(target);
  try {
    const [store, fitted] = [withSlugs(reader), await resolveColumns(reader, list)];
    const sources = { store, queries: fitted, config, maxLeftOut, now, writer };
    const report = await extract(sources, null);
    await also(reader);
    await reader.close();
    await readAgain({ inputs, queries: fitted }, null, report);
    writer.commit();
    return report;
  } finally {
    writer.close();
    await reader.close();
  }
}

/** What reading one file of the allow-list costs. */
export interface ReadingPlan {
  readonly file: string;
  readonly rows: number;
  readonly seconds: number;
  /** The database's query plan, in its own words. */
  readonly plan: readonly string[];
}

/** Reads each file of the allow-list as a build would, and measures it. @throws VitrineError allow_list_invalid */
export async function explainStore({
  store: file,
  queries,
  now,
}: Pick<BuildInputs, "store" | "queries" | "now">): Promise<ReadingPlan[]> {
  const list = readAllowList(queries);
  const store = await openStore(file, now, Object.values(list));
  try {
    const plans: ReadingPlan[] = [];
    const { leftOut, closed } = readBeside(queries);
    const beside = [leftOut, closed].flatMap((query) =>
      query === null ? [] : [[query.name, query] as const],
    );
    const files = { ...list, ...Object.fromEntries(beside) };
    for (const query of Object.values(await resolveColumns(store, files))) {
      const plan = await store.explain(query);
      const started = CLOCK.elapsed();
      let rows = 0;
      for await (const batch of store.batches(query)) rows += batch.length;
      plans.push({ file: query.file, rows, seconds: secondsSince(started), plan });
    }
    return plans;
  } finally {
    await store.close();
  }
}

/** What a build would make, and what it would leave out of what it read. */
export interface BuildPlan extends WeighedPlan, Pick<ExtractReport, "leftOut" | "wrong" | "shortened"> {
  /** Pages for people, feeds and the widgets' files; included in `files` and `sizeBytes`. */
  readonly pages: { readonly files: number; readonly sizeBytes: number };
  /** Number of products that become public. */
  readonly products: number;
  readonly notPublic: NotPublic;
  /** Why a build would be refused, in whole sentences; empty if it would not. */
  readonly refused: readonly string[];
}

/** Works in a separate folder, so that it neither blocks a build nor waits for one. */
export async function planBuild(inputs: Omit<BuildInputs, "out">, folder: string): Promise<BuildPlan> {
  const file = join(folder, "catalog.sqlite");
  try {
    const beside = readBeside(inputs.queries);
    let notPublic: NotPublic = {};
    let reason: string | null = null;
    const { records, leftOut, wrong, shortened } = await extractTemporarily(inputs, file, async (reader) => {
      notPublic = await countNotPublic(reader, beside.leftOut);
      reason = await reasonClosed(reader, beside.closed);
      if (beside.changed !== null) await reader.row(beside.changed);
    });
    const products = records.product ?? 0;
    const objections = [
      objectToClosed(reason),
      objectToNothing({ products, before: 0, now: inputs.now }, notPublic),
    ];
    const catalog = openCatalog(file);
    try {
      const count = otherFiles(() => undefined).count(catalog);
      const plan = weighPlan(catalog, planCatalog(siteInputs(catalog), count));
      const weight = weighOtherFiles(catalog);
      return {
        ...plan,
        pages: weight,
        sizeBytes: plan.sizeBytes + weight.sizeBytes,
        products,
        notPublic,
        refused: messagesOf(objections),
        leftOut,
        wrong,
        shortened,
      };
    } finally {
      catalog.close();
    }
  } catch (error) {
    throw explainWriteFailure(error, folder);
  }
}

function messagesOf(objections: readonly (Objection | null)[]): string[] {
  return objections.flatMap((objection) => (objection === null ? [] : [objection.error.message]));
}

/**
 * Why a build would be refused, by the shop and not by a value: it is closed, or nothing of it is public. Reads one row of a shop that
 * is fine. @throws VitrineError store_unreadable, allow_list_invalid
 */
export async function readRefusals({
  store: file,
  queries,
  now,
}: Pick<BuildInputs, "store" | "queries" | "now">): Promise<string[]> {
  const { products } = readAllowList(queries);
  const { closed, leftOut } = readBeside(queries);
  const read = [products, closed, leftOut].filter((query) => query != null);
  const store = await openStore(file, now, read);
  try {
    const reason = await reasonClosed(store, closed);
    const isPublic = products !== undefined && (await hasRows(store, products));
    const notPublic = isPublic ? {} : await countNotPublic(store, leftOut);
    return messagesOf([
      objectToClosed(reason),
      objectToNothing({ products: Number(isPublic), before: 0, now }, notPublic),
    ]);
  } finally {
    await store.close();
  }
}
