import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENDPOINTS, type Endpoint, type Param } from "../../src/api/endpoints.ts";
import { canonicalKey, keyOf, queryOfKey, targetKey, targetOf } from "../../src/key/key.ts";
import { findEndpoint, readQuery, splitTarget } from "../../src/key/query.ts";
import { readSearchText } from "../../src/serve/answer.ts";
import { anyCharacter } from "../support/any-character.ts";

describe("canonicalKey", () => {
  const cases: readonly (readonly [target: string, key: string | null])[] = [
    ["/api/v1", "api/v1/index.json"],
    ["/api/v1/", "api/v1/index.json"],
    ["/api/v1//", null],
    ["//api/v1/store", null],
    ["/api/v1/store", "api/v1/store.json"],
    ["/api/v1/store/", "api/v1/store.json"],
    ["/api/v1/store//", null],
    ["/api/v1/%73tore", "api/v1/store.json"],
    ["/api/v1%2fstore", null],
    ["/api/v2/store", null],
    ["/api/v1/nothing", null],
    ["/api/v1/openapi.json", "api/v1/openapi.json"],
    ["/widgets/reviews.js", "widgets/reviews.js"],
    ["/widgets/reviews.js?v=2", "widgets/reviews.js"],
    ["/widgets/client.js", "widgets/client.js"],
    ["/widgets/../api/v1/store", null],
    ["/api/v1/products", "api/v1/products/page=1.json"],
    ["/api/v1/products?", "api/v1/products/page=1.json"],
    ["/api/v1/products?page=2&category=Scripts", "api/v1/products/category=scripts/page=2.json"],
    [
      "/api/v1/products?sort=price_asc&page=2&status=published&category=scripts",
      "api/v1/products/category=scripts/status=published/sort=price_asc/page=2.json",
    ],
    ["/api/v1/products?sort=newest&per_page=20&page=01", "api/v1/products/page=1.json"],
    ["/api/v1/products?per_page=1000", "api/v1/products/per_page=100/page=1.json"],
    ["/api/v1/products?per_page=99999999999999999999", "api/v1/products/per_page=100/page=1.json"],
    ["/api/v1/products?page=99999999999999999999", null],
    ["/api/v1/products?page=0", null],
    ["/api/v1/products?page=1%0A", null],
    ["/api/v1/products?page=-1", null],
    ["/api/v1/products?page=1.0", null],
    ["/api/v1/products?featured=YES", "api/v1/products/featured=1/page=1.json"],
    ["/api/v1/products?featured=off", "api/v1/products/featured=0/page=1.json"],
    ["/api/v1/products?featured", "api/v1/products/page=1.json"],
    ["/api/v1/products?featured=maybe", null],
    ["/api/v1/products?min_price=0", "api/v1/products/page=1.json"],
    ["/api/v1/products?min_price=0.00", "api/v1/products/page=1.json"],
    ["/api/v1/products?min_price=5", null],
    ["/api/v1/products?search=kit", null],
    ["/api/v1/products?search=", "api/v1/products/page=1.json"],
    ["/api/v1/products?sort=relevance", null],
    ["/api/v1/products?colour=red", null],
    ["/api/v1/products?category=a&category=a", null],
    ["/api/v1/products?utm_source=x&_=17&fbclid=1&gclid=2", "api/v1/products/page=1.json"],
    ["/api/v1/products?__proto__=1&constructor=2", null],
    ["/api/v1/products?__proto__=1", "api/v1/products/page=1.json"],
    ["/api/v1/products?cat%65gory=a", "api/v1/products/category=a/page=1.json"],
    ["/api/v1/products?category=%zz", null],
    ["/api/v1/products?category=%ff", null],
    ["/api/v1/products?category=..", null],
    ["/api/v1/products?category=a%2f..%2fb", null],
    ["/api/v1/products#category=a", "api/v1/products/page=1.json"],
    ["http://shop.test/api/v1/store", "api/v1/store.json"],
    ["http://shop.test", null],
    ["/api/v1/product", null],
    ["/api/v1/product?slug=Invoice-Kit", "api/v1/product/slug=invoice-kit.json"],
    ["/api/v1/product?id=0012", "api/v1/product/id=12.json"],
    ["/api/v1/reviews?limit=5", "api/v1/reviews/per_page=5/page=1.json"],
    ["/api/v1/reviews?limit=5&per_page=10", "api/v1/reviews/per_page=10/page=1.json"],
    ["/api/v1/reviews?limit=abc&per_page=7", null],
    ["/api/v1/reviews?per_page=7&limit=0", null],
    ["/api/v1/reviews?limit=5&limit=6&per_page=7", null],
    ["/api/v1/reviews?limit=5&per_page=", "api/v1/reviews/per_page=5/page=1.json"],
    ["/api/v1/reviews?min_rating=1", "api/v1/reviews/page=1.json"],
    ["/api/v1/reviews?rating=6", null],
    [
      "/api/v1/reviews?min_rating=4&product_slug=invoice-kit",
      "api/v1/reviews/product_slug=invoice-kit/min_rating=4/page=1.json",
    ],
    ["/api/v1/faqs", "api/v1/faqs.json"],
    ["/api/v1/faqs?limit=100", "api/v1/faqs.json"],
    ["/api/v1/faqs?limit=7&type=licensing", "api/v1/faqs/type=licensing/limit=7.json"],
    ["/api/v1/blog?slug=a&page=0&q=", "api/v1/blog/slug=a.json"],
    ["/api/v1/blog?slug=a&nonsense=1", null],
    ["/api/v1/forum?solved=true", "api/v1/forum/solved=1/page=1.json"],
    ["/api/v1/search", null],
    ["/api/v1/search?q=kit", null],
  ];
  it.each(cases)("%s → %s", (target, key) => {
    expect(targetKey(target)).toBe(key);
  });

  it("has no file for a slug that is too long", () => {
    expect(canonicalKey("/api/v1/products", `category=${"a".repeat(150)}`)).not.toBeNull();
    expect(canonicalKey("/api/v1/products", `category=${"a".repeat(151)}`)).toBeNull();
  });
});

