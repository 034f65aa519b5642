import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { ENDPOINTS, type Param } from "../../src/api/endpoints.ts";
import { envelopeSchema } from "../../src/api/envelope.ts";
import { ERROR_STATUS } from "../../src/api/errors.ts";
import { openApiDocument } from "../../src/api/openapi.ts";
import type { Operation as Described } from "../../src/api/operation.ts";
import { OPERATIONS } from "../../src/api/records.ts";
import type { ErrorResponse, ListResponse, Review, Store, SuccessResponse } from "../../src/api/types.ts";
import { readValue } from "../../src/key/value.ts";
import { EXAMPLES, OPTIONS } from "./samples.ts";

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly required?: boolean;
  readonly allowEmptyValue?: boolean;
  readonly example?: unknown;
}
interface Response {
  readonly description?: string;
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}
interface MediaType {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
}

const document = openApiDocument(OPTIONS);
const operations = Object.entries(document.paths).map(
  ([path, item]) => [path, item.get as unknown as Operation] as const,
);
const parameters = ENDPOINTS.flatMap((endpoint, index) =>
  endpoint.params.map((param) => {
    const described = operations[index]?.[1].parameters.filter(({ name }) => name === param.name) ?? [];
    return { label: `/${endpoint.path}?${param.name}`, endpoint, param, described };
  }),
);

/** A parameter's own schema. One that another parameter overrides also accepts any other text. */
function ownSchema({ schema }: Parameter): Schema {
  const [own, anything] = schema.anyOf ?? [schema];
  if (anything !== undefined) expect(anything).toMatchObject({ type: "string" });
  return own as Schema;
}

const ajv = new Ajv2020({ strict: false, coerceTypes: false });
addFormats.default(ajv);

/** Puts the document's components beside a schema that has references, so that they resolve. */
function validator(schema: object): (value: unknown) => boolean {
  const hasReferences = JSON.stringify(schema).includes('"$ref"');
  return ajv.compile(hasReferences ? { components: document.components, ...schema } : schema);
}

function collect(value: unknown, key: string, found: unknown[] = []): unknown[] {
  if (typeof value !== "object" || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (name === key) found.push(inner);
    collect(inner, key, found);
  }
  return found;
}

function resolve(doc: object, ref: string): unknown {
  const steps = ref.slice(2).split("/");
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], doc);
}

/** A query value as a client would type it for the schema: digits become a number. */
function typed(schema: Schema, text: string): unknown {
  return schema.type === "integer" && /^[0-9]+$/.test(text) ? Number(text) : text;
}

const VALUES: Readonly<Record<Param["kind"], readonly string[]>> = {
  integer: ["0", "1", "5", "6", "007", "100", "101", "999999999999999", "1000000000000000", "-1", "1.5", "x"],
  slug: ["a", "A", "9.x_y-z", "Invoice-Kit", "-a", ".a", "a b", "ä", "a".repeat(150), "a".repeat(151)],
  flag: ["1", "0", "true", "TRUE", "Yes", "oN", "off", "No", "FALSE", "2", "y", "truee", " 1", "1\n"],
  choice: ["newest", "rating", "highest", "preorder", "product", "blog", "Newest", "none"],
  price: [
    "0",
    "5",
    "05.50",
    "1.234",
    "1.",
    ".5",
    "-1",
    "1e3",
    "9".repeat(12),
    "9".repeat(13),
    "0".repeat(20),
  ],
  text: ["a", " a ", "é", " ", "\t\n", "\u00a0"],
};
const readText = (text: string) => text.normalize("NFKC").trim() || null;

