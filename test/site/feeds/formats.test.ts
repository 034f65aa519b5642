/**
 * Whatever a shop's records contain, each feed is a valid file of its format, or says what it left out. The schemas here follow the
 * formats' specifications.
 */
import Validator from "@adobe/structured-data-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import type { Graph } from "schema-dts";
import { describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import { countFeedFiles, feedFiles, leftOutOfFeeds } from "../../../src/site/feeds/feeds.ts";
import { productGraph } from "../../../src/site/feeds/json-ld.ts";
import { decimalPrice } from "../../../src/site/feeds/money.ts";
import type { FeedReport } from "../../../src/site/write-report.ts";
import { inputsOf, makeAll } from "../../support/made-files.ts";
import { catalogOf, PRODUCT, RECORDS, type Records } from "./catalog.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const address = { type: "string", format: "uri", pattern: "^https?://[\\x21-\\x7e]+$", maxLength: 2000 };
const isJsonFeed = ajv.compile({
  type: "object",
  required: ["version", "title", "items"],
  properties: {
    version: { const: "https://jsonfeed.org/version/1.1" },
    title: { type: "string" },
    home_page_url: address,
    feed_url: address,
    items: {
      type: "array",
      maxItems: 50,
      minItems: 1,
      items: {
        required: ["id", "content_text"],
        properties: { id: { type: "string" }, url: address, date_published: { format: "date-time" } },
      },
    },
  },
});

const element = (name: string, inner: string, many = "") =>
  `<xs:element name="${name}" ${many}><xs:complexType><xs:sequence>${inner}</xs:sequence></xs:complexType></xs:element>`;
const schema = (namespace: string, body: string) =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}" elementFormDefault="qualified">${body}</xs:schema>`;
const LOC = `<xs:element name="loc"><xs:simpleType><xs:restriction base="xs:anyURI"><xs:maxLength value="2048"/></xs:restriction></xs:simpleType></xs:element>
  <xs:element name="lastmod" type="xs:dateTime" minOccurs="0"/>`;
const SITEMAP = schema(
  "http://www.sitemaps.org/schemas/sitemap/0.9",
  element("urlset", element("url", LOC, 'maxOccurs="50000"')) +
    element("sitemapindex", element("sitemap", LOC, 'maxOccurs="50000"')),
);
const link = `<xs:element name="link" maxOccurs="2" minOccurs="0"><xs:complexType><xs:attribute name="rel"/><xs:attribute name="href" type="xs:anyURI"/>
  <xs:attribute name="type"/></xs:complexType></xs:element>`;
const text = (name: string, type = "string", more = "") =>
  `<xs:element name="${name}" type="xs:${type}" ${more}/>`;
const times = `${text("published", "dateTime")}${text("updated", "dateTime")}`;
const ATOM = schema(
  "http://www.w3.org/2005/Atom",
  element(
    "feed",
    `${text("id", "anyURI")}${text("title")}${link}${text("updated", "dateTime")}${element("author", text("name"))}` +
      element(
        "entry",
        // RFC 4287 §4.1.2: an entry has a link or its content.
        `${text("id", "anyURI")}${text("title")}<xs:choice><xs:sequence>${link.replace('minOccurs="0"', "")}${times}${text("summary")}` +
          `</xs:sequence><xs:sequence>${times}${text("content")}</xs:sequence></xs:choice>`,
        'maxOccurs="50"',
      ),
  ),
);
const most = (name: string, length: number, more = "", base = "string") =>
  `<xs:element name="${name}" ${more}><xs:simpleType><xs:restriction base="xs:${base}"><xs:minLength value="1"/><xs:maxLength value="${length}"/></xs:restriction></xs:simpleType></xs:element>`;
const like = (name: string, pattern: string, more = "") =>
  `<xs:element name="${name}" ${more}><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="${pattern}"/></xs:restriction></xs:simpleType></xs:element>`;