describe("readQuery", () => {
  const problemsOf = (target: string) => {
    const { path, query } = splitTarget(target);
    return readQuery(findEndpoint(path) as Endpoint, query, readSearchText).problems.map(
      ({ kind, name }) => `${kind} ${name}`,
    );
  };
  it("reports all problems: unknown names, then parameters in the contract's order", () => {
    expect(problemsOf("/api/v1/products?page=0&colour=1&sort=up&status=gone&category=a&category=b")).toEqual([
      "unknown colour",
      "malformed page",
      "repeated category",
      "malformed status",
      "malformed sort",
    ]);
  });
  it("says which parameters are missing", () => {
    expect(problemsOf("/api/v1/product")).toEqual(["missing slug or id"]);
    expect(problemsOf("/api/v1/search?q=")).toEqual(["missing q"]);
    expect(problemsOf("/api/v1/search?q=%20")).toEqual(["malformed q"]);
  });
  it("accepts relevance as a sort only with a search text, where it is the default", () => {
    expect(problemsOf("/api/v1/products?sort=relevance")).toEqual(["malformed sort"]);
    expect(problemsOf("/api/v1/products?sort=relevance&search=kit")).toEqual([]);
    expect(fullKey("/api/v1/products?sort=relevance&search=kit")).toBe(
      fullKey("/api/v1/products?search=KIT"),
    );
    expect(fullKey("/api/v1/products?sort=newest&search=kit")).toBe(
      "api/v1/products/search=kit/sort=newest/page=1.json",
    );
  });
  it("normalises a search text: lower case, composed accents, single spaces", () => {
    const key = "api/v1/search/q=caf!c3!a9!20menu/page=1.json";
    expect(fullKey("/api/v1/search?q=+Caf%C3%A9++Menu")).toBe(key);
    expect(fullKey("/api/v1/search?q=cafe%CC%81%20MENU")).toBe(key);
  });
});

function fullKey(target: string): string | null {
  const { path, query } = splitTarget(target);
  const endpoint = findEndpoint(path);
  if (endpoint === null) return null;
  const read = readQuery(endpoint, query, readSearchText);
  return read.problems.length > 0 ? null : keyOf(read.query);
}

/** A canonical value of a parameter. */
function valueArbitrary(param: Param): fc.Arbitrary<string> {
  if (param.kind === "flag") return fc.constantFrom("0", "1");
  if (param.kind === "choice") return fc.constantFrom(...(param.values ?? []));
  if (param.kind === "integer")
    return fc.integer({ min: param.min ?? 1, max: Math.min(param.max ?? 5, param.clamp ?? 1e9) }).map(String);
  if (param.kind === "price") return fc.integer({ min: 0, max: 1e6 }).map((cents) => String(cents / 100));
  const letters = (unit: string, maxLength: number) =>
    fc.array(fc.constantFrom(...unit), { maxLength }).map((list) => list.join(""));
  if (param.kind === "text") return letters("abcxyz ", 9).map((text) => `k${text.replace(/ +/g, " ")}t`);
  return letters("abz019._-", 9).map((text) => `s${text}`);
}

