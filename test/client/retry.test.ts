/** When the client and the widgets ask again: after a busy API, and after an answer that did not come whole. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ApiError, type ClientOptions, createClient } from "../../src/client/client.ts";
import { type Reply, scripted } from "../support/scripted.ts";

const BASE = "https://shop.example/api/v1";
const META = { api_version: "1.0", generated_at: "2026-01-01T00:00:00+00:00" };
const STORE = JSON.stringify({ success: true, data: { store_name: "Shop" }, meta: META });
const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };
const QUICK: ClientOptions = { tries: 2, longestWaitSeconds: 0.01 };

/** Replies one after the other, the last one again and again; `asked`: the requests. */
function sending(...replies: readonly (() => Response)[]) {
  const asked: RequestInit[] = [];
  const fetch = async (_: string, request: RequestInit) => {
    const reply = replies[Math.min(asked.length, replies.length - 1)];
    asked.push(request);
    return reply?.() ?? expect.fail("There is no reply.");
  };
  return { fetch, asked };
}

const reply = (body: string, init?: ResponseInit) => () => new Response(body, init);
const busy = (status: number, headers: Record<string, string> = {}) => reply("", { status, headers });
const whole = reply(STORE, { headers: JSON_TYPE });

describe("a busy API is asked again", () => {
  const NOW = Date.parse("2026-11-28T12:00:00Z");
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<[string, number, Record<string, string>]>([
    ["after its seconds", 7, { "Retry-After": "7" }],
    ["after one second if it says 0", 1, { "Retry-After": "0" }],
    ["after one second if it says nothing", 1, {}],
    ["after one second if it says nonsense", 1, { "Retry-After": "soon" }],
    ["after one second if it says nonsense twice", 1, { "Retry-After": "7, 7" }],
    ["after one second if it says less than 0", 1, { "Retry-After": "-7" }],
    ["at its date", 30, { "Retry-After": "Sat, 28 Nov 2026 12:00:30 GMT" }],
    ["at its date in the format of RFC 850", 30, { "Retry-After": "Saturday, 28-Nov-26 12:00:30 GMT" }],
    ["after one second if its date is over", 1, { "Retry-After": "Fri, 27 Nov 2026 12:00:00 GMT" }],
    [
      "at its date by its own clock, which is an hour fast",
      30,
      { "Retry-After": "Sat, 28 Nov 2026 13:00:30 GMT", Date: "Sat, 28 Nov 2026 13:00:00 GMT" },
    ],
    ["after two minutes at most", 120, { "Retry-After": "Sat, 28 Nov 2026 15:00:00 GMT" }],
    ["after two minutes at most, whatever the number", 120, { "Retry-After": "1e999" }],
  ])("%s", async (_, seconds, headers) => {
    const { fetch, asked } = sending(busy(503, headers), whole);
    const store = createClient(BASE, { fetch }).store();
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await store).toEqual({ store_name: "Shop" });
    expect(asked).toHaveLength(2);
  });

  it.each([408, 429, 502, 503, 504])("after %i, in longer and longer pauses", async (status) => {
    const { fetch, asked } = sending(busy(status));
    const store = createClient(BASE, { fetch }).store();
    const failure = expect(store).rejects.toMatchObject({ status, code: "unreadable" });
    for (const [seconds, count] of [
      [1, 2],
      [2, 3],
      [4, 4],
      [600, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      expect(asked).toHaveLength(count);
    }
    await failure;
  });

  it.each([400, 404, 500, 501])("but not after %i", async (status) => {
    const error = JSON.stringify({ success: false, error: { code: "internal_error", message: "No." } });
    const { fetch, asked } = sending(reply(error, { status, headers: { ...JSON_TYPE, "Retry-After": "1" } }));
    await expect(createClient(BASE, { fetch }).store()).rejects.toMatchObject({ status });
    expect(asked).toHaveLength(1);
  });

  it("after its Retry-After, also if that answer was cut", async () => {
    const headers = { ...JSON_TYPE, "Retry-After": "60" };
    const { fetch, asked } = sending(reply('{"success":false,"err', { status: 429, headers }), whole);
    const store = createClient(BASE, { fetch }).store();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await store).toEqual({ store_name: "Shop" });
  });

  it("until its signal is aborted: the pause ends with the signal's reason", async () => {
    const { fetch, asked } = sending(busy(503, { "Retry-After": "100" }));
    const stopping = new AbortController();
    const store = createClient(BASE, { fetch }).store({ signal: stopping.signal });
    const failure = expect(store).rejects.toThrow("enough");
    await vi.advanceTimersByTimeAsync(5000);
    stopping.abort(new Error("enough"));
    await failure;
    expect(asked).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("also with the signals of abort-controller, which React Native has up to 0.86: they have no reason", async () => {
    const withSignal = () => {
      const stopping = new AbortController();
      const lacks = { value: undefined };
      Object.defineProperties(stopping.signal, { throwIfAborted: lacks, reason: lacks });
      return stopping;
    };
    const { fetch, asked } = sending(whole, busy(503, { "Retry-After": "100" }));
    const client = createClient(BASE, { fetch });
    const [done, stopping] = [withSignal(), withSignal()];
    expect(await client.store({ signal: done.signal })).toEqual({ store_name: "Shop" });
    const failure = expect(client.store({ signal: stopping.signal })).rejects.toThrow("aborted");
    await vi.advanceTimersByTimeAsync(5000);
    stopping.abort();
    await failure;
    await expect(client.store({ signal: stopping.signal })).rejects.toThrow("aborted");
    expect(asked).toHaveLength(2);
  });

  it("and no timer is left behind", async () => {
    const { fetch } = sending(whole);
    await createClient(BASE, { fetch }).store();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("an answer that did not come whole is a broken connection", () => {
  const part = (body: Buffer) => body.subarray(0, body.length - 20);
  const compressed = (encoding: string, body: Buffer): Reply => {
    return (_, response) => response.writeHead(200, { ...JSON_TYPE, "Content-Encoding": encoding }).end(body);
  };
  const CUT: readonly [string, Reply][] = [
    ["gzip", compressed("gzip", part(gzipSync(STORE)))],
    ["gzip, of which not a byte came", compressed("gzip", Buffer.alloc(0))],
    ["deflate", compressed("deflate", part(deflateSync(STORE)))],
    ["brotli", compressed("br", part(brotliCompressSync(STORE)))],
    ["zstd", compressed("zstd", part(zstdCompressSync(STORE)))],
    [
      "gzip without a type",
      (_, response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end(part(gzipSync(STORE))),
    ],
    ["text of no known length", (_, response) => response.writeHead(200, JSON_TYPE).end(STORE.slice(0, 50))],
    ["nothing", (_, response) => response.writeHead(200, JSON_TYPE).end()],
    [
      "text as plain text",
      (_, response) => response.writeHead(200, { "Content-Type": "text/plain" }).end(STORE.slice(0, 50)),
    ],
    [
      "a part that nobody asked for",
      (_, response) => response.writeHead(206, JSON_TYPE).end(STORE.slice(0, 50)),
    ],
    [
      "a length that is too long",
      (_, response) => {
        response.writeHead(200, { ...JSON_TYPE, "Content-Length": STORE.length + 10 });
        response.write(STORE, () => response.destroy());
      },
    ],
    [
      "a length that is too short",
      ({ socket }) => {
        const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
        socket.end(`${head}\r\nContent-Length: ${STORE.length - 10}\r\n\r\n${STORE}`);
      },
    ],
    [
      "chunks without the last",
      (_, response) => {
        response.writeHead(200, JSON_TYPE);
        response.write(STORE.slice(0, 50), () => response.destroy());
      },
    ],
    ["a reset", ({ socket }) => socket.resetAndDestroy()],
    ["304, but nobody had asked so", (_, response) => response.writeHead(304, { ETag: '"a"' }).end()],
  ];

  it.each(CUT)("%s: it is asked for again", async (_, cut) => {
    const host = await scripted(cut, (__, response) => response.writeHead(200, JSON_TYPE).end(STORE));
    expect(await createClient(host.base, QUICK).store()).toEqual({ store_name: "Shop" });
    expect(host.asked).toHaveLength(2);
  });

  it.each(CUT)("%s: after the last try, no answer came", async (_, cut) => {
    const host = await scripted(cut);
    const error: ApiError = await createClient(host.base, QUICK)
      .store()
      .then(
        () => expect.fail("It was answered."),
        (reason) => reason,
      );
    expect(error).toMatchObject({ name: "UnavailableError", code: "network", status: 0, path: "/store" });
    expect(host.asked).toHaveLength(2);
  });

  it.each<[string, Reply]>([
    [
      "a web page",
      (_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Log in"),
    ],
    ["a web page that says JSON", (_, response) => response.writeHead(200, JSON_TYPE).end("<h1>Log in")],
    ["an empty 404", (_, response) => response.writeHead(404, JSON_TYPE).end()],
    ["an empty 204", (_, response) => response.writeHead(204).end()],
  ])("%s is whole, and not the API's", async (_, other) => {
    const host = await scripted(other);
    await expect(createClient(host.base, QUICK).store()).rejects.toMatchObject({ code: "unreadable" });
    // The second one asks whether it is a host of files.
    expect(host.asked.slice(0, 2)).toEqual(
      ["/api/v1/store", "/api/v1/index.json"].slice(0, host.asked.length),
    );
  });

  it("a byte order mark before the JSON changes nothing", async () => {
    const { fetch } = sending(reply(`\uFEFF${STORE}`, { headers: JSON_TYPE }));
    expect(await createClient(BASE, { fetch }).store()).toEqual({ store_name: "Shop" });
  });
});

describe("what a browser does by itself, the client leaves to it", () => {
  afterEach(() => vi.unstubAllGlobals());

  const etag = reply(STORE, { headers: { ...JSON_TYPE, ETag: '"1"' } });
  const globals = (names: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(names)) vi.stubGlobal(name, value);
  };
  async function askedTwice(make = etag) {
    const { fetch, asked } = sending(make);
    const shop = createClient(BASE, { fetch });
    await shop.store();
    await shop.store();
    return asked.map(({ redirect, headers }) => `${redirect} ${JSON.stringify(headers)}`);
  }

  const WORKER = { WorkerGlobalScope: class {}, self: globalThis };
  it.each<[string, Record<string, unknown>]>([
    ["a page", { document: { baseURI: "https://page.example/" } }],
    ["a worker", { ...WORKER, navigator: { onLine: true }, location: { href: "https://page.example/w.js" } }],
    ["a worker that is offline", { ...WORKER, navigator: { onLine: false } }],
    ["a window of Electron", { document: { baseURI: "file:///app/index.html" }, process }],
  ])("in %s", async (_, names) => {
    globals(names);
    expect(await askedTwice()).toEqual(["follow {}", "follow {}"]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["Node 20", { navigator: undefined }],
    ["Node", { navigator: { userAgent: "Node.js/24" } }],
    [
      "Deno's worker",
      { ...WORKER, navigator: { userAgent: "Deno/2" }, location: { href: "https://x.example/" } },
    ],
    ["Bun", { self: globalThis, navigator: { userAgent: "Bun/1" }, addEventListener: () => undefined }],
    ["Cloudflare's Workers", { ...WORKER, navigator: { userAgent: "Cloudflare-Workers" }, caches: {} }],
  ])("but in %s it asks for changes and looks at redirects", async (_, names) => {
    globals(names);
    expect(await askedTwice()).toEqual(["manual {}", 'manual {"If-None-Match":"\\"1\\""}']);
  });

  it("as in any program whose answers say that the host was asked for permission", async () => {
    const cors = () => Object.defineProperty(etag(), "type", { value: "cors" });
    expect(await askedTwice(cors)).toEqual(["manual {}", "manual {}"]);
  });

  it.each([
    ["http://shop.example/api/v1", "https://shop.example/api/v1/store", true],
    ["https://shop.example/api/v1", "https://shop.example/login/store", true],
    ["https://shop.example/api/v1", "http://shop.example/api/v1/store", false],
    ["http://shop.example:8080/api/v1", "https://shop.example/api/v1/store", false],
    ["https://shop.example/api/v1", "https://login.example/?next=store", false],
    ["https://shop.example/api/v1", "https://shop.example.evil.example/api/v1/store", false],
  ])("from %s it may arrive at %s: %s", async (base, url, isAllowed) => {
    globals({ document: { baseURI: "https://page.example/" } });
    const { fetch, asked } = sending(() => Object.defineProperty(whole(), "url", { value: url }));
    const store = createClient(base, { fetch }).store();
    if (isAllowed) expect(await store).toEqual({ store_name: "Shop" });
    else await expect(store).rejects.toMatchObject({ code: "unreadable", message: /was redirected to / });
    expect(asked).toHaveLength(1);
  });

  // CapacitorHttp of @capacitor/android and ios 8.5.2 (native-bridge.js) patches fetch so: the app's own host is asked for every GET.
  it.each([
    ["https://localhost", false, true],
    ["capacitor://localhost", false, true],
    ["http://192.168.1.5:8100", false, true],
    ["https://localhost", true, false],
  ])(
    "in an app at %s, whose host answers in the shop's place, redirected: %s, it reads: %s",
    async (app, redirected, isRead) => {
      const [protocol, host] = app.split("//");
      globals({ document: { baseURI: `${app}/` }, location: { href: `${app}/`, protocol, host } });
      const url = `${app}/_capacitor_http_interceptor_?u=${encodeURIComponent(`${BASE}/store`)}`;
      const answered = { url: { value: url }, redirected: { value: redirected } };
      const { fetch } = sending(() => Object.defineProperties(whole(), answered));
      const store = createClient(BASE, { fetch }).store();
      if (isRead) expect(await store).toEqual({ store_name: "Shop" });
      else await expect(store).rejects.toMatchObject({ code: "unreadable", message: /was redirected to / });
    },
  );
});
