/** The folder of `vitrine demo`: the example shop's database, its allow-list, its pictures, and a configuration for one port. */
import { hash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { CONFIG_FILE } from "../config/inputs.ts";
import { EXAMPLE_SHOP, templateFolder } from "../package.ts";

interface DemoPaths {
  readonly config: string;
  readonly media: string;
  readonly out: string;
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

/** True if the configuration in a folder is what this command writes, for any port. */
function isUnchanged(config: string): boolean {
  if (!existsSync(config)) return false;
  const text = readFileSync(config, "utf8");
  return text === configText(Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? 0));
}

/** True if nothing is at a path, or an empty folder. */
function isFree(folder: string): boolean {
  return !existsSync(folder) || (statSync(folder).isDirectory() && readdirSync(folder).length === 0);
}

/** The file by which this command knows a folder that it made. It holds the version of the demo there. */
const MARKER = ".vitrine-demo";

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

/** All that the demo has in its folder: a configuration, what it copies, and what the commands make of that. */
const OWN = [CONFIG_FILE, "store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "media", "queries", "out"];

/**
 * Copies the example shop into a free folder. A folder that an earlier run of the same version made is used again, with all that was
 * changed in its database since; that of another version, or of an interrupted run, is made again.
 * @throws VitrineError usage if the folder holds something else
 */
export function prepareDemo(folder: string, port: number): DemoPaths {
  const [config, marker] = [join(folder, CONFIG_FILE), join(folder, MARKER)];
  const refuse = (why: string) =>
    new VitrineError(
      "usage",
      `${why} Nothing was written. Name another folder: vitrine demo another-folder.`,
    );
  const found = existsSync(marker) ? readFileSync(marker, "utf8") : null;
  if (found === null && !isFree(folder))
    throw refuse(
      `${folder} holds something other than the demo; if it is one of an older Vitrine, delete it.`,
    );
  const version = demoVersion();
  if (found !== version) {
    mkdirSync(folder, { recursive: true });
    // First: a run that is interrupted leaves a folder that the next run knows.
    writeFileSync(marker, "incomplete\n");
    for (const name of OWN) rmSync(join(folder, name), { recursive: true, force: true });
    for (const name of ["store.sqlite", "media"])
      cpSync(join(EXAMPLE_SHOP, name), join(folder, name), { recursive: true });
    cpSync(templateFolder("queries"), join(folder, "queries"), { recursive: true });
  } else if (!isUnchanged(config)) throw refuse(`${config} was changed.`);
  writeFileSync(config, configText(port));
  writeFileSync(marker, version);
  return { config, media: join(folder, "media"), out: join(folder, "out") };
}
