/** Reads a configuration, of a file or a script: validated, defaults filled in, paths resolved. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { parseCdn } from "../publish/addresses.ts";
import { parsePlace } from "../publish/buckets/open.ts";
import { parseKeep } from "../publish/options.ts";
import { isServerAddress, parseServerAddress } from "../store/address.ts";
import { checkConfig as check, configSchema } from "./check.ts";
import { lineAndColumn, offsetsOf, repeatedIn } from "./positions.ts";
import { type ConfigProblem, configProblems } from "./problems.ts";
import type { Config } from "./schema.ts";

/** Where the snapshot is published, and how: `to` and the settings that belong to it. */
export interface PlaceSettings {
  readonly to?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly purge?: readonly string[] | undefined;
  readonly keep?: string | undefined;
  readonly verify?: number | undefined;
}

export interface LoadedConfig {
  readonly config: PublicConfig;
  /** An absolute path, or the address of a server. Undefined if the configuration does not name it. */
  readonly store: string | undefined;
  /** An absolute path. */
  readonly queries: string | undefined;
  /** Folder of the configuration's file; for a configuration from a script the working directory. */
  readonly folder: string;
  /** An absolute path. */
  readonly out: string | undefined;
  readonly place: PlaceSettings;
  /** The share of a file's rows that may be left out because something required is wrong. */
  readonly maxLeftOut: number;
}

/** Reads a configuration; its paths are relative to its file. @throws VitrineError config_invalid */
export function loadConfig(path: string): LoadedConfig {
  const file = resolve(path);
  if (!existsSync(file)) {
    throw new VitrineError(
      "config_invalid",
      `There is no configuration ${file}. Run vitrine init, which writes one, or name another with --config.`,
    );
  }
  const text = readText(file);
  return load(file, parse(file, text), dirname(file), text);
}

function readText(file: string): string {
  try {
    // Editors of Windows write a mark before the text.
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new VitrineError("config_invalid", `Cannot read ${file}: ${messageOf(error)}.`, { cause: error });
  }
}

function load(name: string, value: unknown, folder: string, text = ""): LoadedConfig {
  const config = validate(name, value, text);
  const below = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  return {
    config: publicPart(config),
    store: config.store === undefined ? undefined : storePlace(config.store, folder),
    queries: below(config.queries),
    folder,
    out: below(config.out),
    place: placePart(config),
    maxLeftOut: config.rows.maxLeftOut,
  };
}

/** Checks a value and writes defaults into it. `name`: its name in messages. `text`: what it was read from, if from a file. */
function validate(name: string, value: unknown, text: string): Config {
  const wrong = check(value) ? [] : configProblems(check.errors ?? [], configSchema);
  const problems = [...wrong, ...refusedSettings(value), ...repeatedSettings(text)];
  if (problems.length === 0) return value as Config;
  const offsets = offsetsOf(text);
  const listed = problems
    .map(({ path, sentence }) => ({ offset: offsets.get(path) ?? -1, sentence }))
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, sentence }) => `\n  ${offset < 0 ? "" : `${lineAndColumn(text, offset)}: `}${sentence}`)
    .join("");
  throw new VitrineError("config_invalid", `${name} is not a valid configuration:${listed}`);
}

/** A setting that is given twice: somebody who changes the first one would wonder why nothing happens. */
function repeatedSettings(text: string): ConfigProblem[] {
  return repeatedIn(text).map(({ path, offset }) => {
    const name = path.slice(1).replaceAll("/", ".");
    return {
      path,
      sentence: `${name} is set twice, the first time in ${lineAndColumn(text, offset)}. Delete one.`,
    };
  });
}

