/** What `plan` and `build` say of the host that a snapshot is for. */
import type { PublicConfig } from "../api/config.ts";
import { formatBytes } from "../base/log.ts";
import { limitsLine } from "../hosts/guide.ts";
import { hostLimits, hostNamed } from "../hosts/hosts.ts";

/** Its limits, its files, what it cannot do; nothing where the snapshot is for no host. */
export function hostLines({ for: name }: PublicConfig): string[] {
  if (name === undefined) return [];
  const host = hostNamed(name);
  return [
    `for ${host.title}, ${limitsLine(host)}: ${host.files.join(", ")} in site/`,
    ...host.cannot.map((sentence) => `  ${sentence}`),
  ];
}

/** Of a snapshot that was made: where the steps stand, and whether it is too large after all. */
export function madeForHost(config: PublicConfig, sizeBytes: number, guide: string): string[] {
  const { for: name } = config;
  if (name === undefined) return [];
  const most = hostLimits(name).siteBytes ?? Infinity;
  const { title } = hostNamed(name);
  return [
    ...hostLines(config),
    `  How it goes live: ${guide}`,
    ...(sizeBytes <= most
      ? []
      : [`  These files are ${formatBytes(sizeBytes)}, more than ${title} takes: set grid.maxBytes lower`]),
  ];
}
