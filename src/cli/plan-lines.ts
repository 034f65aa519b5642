/** The output of `vitrine plan`. It loads the grid and its schemas, so only that command loads it. */

import { AUTO, type PublicConfig } from "../api/config.ts";
import { counted, formatBytes, formatCount } from "../base/log.ts";
import type { BuildPlan } from "../pipeline/plan.ts";
import { bandName } from "../site/bands.ts";
import { type EndpointSummary, leftOutKinds, summarise } from "../site/plan-summary.ts";
import type { WeighedBand, WeighedPlan } from "../site/weigh.ts";
import { leftOutLines } from "./build-summary.ts";

/** A plan as lines for people, with all bands if `isVerbose`, and as plain data. */
export function describePlan(
  plan: BuildPlan,
  config: PublicConfig,
  isVerbose: boolean,
): { readonly data: object; readonly lines: readonly string[] } {
  const endpoints = summarise(plan, config);
  const { leftOut, wrong, shortened } = plan;
  const lines = [...linesOf(plan, endpoints, config), ...leftOutLines(plan)];
  return {
    data: { ...jsonOf(plan), endpoints, leftOut, wrong, shortened },
    lines: isVerbose ? [...lines, ...bandLines(plan)] : lines,
  };
}

function weightOf({ files, sizeBytes }: { readonly files: number; readonly sizeBytes: number }): string {
  return `${formatCount(files).padStart(10)} ${files === 1 ? "file " : "files"} ${formatBytes(sizeBytes).padStart(10)}`;
}

/** `94 %`; never 100 if something is missing. */
function formatShare({ files, of }: EndpointSummary["firstPages"]): string {
  return `${of === 0 ? 0 : Math.floor((100 * files) / of)} %`;
}

/** `120 pages and 58,000 by id`; "" if there are none. */
function otherFiles({ pages, byId }: EndpointSummary["leftOut"], kind: string): string {
  return [
    ...(pages > 0 ? [counted(pages, [kind])] : []),
    ...(byId > 0 ? [`${formatCount(byId)} by id`] : []),
  ].join(" and ");
}

/** `1,204 of 58,400 first pages (2 %), 30 later pages; 120 pages and 58,000 by id left to the fallback` */
function whatIsStatic({ firstPages, others, leftOut }: EndpointSummary): string {
  const { files, of } = firstPages;
  if (of === 0) return "always answered by the fallback";
  const single = of === 1 && files === 1;
  const first = single
    ? "its one page"
    : files === of
      ? `all ${formatCount(of)} first pages`
      : `${formatCount(files)} of ${formatCount(of)} first pages (${formatShare(firstPages)})`;
  const more = otherFiles(others, "later page");
  const left = otherFiles(leftOut, "page");
  return `${first}${more && `, ${more}`}${left && `; ${left} left to the fallback`}`;
}

const LEFT_OUT = "Left to the fallback (grid.pages, grid.maxFiles):";

/** The lists that are left to the fallback, those with most files first. */
function leftOutKindLines(plan: WeighedPlan): string[] {
  const kinds = leftOutKinds(plan);
  return kinds.length === 0 ? [] : [LEFT_OUT, ...kinds.map((kind) => `${weightOf(kind)}  ${kind.what}`)];
}

function bandLines(plan: WeighedPlan): string[] {
  const row = (planned: WeighedBand) => `${weightOf(planned)}  ${bandName(planned)}`;
  const left = plan.bands.filter((band) => !band.kept);
  return [
    "",
    "Files, most important first:",
    ...plan.bands.filter((band) => band.kept).map(row),
    ...(left.length === 0 ? [] : [LEFT_OUT, ...left.map(row)]),
  ];
}

function tooLargeLines({ bands }: WeighedPlan, { grid }: PublicConfig): string[] {
  const records = bands.reduce((sum, band) => sum + (band.kept ? band.tooLarge : 0), 0);
  if (records === 0) return [];
  const most = formatBytes(grid.maxFileBytes ?? 0);
  return [
    `Not made because larger than ${most} (grid.maxFileBytes): ${counted(records, ["file"])}, ` +
      "and perhaps pages of lists and feeds, which only vitrine build counts.",
  ];
}

/** Says from which page on lists have no files, and why. */
function depthLines({ deepestPage, wholeFiles }: WeighedPlan, { grid }: PublicConfig): string[] {
  if (deepestPage === Infinity) return [];
  const why =
    typeof grid.pages === "number"
      ? "grid.pages"
      : `grid.pages is "auto": with all pages the grid has ${formatCount(wholeFiles)} files, more than ${formatCount(AUTO.files)}`;
  return [`Pages after ${formatCount(deepestPage)} are left to the fallback (${why}).`];
}

function linesOf(plan: BuildPlan, endpoints: readonly EndpointSummary[], config: PublicConfig): string[] {
  const pages = [
    ...(config.pages === false ? [] : ["the explorer and the reference"]),
    ...(config.feeds === undefined ? [] : ["feeds"]),
    "the widgets",
  ].join(", ");
  const width = Math.max(...endpoints.map(({ endpoint }) => endpoint.length));
  return [
    ...endpoints.map((one) => `${one.endpoint.padEnd(width)} ${weightOf(one)}  ${whatIsStatic(one)}`),
    ...(plan.pages.files === 0 ? [] : [`${"pages".padEnd(width)} ${weightOf(plan.pages)}  ${pages}`]),
    `${"in all".padEnd(width)} ${weightOf(plan)}`,
    ...leftOutKindLines(plan),
    ...depthLines(plan, config),
    ...tooLargeLines(plan, config),
  ];
}

/** A plan as plain data; null is the last page of a band without a last page. */
function jsonOf({ files, sizeBytes, wholeFiles, deepestPage, pages, bands }: BuildPlan): object {
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
