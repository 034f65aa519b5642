/** The report as one page of HTML: no script, nothing to load, both themes. */
import { hash } from "node:crypto";
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { formatBytes, formatCount } from "../base/log.ts";
import { Histogram, Treemap } from "./charts.tsx";
import type { Group, SiteFacts } from "./facts.ts";
import { STYLE } from "./style.ts";

/** What an endpoint's grid leaves to the fallback. */
interface GridRow {
  readonly endpoint: string;
  readonly files: number;
  readonly firstPages: { readonly files: number; readonly of: number };
  /** Pages, and records by id, that the ceiling leaves to the fallback. */
  readonly leftOut: number;
}

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
  readonly generatedAt: string;
  readonly nextChangeAt: string | null;
  readonly grid: readonly GridRow[];
  /** Of the build that wrote the report; null where another did. */
  readonly build: readonly StageFacts[] | null;
  readonly changes: {
    readonly put: number;
    readonly deleted: number;
    readonly records: readonly string[];
  } | null;
  readonly uploadDollars: number;
}

function Table({
  label,
  heads,
  children,
}: {
  label: string;
  heads: readonly string[];
  children: ComponentChildren;
}) {
  return (
    <section class="scroll" tabindex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" class={at === 0 ? undefined : "n"}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

function GroupRows({ group }: { readonly group: Group }) {
  return (
    <details>
      <summary>
        {`${group.endpoint}: ${formatCount(group.files)} files, ${formatBytes(group.sizeBytes)}`}
      </summary>
      <Table label={`Families of ${group.endpoint}`} heads={["Family", "Files", "Size"]}>
        {group.families.map(({ name, files, sizeBytes }) => (
          <tr key={name}>
            <td>{name}</td>
            <td class="n">{formatCount(files)}</td>
            <td class="n">{formatBytes(sizeBytes)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

function Grid({ grid }: { readonly grid: readonly GridRow[] }) {
  return (
    <Table
      label="What is a file"
      heads={["Endpoint", "Files", "First pages", "Left to the fallback", "Answered by"]}
    >
      {grid.map(({ endpoint, files, firstPages, leftOut }) => (
        <tr key={endpoint}>
          <td>
            <code>{endpoint}</code>
          </td>
          <td class="n">{formatCount(files)}</td>
          <td class="n">
            {firstPages.of === 0 ? "–" : `${formatCount(firstPages.files)} of ${formatCount(firstPages.of)}`}
          </td>
          <td class="n">{formatCount(leftOut)}</td>
          <td class="n">
            <span class={`chip ${files === 0 ? "fallback" : "file"}`}>
              {files === 0 ? "fallback" : "file"}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Numbers({ facts }: { readonly facts: ReportFacts }) {
  const numbers = [
    ["Files", formatCount(facts.files)],
    ["Bytes", formatBytes(facts.sizeBytes)],
    ["Largest file", formatBytes(facts.largest[0]?.sizeBytes ?? 0)],
    ["A first upload", `${formatCount(facts.files)} PUT, ${formatDollars(facts.uploadDollars)}`],
  ] as const;
  return (
    <dl>
      {numbers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Stages({ stages }: { readonly stages: readonly StageFacts[] }) {
  const longest = Math.max(0.001, ...stages.map(({ seconds }) => seconds));
  return (
    <>
      <h2>The build</h2>
      <p>Memory is the most that the whole process had had by the end of a stage.</p>
      <Table label="Time and memory of each stage" heads={["Stage", "Share", "Time", "Memory"]}>
        {stages.map(({ name, seconds, peakBytes }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>
              <progress max={longest} value={seconds} aria-label={name} />
            </td>
            <td class="n">{`${seconds.toFixed(1)} s`}</td>
            <td class="n">{formatBytes(peakBytes)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Changes({ changes }: { readonly changes: NonNullable<ReportFacts["changes"]> }) {
  return (
    <>
      <h2>Since the one before</h2>
      <p>{`${formatCount(changes.put)} files put, ${formatCount(changes.deleted)} deleted${changes.records.length === 0 ? "" : `; ${changes.records.join(", ")}`}.`}</p>
    </>
  );
}

const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** `20 November 2026 at 12:00 UTC` */
function formatMoment(time: string): string {
  return `${MOMENT.format(new Date(time))} UTC`;
}

function formatDollars(dollars: number): string {
  return dollars < 0.01 ? "less than $0.01" : `about $${dollars.toFixed(2)}`;
}

function firstSentence({ files, sizeBytes, nextChangeAt }: ReportFacts): string {
  const next =
    nextChangeAt === null
      ? "Nothing is known to change by the clock alone."
      : `The next change by the clock alone is due on ${formatMoment(nextChangeAt)}.`;
  return `${formatCount(files)} files, ${formatBytes(sizeBytes)}. ${next}`;
}

function Body({ facts }: { readonly facts: ReportFacts }) {
  return (
    <main>
      <h1>{facts.storeName}</h1>
      <p>{firstSentence(facts)}</p>
      <p>
        {facts.release === null ? "Snapshot " : `Release ${facts.release} of `}
        <code>{facts.place}</code>
        {`, content of ${formatMoment(facts.generatedAt)}.`}
      </p>
      <Numbers facts={facts} />
      <h2>Bytes by endpoint and family</h2>
      <section class="scroll" tabindex={0} aria-label="Bytes by endpoint and family">
        <Treemap groups={facts.groups} />
      </section>
      {facts.groups.map((group) => (
        <GroupRows key={group.endpoint} group={group} />
      ))}
      <h2>What is a file</h2>
      <Grid grid={facts.grid} />
      <h2>Largest files</h2>
      <Table label="Largest files" heads={["Key", "Size"]}>
        {facts.largest.map(({ key, sizeBytes }) => (
          <tr key={key}>
            <td>
              <code>{key}</code>
            </td>
            <td class="n">{formatBytes(sizeBytes)}</td>
          </tr>
        ))}
      </Table>
      <h2>Files by size</h2>
      <Histogram sizes={facts.sizes} />
      <Table label="Files by size" heads={["From", "Files"]}>
        {facts.sizes.map(({ from, files }) => (
          <tr key={from}>
            <td>{formatBytes(from)}</td>
            <td class="n">{formatCount(files)}</td>
          </tr>
        ))}
      </Table>
      {facts.build !== null && <Stages stages={facts.build} />}
      {facts.changes !== null && <Changes changes={facts.changes} />}
    </main>
  );
}

/** The page, whole. */
export function renderReport(facts: ReportFacts): string {
  const policy = `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; base-uri 'none'; form-action 'none'`;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${facts.storeName}: report`}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <Body facts={facts} />
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}