describe("requests", () => {
  test("every endpoint has one path, in the contract's order", () => {
    expect(Object.keys(document.paths)).toEqual(ENDPOINTS.map(({ path }) => `/${path}`));
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ENDPOINTS.length);
  });

  test("an endpoint describes its own parameters and no others", () => {
    for (const [index, { params }] of ENDPOINTS.entries()) {
      const names = operations[index]?.[1].parameters.map(({ name }) => name);
      expect(names).toEqual(params.map(({ name }) => name));
    }
  });

  test.each(parameters)(
    "$label is described once, with its default and bounds",
    ({ endpoint, param, described }) => {
      expect(described).toHaveLength(1);
      const { in: place, schema: whole } = described[0] as Parameter;
      const schema = ownSchema(described[0] as Parameter);
      expect(place).toBe("query");
      // Clients send documented defaults, so there is none that another parameter changes.
      const isOwn =
        param.textDefault === undefined && !endpoint.params.some((each) => each.aliasOf === param.name);
      expect(whole.default === undefined ? undefined : String(whole.default)).toBe(
        isOwn ? param.default : undefined,
      );
      expect(schema?.minimum).toBe(param.min);
      expect(schema?.maximum).toBe(param.kind === "integer" ? (param.max ?? 999_999_999_999_999) : undefined);
      if (param.values) expect(schema?.enum).toEqual(expect.arrayContaining([...param.values]));
    },
  );

  test.each(parameters)(
    "$label accepts what the reader accepts, and nothing else",
    ({ param, described }) => {
      const schema = ownSchema(described[0] as Parameter);
      const accepts = validator(schema);
      for (const text of VALUES[param.kind]) {
        // A larger number of records is clamped, however long it is.
        const isLonger = param.clamp !== undefined && text.length > 15;
        const read = !isLonger && readValue(param, text, true, readText) !== null;
        expect([text, accepts(typed(schema, text))]).toEqual([text, read]);
      }
    },
  );

  test("an endpoint has a name for menus, a sentence of purpose and a description of its answer", () => {
    for (const [path, { summary, description, responses }] of operations) {
      expect(summary.split(" ").length, path).toBeLessThanOrEqual(4);
      expect(summary, path).toMatch(/^[A-Z].*[^.]$/);
      expect(description, path).toMatch(/^[A-Z].*\.$/);
      expect(responses["200"]?.description?.length, path).toBeGreaterThan(10);
    }
    expect(JSON.stringify(document)).not.toMatch(/The answer\."/);
    const without = parameters.filter(({ described }) => described[0]?.example === undefined);
    // Only a record can give a slug as an example.
    expect(new Set(without.map(({ param }) => param.kind))).toEqual(new Set(["slug"]));
  });

  test.each(parameters)("$label has a valid example, if any, and may be empty unless required", (row) => {
    const [parameter] = row.described;
    if (parameter?.example !== undefined) {
      expect(validator(parameter.schema)(parameter.example)).toBe(true);
    }
    expect(parameter?.allowEmptyValue ?? false).toBe(!parameter?.required);
    expect(parameter?.required ?? false).toBe(row.endpoint.path === "search" && row.param.name === "q");
  });

  test("examples of parameters find the example record", () => {
    const example = (path: string, name: string) =>
      parameters.find(({ label }) => label === `/${path}?${name}`)?.described[0]?.example;
    expect(example("product", "slug")).toBe("invoice-kit");
    expect(example("products", "category")).toBe("scripts");
    expect([example("products", "min_price"), example("products", "max_price")]).toEqual(["39", "40"]);
    expect([example("products", "coming_soon"), example("forum", "solved")]).toEqual(["no", "yes"]);
    expect(example("forum", "subforum")).toBe("help");
    expect(example("forum", "category")).toBeUndefined();
    expect(example("search", "q")).toBe("Invoice Kit");
  });
});

