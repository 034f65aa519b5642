/** The grid of a configuration that is for a host: the host's limits where it says nothing, an error where it says more. */
import type { PublicConfig } from "../api/config.ts";
import { VitrineError } from "../base/error.ts";
import { requireRoot } from "../edge/template.ts";
import { type HostName, hostLimits, hostNamed, isByPath } from "../hosts/hosts.ts";

type Grid = PublicConfig["grid"];

/** Sizes are counted before files are made, where a list is cut by the mean of its records: this much is left free. */
const HEADROOM = 0.05;

function checkMost(host: HostName, name: "maxFiles" | "maxBytes", given: number, most: number | null): void {
  if (most === null || given <= most) return;
  const { title, sources } = hostNamed(host);
  throw new VitrineError(
    "config_invalid",
    `grid.${name} is ${given}, but ${title} takes no more than ${most} (${sources[0]}). ` +
      `Leave grid.${name} out, or build for another host.`,
  );
}

/** Rewrites name paths from the root of their host; files that are asked for by their paths may stand in any folder. */
export function checkBase(host: HostName, baseUrl: string): void {
  if (!isByPath(host)) requireRoot(baseUrl, `on ${hostNamed(host).title}`);
}

/** `own`: what the configuration says itself, before defaults. @throws VitrineError config_invalid */
export function gridFor(host: HostName, grid: Grid, own: Partial<Grid>): Grid {
  const [limits, { depth }] = [hostLimits(host), hostNamed(host)];
  if (own.maxFiles !== undefined) checkMost(host, "maxFiles", grid.maxFiles, limits.mostFiles);
  if (grid.maxBytes !== undefined) checkMost(host, "maxBytes", grid.maxBytes, limits.siteBytes);
  const room = limits.siteBytes === null ? undefined : Math.floor(limits.siteBytes * (1 - HEADROOM));
  const maxBytes = grid.maxBytes ?? room;
  return {
    ...grid,
    depth: own.depth ?? depth,
    maxFiles: own.maxFiles ?? Math.min(grid.maxFiles, limits.files ?? grid.maxFiles),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}
