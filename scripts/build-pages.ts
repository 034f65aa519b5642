/** `npm run build`: bundles the explorer and the reference into `dist/public`, with a list of the files and their digest. */
import { hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import type { PageList } from "../src/pages/pages.ts";
import { copyScalar, endpointLines } from "./pages/reference.ts";

const BROWSERS = ["chrome123", "firefox128", "safari17.5"];

function optionsFor(entryPoints: Record<string, string>, outdir: string): BuildOptions {
  return {
    ...{ entryPoints, outdir },
    ...{ bundle: true, minify: true, format: "esm", metafile: true, write: true, legalComments: "none" },
    ...{ target: BROWSERS, entryNames: "[name]-[hash]", external: ["./scalar/*"] },
    ...{ jsx: "automatic", jsxImportSource: "preact", logLevel: "warning" },
  };
}

/** The file that an entry point became. */
function outputOf({ outputs }: Metafile, entry: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (found === undefined) throw new Error(`${entry} was not built`);
  return found[0];
}

/** Bundles one page: its script, its styles and the HTML that names both. */
async function buildPage(
  source: string,
  styles: string,
  target: string,
  words: Record<string, string>,
): Promise<void> {
  const script = join(source, source.endsWith("reference") ? "init.ts" : "main.tsx");
  const { metafile } = await build(optionsFor({ page: script, style: styles }, target));
  if (metafile === undefined) throw new Error("esbuild told nothing of what it made");
  const names: Record<string, string> = {
    SCRIPT: relative(target, outputOf(metafile, script)),
    STYLE: relative(target, outputOf(metafile, styles)),
    ...words,
  };
  const html = readFileSync(join(source, "index.html"), "utf8");
  const filled = html.replace(/\{\{([A-Z]+)\}\}/g, (whole, name: string) => names[name] ?? whole);
  writeFileSync(join(target, "index.html"), filled);
}

/** The list's own name, in the folder that it lists. */
const LIST = "list.json";

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name !== LIST && statSync(join(folder, name)).isFile())
    .map((name) => name.split("\\").join("/"))
    .sort();
}

/** As JSON. */
function listOf(folder: string): string {
  const digests: string[] = [];
  const files = filesBelow(folder).map((key) => {
    const bytes = readFileSync(join(folder, key));
    digests.push(key, hash("sha256", bytes, "hex"));
    return { key, sizeBytes: bytes.length, filled: bytes.includes("{{") && key.endsWith(".html") };
  });
  const list: PageList = { digest: hash("sha256", digests.join(" ")), files };
  return JSON.stringify(list);
}

function isListed(folder: string, list: string): boolean {
  const file = join(folder, LIST);
  return existsSync(file) && readFileSync(file, "utf8") === list && listOf(folder) === list;
}

/** Builds into `folder`, which is replaced as a whole unless it is the same already: another test run may be reading it. */
export async function buildPages(folder: string): Promise<void> {
  const next = `${folder}.${process.pid}`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(join(next, "docs"), { recursive: true });
  await buildPage("src/explore", "src/explore/styles/index.css", join(next, "explore"), {});
  await buildPage("src/explore/reference", "src/explore/reference/theme.css", join(next, "docs"), {
    ENDPOINTS: endpointLines(),
  });
  copyScalar(join(next, "docs/scalar"));
  const list = listOf(next);
  writeFileSync(join(next, LIST), list);
  const isThere = isListed(folder, list);
  rmSync(isThere ? next : folder, { recursive: true, force: true });
  if (!isThere) renameSync(next, folder);
}

if (import.meta.filename === process.argv[1]) await buildPages("dist/public");
