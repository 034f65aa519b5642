/** What `vitrine plan` prints. The grid and its schemas are loaded with it, so only that command loads it. */

import { AUTO, type PublicConfig } from "../api/config.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import type { BuildPlan } from "../build/plan.ts";
import { bandName } from "../render/bands.ts";
import type { Plan, PlannedBand } from "../render/plan.ts";
import { type EndpointSummary, summarise } from "../render/plan-summary.ts";
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

function linesOf(plan: BuildPlan, endpoints: readonly EndpointSummary[], config: PublicConfig): string[] {
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
  const { leftOut, wrong } = plan;
  const lines = [...linesOf(plan, endpoints, config), ...leftOutLines(plan)];
  return {
    data: { ...jsonOf(plan), endpoints, leftOut, wrong },
    lines: isVerbose ? [...lines, ...bandLines(plan, restOf(config))] : lines,
  };
}
