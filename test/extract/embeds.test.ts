import { beforeAll, describe, expect, it } from "vitest";
import { RECORDS } from "../../src/api/records.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { resourceNamed } from "../../src/catalog/resources.ts";
import { makeDemoCatalog } from "../support/demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
let catalog: Catalog;
beforeAll(async () => {
  catalog = openCatalog(await makeDemoCatalog(folder, 200));
  return () => catalog.close();
});

describe("a record that embeds another", () => {
  it("has no columns and no words of it but those that it names: when others change, only its field does", () => {
    const embedders = RECORDS.filter(({ embeds }) => embeds.length > 0);
    expect(embedders.map(({ name }) => name)).toEqual(["product"]);
    for (const { name, embeds, columns, search, hidden } of embedders) {
      const { detail, list } = catalog.first(resourceNamed(name)) ?? { detail: null, list: "{}" };
      const unseen = Object.fromEntries(Object.keys(hidden).map((field) => [field, 1]));
      const values = { ...JSON.parse(detail ?? list), ...unseen };
      for (const { field, inColumns } of embeds) {
        const other = Object.entries(values[field] as Record<string, unknown>).map(([part, value]) => [
          part,
          inColumns.includes(part) ? value : typeof value === "number" ? value + 1 : `another ${value}`,
        ]);
        const changed = { ...values, [field]: Object.fromEntries(other) };
        const cells = (of: typeof values) => Object.values(columns).map(([, cell]) => cell(of));
        expect(cells(changed)).toEqual(cells(values));
        expect(search?.(changed)).toEqual(search?.(values));
      }
    }
  });
});
