/** The tools' own schemas: what one allows is answered, and what it refuses the API refuses, too. */
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { questionOf, toolsOf } from "../../src/mcp/tools.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";

interface Schema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

let catalog: Catalog;
beforeAll(() => {
  catalog = openCatalog(join(sharedSnapshot("demo"), "catalog.sqlite"));
});
afterAll(() => catalog.close());

const tools = toolsOf(ENDPOINTS.map(({ path }) => path));
const ajv = new Ajv2020({ strict: false });
const isAllowed = (name: string) =>
  ajv.compile(tools.find((tool) => tool.name === name)?.inputSchema ?? false);

function statusOf(name: string, given: Readonly<Record<string, unknown>>): number {
  const question = questionOf(name, given);
  if (typeof question === "string") return 400;
  return answerTarget(catalog, question.target).status;
}

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  // Longer once it is normalised, nothing once it is trimmed, halves of characters.
  fc.constantFrom(
    "ﷺ".repeat(200),
    "½".repeat(200),
    "😀".repeat(200),
    " \u3000",
    "\u0001",
    "",
    "\ud800",
    "kit™",
  ),
);

function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, enum: values, pattern, minimum = 0, maximum = 0 } = schema;
  if (type === "boolean") return fc.boolean();
  if (type === "integer")
    return fc
      .oneof(fc.maxSafeInteger(), fc.constantFrom(minimum, maximum), fc.nat(30))
      .filter((value) => value >= minimum && value <= maximum);
  if (type === "number")
    return fc.oneof(
      fc.double({ min: minimum, max: maximum, noNaN: true }),
      fc.constantFrom(minimum, maximum, 1e-7, 19.99, 1.005, 999_999_999_998.999),
    );
  if (values !== undefined) return fc.constantFrom(...values);
  return pattern === undefined ? text : fc.stringMatching(new RegExp(pattern));
}

describe.each(tools.map(({ name, inputSchema }) => [name, inputSchema] as const))(
  "%s",
  (name, { properties }) => {
    const all = Object.entries(properties as Record<string, Schema>);

    it("answers all arguments that its schema allows", () => {
      const allowed = isAllowed(name);
      const arbitrary = fc.record(
        Object.fromEntries(all.map(([param, schema]) => [param, valuesOf(schema)])),
        { requiredKeys: [] },
      );
      fc.assert(
        fc.property(
          arbitrary.filter((given) => allowed(given)),
          (given) => {
            expect([given, [200, 404].includes(statusOf(name, given))]).toEqual([given, true]);
          },
        ),
        { numRuns: 400 },
      );
    });

    it("allows no argument that the API has no parameter for", () => {
      expect(isAllowed(name)({ colour: "red" })).toBe(false);
      expect(statusOf(name, { colour: "red" })).toBe(400);
    });

    it("has properties only at the top, and no default that depends on another argument", () => {
      const schema = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
      expect(Object.keys(schema)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:any|one|all)Of$/)]),
      );
      for (const [param, { default: value }] of Object.entries(properties) as [
        string,
        { default?: unknown },
      ][])
        expect([param, value]).toEqual([param, param === "per_page" ? 10 : undefined]);
    });
  },
);

it("relevance without a search is the default order, and with one the best first", () => {
  const target = (given: object) =>
    (questionOf("search_products", { ...given }) as { target: string }).target;
  expect(target({ sort: "relevance" })).toBe("/api/v1/products?per_page=10");
  expect(target({ sort: "relevance", search: " " })).toBe("/api/v1/products?per_page=10");
  expect(target({ sort: "relevance", search: "kit" })).toContain("sort=relevance");
});

it("a product needs its slug or its id", () => {
  expect([{}, { slug: "x" }, { id: 1 }].map((given) => isAllowed("get_product")(given))).toEqual([
    false,
    true,
    true,
  ]);
});