const requests = fc.constantFrom(...ENDPOINTS).chain((endpoint) => {
  const names = endpoint.params.filter((param) => param.aliasOf === undefined);
  return fc
    .tuple(...names.map((param) => fc.option(valueArbitrary(param), { nil: undefined })))
    .map((values) => ({
      endpoint,
      pairs: names.flatMap((param, at) =>
        values[at] === undefined ? [] : [[param.name, values[at]] as const],
      ),
    }));
});

function targetWith(endpoint: Endpoint, pairs: readonly (readonly [string, string])[]): string {
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `/api/v1/${endpoint.path}?${query}`;
}

/** Writes a request in another way with the same meaning. */
function disguise(endpoint: Endpoint, pairs: readonly (readonly [string, string])[], seed: number): string {
  const spelled = pairs.map(([name, value], at) => {
    const param = endpoint.params.find((candidate) => candidate.name === name);
    const turn = (seed + at) % 3;
    const flagWords = value === "1" ? ["true", "YES", "on"] : ["False", "no", "OFF"];
    let text = encodeURIComponent(value);
    if (param?.kind === "flag") text = flagWords[turn] ?? text;
    else if (param?.kind === "integer" && turn > 0) text = `00${value}`;
    else if (param?.kind === "slug" && turn > 0) text = value.toUpperCase();
    else if (param?.kind === "text" && turn > 0) text = `%20${text.toUpperCase().replaceAll("%20", "+")}+`;
    else if (turn === 1) text = [...value].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
    return `${name}=${text}`;
  });
  const rotated = [
    ...spelled.slice(seed % (spelled.length || 1)),
    ...spelled.slice(0, seed % (spelled.length || 1)),
  ];
  const slash = seed % 2 === 0 && endpoint.path !== "" ? "/" : "";
  return `/api/v1/${endpoint.path}${slash}?_=${seed}&${rotated.join("&")}&utm_medium=x`;
}

describe("the key, by properties", () => {
  it("is the same for equivalent requests", () => {
    fc.assert(
      fc.property(requests, fc.nat(99), ({ endpoint, pairs }, seed) => {
        expect(fullKey(disguise(endpoint, pairs, seed))).toBe(fullKey(targetWith(endpoint, pairs)));
      }),
      { numRuns: 1000 },
    );
  });

  it("is canonical: the request made from it has the same key", () => {
    fc.assert(
      fc.property(requests, ({ endpoint, pairs }) => {
        const key = fullKey(targetWith(endpoint, pairs));
        fc.pre(key !== null);
        const query = queryOfKey(key);
        expect(query).not.toBeNull();
        if (query !== null) expect(fullKey(targetOf(query))).toBe(key);
      }),
      { numRuns: 1000 },
    );
  });

  it("differs for different requests", () => {
    const meaning = (endpoint: Endpoint, pairs: readonly (readonly [string, string])[]) => {
      const given = pairs.filter(([name, value]) => {
        const param = endpoint.params.find((candidate) => candidate.name === name);
        return (
          value !== (withText(endpoint, pairs) ? (param?.textDefault ?? param?.default) : param?.default)
        );
      });
      const selected = given.filter(
        ([name]) => endpoint.params.find((param) => param.name === name)?.selects,
      );
      return JSON.stringify([endpoint.path, selected.length > 0 ? selected : given]);
    };
    fc.assert(
      fc.property(requests, requests, (a, b) => {
        const [keyA, keyB] = [
          fullKey(targetWith(a.endpoint, a.pairs)),
          fullKey(targetWith(b.endpoint, b.pairs)),
        ];
        fc.pre(keyA !== null && keyB !== null);
        expect(keyA === keyB).toBe(meaning(a.endpoint, a.pairs) === meaning(b.endpoint, b.pairs));
      }),
      { numRuns: 2000 },
    );
  });

  it("never leaves the folder and never throws, whatever the request", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        for (const target of [
          text,
          `/api/v1/products?${text}`,
          `/api/v1/${text}`,
          `/api/v1/faqs?type=${text}`,
        ]) {
          const key = targetKey(target);
          if (key !== null) expect(key).toMatch(/^(api\/v1\/[a-z0-9._=!/-]+\.json|widgets\/reviews\.js)$/);
          if (key !== null) expect(key.split("/")).not.toContain("..");
        }
      }),
      { numRuns: 2000 },
    );
  });
});

function withText(endpoint: Endpoint, pairs: readonly (readonly [string, string])[]): boolean {
  return pairs.some(([name]) => endpoint.params.find((param) => param.name === name)?.kind === "text");
}