describe("answers", () => {
  test("every record schema is a component of its title", () => {
    const titles = Object.values<Described>(OPERATIONS).flatMap(({ list, one }) =>
      [list, one].flatMap((schema) => (schema && "title" in schema ? [schema.title] : [])),
    );
    const names = [...titles, "Pagination", "Meta", "Error"];
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(document.components.schemas)).toEqual(names);
    expect(Object.keys(EXAMPLES)).toEqual(titles);
  });

  test("nested records are references, unions of literals are enums, and nothing of TypeBox is left", () => {
    const properties = resolve(document, "#/components/schemas/Product/properties");
    expect(properties).toMatchObject({
      category: { $ref: "#/components/schemas/Category" },
      status: { type: "string", enum: ["published", "coming_soon", "preorder"] },
      title: { type: "string" },
    });
    expect(JSON.stringify(document)).not.toMatch(/"~/);
  });

  test("a component accepts its record, also with fields that a later version may add", () => {
    for (const [title, example] of Object.entries(EXAMPLES)) {
      const valid = validator({ $ref: `#/components/schemas/${title}` });
      const [first = ""] = Object.keys(example as object);
      expect(valid(example)).toBe(true);
      expect(valid({ ...(example as object), added_later: 1 })).toBe(true);
      expect(valid({ ...(example as object), [first]: undefined })).toBe(false);
    }
    expect(collect(document, "additionalProperties")).not.toContain(false);
  });

  test("codes of errors and kinds of results may become more, states of a product may not", () => {
    const { SearchResult: found, Product: product } = EXAMPLES as Record<string, object>;
    const valid = (title: string, value: object) =>
      validator({ $ref: `#/components/schemas/${title}` })(value);
    const error = { success: false, error: { code: "added_later", message: "No." } };
    expect(valid("Error", error)).toBe(true);
    expect(valid("SearchResult", { ...found, type: "thread" })).toBe(true);
    expect(valid("Meta", { api_version: "1.1", generated_at: "2026-01-01T00:00:00+00:00" })).toBe(true);
    expect(valid("Product", { ...product, status: "sold_out" })).toBe(false);
    const texts = JSON.stringify(document.components.schemas["Error"]);
    for (const code of Object.keys(ERROR_STATUS)) expect(texts).toContain(code);
  });

  test("strict generators can read each schema", () => {
    const whole: Schema[] = [];
    const patterns: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const schema = value as Schema & { readonly pattern?: unknown };
      if (schema.type === "integer") whole.push(schema);
      if (typeof schema.pattern === "string") patterns.push(schema.pattern);
      for (const inner of Object.values(value)) walk(inner);
    };
    walk({ paths: document.paths, components: document.components });
    // Zod takes a date-time only with Z, and others differ in other formats: patterns say it.
    expect(collect(document.components, "format").concat(collect(document.paths, "format"))).toEqual([]);
    // Converters to OpenAPI 3.0 know only type: ["number", "null"], and no const.
    expect(JSON.stringify(document)).not.toMatch(/"type":"null"|"const":/);
    expect(resolve(document, "#/components/schemas/Product/properties/sale_price/type")).toEqual([
      "number",
      "null",
    ]);
    expect(whole.length).toBeGreaterThan(40);
    for (const schema of whole)
      expect(schema).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) });
    // A repetition in a repeated group counts as unsafe.
    for (const pattern of patterns) expect(pattern).not.toMatch(/[*+}?][^(]*\)[*+{?]/);
  });

  test("every example is valid, and each form of an answer has one", () => {
    for (const [path, { responses }] of operations) {
      const media = responses["200"]?.content?.["application/json"] as MediaType;
      const examples = Object.values(media.examples ?? {});
      const { list, one } = (OPERATIONS as Record<string, Described>)[path.slice(1)] ?? {};
      expect(examples).toHaveLength([list, one].filter(Boolean).length);
      for (const { value } of examples) expect([path, validator(media.schema)(value)]).toEqual([path, true]);
    }
  });

  test("without example records the document has no examples, and stays valid", () => {
    const bare = openApiDocument({ ...OPTIONS, examples: {} });
    expect(collect(bare.paths, "examples")).toEqual([]);
    expect(JSON.stringify(bare.paths)).not.toContain("invoice-kit");
  });

  test("the schema of openapi.json accepts this document", () => {
    const media = document.paths["/openapi.json"]?.get as unknown as Operation;
    const schema = media.responses["200"]?.content?.["application/json"]?.schema as object;
    expect(validator(schema)(document)).toBe(true);
    expect(validator(schema)({ success: true })).toBe(false);
  });

  test("the schema of openapi.json describes each part of the document", () => {
    const media = document.paths["/openapi.json"]?.get as unknown as Operation;
    const schema = media.responses["200"]?.content?.["application/json"]?.schema as Schema;
    // Redocly CLI 2.77, `respect`, reports any other field: "must NOT have unevaluated properties".
    expect(validator({ ...schema, unevaluatedProperties: false })(document)).toBe(true);
    // fastify-openapi-glue 4.11 sends {} of an object that describes no property and does not say that it is open.
    const parts = Object.values(schema.properties ?? {}).flatMap((part) => part.items ?? part);
    const objects = parts.filter(({ type }) => type === "object");
    expect(objects).toHaveLength(6);
    for (const part of objects) expect(part).toMatchObject({ additionalProperties: true });
  });

  test("the types for integrators match the answers", () => {
    const { Review: review, Store: store } = EXAMPLES;
    const meta = { api_version: "1.0", generated_at: "2026-01-01T00:00:00+00:00" } as const;
    const pagination = { page: 1, per_page: 20, total: 1, total_pages: 1 };
    const list: ListResponse<Review> = {
      success: true,
      data: [review as Review],
      pagination,
      meta,
    };
    const one: SuccessResponse<Store> = { success: true, data: store as Store, meta };
    const error: ErrorResponse = { success: false, error: { code: "not_found", message: "Nothing." } };
    const endpoint = (path: string) => ENDPOINTS.find((each) => each.path === path) ?? ENDPOINTS[0];
    const schemaOf = (path: string) =>
      envelopeSchema(endpoint(path) as (typeof ENDPOINTS)[0], false) as object;
    expect(validator(schemaOf("reviews"))(list)).toBe(true);
    expect(validator(schemaOf("store"))(one)).toBe(true);
    expect(validator({ $ref: "#/components/schemas/Error" })(error)).toBe(true);
  });
});

