/** Part of `npm run build`: bundles the explorer and the reference's frame into `dist/public`, with a list of the files and their digest. */
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
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { colourRule } from "../src/base/colours.ts";
import { type PageList, REFERENCE_KEY } from "../src/site/pages/pages.ts";

const SCRIPT = "src/explore/main.tsx";
const STYLE = "src/explore/styles/index.css";
const REFERENCE = "src/explore/reference";
const BROWSERS = ["chrome123", "firefox128", "safari17.5"];

/** A script or a style that is part of a page, as text. */
async function inlined(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "iife",
    target: BROWSERS,
    legalComments: "none",
    write: false,
  });
  return (outputFiles[0]?.text ?? "").trim();
}

/** Fills in what is the same in all shops; what differs between them is left for the build of a snapshot. */
function fillIn(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([A-Z]+)\}\}/g, (whole, name: string) => words[name] ?? whole);
}

const digestOf = (text: string) => hash("sha256", text, "base64");

/** Writes the explorer's script, style and page; the page's HTML has placeholders for their names. */
async function buildExplorer(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: { page: SCRIPT, style: STYLE },
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    metafile: true,
    legalComments: "none",
    target: BROWSERS,
    entryNames: "[name]-[hash]",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
    banner: { css: colourRule() },
  });
  const outputOf = (entry: string) =>
    basename(Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry)?.[0] ?? "");
  const early = await inlined("src/explore/early.ts");
  const words = {
    SCRIPT: outputOf(SCRIPT),
    STYLE: outputOf(STYLE),
    EARLY: `<script>${early}</script>`,
    DIGEST: digestOf(early),
  };
  writeFileSync(join(folder, "index.html"), fillIn(readFileSync("src/explore/index.html", "utf8"), words));
}

/** Writes the reference's page without its body, which is each shop's. */
async function buildReference(file: string): Promise<void> {
  const script = await inlined(`${REFERENCE}/main.ts`);
  const style = `${colourRule()}${await inlined(`${REFERENCE}/style.css`)}`;
  const words = {
    SCRIPT: `<script>${script}</script>`,
    SCRIPTDIGEST: digestOf(script),
    STYLE: `<style>${style}</style>`,
    STYLEDIGEST: digestOf(style),
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, fillIn(readFileSync(`${REFERENCE}/index.html`, "utf8"), words));
}

/** Name of the list, in the folder that it lists. */
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

/** Builds into `folder`, replacing it as a whole unless it is already the same: another test run may be reading it. */
export async function buildPages(folder: string): Promise<void> {
  const next = `${folder}.${process.pid}`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(join(next, "explore"), { recursive: true });
  await buildExplorer(join(next, "explore"));
  await buildReference(join(next, REFERENCE_KEY));
  const list = listOf(next);
  writeFileSync(join(next, LIST), list);
  const isThere = isListed(folder, list);
  rmSync(isThere ? next : folder, { recursive: true, force: true });
  if (!isThere) renameSync(next, folder);
}
