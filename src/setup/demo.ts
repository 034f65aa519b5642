/** The folder of `vitrine demo`: the example shop's database, its allow-list, its pictures, and a configuration for one port. */
import { hash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { VitrineError } from "../base/error.ts";
import { makeFolder } from "../base/files.ts";
import { isMachineTrouble } from "../base/memory.ts";
import { openSqlite } from "../base/sqlite.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import { CONFIG_FILE } from "../config/inputs.ts";
import { EXAMPLE_SHOP, templateFolder } from "../package.ts";

interface DemoPaths {
  readonly config: string;
  readonly media: string;
  readonly out: string;
  /** Parts that were deleted or damaged since an earlier run, and were copied again. */
  readonly again: readonly string[];
}

/**
 * Copies the example shop into a free folder. A folder that an earlier run of the same version made is used again, with all that was
 * changed in its database since; that of another version, or of an interrupted run, is made again. So is a part that was deleted or
 * damaged since.
 * @throws VitrineError usage if the folder holds something else; write_failed
 */
export function prepareDemo(folder: string, port: number): DemoPaths {
  try {
    return fillFolder(folder, port);
  } catch (error) {
    throw explainWriteFailure(error, resolve(folder));
  }
}

function fillFolder(folder: string, port: number): DemoPaths {
  const [config, marker] = [join(folder, CONFIG_FILE), join(folder, MARKER)];
  const refuse = (why: string) =>
    new VitrineError(
      "usage",
      `${why} Nothing was written. Name another folder: vitrine demo another-folder.`,
    );
  const found = markIn(marker);
  if (found === null && !isFree(folder))
    throw refuse(
      `${folder} holds something other than the demo; if it is one of an older Vitrine, delete it.`,
    );
  const version = demoVersion();
  if (found !== version) {
    makeFolder(folder);
    // First: a run that is interrupted leaves a folder that the next run knows.
    writeFileSync(marker, "incomplete\n");
    for (const name of OWN) rmSync(join(folder, name), { recursive: true, force: true });
  } else if (!isUnchanged(config)) throw refuse(`${config} was changed.`);
  const lost = Object.entries(COPIES).filter(([name, { isUsable }]) => !isUsable(join(folder, name)));
  for (const [name, { from }] of lost) {
    for (const each of withLog(name)) rmSync(join(folder, each), { recursive: true, force: true });
    cpSync(from, join(folder, name), { recursive: true });
  }
  writeFileSync(config, configText(port));
  writeFileSync(marker, version);
  return {
    config,
    media: join(folder, "media"),
    out: join(folder, "out"),
    again: found === version ? lost.map(([name]) => name) : [],
  };
}

/** The file by which this command knows a folder that it made. It holds the version of the demo there. */
const MARKER = ".vitrine-demo";

/** What marks the folder; null if nothing does. */
function markIn(marker: string): string | null {
  return statSync(marker, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(marker, "utf8") : null;
}

/** True if nothing is at a path, or an empty folder. */
function isFree(folder: string): boolean {
  return !existsSync(folder) || (statSync(folder).isDirectory() && readdirSync(folder).length === 0);
}

/** Changes with the example shop and the allow-list. */
function demoVersion(): string {
  const queries = templateFolder("queries");
  const files = [
    join(EXAMPLE_SHOP, "store.sqlite"),
    ...readdirSync(queries)
      .sort()
      .map((name) => join(queries, name)),
  ];
  const bytes = [configText(0), ...files.map((file) => readFileSync(file))].map((part) => Buffer.from(part));
  return `${hash("sha256", Buffer.concat(bytes), "hex")}\n`;
}

/** Pictures are addressed by the port, since the demo's server takes the place of the shop's own site. */
function configText(port: number): string {
  const example = JSON.parse(readFileSync(join(EXAMPLE_SHOP, CONFIG_FILE), "utf8")) as { feeds: object };
  const siteUrl = `http://127.0.0.1:${port}`;
  const config = {
    store: "store.sqlite",
    queries: "queries",
    out: "out",
    baseUrl: `${siteUrl}/api/v1`,
    siteUrl,
    feeds: example.feeds,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** What is copied into the folder. Without its log, because that of a damaged database would be applied to the copy. */
const COPIES: Readonly<
  Record<string, { readonly from: string; readonly isUsable: (path: string) => boolean }>
> = {
  "store.sqlite": { from: join(EXAMPLE_SHOP, "store.sqlite"), isUsable },
  media: { from: join(EXAMPLE_SHOP, "media"), isUsable: existsSync },
  queries: { from: templateFolder("queries"), isUsable: existsSync },
};

/** All that the demo has in its folder: a configuration, what it copies, and what the commands make of that. */
const OWN = [CONFIG_FILE, ...Object.keys(COPIES).flatMap(withLog), "out"];

function withLog(name: string): string[] {
  return [name, `${name}-wal`, `${name}-shm`];
}

/** True if the configuration in a folder is what this command writes, for any port, or was deleted. */
function isUnchanged(config: string): boolean {
  if (!existsSync(config)) return true;
  const text = readFileSync(config, "utf8");
  return text === configText(Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? 0));
}

/** True if the demo's database is there, and not proven to be damaged or without its tables. */
function isUsable(store: string): boolean {
  if (!existsSync(store)) return false;
  try {
    const db = openSqlite(store, { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      db.prepare("SELECT 1 FROM products LIMIT 1").get();
    } finally {
      db.close();
    }
    return true;
  } catch (error) {
    // Locked, for example: the build says so.
    return isMachineTrouble(error);
  }
}
