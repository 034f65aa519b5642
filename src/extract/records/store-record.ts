/** The store's one row. */

import { API_VERSION } from "../../api/endpoints.ts";
import { Store } from "../../api/records.ts";
import { printableText } from "../../base/text.ts";
import { widgetsOfSite } from "../../catalog/singles.ts";
import { readAddress } from "../address.ts";
import { type Context, forEachRow } from "../context.ts";
import { FragmentMaker } from "../fragments.ts";
import { type RowReader, show } from "../row-reader.ts";

/** `[{"network":"github","url":"https://github.com/x"}]`; only https leads out of the catalog. */
function socialLinks(reader: RowReader): Store["social_links"] {
  return reader.array("social_links").map((link) => {
    const { network, url } = (typeof link === "object" && link !== null ? link : {}) as Record<
      string,
      unknown
    >;
    const address = typeof url === "string" ? readAddress(url) : null;
    if (typeof network === "string" && address?.startsWith("https://")) {
      return { network: printableText(network), url: address };
    }
    reader.fail("social_links", "must have elements {network, url} with an https address", show(url ?? link));
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
      ordinal: 0,
      id: "-",
      column: "store_name",
      problem: "must be given by exactly one row",
      example: `${fragments.length} rows`,
    });
  }
  return fragments[0] ?? "null";
}
