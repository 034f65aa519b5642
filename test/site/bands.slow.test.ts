import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AUTO, type PublicConfig } from "../../src/api/config.ts";
import { API_PATH, ASSETS } from "../../src/api/endpoints.ts";
import { answerQuery } from "../../src/catalog/answer.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { stampBody } from "../../src/catalog/envelope.ts";
import { hasFile } from "../../src/catalog/files.ts";
import { queryOfKey, targetOf } from "../../src/key/key.ts";
import { paramIndex } from "../../src/key/query.ts";
import { extractTemporarily } from "../../src/pipeline/plan.ts";
import { readRequest } from "../../src/serve/answer.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { type Band, deepestPage } from "../../src/site/bands.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { type Plan, planCatalog, shapesOf } from "../../src/site/plan.ts";
import { leftOutKinds, summarise } from "../../src/site/plan-summary.ts";
import { siteFiles } from "../../src/site/site.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { weighPlan } from "../../src/site/weigh.ts";
import { inputsOf, makeAll } from "../support/made-files.ts";
import {
  buildQuietly,
  DEMO_CONFIG,
  demoInputs,
  sharedStore,
  smallStore,
  temporaryFolder,
  withoutTime,
} from "../support/shop.ts";

/** The threshold of `grid.pages: "auto"`, small enough for the demo in the tests that need it. */
const usual = { ...AUTO };
afterEach(() => {
  Object.assign(AUTO, usual);
});

/** A snapshot of answers only. */
const NO_FILES = { count: () => 0, files: () => [] };

const planOf = (catalog: Catalog): Plan => planCatalog(inputsOf(catalog));

const folder = temporaryFolder();
const out = join(folder, "out");
let catalog: Catalog;
/** Of a smaller shop, for what makes many snapshots. */
let small: Catalog;

beforeAll(async () => {
  const config = { ...DEMO_CONFIG, grid: { ...DEMO_CONFIG.grid, depth: 1, pages: 2 } };
  await buildQuietly(demoInputs(sharedStore(150), out, { config }));
  catalog = openCatalog(layoutOf(out).catalog);
  await extractTemporarily(demoInputs(smallStore(), folder), join(folder, "small.sqlite"));
  small = openCatalog(join(folder, "small.sqlite"));
});

afterAll(() => {
  catalog.close();
  small.close();
});

function withGrid(
  grid: Partial<PublicConfig["grid"]>,
  pageSizes: readonly number[] = [],
  of = catalog,
): Catalog {
  const config = { ...DEMO_CONFIG, pageSizes: [...pageSizes], grid: { ...DEMO_CONFIG.grid, ...grid } };
  return { ...of, config };
}

/** The content of a rendered plan, by key; links have their body's. */
function rendered(from: Catalog, plan: Plan): Map<string, string> {
  const made = makeAll(siteFiles(inputsOf(from), plan, NO_FILES, "templates/widgets"));
  return new Map([...made].map(([key, bytes]) => [key, bytes.toString()]));
}

/** Page numbers of each list. */
function pagesByList(keys: Iterable<string>): Map<string, number[]> {
  const lists = new Map<string, number[]>();
  for (const key of keys) {
    const [, list, page] = /^(.*)\/page=(\d+)\.json$/.exec(key) ?? [];
    if (list !== undefined) lists.set(list, [...(lists.get(list) ?? []), Number(page)]);
  }
  return lists;
}

const grids = fc.record({
  maxFiles: fc.integer({ min: 100, max: 5000 }),
  depth: fc.integer({ min: 0, max: 3 }),
  pages: fc.option(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom("auto", "all")), {
    nil: undefined,
  }),
  pageSizes: fc.subarray([1, 7, 100]),
  autoFiles: fc.constantFrom(500, 3000, 25_000),
  autoPages: fc.integer({ min: 1, max: 4 }),
});

