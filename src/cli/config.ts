/** Reads `vitrine.config.json`: validated, defaults filled in, paths resolved against the file. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Config, type PublicConfig } from "../api/config.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { compileSchema } from "../base/schema.ts";
import { configProblems } from "./config-problems.ts";

export interface LoadedConfig {
  readonly config: PublicConfig;
  /** As absolute paths, where the file names them. */
  readonly store: string | undefined;
  readonly queries: string | undefined;
  readonly out: string | undefined;
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new VitrineError("config_invalid", `Cannot read ${file}: ${messageOf(error)}.`, { cause: error });
  }
}

function validate(file: string, value: unknown): Config {
  const check = compileSchema<Config>(Config, true);
  if (check(value)) return value;
  const lines = configProblems(check.errors ?? [], Config).map((line) => `\n  ${line}`);
  throw new VitrineError("config_invalid", `${file} is not a valid configuration:${lines.join("")}`);
}

/** Only what shows in answers: what travels in the catalog. */
function publicPart({
  baseUrl,
  siteUrl,
  endpoints,
  grid,
  pageSizes,
  cache,
  rateLimit,
}: Config): PublicConfig {
  return { baseUrl, siteUrl, endpoints, grid, pageSizes, cache, rateLimit };
}

/** @throws VitrineError config_invalid */
export function loadConfig(path: string): LoadedConfig {
  const file = resolve(path);
  if (!existsSync(file)) {
    throw new VitrineError(
      "config_invalid",
      `There is no configuration ${file}. Name one with --config; it needs at least baseUrl and siteUrl.`,
    );
  }
  const config = validate(file, parse(file));
  const beside = (value: string | undefined) =>
    value === undefined ? undefined : resolve(dirname(file), value);
  return {
    config: publicPart(config),
    store: beside(config.store),
    queries: beside(config.queries),
    out: beside(config.out),
  };
}
