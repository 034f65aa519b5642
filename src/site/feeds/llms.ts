/** Describes the shop and the addresses of its data, for agents that read /llms.txt (llmstxt.org). */
import { type EndpointPath, LLMS_FILE, offers } from "../../api/endpoints.ts";
import { OPERATIONS } from "../../api/records.ts";
import { rootAddress } from "../../api/target.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { hasAnswers } from "../../catalog/singles.ts";
import { type Feed, feedFile } from "./feed.ts";
import { sitemap } from "./sitemap.ts";
import { asciiUrl, oneLine } from "./text.ts";

/** Lists worth naming; the reference covers the rest. */
const LISTS = ["products", "categories", "releases", "reviews", "faqs", "blog", "forum"] as const;
const MOST_LETTERS = 1000;

/** The shop's text on one line of Markdown, escaped so that it is text only: no list, heading, link or code begins in it. */
function words(text: string): string {
  return oneLine(text, MOST_LETTERS)
    .replace(/[\\`*_[\]<>#~]|&(?=#?\w+;)/g, "\\$&")
    .replace(/^(\d*)([-+=.)])/, "$1\\$2");
}

function link(name: string, address: string, does = ""): string {
  return `- [${name}](${address})${does === "" ? "" : `: ${does}`}`;
}

/** The lists that have records. */
function filled<Path extends EndpointPath>(catalog: Catalog, paths: readonly Path[]): readonly Path[] {
  return paths.filter((path) => hasAnswers(catalog, { path }));
}

/** The shop's other feeds, by their names in the configuration. */
function feedLinks(catalog: Catalog): string[] {
  const { feeds = {} } = catalog.config;
  const root = `${rootAddress(catalog.config.baseUrl)}/feeds`;
  const news = filled(catalog, ["products", "releases", "blog"]);
  return [
    ...(feeds.sitemap && sitemap.count(catalog) > 0 ? [link("Sitemap", `${root}/sitemap.xml`)] : []),
    ...(feeds.news ? news.map((name) => link(`New: ${name}`, `${root}/${name}.atom`)) : []),
  ];
}

function makeText(catalog: Catalog): string {
  const { store, config } = catalog;
  const api = config.baseUrl;
  const [name, tagline, description] = [store.store_name, store.tagline, store.description].map(words);
  const lists = filled(catalog, LISTS).map((path) => link(path, `${api}/${path}`, OPERATIONS[path].purpose));
  const reference = offers(config, "openapi.json") ? [link("OpenAPI", `${api}/openapi.json`)] : [];
  const feeds = feedLinks(catalog);
  const lines = [
    `# ${name}`,
    ...(tagline === "" ? [] : ["", `> ${tagline}`]),
    ...(description === "" ? [] : ["", description]),
    "",
    `The shop: <${asciiUrl(store.public_url) ?? config.siteUrl}>. All below is public and read-only; the catalog is JSON.`,
    ...["", "## Catalog", "", ...lists, ...reference],
    ...(feeds.length === 0 ? [] : ["", "## Feeds", "", ...feeds]),
  ];
  return `${lines.join("\n")}\n`;
}

export const llms: Feed = {
  files: (inputs) => {
    const lists = filled(inputs.catalog, LISTS).join(" ");
    const feeds = feedLinks(inputs.catalog).join(" ");
    return [feedFile(inputs, LLMS_FILE, { lists, feeds }, () => makeText(inputs.catalog))];
  },
  count: () => 1,
};
