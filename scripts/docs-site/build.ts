/** Builds the documentation's site: stages its sources in a folder of their own and lets VitePress make pages of them. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { colourRule } from "../../src/base/colours.ts";
import { contents } from "./contents.ts";
import { withLive, writeLive } from "./live.ts";
import { stagePages } from "./stage.ts";

/** Beside the packages, where VitePress looks for its own. */
const WORK = "node_modules/.cache";

const text = (path: string) => JSON.stringify(resolve(path));

/** Shows the widget as it runs. */
const WIDGET = "widget.md";

const CONFIG = `import { siteConfig } from ${text("scripts/docs-site/config.ts")};
export default siteConfig();
`;

/** VitePress's own theme in the colours of the explorer, with the fonts of the reader's machine. */
const THEME = `export { default } from "vitepress/theme-without-fonts";
import "./colours.css";
import ${text("src/explore/styles/tokens.css")};
import ${text("scripts/docs-site/theme.css")};
`;

function writeTo(folder: string, place: string, text: string): void {
  const file = join(folder, place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function stageInto(folder: string): Promise<void> {
  const { pages } = stagePages(contents().flatMap(({ entries }) => entries));
  for (const [place, text] of pages) writeTo(folder, place, place === WIDGET ? withLive(text) : text);
  await writeLive(join(folder, "public"), pages.get(WIDGET) ?? "");
  cpSync("docs/pictures", join(folder, "pictures"), { recursive: true });
  writeTo(folder, ".vitepress/config.ts", CONFIG);
  writeTo(folder, ".vitepress/theme/colours.css", colourRule());
  writeTo(folder, ".vitepress/theme/index.ts", THEME);
}

/** Builds into `out`, which is replaced, for a server that has it below `base`. Fails where a link leads nowhere. */
export async function buildSite(out: string, base: string): Promise<void> {
  mkdirSync(WORK, { recursive: true });
  const folder = mkdtempSync(join(resolve(WORK), "docs-site-"));
  try {
    await stageInto(folder);
    const { build } = await import("vitepress");
    await build(folder, { outDir: resolve(out), base });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
