/** One key function everywhere: the same requests give the same keys in every engine that an edge uses. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleEdges } from "../../scripts/edge/bundle.ts";
import type { PublicConfig } from "../../src/api/config.ts";
import { API_PATH, ENDPOINTS } from "../../src/api/endpoints.ts";
import { planEdge } from "../../src/edge/edges.ts";
import { freePort } from "../support/free-port.ts";
import { DEMO_CONFIG, temporaryFolder } from "../support/shop.ts";
import { cloudFront, type Engine, nginx, njs, node, runCloudFront, workerd } from "./support/engines.ts";
import { describeWith } from "./support/tools.ts";

const vectors = JSON.parse(readFileSync("test/edge/vectors.json", "utf8")) as [string, string | null][];
const targets = vectors.map(([target]) => target);
const functionCode = readFileSync("templates/edge/aws/function.js", "utf8");

/** The function in the template that `vitrine edge cloudfront` writes for a shop. */
function writtenFunction(config: PublicConfig): string {
  const fallbacks = ["fallback.shop.example"];
  const settings = {
    config,
    site: "/",
    fallbacks,
    listen: [],
    listenTls: [],
    trusted: [],
    exempt: [],
    brotli: false,
  };
  const readTemplate = (name: string) => readFileSync(`templates/edge/${name}`, "utf8");
  const template = planEdge("cloudfront", settings, readTemplate)[0]?.text ?? "";
  const code = /\n {6}FunctionCode: \|\n((?: {8}.*\n)+)/.exec(template)?.[1] ?? "";
  return code.replace(/^ {8}/gm, "");
}

/** Requests as clients might send them, valid, invalid and in between. */
const names = [...new Set(ENDPOINTS.flatMap(({ params }) => params.map(({ name }) => name)))];
const byte = fc.integer({ min: 0, max: 255 });
const escaped = byte.map((code) => `%${code.toString(16).padStart(2, "0")}`);
const visible = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f);
const letter = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(..."abz019._-AZ") },
  { weight: 2, arbitrary: escaped },
  { weight: 1, arbitrary: visible.map((code) => String.fromCharCode(code)) },
  { weight: 1, arbitrary: fc.constantFrom("%", "%z", "%2f", "/", "&", "=", "?", "+", ";", "#") },
);
const word = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(""));
const value = fc.oneof(
  fc.constantFrom("1", "2", "20", "100", "true", "newest", "oldest", "published", "scripts", "product"),
  word,
);
const pair = fc
  .tuple(fc.oneof(fc.constantFrom(...names), word), value)
  .map(([name, text]) => `${name}=${text}`);
const query = fc
  .array(pair, { maxLength: 5 })
  .map((pairs) => (pairs.length === 0 ? "" : `?${pairs.join("&")}`));
const path = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...ENDPOINTS.map((endpoint) => `${API_PATH}/${endpoint.path}`)) },
  { weight: 1, arbitrary: word.map((text) => `${API_PATH}/${text}`) },
);
const target = fc.tuple(path, query).map((parts) => parts.join(""));

/** Sends the vectors and random requests through one engine. */
function itAgrees(start: () => Promise<Engine>): void {
  let engine: Engine;
  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine.stop());

  it("gives every vector's key", async () => {
    const keys = await engine.keys(targets);
    expect(keys.map((key, at) => [targets[at], key])).toEqual(vectors);
  });

  it("agrees with Node on random requests", async () => {
    const runs = { numRuns: 4, endOnFailure: true };
    const some = fc.array(target, { minLength: 250, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(some, async (asked) => {
        const [keys, expected] = [await engine.keys(asked), await node.keys(asked)];
        expect(keys.map((key, at) => [asked[at], key])).toEqual(expected.map((key, at) => [asked[at], key]));
      }),
      runs,
    );
  });
}

