import { join } from "node:path";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { type Running, startServer } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
let catalog: Catalog;
let server: Running & { url: string };
/** A validator that knows the OpenAPI document, fetched over HTTP, and nothing else of us. */
let outside: Outside;

interface Parameter {
  readonly name: string;
  readonly schema: { readonly default?: unknown; readonly enum?: readonly string[] };
  readonly required?: boolean;
  readonly example?: unknown;
}
interface Answer {
  readonly data?: unknown;
}
interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
  >;
}
interface Operation {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Described>>;
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

/** What the document says of parameters, of three shops. */
describe.each(["demo", "chinook", "example"] as const)(
  "clients of %s that send what the document names",
  (shop) => {
    let shown: Catalog;
    let paths: [string, Parameter[]][] = [];
    const ask = (path: string, values: Readonly<Record<string, unknown>>) => {
      const query = new URLSearchParams(
        Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const { status, headers, body } = answerTarget(shown, `/api/v1${path}?${query}`);
      return { status, etag: headers["ETag"], body: JSON.parse(body.toString()) as Answer };
    };
    beforeAll(() => {
      shown = openCatalog(layoutOf(sharedSnapshot(shop)).catalog);
      const { body } = answerTarget(shown, "/api/v1/openapi.json");
      const { paths: all } = JSON.parse(body.toString()) as Document;
      paths = Object.entries(all).map(([path, item]) => [path, [...(item?.get.parameters ?? [])]]);
    });
    afterAll(() => shown.close());

    it("get the same answer with all documented defaults", () => {
      const request = fc.constantFrom(...paths).chain(([path, parameters]) => {
        const values = parameters.map(({ name, schema, example }) => {
          const { enum: allowed = [] } = schema as { enum?: readonly string[] };
          return [name, fc.constantFrom(...allowed, ...[example ?? "x"], "1", "2", "kit")] as const;
        });
        return fc
          .record(Object.fromEntries(values), { requiredKeys: [] })
          .map((given) => ({ path, parameters, given }));
      });
      fc.assert(
        fc.property(request, ({ path, parameters, given }) => {
          const defaults = parameters.flatMap(({ name, schema }) =>
            "default" in schema && !(name in given) ? [[name, schema.default]] : [],
          );
          const [without, sent] = [
            ask(path, given),
            ask(path, { ...given, ...Object.fromEntries(defaults) }),
          ];
          expect([path, given, sent]).toEqual([path, given, without]);
        }),
        { numRuns: 300 },
      );
    });

    it("find something with the examples of all parameters together", () => {
      const found = paths.map(([path, parameters]) => {
        const examples = parameters.flatMap(({ name, example }) =>
          example === undefined ? [] : [[name, example]],
        );
        const { status, body } = ask(path, Object.fromEntries(examples));
        return [path, status, Array.isArray(body.data) ? body.data.length > 0 : true];
      });
      const isEmpty = (path: string) =>
        (ask(path, {}).body.data as readonly unknown[] | undefined)?.length === 0;
      expect(found).toEqual(paths.map(([path]) => [path, 200, !isEmpty(path)]));
    });

    it("have an example of each answer, which mocks give as it is", () => {
      const { body } = answerTarget(shown, "/api/v1/openapi.json");
      const { paths: all } = JSON.parse(body.toString()) as Document;
      for (const [path, item] of Object.entries(all)) {
        if (path === "/openapi.json") continue;
        const { examples = {} } = item?.get.responses["200"]?.content?.["application/json"] ?? {};
        const isEmpty = (ask(path, {}).body.data as readonly unknown[] | undefined)?.length === 0;
        expect([path, Object.keys(examples).length > 0]).toEqual([path, !isEmpty]);
        for (const { value } of Object.values(examples))
          expect([path, outside.complaint(path, 200, value)]).toEqual([path, null]);
      }
    });

    it("have an example of each parameter that a record of the shop has a value for", () => {
      for (const [path, parameters] of paths) {
        const records = [ask(path, {}).body.data ?? []].flat() as Readonly<Record<string, unknown>>[];
        const without = parameters.filter(({ example }) => example === undefined);
        const missed = without.filter(({ name }) =>
          records.some((record) => (record[name] ?? null) !== null),
        );
        expect([path, missed]).toEqual([path, []]);
      }
    });
  },
);

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
