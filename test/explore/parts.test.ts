/** What the explorer computes without a browser: addresses and samples; and what it weighs. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hrefOf, parseRoute, titleOf, valuesOf } from "../../src/explore/route.ts";
import { sampleOf } from "../../src/explore/samples.ts";
import { fileOf, restFrom, restOf, soughtIn } from "../../src/explore/target.ts";

describe("the data of a first visit", () => {
  it("is under 40 kB, compressed", () => {
    const folder = "dist/public/explore";
    const files = readdirSync(folder).map(
      (name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length,
    );
    expect(files).toHaveLength(3);
    expect(files.reduce((sum, size) => sum + size)).toBeLessThan(40_000);
  });
});

describe("the page's address", () => {
  it("is the same after a round trip, and starts with the home view", () => {
    for (const hash of ["", "#", "#/"]) expect(parseRoute(hash).path).toEqual(["home"]);
    const href = hrefOf(["product", "a b/ü"], { tab: "reviews", page: 2, sort: "", rating: null });
    expect(href).toBe("#/product/a%20b%2F%C3%BC?tab=reviews&page=2");
    const { path, query } = parseRoute(href);
    expect([path, valuesOf(query)]).toEqual([["product", "a b/ü"], { tab: "reviews", page: "2" }]);
    expect(parseRoute("#/product/%E0%A4%A").path).toEqual(["product", "%E0%A4%A"]);
  });
});

describe("the document's title", () => {
  it.each([
    ["Products", "", "", "Products"],
    ["Products", "", "Northlight", "Products · Northlight"],
    ["Products", "category=scripts&page=2", "Northlight", "Products, category scripts, page 2 · Northlight"],
    ["Invoice Kit", "tab=reviews&rating=5", "Northlight", "Invoice Kit, reviews, rating 5 · Northlight"],
    ["/products", "path=products%3Fsort%3Drating", "Northlight", "/products?sort=rating · Northlight"],
  ])("of %s with %s in %j is %s", (heading, query, shop, title) => {
    expect(titleOf(heading, new URLSearchParams(query), shop)).toBe(title);
  });
});

describe("a request", () => {
  it("has its parameters in the API's order, and unknown ones last", () => {
    expect(restOf("products", { sort: "rating", x: "1", category: "scripts" })).toBe(
      "products?category=scripts&sort=rating&x=1",
    );
    expect(restOf("store", {})).toBe("store");
  });

  it("can be typed or pasted with or without the address before it", () => {
    const base = "https://shop.example/api/v1";
    const typed = [
      "products?page=2",
      "/products?page=2",
      "/api/v1/products?page=2",
      `${base}/products?page=2#x`,
    ];
    expect(new Set(typed.map((text) => restFrom(` ${text} `, base)))).toEqual(new Set(["products?page=2"]));
    expect([restFrom("/", base), restFrom(base, base)]).toEqual(["", ""]);
  });

  it("has its file, or the reason why it has no file", () => {
    expect(fileOf("")).toEqual({ key: "index.json", reason: "", free: null, isList: false });
    expect(fileOf("products?sort=rating").key).toBe("products/sort=rating/page=1.json");
    expect(fileOf("products?search=kit").reason).toBe("a search text has no file");
    expect(fileOf("products?min_price=2").reason).toBe("a price bound has no file");
    expect(fileOf("products?categry=x").reason).toBe("the request is not valid");
    expect(fileOf("gifts").reason).toBe("the endpoint does not exist");
    expect(fileOf("products?search=kit&min_price=2").free?.names).toEqual(["search"]);
    expect(fileOf("products?min_price=1&max_price=2").free?.names).toEqual(["min_price", "max_price"]);
    expect(fileOf("search?q=kit").free?.canGo).toBe(false);
    const lists = ["products?page=99", "blog?slug=a", "product?slug=a", "products?page=x"];
    expect(lists.map((rest) => fileOf(rest).isList)).toEqual([true, false, false, false]);
  });

  it("may have a search text", () => {
    expect(
      ["products?page=2&search=a+b", "search?q=%C3%BC", "forum?q=x?y", "products", ""].map(soughtIn),
    ).toEqual(["a b", "ü", "x?y", "", ""]);
  });

  it("can be pasted into a shell with any characters", () => {
    const url = "https://shop.example/api/v1/products?search=it's%20$(rm)`x`";
    const { stdout } = spawnSync("sh", ["-c", sampleOf("curl", url).replace("curl", "printf %s")], {
      encoding: "utf8",
    });
    expect(stdout).toBe(url);
  });
});