describe("the vectors", () => {
  it("cover every endpoint and parameter, each once", () => {
    expect(new Set(targets).size).toBe(targets.length);
    const named = ENDPOINTS.flatMap(({ path, params }) =>
      params.map(({ name }) => new RegExp(`^${API_PATH}/${path}/?\\?(.*&)?${name}=`)),
    );
    const paths = ENDPOINTS.map(({ path }) => new RegExp(`^${API_PATH}${path === "" ? "" : `/${path}`}$`));
    const missing = [...paths, ...named].filter((pattern) => !targets.some((target) => pattern.test(target)));
    expect(missing).toEqual([]);
  });
  describe("in Node", () => itAgrees(() => Promise.resolve(node)));
  describe("in workerd", () => itAgrees(workerd));
});

describeWith(["njs"], "the vectors on the njs command line", () =>
  itAgrees(async () => njs(temporaryFolder())),
);

describeWith(["nginx"], "the vectors in a running nginx", () => {
  const folder = temporaryFolder();
  itAgrees(async () => nginx(folder, await freePort()));
});

describeWith(["njs"], "CloudFront's function on the njs command line", () => {
  const folder = temporaryFolder();
  itAgrees(async () => cloudFront(folder, functionCode));

  it("passes the original target on to the fallback in a form that a header allows", () => {
    const asked = ["/api/v1/products?search=a%20b&_=1", "/api/v1/store", "/api/v1/products?search=\xe9 \x01"];
    const [search, store, odd] = runCloudFront(folder, functionCode, asked);
    expect(search).toMatchObject({
      uri: "/fallback/api/v1/products",
      querystring: { a: { value: "b" } },
      headers: { "x-vitrine-target": { value: asked[0] } },
    });
    expect(store).toMatchObject({ uri: "/api/v1/store.json", querystring: {} });
    expect(odd?.headers["x-vitrine-target"]?.value).toBe("/api/v1/products?search=%C3%A9%20%01");
  });
});

interface ViewerResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
  readonly body?: { readonly data: string };
}

describeWith(["njs"], "CloudFront's function as generated for a shop", () => {
  const cache = { ...DEMO_CONFIG.cache, errorMaxAgeSeconds: 77 };
  const written = writtenFunction({ ...DEMO_CONFIG, baseUrl: "https://api.shop.example/api/v1", cache });
  const respond = (method: string, target = "/api/v1/store") =>
    runCloudFront<ViewerResponse>(temporaryFolder(), written, [target], method)[0];
  const headersOf = (response: ViewerResponse | undefined) =>
    Object.fromEntries(Object.entries(response?.headers ?? {}).map(([name, { value }]) => [name, value]));

  it("answers an unknown path like serve, including errorMaxAgeSeconds", () => {
    const response = respond("GET", "/nothing");
    expect(response?.statusCode).toBe(404);
    expect(headersOf(response)).toEqual({
      "content-type": "application/json; charset=utf-8",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window",
      "cache-control": "public, max-age=77",
    });
    const message = "This endpoint does not exist. https://api.shop.example/api/v1 lists all endpoints.";
    expect(JSON.parse(response?.body?.data ?? "")).toEqual({
      success: false,
      error: { code: "unknown_endpoint", message },
    });
  });

  it("answers a preflight without a body", () => {
    const response = respond("OPTIONS");
    expect([response?.statusCode, response?.body]).toEqual([204, undefined]);
    expect(headersOf(response)).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "*",
      "access-control-max-age": "86400",
      allow: "GET, HEAD, OPTIONS",
    });
  });
});

describe("the bundles", () => {
  it("are up to date: templates/edge has the output of `npx node scripts/bundle-edge.ts`", async () => {
    for (const { file, text } of await bundleEdges()) expect(readFileSync(file, "utf8")).toBe(text);
  });
  it("stay below CloudFront's 10,240 bytes", () => {
    const cache = { ...DEMO_CONFIG.cache, errorMaxAgeSeconds: Number.MAX_SAFE_INTEGER };
    const written = writtenFunction({
      ...DEMO_CONFIG,
      baseUrl: `https://${"long-name.".repeat(25)}shop/api/v1`,
      cache,
    });
    expect(Buffer.byteLength(written)).toBeLessThan(10_240);
  });
});
