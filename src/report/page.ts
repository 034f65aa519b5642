/** The report as one page of HTML: no script, nothing to load, both themes. */
import { hash } from "node:crypto";
import { ENDPOINTS } from "../api/endpoints.ts";
import { Html, html } from "../base/html.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import type { EndpointSummary } from "../render/plan-summary.ts";
import type { SiteFacts } from "./facts.ts";
import { STYLE } from "./style.ts";

interface StageFacts {
  readonly name: string;
  readonly seconds: number;
  /** Most memory that the process had had by its end. */
  readonly peakBytes: number;
}

export interface ReportFacts extends SiteFacts {
  readonly storeName: string;
  /** What was reported on, as it was named, and the release. */
  readonly place: string;
  readonly release: string | null;
  /** The static host that the files are for: nothing there answers what has no file. */
  readonly host: string | null;
  readonly generatedAt: string;
  readonly nextChangeAt: string | null;
  readonly grid: readonly EndpointSummary[];
  /** Of the build that wrote the report; null where another did. */
  readonly build: readonly StageFacts[] | null;
  readonly changes: {
    readonly put: number;
    readonly deleted: number;
    readonly records: readonly string[];
  } | null;
  readonly uploadDollars: number;
}

function counted(count: number, one: string): string {
  return `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`;
}

/** A share of the largest. It is an SVG since the page's policy allows no style attributes. */
function bar(value: number, most: number): Html {
  const width = most === 0 ? 0 : (100 * value) / most;
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${width.toFixed(2)}" height="1"/></svg>`;
}

function table(label: string, heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
  const cell = (value: string | Html) =>
    value instanceof Html ? html`<td>${value}</td>` : html`<td class="n">${value}</td>`;
  const head = (name: string, at: number) =>
    html`<th scope="col" class="${rows[0]?.[at] instanceof Html ? "" : "n"}">${name}</th>`;
  return html`<section class="scroll" tabindex="0" aria-label="${label}"><table>
<thead><tr>${heads.map(head)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
</table></section>`;
}

/** What of an endpoint has no file, in words; none where all has one. */
function withoutFile({ endpoint, firstPages, leftOut }: EndpointSummary): string[] {
  const { params = [], needs = [] } = ENDPOINTS.find(({ path }) => `/${path}` === endpoint) ?? {};
  const free = params.filter(({ kind }) => kind === "text" || kind === "price").map(({ name }) => name);
  if (free.some((name) => needs.includes(name))) return ["every answer"];
  const missing = firstPages.of - firstPages.files;
  return [
    ...(free.length === 0 ? [] : [`whatever names ${free.join(", ")}`]),
    ...(missing === 0 ? [] : [`${formatCount(missing)} of ${counted(firstPages.of, "first page")}`]),
    ...(leftOut.pages === 0 ? [] : [`${counted(leftOut.pages, "page")} beyond grid.pages or grid.maxFiles`]),
    ...(leftOut.byId === 0 ? [] : [`${counted(leftOut.byId, "record")} by id`]),
  ];
}

function needsServer({ grid, host }: ReportFacts): Html {
  const rows = grid.map((row) => ({ ...row, left: withoutFile(row) })).filter(({ left }) => left.length > 0);
  const first =
    host === null
      ? "Everything else is a file and needs no server. Without a fallback, these requests get no answer:"
      : `Nothing at ${host} answers these requests; everything else is a file:`;
  return html`<h2>What needs a server</h2>
<p>${first}</p>
<ul>${rows.map(({ endpoint, left }) => html`<li><code>${endpoint}</code>: ${left.join("; ")}</li>\n`)}
<li>what has no answer: records that do not exist (404), wrong parameters (400)</li></ul>`;
}

