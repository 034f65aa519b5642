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
import { basename, join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { colourRule } from "../src/base/colours.ts";
import type { PageList } from "../src/pages/pages.ts";
import { bundleReference, endpointLines } from "./pages/reference.ts";

const BROWSERS = ["chrome123", "firefox128", "safari17.5"];

function optionsFor(entryPoints: Record<string, string>, outdir: string): BuildOptions {
  return {
    ...{ entryPoints, outdir },
    ...{ bundle: true, minify: true, format: "esm", metafile: true, write: true, legalComments: "none" },
    ...{ target: BROWSERS, entryNames: "[name]-[hash]" },
    ...{ jsx: "automatic", jsxImportSource: "preact", logLevel: "warning" },
    banner: { css: colourRule() },
  };
}

/** The file that an entry point became. */
function outputOf({ outputs }: Metafile, entry: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (found === undefined) throw new Error(`${entry} was not built`);
  return basename(found[0]);
}

async function bundle(entryPoints: Record<string, string>, target: string): Promise<Metafile> {
  const { metafile } = await build(optionsFor(entryPoints, target));
  if (metafile === undefined) throw new Error("esbuild told nothing of what it made");
  return metafile;
}

/** Writes a page's HTML with the words that it leaves open. */
function writePage(source: string, target: string, words: Record<string, string>): void {
  const html = readFileSync(join(source, "index.html"), "utf8");
  const filled = html.replace(/\{\{([A-Z]+)\}\}/g, (whole, name: string) => words[name] ?? whole);
  writeFileSync(join(target, "index.html"), filled);
}

/** A script that stands in the page itself, as text. */
async function inlineScript(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, minify: true, format: "iife", target: BROWSERS, write: false },
  });
  return (outputFiles[0]?.text ?? "").trim();
}

async function buildExplorer(target: string): Promise<void> {
  const [page, style] = ["src/explore/main.tsx", "src/explore/styles/index.css"];
  const files = await bundle({ page, style }, target);
  const early = await inlineScript("src/explore/early.ts");
  writePage("src/explore", target, {
    ...{ SCRIPT: outputOf(files, page), STYLE: outputOf(files, style) },
    ...{ EARLY: `<script>${early}</script>`, DIGEST: hash("sha256", early, "base64") },
  });
}

async function buildReference(target: string): Promise<void> {
  const source = "src/explore/reference";
  const style = join(source, "theme.css");
  const script = await bundleReference(join(source, "init.ts"), target);
  const files = await bundle({ style }, target);
  writePage(source, target, { SCRIPT: script, STYLE: outputOf(files, style), ENDPOINTS: endpointLines() });
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
  for (const page of ["explore", "docs"]) mkdirSync(join(next, page), { recursive: true });
  await buildExplorer(join(next, "explore"));
  await buildReference(join(next, "docs"));
  const list = listOf(next);
  writeFileSync(join(next, LIST), list);
  const isThere = isListed(folder, list);
  rmSync(isThere ? next : folder, { recursive: true, force: true });
  if (!isThere) renameSync(next, folder);
}

if (import.meta.filename === process.argv[1]) await buildPages("dist/public");
