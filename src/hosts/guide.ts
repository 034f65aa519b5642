/** What stands beside a snapshot that is for a host, for whoever puts it live: its limits, how requests are answered, what it cannot do. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import { ALLOWED_METHODS } from "../api/responses.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import { type Host, type HostName, hostNamed } from "./hosts.ts";

const QUERIES: Readonly<Record<Host["queries"], string>> = {
  all: "Requests with a query are answered as the API says, wherever there is a file; files can be asked for by their paths, too.",
  canonical:
    "Requests with a query are answered where they are canonical: parameters without their defaults, values as answers spell them. Files can be asked for by their paths, too.",
  none: "Files are asked for by their paths.",
};

/** `at most 20,000 files (100,000 on its largest plan) of 26.2 MB each` */
export function limitsLine({ limits }: Host): string {
  const { files, mostFiles, siteBytes, fileBytes } = limits;
  const most =
    mostFiles === files || mostFiles === null ? "" : ` (${formatCount(mostFiles)} on its largest plan)`;
  const parts = [
    files === null ? "" : `${formatCount(files)} files${most}`,
    siteBytes === null ? "" : `${formatBytes(siteBytes)} in all`,
    fileBytes === null ? "" : `${formatBytes(fileBytes)} in one file`,
  ].filter((part) => part !== "");
  return `at most ${parts.join(", ")}`;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** README.md beside a snapshot that is for a host. */
function guideOf(name: HostName, { grid }: PublicConfig): string {
  const host = hostNamed(name);
  const bytes = grid.maxBytes === undefined ? "" : ` and about ${formatBytes(grid.maxBytes)}`;
  return `# ${host.title}

Made by Vitrine: \`for\` is ${name}. \`site/\` beside this folder is what goes live; these of its files are for the host:
${host.files.map((file) => `\`${file}\``).join(", ")}.

${host.title} takes ${limitsLine(host)}. This snapshot keeps below ${formatCount(grid.maxFiles)} files${bytes};
\`vitrine plan\` says what it leaves out.

## Going live

OUT is the folder in which \`site/\` and this one stand.

${host.live.map((command) => `    ${command}`).join("\n")}

## Requests

${QUERIES[host.queries]}

    /api/v1/products/page=2.json
    /api/v1/product/slug=invoice-kit.json

## What it cannot do

${list(host.cannot)}

Limits are those of ${host.sources.join(" and ")}.
`;
}

/** Who may ask a bucket from a page, as `aws s3api put-bucket-cors` takes it. */
function bucketCors(): string {
  const methods = ALLOWED_METHODS.split(", ").filter((method) => method !== "OPTIONS");
  const rule = {
    AllowedOrigins: ["*"],
    AllowedMethods: methods,
    AllowedHeaders: ["*"],
    ExposeHeaders: ["ETag"],
  };
  return `${JSON.stringify({ CORSRules: [rule] }, null, 2)}\n`;
}

/** Texts by name; none where the snapshot is for no host. */
export function guideFiles(config: PublicConfig): ReadonlyMap<string, string> {
  const { for: host } = config;
  if (host === undefined) return new Map();
  const cors: [string, string][] = host === "s3" ? [["cors.json", bucketCors()]] : [];
  return new Map([...cors, ["README.md", guideOf(host, config)]]);
}

/** Writes the guide of a configuration's host, and takes that of another one away. */
export function writeGuide(config: PublicConfig, { host: folder }: { readonly host: string }): void {
  const files = guideFiles(config);
  if (files.size > 0) mkdirSync(folder, { recursive: true });
  else if (!existsSync(folder)) return;
  for (const name of ["README.md", "cors.json"]) {
    const path = join(folder, name);
    const text = files.get(name);
    if (text === undefined) rmSync(path, { force: true });
    else if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
  if (files.size > 0) return;
  try {
    rmdirSync(folder);
  } catch {
    // Somebody keeps something of his own there.
  }
}