/** Who answers an endpoint's lists and records; filters that no file can hold are not counted. */
function answeredBy({ files, firstPages, leftOut }: EndpointSummary): Html {
  const isWhole = firstPages.files === firstPages.of && leftOut.pages + leftOut.byId === 0;
  const words = files === 0 ? "fallback" : isWhole ? "file" : "file + fallback";
  return html`<span class="${words === "file" ? "chip file" : "chip"}">${words}</span>`;
}

function endpointTable({ grid, endpoints, pages }: ReportFacts): Html {
  const none = { files: 0, sizeBytes: 0 };
  const rows = grid.map((row) => ({
    name: html`<code>${row.endpoint}</code> ${answeredBy(row)}`,
    ...(endpoints.get(row.endpoint) ?? none),
  }));
  const all = [
    ...rows.sort((a, b) => b.sizeBytes - a.sizeBytes),
    { name: html`pages and widgets`, ...pages },
  ];
  const most = Math.max(...all.map(({ sizeBytes }) => sizeBytes));
  return table(
    "Files and bytes by endpoint",
    ["Endpoint", "", "Bytes", "Files"],
    all.map(({ name, files, sizeBytes }) => [
      name,
      bar(sizeBytes, most),
      formatBytes(sizeBytes),
      formatCount(files),
    ]),
  );
}

function stagesOf(stages: readonly StageFacts[]): Html {
  const longest = Math.max(...stages.map(({ seconds }) => seconds));
  const rows = stages.map(({ name, seconds, peakBytes }) => [
    html`${name}`,
    bar(seconds, longest),
    `${seconds.toFixed(1)} s`,
    formatBytes(peakBytes),
  ]);
  return html`<h2>The build</h2>
<p>Memory is the most that the whole process had had by the end of a stage.</p>
${table("Time and memory of each stage", ["Stage", "", "Time", "Memory"], rows)}`;
}

const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** `20 November 2026 at 12:00 UTC` */
function formatMoment(time: string): string {
  return `${MOMENT.format(new Date(time))} UTC`;
}

function tilesOf({ files, sizeBytes, largest, uploadDollars }: ReportFacts): Html {
  const dollars = uploadDollars < 0.01 ? "less than $0.01" : `about $${uploadDollars.toFixed(2)}`;
  const tiles = [
    ["Files", formatCount(files)],
    ["Bytes", formatBytes(sizeBytes)],
    ["Largest file of the API", formatBytes(largest[0]?.sizeBytes ?? 0)],
    ["A first upload to S3", `${formatCount(files)} PUT, ${dollars}`],
  ] as const;
  return html`<dl>${tiles.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function bodyOf(facts: ReportFacts): Html {
  const { storeName, release, place, generatedAt, nextChangeAt, largest, build, changes } = facts;
  const next =
    nextChangeAt === null
      ? "Nothing is known to change by the clock alone."
      : `The next change by the clock alone is due on ${formatMoment(nextChangeAt)}.`;
  const rows = largest.map(({ key, sizeBytes }) => [html`<code>${key}</code>`, formatBytes(sizeBytes)]);
  return html`<main>
<h1>Build report: ${storeName}</h1>
<p>${release === null ? "Snapshot" : `Release ${release} of`} <code>${place}</code>, content of ${formatMoment(generatedAt)}. ${next}</p>
${tilesOf(facts)}
${needsServer(facts)}
<h2>Files and bytes by endpoint</h2>
${endpointTable(facts)}
<h2>Largest files of the API</h2>
${table("Largest files of the API", ["Key", "Size"], rows)}
${build === null ? "" : stagesOf(build)}
${
  changes === null
    ? ""
    : html`<h2>Since the one before</h2>
<p>${[`${counted(changes.put, "file")} put, ${formatCount(changes.deleted)} deleted`, ...changes.records].join("; ")}.</p>`
}
</main>`;
}

/** The page, whole. */
export function renderReport(facts: ReportFacts): string {
  const policy = new Html(
    `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; base-uri 'none'; form-action 'none'`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Build report: ${facts.storeName}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${bodyOf(facts)}
</body>
</html>
`.text;
}
