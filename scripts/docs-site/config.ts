/** How VitePress makes the site: contents, look, and what a page may load. */
import { hash } from "node:crypto";
import { dirname, join, normalize, relative } from "node:path";
import { defineConfig, type HeadConfig, type MarkdownRenderer, type UserConfig } from "vitepress";
import { anchorOf } from "./anchor.ts";
import { contents, type Group } from "./contents.ts";
import { type Staged, stagePages } from "./stage.ts";

/** Links of the documents lead through the repository; here, to where the site has what they lead to. */
function followRepository(md: MarkdownRenderer, groups: readonly Group[], { places }: Staged): void {
  const files = new Map(groups.flatMap(({ entries }) => entries.map(({ file, page }) => [page, file])));
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    const { relativePath: page } = env as { readonly relativePath: string };
    const file = files.get(page);
    if (file === undefined) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const [path = "", anchor] = String(token.attrGet("href") ?? "").split("#");
      const place = places.get(normalize(join(dirname(file), path)));
      if (path === "" || place === undefined) continue;
      const target = relative(dirname(page), place);
      token.attrSet("href", `./${target}${anchor === undefined ? "" : `#${anchor}`}`);
    }
  });
}

/** VitePress gives a look only to code between fences. */
function fenceIndented(md: MarkdownRenderer): void {
  md.core.ruler.push("fence-indented", ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === "code_block"))
      Object.assign(token, { type: "fence", tag: "code", info: "text", markup: "```" });
  });
}

/** Its own scripts and pictures alone; style attributes are those of coloured code. */
function policyFor(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)];
  const digests = scripts.map(([, text = ""]) => `'sha256-${hash("sha256", text, "base64")}'`);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...digests].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function sidebarOf(groups: readonly Group[], { pages }: Staged) {
  const files = [...pages.keys()].filter((page) => page.startsWith("files/")).sort();
  const shown = [
    ...groups.map(({ text, entries }) => ({
      text,
      items: entries.map(({ page, text }) => ({ text, link: `/${page}` })),
    })),
    {
      text: "Files that the pages name",
      items: files.map((page) => ({ text: page.slice("files/".length, -".md".length), link: `/${page}` })),
    },
  ];
  const CLOSED = 4;
  return shown.map((group, at) => ({ ...group, collapsed: at >= CLOSED }));
}

const ICON: HeadConfig = ["link", { rel: "icon", href: "data:," }];

export function siteConfig(): UserConfig {
  const groups = contents();
  const staged = stagePages(groups.flatMap(({ entries }) => entries));
  return defineConfig({
    title: "Vitrine",
    description: "A shop's public, read-only catalog API as plain JSON files on a CDN.",
    lang: "en",
    head: [ICON],
    markdown: {
      anchor: { slugify: anchorOf },
      theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
      config: (md) => {
        followRepository(md, groups, staged);
        fenceIndented(md);
      },
    },
    transformHtml: (html) =>
      html.replace(
        "<head>",
        () => `<head><meta http-equiv="Content-Security-Policy" content="${policyFor(html)}">`,
      ),
    themeConfig: {
      search: { provider: "local" },
      outline: [2, 3],
      // Where who tries it, who owns a shop, who reads its API, and who changes Vitrine begin.
      nav: ["start.md", "own-store.md", "api.md", "architecture.md"].map((page) => {
        const entry = groups.flatMap(({ entries }) => entries).find((one) => one.page === page);
        return { text: entry?.text ?? page, link: `/${page}` };
      }),
      sidebar: sidebarOf(groups, staged),
    },
  });
}
