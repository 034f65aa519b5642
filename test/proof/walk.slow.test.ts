import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { resourceOf } from "../../src/catalog/resources.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { allRecords, type Fields, modelList, ORDERS, TESTS } from "./model.ts";

let catalog: Catalog;
const records = new Map<string, ReturnType<typeof allRecords>>();

beforeAll(() => {
  catalog = openCatalog(layoutOf(sharedSnapshot("sizes")).catalog);
  for (const path of Object.keys(TESTS)) {
    const resource = resourceOf(path);
    if (resource !== undefined) records.set(path, allRecords(catalog, resource.name));
  }
});

afterAll(() => catalog.close());

interface Answer {
  readonly data: Fields[];
  readonly pagination: { page: number; per_page: number; total: number; total_pages: number };
}

function get(path: string, params: Readonly<Record<string, string>>): Answer {
  const answer = answerTarget(catalog, `/api/v1/${path}?${new URLSearchParams(params)}`);
  expect(answer.status, answer.body.toString()).toBe(200);
  return JSON.parse(answer.body.toString()) as Answer;
}

/** Values to ask for: those of some records, and a few that no record has. */
function valuesOf(path: string, param: string): string[] {
  if (param.endsWith("_price")) return ["0.01", "19", "29.99", "49.5", "79", "150", "99999"];
  if (["coming_soon", "preorder", "solved"].includes(param)) return ["0", "1"];
  if (param.endsWith("rating")) return ["1", "2", "3", "4", "5"];
  const fields: Readonly<Record<string, string>> = { category: "category.slug", subforum: "subforum.slug" };
  const found = (records.get(path) ?? []).map(({ record }) =>
    (fields[param] ?? param)
      .split(".")
      .reduce<unknown>((value, name) => (value as Fields | null)?.[name], record),
  );
  const known = [
    ...new Set(found.filter((value) => value !== null && value !== undefined).map(String)),
  ].slice(0, 40);
  return param === "status" ? known : [...known, param.endsWith("_id") ? "987654321" : "no-such-value"];
}

const questions = fc.constantFrom(...Object.keys(TESTS)).chain((path) => {
  const params = Object.keys(TESTS[path] ?? {});
  return fc
    .record({
      params: fc.subarray(params, { maxLength: Math.min(4, params.length) }),
      picks: fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 }),
      sort: fc.constantFrom(...Object.keys(ORDERS[path] ?? {})),
      perPage: fc.constantFrom(1, 3, 7, 20, 64, 100),
    })
    .map((question) => ({ path, ...question }));
});

describe("reading all pages of any filter", () => {
  it("gives each matching record once, in the declared order, as many as total says", () => {
    fc.assert(
      fc.property(questions, ({ path, params, picks, sort, perPage }) => {
        const filters: Record<string, string> = {};
        params.forEach((param, at) => {
          const values = valuesOf(path, param);
          filters[param] = values[(picks[at] ?? 0) % values.length] ?? "";
        });
        const expected = modelList(records.get(path) ?? [], path, filters, sort);
        // All pages of a short list; of a long one its ends and some between.
        const pages = Math.ceil(expected.length / perPage);
        const chosen = [...new Set([1, 2, pages >> 1, pages - 1, pages, pages + 1])].filter(
          (page) => page > 0,
        );
        const walked = pages <= 30 ? Array.from({ length: pages + 1 }, (_, at) => at + 1) : chosen;
        for (const page of walked) {
          const asked = {
            ...filters,
            ...(sort === "" ? {} : { sort }),
            per_page: String(perPage),
            page: String(page),
          };
          const { data, pagination } = get(path, asked);
          expect(pagination).toEqual({ page, per_page: perPage, total: expected.length, total_pages: pages });
          expect(data).toEqual(expected.slice((page - 1) * perPage, page * perPage));
        }
      }),
      { numRuns: 400 },
    );
  });

  it("sorts titles without regard to case and accents, and ratings by their Bayesian average, without losing a record", () => {
    const titles = walk("title_asc").map((record) => String(record["title"]));
    const plain = (title: string) => title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    const latin = titles
      .filter((title) => /^[\u0020-\u024f]+$/u.test(title) && !/[ßæøłđ]/iu.test(title))
      .map(plain);
    expect(latin).toEqual(latin.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    const all = (records.get("products") ?? []).map(({ record }) => record);
    const reviews = (records.get("reviews") ?? []).map(({ record }) => record);
    const sum = reviews.reduce((all, review) => all + Number(review["rating"]), 0);
    const mean = Math.round((sum / reviews.length) * 10) / 10;
    const score = (record: Fields) => {
      const own = reviews.filter((review) => review["product_id"] === record["id"]);
      return (mean * 10 + own.reduce((sum, review) => sum + Number(review["rating"]), 0)) / (10 + own.length);
    };
    const ranked = walk("rating").slice(0, 300).map(score);
    for (let i = 1; i < ranked.length; i++)
      expect(ranked[i]).toBeLessThanOrEqual((ranked[i - 1] ?? 0) + 1e-9);
    for (const sort of ["title_asc", "title_desc", "rating"]) {
      expect(
        walk(sort)
          .map((record) => record["id"])
          .toSorted(),
      ).toEqual(all.map((record) => record["id"]).toSorted());
    }
  });
});

function walk(sort: string): Fields[] {
  const first = get("products", { sort, per_page: "100" });
  const found = [...first.data];
  for (let page = 2; page <= first.pagination.total_pages; page++) {
    found.push(...get("products", { sort, per_page: "100", page: String(page) }).data);
  }
  return found;
}