describe("the grid's bands", () => {
  it("keep any limit, leave no gap in a list, and give the same bytes as the fallback", () => {
    fc.assert(
      fc.property(grids, ({ maxFiles, depth, pages, pageSizes, autoFiles, autoPages }) => {
        Object.assign(AUTO, { files: autoFiles, pages: autoPages });
        const whole = planOf(withGrid({ maxFiles: 1e9, depth, pages: "all" }, pageSizes, small)).files;
        const isAuto = pages === undefined || pages === "auto";
        const most = isAuto && whole > autoFiles ? autoPages : typeof pages === "number" ? pages : Infinity;
        const grid = { maxFiles, depth, ...(pages === undefined ? {} : { pages }) };
        const from = withGrid(grid, pageSizes, small);
        const plan = planOf(from);
        const made = rendered(from, plan);
        expect(made.size).toBe(plan.files);
        expect(plan.files).toBeLessThanOrEqual(maxFiles);
        expect([plan.wholeFiles, plan.deepestPage]).toEqual([whole, most]);
        for (const [list, numbers] of pagesByList(made.keys())) {
          const last = Math.max(...numbers);
          expect(numbers.length, list).toBe(last);
          expect(last).toBeLessThanOrEqual(most);
        }
        for (const [key, content] of made) {
          const query = queryOfKey(key);
          if (query === null) expect(ASSETS).toContain(key);
          else {
            const body = answerQuery(from, query);
            if (body === null || stampBody(body, "-").toString() !== content) expect.fail(key);
          }
        }
      }),
      { numRuns: 16 },
    );
  });

  it("tell a fallback which addresses have a file, and no others", () => {
    const all = [...rendered(withGrid({}, [7], small), planOf(withGrid({}, [7], small))).keys()];
    fc.assert(
      fc.property(grids, ({ maxFiles, depth, pages, pageSizes }) => {
        const grid = { maxFiles, depth, ...(pages === undefined ? {} : { pages }) };
        const from = withGrid(grid, pageSizes, small);
        const plan = planOf(from);
        const made = rendered(from, plan);
        const shapes = shapesOf(plan);
        for (const key of new Set([...made.keys(), ...all])) {
          const query = queryOfKey(key);
          if (query !== null) expect(hasFile(shapes, query), key).toBe(made.has(key));
        }
      }),
      { numRuns: 8 },
    );
    const shapes = shapesOf(planOf(withGrid({})));
    for (const query of [
      "search=kit",
      "min_price=5",
      "max_price=5",
      "category=scripts&min_price=5",
      "per_page=33",
    ]) {
      const { read } = readRequest(`${API_PATH}/products?${query}`);
      expect(read === null || hasFile(shapes, read.query), query).toBe(false);
    }
  });

  it("skip what does not fit and continue with what does, except for pages that follow a skipped one", () => {
    for (const maxFiles of [100, 300, 700, 1500, 4000, 12_000]) {
      let files = ASSETS.length;
      const ended = new Set<string>();
      for (const { band, files: own, kept } of planOf(withGrid({ maxFiles })).bands) {
        const name = `${band.form} ${band.family.name}`;
        const goesOn = ended.has(name) || ended.has(`body ${band.family.name}`);
        expect(kept, `${name} from ${band.firstPage}`).toBe(!goesOn && files + own <= maxFiles);
        if (kept) files += own;
        else ended.add(name);
      }
    }
  });

  it("make files of the first pages of plain, filtered and sorted lists before one product's lists and ids", () => {
    const { bands } = planOf(withGrid({}));
    const products = bands.find(({ band }) => band.family.name === "product")?.files;
    // Room for everything before lists with two filters, and no more.
    const room = filesBefore(bands, ({ family }) => "filters" in family && family.filters.length > 1);
    const keys = new Set(rendered(...planned({ maxFiles: room })).keys());
    for (const key of rendered(...planned({})).keys()) {
      const query = queryOfKey(key);
      if (query?.endpoint.path !== "products") continue;
      const asked = query.endpoint.params
        .filter((_, at) => query.values[at] !== null)
        .map(({ name }) => name);
      const plain = asked.filter((name) => name !== "sort").length <= 1 && !asked.includes("page");
      if (plain) expect(keys.has(key), key).toBe(true);
    }
    expect([...keys].filter((key) => key.includes("/product/slug=")).length).toBe(products);
    expect([...keys].filter((key) => /product(_id|\/id)=/.test(key))).toEqual([]);
  });

  it("leave out ids before slugs, for details and for one product's lists", () => {
    const { bands } = planOf(withGrid({}));
    const room = filesBefore(bands, ({ form }) => form === "link");
    const keys = [...rendered(...planned({ maxFiles: room })).keys()];
    const having = (part: string) => keys.filter((key) => key.includes(part)).length;
    expect([having("/product/slug="), having("/product/id=")]).toEqual([
      bands.find(({ band }) => band.form === "link")?.files,
      0,
    ]);
    for (const list of ["reviews", "releases", "faqs"])
      expect([having(`/${list}/product_slug=`) > 0, having(`/${list}/product_id=`)]).toEqual([true, 0]);
  });

  it("are in the order of the design", () => {
    const order = planOf(withGrid({}, [7])).bands.map(
      ({ band: { family, firstPage, form } }) => `${family.name} ${firstPage} ${form}`,
    );
    const places = [
      "status 1 body",
      "product 1 body",
      "products 1 body",
      "products category 1 body",
      "products sort=price_asc 1 body",
      "products category sort=price_asc 1 body",
      "products category type 1 body",
      "products category type sort=price_asc 1 body",
      "products per_page=7 1 body",
      "reviews product_slug 1 body",
      "releases product_slug 1 body",
      "faqs product_slug 1 body",
      "product 1 link",
      "reviews product_slug 1 link",
      "products per_page=7 11 body",
      "reviews product_slug 2 body",
      "reviews product_slug rating 1 body",
    ].map((name) => order.indexOf(name));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

/** Number of files in all bands before the first one like this. */
function filesBefore(bands: Plan["bands"], is: (band: Band) => boolean): number {
  const until = bands.findIndex(({ band }) => is(band));
  return bands.slice(0, until).reduce((sum, { files }) => sum + files, ASSETS.length);
}

function planned(grid: Partial<PublicConfig["grid"]>, of = catalog): [Catalog, Plan] {
  const from = withGrid(grid, [], of);
  return [from, planOf(from)];
}

it("first leaves out one product's lists by a second filter or in another order, and describes them in words", () => {
  const whole = planOf(withGrid({ maxFiles: 1e9, pages: "all" })).files;
  const from = withGrid({ maxFiles: Math.floor(0.9 * whole), pages: "all" });
  const plan = weighPlan(from, planOf(from));
  const kinds = leftOutKinds(plan);
  const narrowed = "one product's reviews, releases and FAQs by a second filter or in another order";
  for (const { what } of kinds) expect([narrowed, `${narrowed}, by the product's id`]).toContain(what);
  expect(kinds.reduce((sum, { files }) => sum + files, plan.files)).toBe(whole);
});

describe("grid.pages", () => {
  it.each([
    [{ pages: undefined, wholeFiles: 25_000 }, Infinity],
    [{ pages: "auto", wholeFiles: 25_000 }, Infinity],
    [{ pages: "auto", wholeFiles: 25_001 }, 10],
    [{ pages: "all", wholeFiles: 250_000 }, Infinity],
    [{ pages: 3, wholeFiles: 100 }, 3],
  ] as const)("%j goes as far as page %d", ({ pages, wholeFiles }, deepest) => {
    const grid = { depth: 2, maxFiles: 250_000, ...(pages === undefined ? {} : { pages }) };
    expect(deepestPage({ ...DEMO_CONFIG, grid }, wholeFiles)).toBe(deepest);
  });

  it('keeps for a shop with more files than "auto" allows the same as if its number of pages had been named', () => {
    Object.assign(AUTO, { files: planOf(withGrid({}, [], small)).wholeFiles - 1, pages: 3 });
    const names = (pages: PublicConfig["grid"]["pages"]) =>
      [...rendered(...planned({ ...(pages === undefined ? {} : { pages }) }, small)).keys()].sort();
    expect(names("auto")).toEqual(names(3));
    expect(names("all").length).toBeGreaterThan(names(3).length);
    Object.assign(AUTO, { files: AUTO.files + 1 });
    expect(names("auto")).toEqual(names("all"));
  });

  it("leaves deeper pages to the fallback, which answers with the same bytes; check passes", async () => {
    const report = await verifySnapshot(layoutOf(out), () => {});
    expect(report.problems).toEqual([]);
    let deeper = 0;
    for (const [key, content] of rendered(...planned({ depth: 1 }))) {
      const query = queryOfKey(key);
      const page = query === null ? -1 : paramIndex(query.endpoint, "page");
      if (
        query === null ||
        Number(query.values[page] ?? 1) <= 2 ||
        !/products\/(sort|page|category)/.test(key)
      )
        continue;
      const target = targetOf(query);
      const answer = answerAtEdge(catalog, layoutOf(out).site, target);
      expect(answer).toMatchObject({ status: 200, source: "fallback", key });
      expect(withoutTime(answer.body)).toBe(withoutTime(Buffer.from(content)));
      expect(existsSync(join(layoutOf(out).site, key))).toBe(false);
      deeper += 1;
    }
    expect(deeper).toBeGreaterThan(50);
  });
});

describe("a plan's summary", () => {
  it("has a line for each endpoint whose numbers add up to the plan, and says what never has files", () => {
    for (const maxFiles of [500, 3000, 250_000]) {
      const from = withGrid({ maxFiles });
      const plan = weighPlan(from, planOf(from));
      const lines = summarise(plan, from.config);
      expect(lines.map(({ endpoint }) => endpoint).sort()).toEqual(
        ["", ...from.config.endpoints].map((path) => `/${path}`).sort(),
      );
      expect(lines.reduce((sum, { files }) => sum + files, ASSETS.length)).toBe(plan.files);
      expect(lines.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(plan.sizeBytes);
      const left = plan.bands.filter(({ kept }) => !kept).reduce((sum, { files }) => sum + files, 0);
      expect(lines.reduce((sum, { leftOut }) => sum + leftOut.pages + leftOut.byId, 0)).toBe(left);
      for (const { files, firstPages, others } of lines)
        expect(firstPages.files + others.pages + others.byId).toBe(files);
      expect(lines.find(({ endpoint }) => endpoint === "/search")?.firstPages.of).toBe(0);
      const first = [...pagesByList(rendered(from, plan).keys())].filter(
        ([list]) => /\/products(\/|$)/.test(list) && !list.includes("product_id"),
      );
      expect(lines.find(({ endpoint }) => endpoint === "/products")?.firstPages.files).toBe(first.length);
    }
  });
});