describe("errors", () => {
  const statusOf = (path: string) =>
    Object.keys(operations.find(([each]) => each === path)?.[1].responses ?? {});

  test("every endpoint has every status, except that 404 is only for those that select one record", () => {
    const always = ["200", "304", "400", "408", "412", "414", "429", "500", "503"];
    const withRecord = [...always, "404"].sort();
    for (const [path] of operations) {
      const selects = ["/product", "/blog", "/forum"].includes(path);
      expect([path, statusOf(path)]).toEqual([path, selects ? withRecord : always]);
    }
    const undescribed = Object.values(ERROR_STATUS).filter((status) => !withRecord.includes(`${status}`));
    expect(undescribed).toEqual([405]);
  });

  test("their examples are valid, and the example of 429 is the sent body, byte for byte", () => {
    for (const response of Object.values(document.components.responses) as Response[]) {
      const media = response.content?.["application/json"];
      for (const { value } of Object.values(media?.examples ?? {})) {
        expect(validator(media?.schema as object)(value)).toBe(true);
      }
    }
    const limited = resolve(document, "#/components/responses/TooManyRequests");
    expect(JSON.stringify(collect(limited, "value")[0])).toBe(
      '{"success":false,"error":{"code":"rate_limited","message":"Too many requests."}}',
    );
    expect(collect(limited, "$ref")).toEqual(
      expect.arrayContaining(
        ["X-RateLimit-Limit", "X-RateLimit-Window", "Retry-After"].map((n) => `#/components/headers/${n}`),
      ),
    );
  });

  test("another rate limit changes headers, message and description", () => {
    const rateLimit = { requests: 7, windowSeconds: 11, message: "Slow down." };
    const other = openApiDocument({ ...OPTIONS, rateLimit });
    expect(resolve(other, "#/components/headers/X-RateLimit-Limit/example")).toBe(7);
    expect(resolve(other, "#/components/headers/X-RateLimit-Window/example")).toBe(11);
    expect(JSON.stringify(other.components.responses)).toContain("Slow down.");
    expect(resolve(other, "#/info/description")).toContain("7 requests per 11 seconds");
  });
});

describe("the document", () => {
  const few = openApiDocument({ ...OPTIONS, endpoints: ENDPOINTS.filter(({ path }) => path === "store") });

  test.each([
    ["all endpoints", document],
    ["one endpoint", few],
  ])("with %s: every reference resolves, every component is used, every tag is declared", (_, doc) => {
    const refs = new Set(collect(doc, "$ref") as string[]);
    for (const ref of refs) expect([ref, typeof resolve(doc, ref)]).toEqual([ref, "object"]);
    const components = Object.entries(doc.components).flatMap(([group, all]) =>
      Object.keys(all).map((name) => `#/components/${group}/${name}`),
    );
    expect(components.sort()).toEqual([...refs].sort());
    const tags = new Set(Object.values(doc.paths).flatMap(({ get: { tags } }) => tags as string[]));
    expect(doc.tags.map(({ name }) => name).sort()).toEqual([...tags].sort());
  });

  test("generators make no two types with one name", () => {
    const pascal = (name: string) =>
      name
        .split(/[^A-Za-z0-9]/)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join("");
    const components = Object.values(document.components).flatMap((group) => Object.keys(group).map(pascal));
    const ids = operations.map(([, { operationId }]) => pascal(operationId));
    // Their names for an operation's types begin with its id: `SearchResult`, `SearchParams`, `Search200`.
    const begunByOperation = ids.flatMap((id) =>
      [...components, ...ids].filter((name) => name !== id && name.startsWith(id)).map((name) => [id, name]),
    );
    expect(begunByOperation).toEqual([]);
    expect(ids.filter((id) => components.includes(id))).toEqual([]);
    // And those for what has no name itself, with the schema's name: `ProductPricing` for `pricing` of `Product`.
    const nested = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      collect(schema, "properties").flatMap((properties) =>
        Object.keys(properties as object).map((field) => name + pascal(field)),
      ),
    );
    expect(nested.filter((name) => components.includes(name))).toEqual([]);
    // Files are named by types, and some disks know no case.
    const names = [...new Set([...components, ...ids])];
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test("only enabled endpoints appear", () => {
    expect(Object.keys(few.paths)).toEqual(["/store"]);
    expect(Object.keys(few.components.schemas)).toEqual(["Store", "Widget", "Meta", "Error"]);
    expect(few.components.responses).not.toHaveProperty("NotFound");
  });

  test("is the same each time, and is plain JSON", () => {
    const again = openApiDocument(OPTIONS);
    expect(again).toEqual(document);
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test("an unknown endpoint is refused", () => {
    const endpoint = { path: "gifts", purpose: "Gifts", params: [] };
    expect(() => openApiDocument({ ...OPTIONS, endpoints: [endpoint] })).toThrow("/gifts");
  });
});