/** The settings that show in answers, in the schema's order: the catalog has them. */
function publicPart(config: Config): PublicConfig {
  const names = Object.keys(configSchema.properties).filter((name) => !(name in PRIVATE));
  const given = names.map((name) => [name, config[name as keyof Config]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as PublicConfig;
}

/** Settings that are in no catalog. The compiler demands a row for each one that is not public, so none is published by mistake. */
const PRIVATE: Readonly<Record<Exclude<keyof Config, keyof PublicConfig>, true>> = {
  $schema: true,
  store: true,
  queries: true,
  out: true,
  to: true,
  endpoint: true,
  region: true,
  purge: true,
  keep: true,
  verify: true,
  rows: true,
};

/** The address of a server, which is checked, or the absolute path of a file. @throws VitrineError config_invalid */
export function storePlace(store: string, folder: string): string {
  if (!isServerAddress(store)) return resolve(folder, store);
  parseServerAddress(store);
  return store;
}

function placePart({ to, endpoint, region, purge, keep, verify }: Config): PlaceSettings {
  return { to, endpoint, region, purge, keep, verify };
}

function parse(file: string, text: string): unknown {
  const error = parseError(text);
  if (error === null) return JSON.parse(text);
  if (/[\uFFFD\0]/.test(text))
    throw new VitrineError("config_invalid", `${file} is not in UTF-8. Save it in that encoding.`, {
      cause: error,
    });
  throw new VitrineError("config_invalid", `${file} is not JSON. ${describeSyntax(text, error)}.`, {
    hint: "mend that place; a comma may be missing before it, or be one too many",
  });
}

function parseError(text: string): Error | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** `Line 3, column 9: Unexpected token '}'`. The text itself is not quoted: it may have half of a password. */
function describeSyntax(text: string, { message }: Error): string {
  const place = lineAndColumn(text, positionOf(text, message)).replace("line", "Line");
  const reason =
    /^Unexpected token '.+?'(?=, )/su.exec(message)?.[0] ??
    message.replace(/ (?:in JSON )?at position .*|".*/s, "");
  return `${place}: ${reason}`;
}

/** The offset of a syntax error. Node names none for an unexpected token: it is found by bisection. */
function positionOf(text: string, message: string): number {
  const named = /at position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return Number(named);
  if (!message.startsWith(UNEXPECTED)) return text.length;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (parseError(text.slice(0, middle))?.message.startsWith(UNEXPECTED)) bad = middle;
    else good = middle;
  }
  return good;
}

const UNEXPECTED = "Unexpected token";

type Nested = "rows" | "grid" | "cache" | "rateLimit" | "feeds";

/** `vitrine.config.json` as people write it: settings with a default may be left out. */
export type ConfigInput = Readonly<
  Pick<Config, "baseUrl" | "siteUrl"> &
    Partial<Omit<Config, Nested>> & { [Name in Nested]?: Partial<Config[Name]> }
>;

/** Takes a configuration from a script; its paths are relative to the working directory. @throws VitrineError config_invalid */
export function loadChecked(input: ConfigInput): LoadedConfig {
  return load("config", structuredClone(input), process.cwd());
}

/** The settings that are refused though the schema allows them, most by the parsers of the flags of the same names; a sentence each. */
function refusedSettings(value: unknown): ConfigProblem[] {
  const given = (value ?? {}) as { readonly [Name in keyof Config]?: unknown };
  const { to, purge, keep } = given;
  // As a path, an empty text is the folder of the configuration itself.
  const found: ConfigProblem[] = (["store", "queries", "out"] as const)
    .filter((name) => given[name] === "")
    .map((name) => ({ path: `/${name}`, sentence: `${name} is empty. Leave it out, or give it a value.` }));
  const check = (path: string, text: unknown, parse: (text: string) => unknown) => {
    try {
      if (typeof text === "string") parse(text);
    } catch (error) {
      if (!(error instanceof VitrineError)) throw error;
      found.push({ path, sentence: `${path.slice(1).replace("/", ".")}: ${error.message}` });
    }
  };
  check("/to", to, parsePlace);
  for (const [at, spec] of Array.isArray(purge) ? purge.entries() : []) check(`/purge/${at}`, spec, parseCdn);
  check("/keep", keep, parseKeep);
  return found;
}
