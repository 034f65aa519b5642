/** What a process that builds for months must not gather. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, expect, it, vi } from "vitest";
import { createTinyShop } from "../support/tiny-shop.ts";

afterEach(() => vi.restoreAllMocks());

it("compiles no schema of its own for each build: ajv keeps all that it has seen", async () => {
  const compile = vi.spyOn(Ajv2020.prototype, "compile");
  const shop = createTinyShop();
  const seen = async (name: string) => {
    compile.mockClear();
    shop.sql(`UPDATE products SET name = '${name}'`);
    await shop.build("shop");
    return compile.mock.calls.map(([schema]) => schema);
  };
  try {
    const first = await seen("One");
    const second = await seen("Two");
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((schema) => !first.includes(schema))).toEqual([]);
  } finally {
    shop.close();
  }
});
