/** What `vitrine report` and `vitrine build --report` write: a snapshot or a release in numbers, as one page of HTML. No script, nothing to load, both themes. */
import { hash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { API_PATH, ENDPOINTS } from "../api/endpoints.ts";
import { colourRule } from "../base/colours.ts";
import { VitrineError } from "../base/error.ts";
import { Html, html } from "../base/html.ts";
import { counted, formatBytes, formatCount } from "../base/log.ts";
import { missingFields } from "../feeds/report.ts";
import { planCatalog } from "../render/plan.ts";
import { type EndpointSummary, summarise } from "../render/plan-summary.ts";
import { keysOf, openDelta, rowsOf } from "../snapshot/delta.ts";
import { layoutOf, type OutLayout } from "../snapshot/layout.ts";
import { endsOf, type Manifest } from "../snapshot/manifest.ts";
import { deltaFiles } from "../snapshot/writer.ts";
import type { BuildReport } from "./report.ts";
import { type Closers, type OpenSide, openSideOf, type SideOptions } from "./sides.ts";

const API_PREFIX = `${API_PATH.slice(1)}/`;
const LARGEST = 15;

interface Sum {
  files: number;
  sizeBytes: number;
}

interface KeySize {
  readonly key: string;
  readonly sizeBytes: number;
}

interface SiteFacts extends Readonly<Sum> {
  /** By endpoint: `/products`. */
  readonly endpoints: ReadonlyMap<string, Readonly<Sum>>;
  /** The explorer, the reference, the widgets and the feeds. */
  readonly pages: Readonly<Sum>;
  /** The API's largest files, the largest first. */
  readonly largest: readonly KeySize[];
}

/** `api/v1/products/category=fonts/page=2.json` → `/products`; null for what is no answer of the API. */
export function endpointOfKey(key: string): string | null {
  if (!key.startsWith(API_PREFIX)) return null;
  const [name = ""] = key.slice(API_PREFIX.length).split("/");
  if (name === "index.json") return "/";
  const isWhole = ENDPOINTS.some(({ path }) => path === name);
  return `/${isWhole ? name : name.replace(/\.json$/, "")}`;
}

function add(sum: Sum, sizeBytes: number): void {
  sum.files += 1;
  sum.sizeBytes += sizeBytes;
}

function largestOf(all: readonly KeySize[]): KeySize[] {
  return [...all].sort((a, b) => b.sizeBytes - a.sizeBytes).slice(0, LARGEST);
}

/** Reads all entries once; what is kept does not grow with them. */
export function gatherFacts(entries: Iterable<KeySize>): SiteFacts {
  const endpoints = new Map<string, Sum>();
  const total = { files: 0, sizeBytes: 0 };
  const pages = { ...total };
  let largest: KeySize[] = [];
  for (const { key, sizeBytes } of entries) {
    add(total, sizeBytes);
    const endpoint = endpointOfKey(key);
    if (endpoint === null) {
      add(pages, sizeBytes);
      continue;
    }
    const sum = endpoints.get(endpoint) ?? { files: 0, sizeBytes: 0 };
    endpoints.set(endpoint, sum);
    add(sum, sizeBytes);
    largest.push({ key, sizeBytes });
    if (largest.length > 50 * LARGEST) largest = largestOf(largest);
  }
  return { ...total, endpoints, pages, largest: largestOf(largest) };
}

const STYLE = `${colourRule()}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:960px;margin:0 auto;padding:36px 24px 56px}
h1{font-size:28px;font-weight:650;letter-spacing:-.022em;line-height:1.2;margin:0 0 8px;overflow-wrap:anywhere}
h2{font-size:18px;margin:36px 0 12px}
p,ul{max-width:68ch;margin:0 0 12px;color:var(--text2)}
li{margin:4px 0}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(200px,40%),1fr));gap:12px;margin:20px 0 0}
dl div{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:12px 16px}
dt{font-size:13px;color:var(--text3)}
dd{margin:0;font-size:18px;font-weight:600}
.scroll{overflow-x:auto}
.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;width:100%;background:var(--surface);border:1px solid var(--line)}
th,td{text-align:start;padding:8px 12px;border-top:1px solid var(--line);vertical-align:baseline}
th{font-size:13px;font-weight:600;color:var(--text2)}
.n{text-align:end;white-space:nowrap}
.chip{border-radius:99px;padding:2px 10px;font-size:13px;white-space:nowrap;background:var(--warn-soft);color:var(--warn)}
.chip.file{background:var(--ok-soft);color:var(--ok)}
td:has(.bar){width:50%}
.bar{display:block;width:100%;min-width:40px;height:12px;fill:var(--accent);background:var(--sunken)}
@media(max-width:720px){main{padding:20px 16px 36px}h1{font-size:24px}th,td{padding:8px 6px}td:has(.bar){width:25%}}
@media print{:root{color-scheme:light}body{background:#fff}.scroll{overflow:visible}}`;

export interface ReportFacts extends SiteFacts {
  readonly storeName: string;
  /** What was reported on, as it was named, and the release. */
  readonly place: string;
  readonly release: string | null;
  readonly generatedAt: string;
  readonly nextChangeAt: string | null;
  readonly grid: readonly EndpointSummary[];
  /** Of the build that wrote the report; null where another did. */
  readonly build: Pick<BuildReport, "seconds" | "peakBytes" | "feeds"> | null;
  readonly changes: {
    readonly put: number;
    readonly deleted: number;
    readonly records: readonly string[];
  } | null;
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
    ...(missing === 0 ? [] : [`${formatCount(missing)} of ${counted(firstPages.of, ["first page"])}`]),
    ...(leftOut.pages === 0
      ? []
      : [`${counted(leftOut.pages, ["page"])} beyond grid.pages or grid.maxFiles`]),
    ...(leftOut.byId === 0 ? [] : [`${counted(leftOut.byId, ["record"])} by id`]),
  ];
}