const PRICE = "[0-9]+(\\.[0-9]{2,4})? [A-Z]{3}";
const IMAGE = "https?://.+";
const GOOGLE_NAMESPACE = "http://base.google.com/ns/1.0";
const GOOGLE = schema(
  GOOGLE_NAMESPACE,
  [
    ...[most("id", 50), most("title", 150), most("description", 5000), most("link", 2000, "", "anyURI")],
    ...[like("image_link", IMAGE), like("additional_image_link", IMAGE), like("availability", "in_stock")],
    ...[like("price", PRICE), like("sale_price", PRICE), like("condition", "new")],
    ...[like("identifier_exists", "no"), most("product_type", 750)],
  ].join(""),
);
const attribute = (name: string, often = "") => `<xs:element ref="g:${name}" ${often}/>`;
const RSS = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:g="${GOOGLE_NAMESPACE}" elementFormDefault="qualified">
  <xs:import namespace="${GOOGLE_NAMESPACE}" schemaLocation="google.xsd"/>
  <xs:element name="rss"><xs:complexType><xs:sequence>${element(
    "channel",
    `${text("title")}${text("link", "anyURI")}${text("description")}` +
      element(
        "item",
        [
          ...["id", "title", "description", "link", "image_link"].map((name) => attribute(name)),
          attribute("additional_image_link", 'minOccurs="0" maxOccurs="10"'),
          ...["availability", "price"].map((name) => attribute(name)),
          attribute("sale_price", 'minOccurs="0"'),
          ...["condition", "identifier_exists"].map((name) => attribute(name)),
          attribute("product_type", 'minOccurs="0"'),
        ].join(""),
        'minOccurs="0" maxOccurs="unbounded"',
      ),
  )}</xs:sequence><xs:attribute name="version"/></xs:complexType></xs:element></xs:schema>`;

/** All XML is checked together, because each check starts a process. */
class XmlFiles {
  readonly #files: { fileName: string; contents: string }[] = [];

  add(contents: string): void {
    this.#files.push({ fileName: `file-${this.#files.length}.xml`, contents });
  }

  async problems(xsd: string): Promise<string[]> {
    const { errors } = await validateXML({
      xml: this.#files,
      schema: xsd,
      preload: { fileName: "google.xsd", contents: GOOGLE },
      maxMemoryPages: 4096,
    });
    return errors.map(({ rawMessage }) => rawMessage);
  }
}

function make(records: Records) {
  const catalog = catalogOf(records);
  const reports: FeedReport[] = [];
  const made = makeAll(feedFiles(inputsOf(catalog), (report) => reports.push(report)));
  const files = new Map([...made].map(([key, bytes]) => [key, bytes.toString()]));
  return { catalog, files, reports };
}

/** Cells of a line between tabs, parsed like RFC 4180 parses cells between commas. */
function cellsOf(line: string): string[] {
  const cells = [...line.matchAll(/(?:^|\t)(?:"((?:[^"]|"")*)"(?=\t|$)|([^"\t]*)(?=\t|$))/g)];
  return cells.map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain);
}

const STORE = { store_name: "A shop", tagline: "", description: "", public_url: "https://shop.example/" };

