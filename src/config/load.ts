/** Reads a configuration, of a file or a script: validated, defaults filled in, paths resolved. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Config, PublicConfig } from "../api/config.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { isServerAddress, parseServerAddress } from "../store/address.ts";
import { checkConfig as check, configSchema } from "./check.ts";
import { configProblems } from "./problems.ts";

type Nested = "rows" | "grid" | "cache" | "rateLimit" | "feeds";

/** What `vitrine.config.json` holds, as people write it: whatever has a default may be left out. */
export type ConfigInput = Readonly<
  Pick<Config, "baseUrl" | "siteUrl"> &
    Partial<Omit<Config, Nested>> & { [Name in Nested]?: Partial<Config[Name]> }
>;

export interface LoadedConfig {
  readonly config: PublicConfig;
  /** As absolute paths, where the configuration names them; a store's address as it is. */
  readonly store: string | undefined;
  readonly queries: string | undefined;
  /** Of the file; of a script's configuration the working directory. */
  readonly folder: string;
  readonly out: string | undefined;
  /** The share of a file's rows that may be left out because something required is wrong. */
  readonly maxLeftOut: number;
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // The parser shows what stands there, which may be half of a password.
    const place = /\(line \d+ column \d+\)|at position \d+/.exec(messageOf(error))?.[0] ?? "";
    const problem = error instanceof SyntaxError ? `it is not JSON ${place}`.trim() : messageOf(error);
    throw new VitrineError("config_invalid", `Cannot read ${file}: ${problem}.`, { cause: error });
  }
}

/** Writes defaults into the value. `name` is what messages call it. */
function validate(name: string, value: unknown): Config {
  if (check(value)) return value;
  const lines = configProblems(check.errors ?? [], configSchema).map((line) => `\n  ${line}`);
  throw new VitrineError("config_invalid", `${name} is not a valid configuration:${lines.join("")}`);
}

/** What stays here. The compiler asks for each option of the schema that is not public: a public one can't be forgotten. */
const PRIVATE: Readonly<Record<Exclude<keyof Config, keyof PublicConfig>, true>> = {
  $schema: true,
  store: true,
  queries: true,
  out: true,
  rows: true,
};

/** Only what shows in answers, in the schema's order: what travels in the catalog. */
function publicPart(config: Config): PublicConfig {
  const names = Object.keys(configSchema.properties).filter((name) => !(name in PRIVATE));
  const given = names.map((name) => [name, config[name as keyof Config]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as PublicConfig;
}

/** A server's address, which must be right, or the path of a file below a folder. @throws VitrineError config_invalid */
export function storePlace(store: string, folder: string): string {
  if (!isServerAddress(store)) return resolve(folder, store);
  parseServerAddress(store);
  return store;
}

function load(name: string, value: unknown, folder: string): LoadedConfig {
  const config = validate(name, value);
  const below = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  return {
    config: publicPart(config),
    store: config.store === undefined ? undefined : storePlace(config.store, folder),
    queries: below(config.queries),
    folder,
    out: below(config.out),
    maxLeftOut: config.rows.maxLeftOut,
  };
}

/** Reads a configuration's file; its paths are relative to it. @throws VitrineError config_invalid */
export function loadConfig(path: string): LoadedConfig {
  const file = resolve(path);
  if (!existsSync(file)) {
    throw new VitrineError(
      "config_invalid",
      `There is no configuration ${file}. Name one with --config; it needs at least baseUrl and siteUrl.`,
    );
  }
  return load(file, parse(file), dirname(file));
}

/** Takes a configuration from a script; its paths are relative to the working directory. @throws VitrineError config_invalid */
export function loadChecked(input: ConfigInput): LoadedConfig {
  return load("config", structuredClone(input), process.cwd());
}
