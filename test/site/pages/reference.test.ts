/** The reference at /docs/: what it says of which shop. */
import { hash } from "node:crypto";
import { parse } from "parse5";
import { describe, expect, it } from "vitest";
import type { PublicConfig } from "../../../src/api/config.ts";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { operationOf } from "../../../src/api/envelope.ts";
import { makeReference } from "../../../src/site/pages/reference.ts";
import { DEMO_CONFIG } from "../../support/shop.ts";

/** The part of one endpoint; "" if the page has none. */
function sectionOf(page: string, id: string): string {
  return new RegExp(`<section id="${id}">.*?</section>`, "s").exec(page)?.[0] ?? "";
}

describe("the reference", () => {
  const page = makeReference(DEMO_CONFIG);

  it("has each endpoint with its address, its purpose, and what each of its parameters takes", () => {
    for (const endpoint of ENDPOINTS) {
      const { path, params } = endpoint;
      const section = sectionOf(page, path || "status");
      expect(section).toContain(`GET ${DEMO_CONFIG.baseUrl}${path === "" ? "" : `/${path}`}<`);
      expect(section).toContain(operationOf(endpoint).purpose);
      expect(
        [...(section.split("Fields")[0]?.matchAll(/<dt>(\w+)<dd>/g) ?? [])].map(([, name]) => name),
      ).toEqual(params.map(({ name }) => name));
      for (const { name, default: standard } of params) {
        const row = new RegExp(`<dt>${name}<dd>.+<dd>.+`).exec(section)?.[0] ?? "";
        expect(row, `${path} ${name}`).toMatch(standard === undefined ? /<dd>[^;]/ : `; default ${standard}`);
      }
    }
    const products = sectionOf(page, "products");
    expect(products).toContain(
      "newest, oldest, updated, price_asc, price_desc, title_asc, title_desc, rating or relevance",
    );
    expect(sectionOf(page, "reviews")).toContain("whole number, 1 to 5; default 1");
    expect(sectionOf(page, "product")).toContain("Needs slug or id.");
    expect(sectionOf(page, "search")).toMatch(/<dt>q<dd>.*; required/);
  });

  it("has every field of every record, once", () => {
    for (const endpoint of ENDPOINTS) {
      const { list, one } = operationOf(endpoint) as Readonly<
        Record<"list" | "one", { properties?: object } | undefined>
      >;
      const names = Object.keys({ ...list?.properties, ...one?.properties });
      const own = `${sectionOf(page, endpoint.path || "status")}${endpoint.path === "product" ? sectionOf(page, "products") : ""}`;
      for (const name of names) expect(own, `${endpoint.path} ${name}`).toContain(`<dt>${name}<dd>`);
    }
    const product = sectionOf(page, "product");
    expect(product).toContain("Fields besides those of /products");
    expect(product).not.toContain("<dt>excerpt<dd>");
    expect(sectionOf(page, "products")).toContain("<i>number or null</i>");
  });

  it("says nothing of an endpoint that the shop does not offer", () => {
    const endpoints: PublicConfig["endpoints"] = ["store", "product", "reviews"];
    const small = makeReference({ ...DEMO_CONFIG, endpoints });
    const ids = [...small.matchAll(/<section id="([^"]+)">/g)].map(([, id]) => id);
    expect(ids).toEqual(["status", ...endpoints, "errors"]);
    for (const path of ["products", "forum", "search", "widgets", "openapi.json"])
      expect(small).not.toMatch(new RegExp(`[/#]${path}["<]`));
    // Without the list, the record is here in full.
    expect(sectionOf(small, "product")).toContain("<dt>excerpt<dd>");
  });

  it("escapes what the configuration says", () => {
    const hostile = makeReference({
      ...DEMO_CONFIG,
      siteUrl: `https://shop.example/"><script>alert(1)</script>`,
      baseUrl: "https://shop.example/<img src=x onerror=alert(1)>/api/v1",
    });
    expect(hostile).not.toMatch(/<script|<img/);
    expect(hostile).toContain("&lt;img src=x");
  });

  it("is HTML with its style named by digest, without a script, at most 25 kB", () => {
    const problems: string[] = [];
    parse(page, { onParseError: ({ code }) => problems.push(code) });
    expect(problems).toEqual([]);
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(page).not.toMatch(/<script| style=| on[a-z]+=/);
    expect(Buffer.byteLength(page)).toBeLessThan(25_000);
  });
});
