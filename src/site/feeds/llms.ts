/** What the shop is and where its data stands, for agents that read /llms.txt (llmstxt.org). */
import { LLMS_FILE } from "../../api/endpoints.ts";
import { OPERATIONS } from "../../api/records.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { type Feed, feedFile, offers, rootOf } from "./feed.ts";
import { asciiUrl, oneLine } from "./text.ts";

/** Lists that say what the shop has; the reference says the rest. */
const LISTS = ["products", "categories", "releases", "reviews", "faqs", "blog", "forum"] as const;
const MOST_LETTERS = 1000;

/** Words of the shop on a line of Markdown: nothing in them begins a link, a heading or a list. */
function words(text: string, most = MOST_LETTERS): string {
  return oneLine(text, most).replace(/[\\`*_[\]<>#]/g, (letter) => `\\${letter}`);
}

function link(name: string, address: string, does = ""): string {
  return `- [${name}](${address})${does === "" ? "" : `: ${does}`}`;
}

/** Feeds that a shop has beside this one, by the names in its configuration. */
function feedLinks({ config }: Catalog): string[] {
  const { feeds = {} } = config;
  const root = `${rootOf(config)}/feeds`;
  const news = (["products", "releases", "blog"] as const).filter((endpoint) => offers(config, endpoint));
  return [
    ...(feeds.sitemap ? [link("Sitemap", `${root}/sitemap.xml`)] : []),
    ...(feeds.news ? news.map((name) => link(`New: ${name}`, `${root}/${name}.atom`)) : []),
  ];
}

function makeText(catalog: Catalog): string {
  const { store, config } = catalog;
  const api = config.baseUrl;
  const lists = LISTS.filter((path) => offers(config, path)).map((path) =>
    link(path, `${api}/${path}`, OPERATIONS[path].purpose),
  );
  const reference = offers(config, "openapi.json") ? [link("OpenAPI", `${api}/openapi.json`)] : [];
  const feeds = feedLinks(catalog);
  const lines = [
    `# ${words(store.store_name)}`,
    ...(store.tagline === "" ? [] : ["", `> ${words(store.tagline)}`]),
    ...(store.description === "" ? [] : ["", words(store.description)]),
    ...[
      "",
      `The shop: <${asciiUrl(store.public_url) ?? config.siteUrl}>. All below is JSON, public and read-only.`,
    ],
    ...["", "## Catalog", "", ...lists, ...reference],
    ...(feeds.length === 0 ? [] : ["", "## Feeds", "", ...feeds]),
  ];
  return `${lines.join("\n")}\n`;
}

export const llms: Feed = {
  files: (inputs) => [feedFile(inputs, LLMS_FILE, {}, () => makeText(inputs.catalog))],
  count: () => 1,
};
