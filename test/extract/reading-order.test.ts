import { afterAll, describe, expect, it } from "vitest";
import { readAllowList } from "../../src/extract/allow-list.ts";
import { openStore } from "../../src/store/open.ts";
import { NOW, smallStore } from "../support/shop.ts";

const queries = readAllowList("templates/queries");
const store = await openStore(smallStore(), NOW, Object.values(queries));

afterAll(() => store.close());

describe("reading Vitrine's own store", () => {
  it.each(["products", "reviews", "faqs", "releases"])(
    "takes %s in the order of their ids, without sorting them",
    async (file) => {
      const query = queries[file];
      const steps = query === undefined ? [] : await store.explain(query);
      expect(steps.length).toBeGreaterThan(1);
      expect(steps.map((step) => step.trim())).not.toContain("USE TEMP B-TREE FOR ORDER BY");
    },
  );
});
