import { join } from "node:path";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { type Running, startServer } from "../support/command.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
let catalog: Catalog;
let server: Running & { url: string };
/** A validator that knows the OpenAPI document, fetched over HTTP, and nothing else of us. */
let outside: Outside;

interface Operation {
  readonly parameters: readonly {
    readonly name: string;
    readonly schema: object;
    readonly required?: boolean;
  }[];
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: Operation } | undefined>>;
}

class Outside {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  /** A query's values are text; the document says what is a number. */
  private readonly queries = new Ajv2020({ strict: false, validateFormats: false, coerceTypes: true });
  private readonly document: Document;

  constructor(document: Document) {
    this.document = document;
    // Whether the document itself is well-formed is redocly's to say (test/api/openapi-lint.slow.test.ts).
    this.ajv.addSchema(document as AnySchemaObject, "document");
  }

  private operation(path: string): Operation {
    const item = this.document.paths[path];
    if (item === undefined) throw new Error(`The document has no ${path}`);
    return item.get;
  }

  /** What there is against an answer, or null. */
  complaint(path: string, status: number, body: unknown): unknown {
    const described = this.operation(path).responses[status];
    if (described === undefined) return `The document has no answer ${status} of ${path}`;
    const pointer = described.$ref ?? `#/paths/${path.replace("/", "~1")}/get/responses/${status}`;
    const validate = this.ajv.getSchema(`document${pointer}/content/application~1json/schema`);
    if (validate === undefined) throw new Error(`The document has no schema at ${pointer}`);
    return validate(body) === true ? null : validate.errors;
  }

  /** What there is against a request, or null. */
  refusal(path: string, query: string): unknown {
    const { parameters } = this.operation(path);
    const validate = this.queries.compile({
      type: "object",
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.flatMap(({ name, required }) => (required === true ? [name] : [])),
      additionalProperties: false,
    });
    return validate(Object.fromEntries(new URLSearchParams(query))) ? null : validate.errors;
  }
}

beforeAll(async () => {
  const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000 } };
  await buildQuietly(demoInputs(seedDemo(folder, 240), out, { config }));
  catalog = openCatalog(layoutOf(out).catalog);
  server = await startServer(["fallback", "--catalog", layoutOf(out).catalog]);
  outside = new Outside((await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as Document);
});

afterAll(async () => {
  catalog.close();
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
});

describe("an outside tool that knows only the OpenAPI document", () => {
  const requests: Readonly<Record<string, readonly string[]>> = {
    "": [""],
    products: [
      "",
      "?category=scripts&sort=price_asc&page=2",
      "?search=kit&min_price=5",
      "?page=0",
      "?colour=red",
    ],
    product: ["?slug=invoice-kit", "?id=12", "?slug=none", ""],
    reviews: ["", "?product_slug=invoice-kit&min_rating=4", "?rating=9"],
    blog: ["", "?q=shop", "?slug=none"],
    forum: ["", "?solved=1", "?slug=none"],
    search: ["?q=invoice", "?q=invoce&type=product", ""],
  };
  it.each(ENDPOINTS.map((endpoint) => endpoint.path))(
    "finds all answers of /%s as described, over HTTP",
    async (path) => {
      for (const query of requests[path] ?? [""]) {
        const response = await fetch(`${server.url}/api/v1/${path}${query}`);
        const body: unknown = await response.json();
        expect(
          outside.complaint(`/${path}`, response.status, body),
          `${path}${query} ${response.status}`,
        ).toBeNull();
      }
    },
  );

  const accepted: Readonly<Record<string, readonly string[]>> = {
    forum: ["slug=none&page=0", "slug=none&solved=perhaps&type=%20&per_page=x", "page=2&solved=1", "q=help"],
    blog: ["slug=none&page=0&per_page=-1", "page=2"],
    reviews: ["limit=500&per_page=7", "rating=5"],
    products: ["page=2&category=Scripts&featured=YES&min_price=05.50"],
  };
  it.each(Object.keys(accepted))("accepts every request to /%s that the server accepts", async (path) => {
    for (const query of accepted[path] ?? []) {
      const { status } = await fetch(`${server.url}/api/v1/${path}?${query}`);
      expect([200, 404], query).toContain(status);
      expect(outside.refusal(`/${path}`, query), query).toBeNull();
    }
  });

  it("validates single posts and threads, too", async () => {
    for (const path of ["blog", "forum"]) {
      const list = (await (await fetch(`${server.url}/api/v1/${path}`)).json()) as {
        data: { slug: string }[];
      };
      for (const { slug } of list.data.slice(0, 5)) {
        const response = await fetch(`${server.url}/api/v1/${path}?slug=${slug}`);
        expect(response.status).toBe(200);
        expect(outside.complaint(`/${path}`, 200, await response.json())).toBeNull();
      }
    }
  });
});

describe("any query string", () => {
  const names = [...new Set(ENDPOINTS.flatMap((endpoint) => endpoint.params.map((param) => param.name)))];
  const sensible = fc.constantFrom(
    ...[
      "1",
      "2",
      "20",
      "0",
      "-1",
      "1e3",
      "true",
      "off",
      "scripts",
      "newest",
      "price_asc",
      "published",
      "product",
      "kit",
    ],
    ...[
      "invoice-kit",
      "19.99",
      "5",
      "",
      "Café",
      "%",
      "%zz",
      "%ff",
      "%00",
      "%0A",
      "+",
      "..",
      "../../etc",
      "a&b",
      "😀",
      "請",
    ],
  );
  const hostile = fc.string({ unit: "grapheme", maxLength: 60 });
  const pair = fc
    .tuple(
      fc.oneof(fc.constantFrom(...names, "__proto__", "utm_x", "colour"), hostile),
      fc.oneof(sensible, hostile),
      fc.boolean(),
    )
    .map(([name, value, raw]) =>
      raw ? `${name}=${value}` : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    );
  const targets = fc
    .tuple(fc.constantFrom(...ENDPOINTS.map((endpoint) => endpoint.path)), fc.array(pair, { maxLength: 6 }))
    .map(([path, pairs]) => ({ path, target: `/api/v1/${path}?${pairs.join("&")}` }));

  it("gets an answer that is valid against the document, and never a 5xx", () => {
    fc.assert(
      fc.property(targets, ({ path, target }) => {
        const bytes = Buffer.from(target, "utf8").toString("latin1");
        const answer = answerTarget(catalog, bytes);
        expect([200, 400, 404]).toContain(answer.status);
        const body = JSON.parse(answer.body.toString()) as unknown;
        expect(outside.complaint(`/${path}`, answer.status, body)).toBeNull();
      }),
      { numRuns: 3000 },
    );
  });
});
