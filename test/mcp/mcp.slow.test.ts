/** Agents as they come: the protocol's own client, over a pipe, at the fallback, through nginx and the Worker, and at the Worker's object. */
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { createMcpFetch } from "../../src/mcp/server.ts";
import { answerText } from "../../src/mcp/tools.ts";
import { createFallback } from "../../src/serve/fallback.ts";
import { listen, stop } from "../../src/serve/http.ts";
import { mcpPorts } from "../../src/serve/mcp.ts";
import { startNginx, startWorker } from "../edge/support/servers.ts";
import { areInstalled } from "../edge/support/tools.ts";
import { send } from "../edge/support/wire.ts";
import { ObjectHost, releaseFrom } from "../object/host.ts";
import { commandFile } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const unhappy: unknown[] = [];
let [origin, workerOrigin, objectOrigin, nginxOrigin, catalog] = [
  "",
  "",
  "",
  "",
  undefined as Catalog | undefined,
];
const hasNginx = areInstalled(["nginx"]);
const end: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const opened = openCatalog(join(sharedSnapshot("demo"), "catalog.sqlite"));
  catalog = opened;
  const failed = (error: unknown) => unhappy.push(error);
  const mcp = createMcpFetch(mcpPorts(() => opened, "1", failed));
  const server = createFallback(() => opened, { access: () => undefined, failed, mcp });
  origin = await listen(server, "127.0.0.1", 0);
  const worker = await startWorker(
    { site: temporaryFolder(), fallbackPort: Number(new URL(origin).port), requests: 1000 },
    [],
  );
  workerOrigin = `http://127.0.0.1:${worker.port}`;
  const host = await ObjectHost.start();
  objectOrigin = host.address.origin;
  await host.following(await host.publish(releaseFrom(join(sharedSnapshot("demo"), "catalog.sqlite"))));
  if (hasNginx) {
    const nginx = await startNginx({
      folder: temporaryFolder(),
      site: join(sharedSnapshot("demo"), "site"),
      fallbackPort: Number(new URL(origin).port),
      requests: 1000,
    });
    nginxOrigin = `http://127.0.0.1:${nginx.port}`;
    end.push(() => nginx.stop());
  }
  end.push(
    () => host[Symbol.asyncDispose](),
    () => worker.stop(),
    () => stop(server),
    async () => opened.close(),
  );
});

afterAll(async () => {
  for (const each of end) await each();
});

const WAYS: Record<string, () => StdioClientTransport | StreamableHTTPClientTransport> = {
  "the fallback": () => new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)),
  nginx: () => new StreamableHTTPClientTransport(new URL(`${nginxOrigin}/mcp`)),
  "the Worker": () => new StreamableHTTPClientTransport(new URL(`${workerOrigin}/mcp`)),
  "the object": () => new StreamableHTTPClientTransport(new URL(`${objectOrigin}/mcp`)),
  "a pipe, over a folder": () => pipe("--out", sharedSnapshot("demo")),
  "a pipe, over an address": () => pipe("--from", origin + API_PATH),
};

function pipe(...flags: string[]): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [commandFile(), "mcp", ...flags],
    stderr: "ignore",
  });
}

/** Does something as a client that connected; `new`: by the protocol without a session. */
async function connected(
  way: string,
  era: "new" | "old",
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const options = era === "new" ? { versionNegotiation: { mode: "auto" as const } } : {};
  const client = new Client({ name: "test", version: "1" }, options);
  await client.connect((WAYS[way] as () => StdioClientTransport)());
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

async function textOf(client: Client, name: string, given: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [{ text = "" } = {}, ...others] = content as { text?: string }[];
  expect(others).toEqual([]);
  return { text, isError: isError === true };
}

const CALLS: [string, Record<string, unknown>, string][] = [
  ["search_products", {}, "/products?per_page=10"],
  ["search_products", { search: "invoce kit", per_page: 3 }, "/products?search=invoce%20kit&per_page=3"],
  [
    "search_products",
    { category: "scripts", sort: "price_asc", min_price: 9.5, featured: false, page: 2 },
    "/products?category=scripts&sort=price_asc&min_price=9.5&featured=false&page=2&per_page=10",
  ],
  ["get_product", { slug: "invoice-kit" }, "/product?slug=invoice-kit"],
  ["get_product", { id: 1 }, "/product?id=1"],
  // Models that must name every argument send null for those that they leave out.
  [
    "search_products",
    { search: null, category: "scripts", featured: null, min_price: null, page: null, per_page: null },
    "/products?category=scripts&per_page=10",
  ],
  ["get_product", { slug: "invoice-kit", id: null }, "/product?slug=invoice-kit"],
  ["get_product", { slug: null, id: null }, "/product"],
  [
    "list_reviews",
    { product_slug: "invoice-kit", rating: null, min_rating: null, sort: null },
    "/reviews?product_slug=invoice-kit&per_page=10",
  ],
  [
    "list_reviews",
    { product_slug: "invoice-kit", min_rating: 4 },
    "/reviews?product_slug=invoice-kit&min_rating=4&per_page=10",
  ],
  [
    "list_releases",
    { product_slug: "invoice-kit", per_page: 500 },
    "/releases?product_slug=invoice-kit&per_page=20",
  ],
];

const HOW = [
  ...(["new", "old"] as const).flatMap((era) => [
    ["the fallback", era] as const,
    ["the Worker", era] as const,
    ["the object", era] as const,
    ...(hasNginx ? [["nginx", era] as const] : []),
  ]),
  ["a pipe, over a folder", "old"],
  ["a pipe, over an address", "new"],
] as const;

describe.each(HOW)("through %s, by the %s protocol", (way, era) => {
  it("answers as the API does", async () => {
    await connected(way, era, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(
        [...new Set(CALLS.map(([name]) => name)), "list_categories"].sort(),
      );
      for (const { annotations, inputSchema } of tools) {
        expect(annotations?.readOnlyHint).toBe(true);
        expect(inputSchema).not.toHaveProperty("properties.limit");
      }
      for (const [name, given, path] of CALLS) {
        const answer = await fetch(origin + API_PATH + path);
        expect(await textOf(client, name, given)).toEqual({
          text: await answer.text(),
          isError: answer.status !== 200,
        });
      }
    });
  });
});

