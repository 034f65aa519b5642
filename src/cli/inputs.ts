/** What several commands are given: flags, and how they become the inputs of the stages. */
import { VitrineError } from "../base/error.ts";
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
import { byDefault, DAY_SECONDS, type Flags, flag, text, whole } from "./options.ts";

const out = text(
  "<folder>",
  `where the snapshot stands (else \`out\` of the configuration, else ${DEFAULT_OUT})`,
);

export const JSON_FLAG = { json: flag("print the result as JSON") };

const CONFIG_FLAG = {
  config: text("<file>", `configuration (default: ${CONFIG_FILE}, where there is one)`),
};

/** Of the commands that read a snapshot. */
export const OUT_FLAGS = { out, ...CONFIG_FLAG };
export type OutFlags = Partial<Flags<typeof OUT_FLAGS>>;

/** What is read, and where the snapshot stands. */
export const INPUT_FLAGS = {
  store: text(
    "<place>",
    "the store: an SQLite file, postgres://USER@HOST/DATABASE or mysql://… (else `store` of the configuration)",
  ),
  queries: text(
    "<folder>",
    "the allow-list's SQL files (default: queries of the configuration, else queries beside it)",
  ),
  config: byDefault(text("<file>", "configuration"), CONFIG_FILE),
  out,
};

/** Of the commands that read a store and make something of it. */
export const BUILD_FLAGS = {
  ...INPUT_FLAGS,
  asOf: text("<time>", "the moment of the build, UTC, like 2026-11-20T19:00:00Z (default: now)"),
  ...JSON_FLAG,
};

/** Of what deletes: a snapshot's build and its publish are refused by the same rule. */
export const SHRINK_FLAG = {
  allowShrink: byDefault(whole("<number>", "delete up to this many files", 0), 0),
};

/** Of what takes a lock that a build or a publish may hold. */
export const WAIT_FLAG = {
  wait: byDefault(
    whole(
      "<seconds>",
      "how long to wait while another build or publish is at work; 0: not at all",
      0,
      DAY_SECONDS,
    ),
    WAIT_SECONDS,
  ),
};

/** Of what reads a store: a closed shop becomes public only where somebody says so. */
export const FORCE_FLAG = { force: flag("build a shop that is closed to visitors, too (closed.sql)") };

export type BuildFlags = Partial<
  Flags<typeof BUILD_FLAGS & typeof SHRINK_FLAG & typeof FORCE_FLAG & typeof WAIT_FLAG> & {
    readonly full: true | undefined;
  }
>;

/** Of the commands that listen. */
export const listenFlags = (port: number) => ({
  host: byDefault(text("<address>", "address to listen on"), "127.0.0.1"),
  port: byDefault(whole("<number>", "port to listen on", 0, 65_535), port),
  maxConnections: byDefault(
    whole("<number>", "connections at once; for more, idle ones of the address that has most are closed", 1),
    1024,
  ),
});

/** The output folder of commands that only read it. */
export function findOutFolder({ out, config }: OutFlags): Promise<OutLayout> {
  return findLayout(out, config);
}

/** The catalog of an output folder, read once: lists stay in the file. `using` closes it. */
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
  throw new VitrineError("usage", `--as-of ${asOf} is no UTC moment; write it like 2026-11-20T19:00:00Z.`);
}
