/** What people read of a host: its limits, how requests are answered there, what it cannot do, how a site goes live. */
import type { PublicConfig } from "../api/config.ts";
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
export function guideOf(name: HostName, { grid }: PublicConfig): string {
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