const PROTOCOL = "io.modelcontextprotocol";
/** What each request says of itself since the revision without sessions. */
const NEW_META = {
  [`${PROTOCOL}/protocolVersion`]: "2026-07-28",
  [`${PROTOCOL}/clientInfo`]: { name: "test", version: "1" },
  [`${PROTOCOL}/clientCapabilities`]: {},
};

const ENDS = ["the fallback", ...(hasNginx ? ["nginx"] : []), "the Worker", "the object"] as const;
const originOf = (end: string) =>
  ({ nginx: nginxOrigin, "the Worker": workerOrigin, "the object": objectOrigin })[end] ?? origin;

const listCall = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} });

describe.each(ENDS)("one request to %s", (end) => {
  const post = (body: unknown, headers: Record<string, string> = {}, path = "/mcp") =>
    fetch(originOf(end) + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", ...headers },
    });

  it.each([
    "*/*",
    "application/json",
    "application/*",
    "application/json, text/event-stream",
    "text/html, */*;q=0.5",
  ])("that accepts %s is answered with JSON", async (accept) => {
    const reply = await post(listCall(7), { Accept: accept });
    expect([reply.status, reply.headers.get("content-type")?.split(";")[0]]).toEqual([
      200,
      "application/json",
    ]);
    expect(await reply.json()).toMatchObject({ id: 7, result: { tools: expect.any(Array) } });
  });

  it.each(["*/*", "application/json"])(
    "by the new protocol that accepts %s is answered with JSON",
    async (accept) => {
      const headers = { Accept: accept, "MCP-Protocol-Version": "2026-07-28", "MCP-Method": "tools/list" };
      const reply = await post({ ...listCall(7), params: { _meta: NEW_META } }, headers);
      expect(reply.headers.get("content-type")?.split(";")[0]).toBe("application/json");
      expect(await reply.json()).toMatchObject({ id: 7, result: { tools: expect.any(Array) } });
      const batch = [1, 2].map((id) => ({ ...listCall(id), params: { _meta: NEW_META } }));
      expect((await post(batch, headers)).status).toBe(400);
    },
  );

  it("that accepts no JSON is refused", async () => {
    expect((await post(listCall(1), { Accept: "text/html" })).status).toBe(406);
  });

  it.each(["/mcp/", "/mcp?session=1", "/%6dcp"])("may go to %s", async (path) => {
    expect((await post(listCall(1), {}, path)).status).toBe(200);
  });

  it.each(["GET", "HEAD", "PUT", "DELETE"])("by %s is refused", async (method) => {
    for (const path of ["/mcp", "/mcp/"]) {
      const headers = { Accept: "text/event-stream" };
      const reply = await fetch(originOf(end) + path, { method, headers });
      expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  it("by TRACE is refused", async () => {
    const { hostname, port } = new URL(originOf(end));
    expect(
      (await send({ host: hostname, port: Number(port) }, { target: "/mcp", method: "TRACE" })).status,
    ).toBe(405);
  });

  it("has one call: a batch of several is refused before any of them is answered", async () => {
    const one = await post([listCall(1), { jsonrpc: "2.0", method: "notifications/cancelled", params: {} }]);
    expect(one.status).toBe(200);
    for (const count of [2, 100]) {
      const reply = await post(Array.from({ length: count }, (_, at) => listCall(at)));
      expect(reply.status).toBe(400);
      expect(await reply.json()).toEqual({
        jsonrpc: "2.0",
        error: { code: -32_600, message: expect.stringContaining("Send each call in a separate request.") },
        id: null,
      });
    }
  });

  it("of more than 64 KiB is refused", async () => {
    const reply = await post({ ...listCall(1), padding: "x".repeat(70_000) });
    expect([400, 413]).toContain(reply.status);
    expect(await reply.json()).toHaveProperty("error.message");
  });
});

describe("list_categories", () => {
  it.each(["the fallback", "a pipe, over a folder", "a pipe, over an address"])(
    "gives slug, name and count of every category, and nothing else, through %s",
    async (way) => {
      await connected(way, "old", async (client) => {
        const { text, isError } = await textOf(client, "list_categories", {});
        const answer = (await (await fetch(`${origin}${API_PATH}/categories`)).json()) as {
          data: { slug: string; name: string; product_count: number }[];
        };
        const data = answer.data.map(({ slug, name, product_count }) => ({ slug, name, product_count }));
        expect(data.length).toBeGreaterThan(3);
        expect([JSON.parse(text), isError]).toEqual([{ ...answer, data }, false]);
      });
    },
  );

  it("is short enough for a model in a shop of many categories with long texts", async () => {
    const data = Array.from({ length: 2000 }, (_, id) => ({
      id,
      name: `Category ${id}`,
      slug: `category-${id}`,
      description: "x".repeat(500),
      product_count: id,
      url: `https://shop.example/category/${id}`,
    }));
    const body = JSON.stringify({ success: true, data, meta: {} });
    expect(JSON.parse(answerText("list_categories", body) ?? "").data).toHaveLength(2000);
    expect(answerText("search_products", body)).toBeNull();
  });
});

describe("a mistake", () => {
  it.each([
    ["search_products", { categry: "scripts" }, /Unknown parameter categry. Did you mean category\?/],
    ["search_products", { page: 0 }, /page must be a whole number from 1/],
    ["search_products", { per_page: "many" }, /per_page must be/],
    ["search_products", { search: "x".repeat(300) }, /search must be UTF-8 text of 1 to 200/],
    ["search_products", { search: "\ud800" }, /"success":true/],
    ["search_products", { search: ["a"] }, /search must be a text/],
    ["search_products", { category: "../../etc/passwd" }, /category must be a slug/],
    ["get_product", {}, /slug or id is missing/],
    ["get_product", { slug: "no-such-thing" }, /This record does not exist/],
    ["delete_product", { slug: "invoice-kit" }, /The tool "delete_product" does not exist/],
    ["__proto__", {}, /tool .* does not exist/],
  ])("in %s %j is reported to the agent", async (name, given, said) => {
    await connected("the fallback", "new", async (client) => {
      expect((await textOf(client, name, given)).text).toMatch(said);
    });
  });

  const post = (body: string, headers: Record<string, string> = {}, method = "POST") => {
    const types = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    return fetch(`${origin}/mcp`, { method, body, headers: { ...types, ...headers } });
  };

  it("is refused if it would not make an address", async () => {
    await connected("the fallback", "new", async (client) => {
      const { text, isError } = await textOf(client, "search_products", { search: "x".repeat(9000) });
      expect([text, isError]).toEqual(["The arguments are too long.", true]);
    });
  });

  it("is refused if it is too long, not JSON, or a subscription; the server continues", async () => {
    expect((await post("x".repeat(70_000))).status).toBe(413);
    expect((await post("{")).status).toBe(400);
    expect((await post("{}", {}, "PUT")).status).toBe(405);
    expect((await fetch(`${origin}/mcp`)).status).toBe(405);
    const listening = await post(
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "subscriptions/listen",
        params: { filter: { toolsListChanged: true }, _meta: NEW_META },
      }),
      { "MCP-Protocol-Version": "2026-07-28", "MCP-Method": "subscriptions/listen" },
    );
    expect(await listening.json()).toMatchObject({ error: { message: "Subscription limit reached" } });
    expect((await fetch(`${origin}${API_PATH}/store`)).status).toBe(200);
    expect(unhappy).toEqual([]);
  });

  it("lists no tool for an endpoint that the shop does not offer, and reveals no details of a failure", async () => {
    const failed: unknown[] = [];
    const mcp = createMcpFetch({
      version: "1",
      endpoints: () => ["products"],
      ask: () => Promise.reject(new Error("password=secret")),
      failed: (error) => failed.push(error),
    });
    const ask = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const accept = "application/json, text/event-stream";
      const request = new Request("http://localhost/mcp", {
        method: "POST",
        body,
        headers: { "Content-Type": "application/json", Accept: accept },
      });
      return (await mcp(request)).text();
    };
    const listed = await ask("tools/list", {});
    expect(listed).toContain("search_products");
    expect(listed).not.toContain("list_reviews");
    const said = await ask("tools/call", { name: "search_products", arguments: {} });
    expect(said).toContain("The server failed");
    expect(said).not.toContain("secret");
    expect(failed).toHaveLength(1);
  });

  it("is answered 503 by an object that has no release", async () => {
    await using host = await ObjectHost.start();
    const post = { method: "POST", body: JSON.stringify(listCall(1)) };
    const reply = await host.ask("/mcp", { ...post, headers: { "Content-Type": "application/json" } });
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ success: false, error: { code: "service_unavailable" } });
  });

  it("has no such path without --mcp", async () => {
    const server = createFallback(() => catalog as Catalog, {
      access: () => undefined,
      failed: () => undefined,
    });
    const url = await listen(server, "127.0.0.1", 0);
    expect((await fetch(`${url}/mcp`, { method: "POST", body: "{}" })).status).toBe(405);
    await stop(server);
  });
});
