/** The folder of `vitrine demo`: the example shop's database, its allow-list, its pictures, and a configuration for one port. */
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
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
function isDemo(config: string): boolean {
  if (!existsSync(config)) return false;
  const text = readFileSync(config, "utf8");
  return text === configText(Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? 0));
}

/** True if nothing is at a path, or an empty folder. */
function isFree(folder: string): boolean {
  return !existsSync(folder) || (statSync(folder).isDirectory() && readdirSync(folder).length === 0);
}

/**
 * Copies the example shop into a free folder. A folder that an earlier run made is used again, with all that was changed in
 * its database since.
 * @throws VitrineError usage if the folder holds something else
 */
export function prepareDemo(folder: string, port: number): DemoPaths {
  const config = join(folder, CONFIG_FILE);
  if (isFree(folder)) {
    for (const name of ["store.sqlite", "media"])
      cpSync(join(EXAMPLE_SHOP, name), join(folder, name), { recursive: true });
    cpSync(templateFolder("queries"), join(folder, "queries"), { recursive: true });
  } else if (!isDemo(config))
    throw new VitrineError(
      "usage",
      `${folder} holds something other than the demo, or its ${CONFIG_FILE} was changed. Nothing was written. ` +
        "Name another folder: vitrine demo another-folder.",
    );
  // Last: a copy that was interrupted is not taken for the demo.
  writeFileSync(config, configText(port));
  return { config, media: join(folder, "media"), out: join(folder, "out") };
}