describe("feeds of any records", () => {
  it("are valid files of their formats, and name what they leave out", async () => {
    const [sitemaps, atoms, items] = [new XmlFiles(), new XmlFiles(), new XmlFiles()];
    fc.assert(
      fc.property(RECORDS, (records) => {
        const { catalog, files, reports } = make(records);
        expect(countFeedFiles(catalog)).toBe(files.size);
        for (const [key, body] of files) expect(body.isWellFormed(), key).toBe(true);
        for (const [name, { length }] of Object.entries({
          products: records.products,
          releases: records.releases ?? [],
          blog: records.posts ?? [],
        })) {
          const json = files.get(`feeds/${name}.json`);
          expect([json !== undefined, files.has(`feeds/${name}.atom`)]).toEqual([length > 0, length > 0]);
          if (json === undefined) continue;
          const feed = JSON.parse(json);
          expect(isJsonFeed(feed) || isJsonFeed.errors).toBe(true);
          const items = feed.items as { id: string; date_published: string; date_modified: string }[];
          expect(new Set(items.map(({ id }) => id)).size).toBe(Math.min(50, length));
          expect(items.filter((item) => item.date_modified < item.date_published)).toEqual([]);
        }
        for (const [key, body] of files) {
          if (key.includes("sitemap")) sitemaps.add(body);
          if (key.endsWith(".atom")) atoms.add(body);
        }
        const tsv = (files.get("feeds/google.tsv") ?? "").split("\n").slice(0, -1).map(cellsOf);
        const google = files.get("feeds/google.xml") ?? "";
        items.add(google);
        for (const cells of tsv) expect(cells).toHaveLength(12);

        expect(reports).toHaveLength(1);
        for (const { records: listed, leftOut, missing } of reports) {
          expect([listed, listed + leftOut]).toEqual([tsv.length - 1, records.products.length]);
          expect(Object.keys(missing).length > 0).toBe(leftOut > 0);
          const named = leftOutOfFeeds(catalog).flatMap((feed) => feed.leftOut);
          expect(named.map(({ id }) => id)).toHaveLength(leftOut);
          expect(new Set(named.flatMap((product) => product.missing))).toEqual(new Set(Object.keys(missing)));
        }
        expect([...google.matchAll(/<item>/g)]).toHaveLength(tsv.length - 1);
      }),
      { numRuns: 15 },
    );
    expect(await sitemaps.problems(SITEMAP)).toEqual([]);
    expect(await atoms.problems(ATOM)).toEqual([]);
    expect(await items.problems(RSS)).toEqual([]);
  });

  it("are schema.org data in which Google's rules for rich results find no error, safe between script tags", async () => {
    await fc.assert(
      fc.asyncProperty(PRODUCT, async (given) => {
        const product = { ...given, id: 7, title: `A ${given.title}` };
        const graph: Graph = productGraph(product, "A shop");
        const file = make({ products: [product], store: STORE }).files.get("feeds/jsonld/7.jsonld") ?? "";
        expect(file).not.toMatch(/</);
        expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(graph)));
        const [item, faq] = structuredClone(graph["@graph"]) as { "@type": string }[];
        const byType = { Product: [item ?? {}], ...(faq === undefined ? {} : { FAQPage: [faq] }) };
        const issues = await new Validator().validate({ jsonld: byType });
        // Without a price in an ISO 4217 currency there is no offer, nor while the price is still to be decided.
        const isOffered = item !== undefined && "offers" in item;
        const { status, pricing } = product;
        const isOpen = status !== "published" && pricing.regular === 0 && pricing.current === 0;
        const hasPrice = !isOpen || (status === "preorder" && pricing.preorder === 0);
        const wrong = issues.filter(({ severity }) => severity === "ERROR" && isOffered && "image" in item);
        expect(isOffered).toBe(hasPrice && decimalPrice(pricing.current, pricing.currency) !== null);
        expect(wrong.map(({ issueMessage }) => issueMessage)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("a product in a feed", () => {
  const [some] = fc.sample(PRODUCT, { seed: 1, numRuns: 1 });
  if (some === undefined) throw new Error("no product");
  const plain = {
    ...some,
    id: 5,
    title: "Kit",
    description: "Text",
    image: "https://shop.example/a.png",
    gallery: [],
    public_url: "https://shop.example/kit",
    status: "published" as const,
    currency: "EUR",
    pricing: { regular: 29, sale: 19.5, preorder: null, extended: 29, current: 19.5, currency: "EUR" },
  };
  const googleOf = (change: object) => {
    const { files, reports } = make({ products: [{ ...plain, ...change } as typeof plain], store: STORE });
    const [report] = reports;
    const [head = "", line] = (files.get("feeds/google.tsv") ?? "").split("\n");
    const cells = line === undefined ? [] : cellsOf(line);
    return {
      missing: report?.missing,
      item: Object.fromEntries(head.split("\t").map((name, at) => [name, cells[at]])),
    };
  };

  it("has its prices as Google writes them, and a sale price only during a sale", () => {
    expect(googleOf({}).item).toMatchObject({
      id: "5",
      price: "29.00 EUR",
      sale_price: "19.50 EUR",
      availability: "in_stock",
      identifier_exists: "no",
      image_link: "https://shop.example/a.png",
    });
    const yen = { regular: 2900, sale: null, preorder: null, extended: 2900, current: 2900, currency: "JPY" };
    expect(googleOf({ pricing: yen }).item).toMatchObject({ price: "2900 JPY", sale_price: "" });
    const free = { ...yen, regular: 29, sale: 0, current: 0, currency: "EUR" };
    expect(googleOf({ pricing: free }).item).toMatchObject({ price: "29.00 EUR", sale_price: "0.00 EUR" });
  });

  // support.google.com/merchants/answer/14998273: a comma separates the values of a repeated attribute, unless it is in quotes.
  it("has one product type, also if its category's name has a comma", () => {
    const cellOf = (name: string) => {
      const products = [{ ...plain, category: { ...plain.category, name } } as typeof plain];
      const { files } = make({ products, store: STORE });
      return files.get("feeds/google.tsv")?.trimEnd().split("\t").at(-1);
    };
    expect(cellOf("Books, Music & Film")).toBe('"Books, Music & Film"');
    expect(cellOf('5" Screens, Cables')).toBe('"5"" Screens, Cables"');
    expect(cellOf("Books")).toBe("Books");
  });

  it.each([
    [{ image: "https://shop.example/a.svg" }, { image_link: 1 }],
    [{ status: "coming_soon" }, { availability: 1 }],
    [{ status: "preorder" }, { availability_date: 1 }],
    [
      { public_url: "", title: "\t" },
      { title: 1, link: 1 },
    ],
    [{ pricing: { ...plain.pricing, regular: 0, sale: null, current: 0 } }, { price: 1 }],
    // Without its sale it would cost more than in the API.
    [{ pricing: { ...plain.pricing, sale: 19.555, current: 19.555 } }, { sale_price: 1 }],
  ])("%j lacks %j", (change, missing) => {
    expect(googleOf(change).missing).toEqual(missing);
  });

  it("counts money in the minor units of ISO 4217", () => {
    const cases: [number, string, string | null][] = [
      [29, "EUR", "29.00"],
      [0.29, "USD", "0.29"],
      [2900, "JPY", "2900"],
      [1.005, "KWD", "1.005"],
      [5, "IQD", "5.000"],
      [5, "COP", "5.00"],
      [1.5, "JPY", null],
      [1.005, "EUR", null],
      [1, "XAU", null],
      [0.1 + 0.2, "EUR", "0.30"],
      [0, "EUR", "0.00"],
      [1.2345, "CLF", "1.2345"],
    ];
    for (const [amount, currency, text] of cases)
      expect(decimalPrice(amount, currency), `${amount} ${currency}`).toBe(text);
  });
});
