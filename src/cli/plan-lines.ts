/** What `vitrine plan` prints. The grid and its schemas are loaded with it, so only that command loads it. */

import { AUTO, type PublicConfig } from "../api/config.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import type { BuildPlan } from "../build/plan.ts";
import { bandName } from "../render/bands.ts";
import { type ChangeCost, type ChangeCosts, filesOf } from "../render/change-cost.ts";
import type { Plan, PlannedBand } from "../render/plan.ts";
import {
  DOLLARS_PER_1000_PUTS,
  dearProduct,
  type EndpointSummary,
  PUTS_PER_SECOND,
  summarise,
  uploadDollarsOf,
} from "../render/plan-summary.ts";
import { hostLines, leftOutLines } from "./build-summary.ts";

function weightOf({ files, sizeBytes }: { readonly files: number; readonly sizeBytes: number }): string {
  return `${formatCount(files).padStart(10)} ${files === 1 ? "file " : "files"} ${formatBytes(sizeBytes).padStart(10)}`;
}

/** `94 %`; never 100 where something is missing. */
function formatShare({ files, of }: EndpointSummary["firstPages"]): string {
  return `${of === 0 ? 0 : Math.floor((100 * files) / of)} %`;
}

/** What becomes of what has no file. */
interface Rest {
  readonly always: string;
  readonly left: string;
  readonly bands: string;
  readonly pages: string;
}

const TO_THE_FALLBACK: Rest = {
  always: "always the fallback's",
  left: "left to the fallback",
  bands: "Left out (grid.pages, grid.maxFiles), answered by the fallback:",
  pages: "are the fallback's",
};

/** At a static host nothing answers it. */
const TO_NOBODY: Rest = {
  always: "has no files",
  left: "left out",
  bands: "Left out (grid.pages, grid.maxFiles, grid.maxBytes):",
  pages: "are left out",
};

function restOf(config: PublicConfig): Rest {
  return config.for === undefined ? TO_THE_FALLBACK : TO_NOBODY;
}

/** `1,204 of 58,400 first pages (2 %); 120 pages and 58,000 by id left to the fallback` */
function whatIsStatic({ firstPages, leftOut }: EndpointSummary, rest: Rest): string {
  const { files, of } = firstPages;
  if (of === 0) return rest.always;
  const single = of === 1 && files === 1;
  const first = single
    ? "its one page"
    : files === of
      ? `all ${formatCount(of)} first pages`
      : `${formatCount(files)} of ${formatCount(of)} first pages (${formatShare(firstPages)})`;
  const left = [
    ...(leftOut.pages > 0 ? [`${formatCount(leftOut.pages)} pages`] : []),
    ...(leftOut.byId > 0 ? [`${formatCount(leftOut.byId)} by id`] : []),
  ];
  return left.length === 0 ? first : `${first}; ${left.join(" and ")} ${rest.left}`;
}

function bandLines(plan: Plan, { bands }: Rest): string[] {
  const row = (planned: PlannedBand) => `${weightOf(planned)}  ${bandName(planned)}`;
  const left = plan.bands.filter((band) => !band.kept);
  return [
    "",
    "Files, the most important first:",
    ...plan.bands.filter((band) => band.kept).map(row),
    ...(left.length === 0 ? [] : [bands, ...left.map(row)]),
  ];
}

interface PlanResult {
  readonly plan: BuildPlan;
  readonly endpoints: readonly EndpointSummary[];
  readonly uploadDollars: number;
}

function uploadLines({ plan, uploadDollars }: PlanResult, { for: host }: PublicConfig): string[] {
  if (host !== undefined && host !== "s3") return [];
  const price = `about $${uploadDollars.toFixed(2)} at $${DOLLARS_PER_1000_PUTS} a thousand`;
  return [`A first upload is ${formatCount(plan.files)} PUT requests, ${price}.`];
}

const CHANGES: readonly (readonly [name: string, of: "price" | "review" | "product"])[] = [
  ["one price", "price"],
  ["one review", "review"],
  ["one product", "product"],
];

/** A change in the figures of a bucket. */
function priced(cost: ChangeCost) {
  const { puts, deletes } = cost;
  return {
    files: filesOf(cost),
    puts,
    deletes,
    seconds: puts / PUTS_PER_SECOND,
    dollars: uploadDollarsOf(puts),
  };
}