function needsServer({ grid }: ReportFacts): Html {
  const rows = grid.map((row) => ({ ...row, left: withoutFile(row) })).filter(({ left }) => left.length > 0);
  return html`<h2>What needs a server</h2>
<p>Everything else is a file and needs no server. Without a fallback, these requests get no answer:</p>
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
    { name: html`pages, widgets and feeds`, ...pages },
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

const STAGES = { extract: "extract", render: "render", commit: "put in place" } as const;

function stageTable({ seconds, peakBytes }: Pick<BuildReport, "seconds" | "peakBytes">): Html {
  const stages = Object.keys(STAGES) as (keyof typeof STAGES)[];
  const longest = Math.max(...stages.map((stage) => seconds[stage]));
  const rows = stages.map((stage) => [
    html`${STAGES[stage]}`,
    bar(seconds[stage], longest),
    `${seconds[stage].toFixed(1)} s`,
    formatBytes(peakBytes[stage]),
  ]);
  return html`<h2>The build</h2>
<p>Memory is the most that the whole process had had by the end of a stage.</p>
${table("Time and memory of each stage", ["Stage", "", "Time", "Memory"], rows)}`;
}

/** What became of the records in each large feed; nothing where none is made. */
function feedTable({ feeds }: Pick<BuildReport, "feeds">): Html {
  if (feeds.length === 0) return html``;
  const rows = feeds.map((report) => {
    const { name, resource, records, leftOut } = report;
    const which = missingFields(report)
      .map(([field, count]) => `${field} ${formatCount(count)}`)
      .join(", ");
    return [
      html`<code>${name}</code> ${which}`,
      html`${resource}`,
      formatCount(records),
      formatCount(leftOut),
    ];
  });
  return html`<h2>Feeds</h2>
<p>A product that lacks a required field is left out; <code>vitrine feed check NAME</code> lists them.</p>
${table("Records of each feed, and required fields that are missing", ["Feed", "List", "Records", "Left out"], rows)}`;
}

const DATE_TIME = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

/** `20 November 2026 at 12:00 UTC` */
function formatMoment(time: string): string {
  return `${DATE_TIME.format(new Date(time))} UTC`;
}

function tilesOf({ files, sizeBytes, largest }: ReportFacts): Html {
  const tiles = [
    ["Files", formatCount(files)],
    ["Bytes", formatBytes(sizeBytes)],
    ["Largest file of the API", formatBytes(largest[0]?.sizeBytes ?? 0)],
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
${build === null ? "" : [feedTable(build), stageTable(build)]}
${
  changes === null
    ? ""
    : html`<h2>Since the one before</h2>
<p>${[`${counted(changes.put, ["file"])} put, ${formatCount(changes.deleted)} deleted`, ...changes.records].join("; ")}.</p>`
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

/** What the newest delta of a folder did, where it leads to what stands there. */
function changesOfFolder(layout: OutLayout, manifest: Manifest): ReportFacts["changes"] {
  const name = deltaFiles(layout).at(-1);
  if (name === undefined) return null;
  const file = join(layout.deltas, name);
  const { to } = openDelta(file).header;
  if (to.content !== endsOf(manifest.meta).content) return null;
  const rows = new Map<string, number>();
  for (const { resource } of rowsOf(openDelta(file))) rows.set(resource, (rows.get(resource) ?? 0) + 1);
  let [put, deleted] = [0, 0];
  for (const line of keysOf(openDelta(file))) {
    if ("file" in line) put += 1;
    else deleted += 1;
  }
  return {
    put,
    deleted,
    records: [...rows].map(([resource, count]) => `${count} of ${resource}`),
  };
}

function changesOf({ place, record }: OpenSide, manifest: Manifest): ReportFacts["changes"] {
  if (record !== null) return { put: record.put, deleted: record.deleted, records: [] };
  return changesOfFolder(layoutOf(place), manifest);
}

function reportFacts(side: OpenSide, build: BuildReport | null): ReportFacts {
  const { catalog, manifest, place, release, generatedAt } = side;
  if (manifest === null)
    throw new VitrineError(
      "usage",
      `${place} is a catalog file: a report is of an output folder or a release.`,
    );
  const facts = gatherFacts(manifest.entries());
  return {
    ...facts,
    // Of a folder its name alone: the page may be handed on, and must not say where on a machine it was made.
    place: release === null ? basename(resolve(place)) : place,
    ...{ release, generatedAt },
    storeName: catalog.store.store_name,
    nextChangeAt: manifest.meta["next_change_at"] || null,
    grid: summarise(planCatalog(catalog), catalog.config),
    build,
    changes: changesOf(side, manifest),
  };
}

/** The page, of an output folder or a release; what is fetched goes to an empty folder. */
export async function makeReport(
  place: string,
  folder: string,
  options: SideOptions,
  build: BuildReport | null = null,
): Promise<string> {
  const closers: Closers = [];
  try {
    return renderReport(
      reportFacts(await openSideOf(place, options, join(folder, "release"), closers), build),
    );
  } finally {
    for (const close of closers.reverse()) close();
  }
}
