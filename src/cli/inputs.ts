/** Flags that several commands share, and how they become the inputs of the stages. */
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import { parseMoment } from "../base/time.ts";
import { WAIT_SECONDS } from "../base/when-free.ts";
import type { Catalog } from "../catalog/catalog.ts";
import {
  type BuildInputs,
  CONFIG_FILE,
  DEFAULT_OUT,
  findOut as findLayout,
  resolveInputs,
} from "../config/inputs.ts";
import type { OutLayout } from "../site/layout.ts";
import { MOST_DELETIONS, MOST_SHARE } from "../site/shrink-limits.ts";
import { byDefault, DAY_SECONDS, type Flags, flag, rare, text, whole } from "./options.ts";

const out = text(
  "<folder>",
  `folder of the snapshot (else \`out\` of the configuration, else ${DEFAULT_OUT})`,
);

export const JSON_FLAG = { json: flag("print the result as JSON") };

/** For commands that work without a configuration, too. */
export const CONFIG_FLAG = {
  config: text("<file>", `configuration (default: ${CONFIG_FILE}, if it exists)`),
};

/** For commands that read a snapshot. */
export const OUT_FLAGS = { out, ...CONFIG_FLAG };
export type OutFlags = Partial<Flags<typeof OUT_FLAGS>>;

/** For commands that read a store. */
export const INPUT_FLAGS = {
  store: text(
    "<address>",
    "the store: an SQLite file, postgres://… or mysql://USER@HOST/DATABASE (else `store` of the configuration)",
  ),
  queries: text(
    "<folder>",
    "folder of the SQL files (else `queries` of the configuration, else the folder queries beside it)",
  ),
  config: byDefault(text("<file>", "configuration"), CONFIG_FILE),
  out,
};

/** For commands that read a store and make something of it. */
export const BUILD_FLAGS = {
  ...INPUT_FLAGS,
  asOf: text("<time>", "moment of the build in UTC, like 2026-11-20T19:00:00Z (default: now)"),
  ...JSON_FLAG,
};

/** For builds and publishes: one rule refuses both. */
export const SHRINK_FLAG = {
  allowShrink: whole(
    "<number>",
    `delete up to this many files; without it, deleting more than ${formatCount(MOST_DELETIONS)} files or ` +
      `${100 * MOST_SHARE} % of all is refused`,
    0,
  ),
};

/** For commands that take a lock that a build or a publish may hold. */
export const WAIT_FLAG = {
  wait: rare(
    byDefault(
      whole("<seconds>", "how long to wait for another build or publish; 0: not at all", 0, DAY_SECONDS),
      WAIT_SECONDS,
    ),
  ),
};

/** For commands that build: some shops become public only on request. */
export const FORCE_FLAG = {
  force: flag("build even if the shop is closed, or no product is public"),
};

export type BuildFlags = Partial<
  Flags<typeof BUILD_FLAGS & typeof SHRINK_FLAG & typeof FORCE_FLAG & typeof WAIT_FLAG> & {
    readonly full: true | undefined;
  }
>;

/** For commands that listen. */
export const listenFlags = (port: number) => ({
  host: byDefault(text("<address>", "address to listen on"), "127.0.0.1"),
  port: byDefault(whole("<number>", "port to listen on", 0, 65_535), port),
  maxConnections: rare(
    byDefault(
      whole(
        "<number>",
        "most connections at once; beyond that, idle ones of the busiest address are closed",
        1,
      ),
      1024,
    ),
  ),
});

/** The output folder of a command that only reads it. */
export function findOutFolder({ out, config }: OutFlags): Promise<OutLayout> {
  return findLayout(out, config);
}

/** The catalog of an output folder. `using` closes it. */
export async function openOutCatalog(flags: OutFlags): Promise<Catalog> {
  const [{ openCatalog }, { catalog }] = await Promise.all([
    import("../catalog/catalog.ts"),
    findOutFolder(flags),
  ]);
  return openCatalog(catalog);
}

export async function resolveBuild({ config, asOf, wait, ...flags }: BuildFlags): Promise<BuildInputs> {
  const resolved = await resolveInputs({ ...flags, configFile: config, waitSeconds: wait });
  if (asOf === undefined) return resolved;
  const now = parseMoment(asOf);
  if (now !== null) return { ...resolved, now };
  throw new VitrineError(
    "usage",
    `--as-of ${asOf} is not a moment in UTC. Write it like 2026-11-20T19:00:00Z.`,
  );
}