function changeLines({ costs }: BuildPlan, { for: host }: PublicConfig): string[] {
  const isBucket = host === undefined || host === "s3";
  const dear = dearProduct(costs);
  return [
    `What a change costs, about${isBucket ? `, at ${PUTS_PER_SECOND} PUT requests a second` : ""}:`,
    ...CHANGES.map(([name, of]) => {
      const { files, puts, seconds, dollars } = priced(costs[of]);
      const bucket = `, ${formatCount(puts)} PUT requests, ${seconds.toFixed(1)} s, $${dollars.toFixed(4)}`;
      return `  ${name.padEnd(11)} ${formatCount(files).padStart(8)} files${isBucket ? bucket : ""}`;
    }),
    ...(dear === null ? [] : [`${dear.what}. ${dear.next}`]),
  ];
}

function changesJson(costs: ChangeCosts): object {
  return Object.fromEntries([
    ...CHANGES.map(([, of]) => [of, priced(costs[of])]),
    ["productByPages", costs.productByPages.map(({ pages, cost }) => ({ pages, ...priced(cost) }))],
    ["assumed", { putsPerSecond: PUTS_PER_SECOND, dollarsPer1000Puts: DOLLARS_PER_1000_PUTS }],
  ]);
}

function tooLargeLines({ bands }: Plan): string[] {
  const records = bands.reduce((sum, band) => sum + (band.kept ? band.tooLarge : 0), 0);
  return records === 0
    ? []
    : [`  ${formatCount(records)} of the records are larger than a file may be there, and left out.`];
}

/** How deep lists go as files, where that is not all the way; of "auto" why. */
function depthLines({ deepestPage, wholeFiles }: Plan, { grid }: PublicConfig, { pages }: Rest): string[] {
  if (deepestPage === Infinity) return [];
  const why =
    typeof grid.pages === "number"
      ? "grid.pages"
      : `grid.pages is "auto": with all pages the grid has ${formatCount(wholeFiles)} files, more than ${formatCount(AUTO.files)}`;
  return [`Pages after ${formatCount(deepestPage)} ${pages} (${why}).`];
}

function linesOf(result: PlanResult, config: PublicConfig): string[] {
  const { plan, endpoints } = result;
  const rest = restOf(config);
  const pages = [
    ...(config.pages === false ? [] : ["the explorer and the reference"]),
    ...(config.for === undefined ? [] : ["what the host reads"]),
    ...(config.feeds === undefined ? [] : ["feeds"]),
  ].join(", ");
  const width = Math.max(...endpoints.map(({ endpoint }) => endpoint.length));
  return [
    ...endpoints.map((one) => `${one.endpoint.padEnd(width)} ${weightOf(one)}  ${whatIsStatic(one, rest)}`),
    ...(plan.pages.files === 0 ? [] : [`${"pages".padEnd(width)} ${weightOf(plan.pages)}  ${pages}`]),
    `${"in all".padEnd(width)} ${weightOf(plan)}`,
    ...uploadLines(result, config),
    ...changeLines(plan, config),
    ...depthLines(plan, config, rest),
    ...hostLines(config),
    ...tooLargeLines(plan),
  ];
}

/** A plan as plain data; the last page of a band without one is null. */
function jsonOf({ files, sizeBytes, wholeFiles, deepestPage, pages, bands }: Plan): object {
  return {
    files,
    sizeBytes,
    wholeFiles,
    deepestPage: deepestPage === Infinity ? null : deepestPage,
    pages,
    bands: bands.map(({ band, ...weight }) => ({
      family: band.family.name,
      firstPage: band.firstPage,
      lastPage: band.lastPage === Infinity ? null : band.lastPage,
      form: band.form,
      ...weight,
    })),
  };
}

/** A plan as lines for people, with all its bands where they are asked for, and as plain data. */
export function describePlan(
  plan: BuildPlan,
  config: PublicConfig,
  isVerbose: boolean,
): { readonly data: object; readonly lines: readonly string[] } {
  const endpoints = summarise(plan, config);
  const uploadDollars = uploadDollarsOf(plan.files);
  const { leftOut, wrong } = plan;
  const lines = [...linesOf({ plan, endpoints, uploadDollars }, config), ...leftOutLines(plan)];
  return {
    data: { ...jsonOf(plan), endpoints, uploadDollars, changes: changesJson(plan.costs), leftOut, wrong },
    lines: isVerbose ? [...lines, ...bandLines(plan, restOf(config))] : lines,
  };
}
