/** The store's one row. */
import { widgetsOfSite } from "../../catalog/singles.ts";
import { API_VERSION } from "../../contract/endpoints.ts";
import { Store } from "../../contract/records.ts";
import { type Context, forEachRow } from "../context.ts";
import { FragmentMaker } from "../fragments.ts";
import type { RowReader } from "../row-reader.ts";

/** `[{"network":"github","url":"https://github.com/x"}]`; only https leads out of the catalog. */
function socialLinks(reader: RowReader): Store["social_links"] {
  return reader.array("social_links").map((link) => {
    const { network, url } = (typeof link === "object" && link !== null ? link : {}) as Record<
      string,
      unknown
    >;
    if (
      typeof network === "string" &&
      typeof url === "string" &&
      url.startsWith("https://") &&
      URL.canParse(url)
    ) {
      return { network, url };
    }
    reader.fail("social_links", "has an element that is not {network, url} with an https address");
    return { network: "", url: "" };
  });
}

function readStore(reader: RowReader, siteUrl: string): Store {
  return {
    store_name: reader.name("store_name"),
    tagline: reader.text("tagline"),
    description: reader.text("description"),
    logo_url: reader.url("logo_url"),
    favicon_url: reader.url("favicon_url"),
    currency: reader.currency("currency"),
    public_url: reader.url("public_url"),
    support_url: reader.url("support_url"),
    docs_url: reader.url("docs_url"),
    blog_url: reader.url("blog_url"),
    social_links: socialLinks(reader),
    available_widgets: widgetsOfSite(siteUrl),
    api_version: API_VERSION,
  };
}

/** Reads the store's row as JSON; there must be exactly one. */
export function extractStore(context: Context): string {
  const maker = new FragmentMaker<Store>(Store);
  const fragments: string[] = [];
  forEachRow(context, "store", (reader) => {
    fragments.push(maker.make(readStore(reader, context.config.siteUrl), reader));
  });
  if (fragments.length !== 1) {
    context.problems.add({
      file: "store.sql",
      row: "-",
      column: "store_name",
      message: `gives ${fragments.length} rows, must give exactly one`,
    });
  }
  return fragments[0] ?? "null";
}
