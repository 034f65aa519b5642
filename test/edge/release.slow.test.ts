/** Files are served while the fallback is down, and change under load without a broken answer. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { targetKey } from "../../src/key/key.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { madeFile } from "../../src/site/made-file.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { NextSnapshot } from "../../src/site/writer.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { readTree, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { type Running, startFallback, startNginx, startWorker } from "./support/servers.ts";
import { describeWith, type Tool } from "./support/tools.ts";
import { type Reply, send, sendMany } from "./support/wire.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("small");
const site = join(out, "site");
const run = promisify(execFile);

/** The request that a file of the folder answers: `category=scripts/page=2.json` */
function targetOfFile(file: string): string {
  const [endpoint = "", ...parts] = file.slice("api/v1/".length, -".json".length).split("/");
  const path = endpoint === "index" ? "" : endpoint === "openapi" ? "openapi.json" : endpoint;
  return `${API_PATH}/${path}${parts.length === 0 ? "" : `?${parts.join("&")}`}`;
}

const unavailable =
  '{"success":false,"error":{"code":"service_unavailable","message":"The server cannot answer now. Please try again later."}}';

function itServesFilesAlone(
  tools: readonly Tool[],
  name: string,
  start: (port: number) => Promise<Running>,
  count: number,
) {
  describeWith(tools, `${name} with the fallback stopped`, () => {
    let edge: Running;
    let all: [file: string, bytes: Buffer][];
    const kept = { target: `${API_PATH}/products?search=kit` };
    let before: Reply;
    beforeAll(async () => {
      all = [...readTree(site)].filter(([file]) => file.startsWith("api/")).slice(0, count);
      const fallback = await startFallback(join(out, "catalog.sqlite"), { targetHeader: true });
      edge = await start(fallback.port);
      before = await send({ port: edge.port }, kept);
      await fallback.stop();
    });
    afterAll(() => edge.stop());
    /** Enough clients that none reaches the limit. */
    const client = (at: number) => {
      const address = `10.0.${Math.floor(at / 100) >> 8}.${Math.floor(at / 100) & 255}`;
      return { "X-Forwarded-For": address, "CF-Connecting-IP": address };
    };

    it("serves all files", async () => {
      const requests = all.map(([file], at) => ({ target: targetOfFile(file), headers: client(at) }));
      expect(requests.every(({ target }, at) => targetKey(target) === all[at]?.[0])).toBe(true);
      const replies = await sendMany({ port: edge.port }, requests);
      const wrong = replies.filter(
        ({ status, body }, at) => status !== 200 || body !== all[at]?.[1].toString("utf8"),
      );
      expect(wrong.length).toBe(0);
    });

    it("answers a miss that it has answered before", async () => {
      expect(before.status).toBe(200);
      const { status, body } = await send({ port: edge.port }, kept);
      expect({ status, body }).toEqual({ status: 200, body: before.body });
    });

    it("answers any other miss 503, in JSON, with Retry-After", async () => {
      const { status, headers, body } = await send(
        { port: edge.port },
        { target: `${API_PATH}/search?q=never` },
      );
      expect({ status, body }).toEqual({ status: 503, body: unavailable });
      expect(headers).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        "access-control-allow-origin": "*",
        "cache-control": "no-store",
        "retry-after": "5",
      });
    });
  });
}

const options = (name: string, fallbackPort: number) => ({
  folder: join(folder, name),
  site,
  fallbackPort,
  trusted: ["127.0.0.1"],
});
const everything = Number.POSITIVE_INFINITY;
itServesFilesAlone(["nginx"], "nginx", (port) => startNginx(options("nginx", port)), everything);
itServesFilesAlone(
  [],
  "the Worker",
  (port) =>
    startWorker(
      options("worker", port),
      [...readTree(site).keys()].filter((file) => file.startsWith("api/")).slice(0, 200),
    ),
  200,
);

/**
 * For wrk; its counters are globals, because `thread:get` reads those. Counts what is wrong with answers: status, length, ending,
 * records of two releases. Each thread notes in a separate file which releases it sees.
 */
const CHECK_ANSWERS = `
local threads = {}
function setup(thread) table.insert(threads, thread); thread:set("id", #threads) end
function init() wrong, answers, last, seen = 0, 0, nil, io.open("seen-" .. id, "w") end
function response(status, headers, body)
  answers = answers + 1
  local release, count = body:match('"release":(%d+),"records":(%d+)')
  local records = 0
  for found in body:gmatch('{"of":(%d+)}') do
    records = records + 1
    if found ~= release then wrong = wrong + 1 end
  end
  if status ~= 200 or records ~= tonumber(count) or body:sub(-3) ~= '"}}' then wrong = wrong + 1 end
  if release ~= last then last = release; seen:write(tostring(release), "\\n"); seen:flush() end
end
function done()
  local sum = { 0, 0 }
  for _, thread in ipairs(threads) do
    sum[1] = sum[1] + thread:get("wrong"); sum[2] = sum[2] + thread:get("answers")
  end
  print("checked " .. sum[1] .. " " .. sum[2])
end
`;

describeWith(["nginx", "wrk"], "releases under load", () => {
  const load = join(folder, "load");
  const layout = layoutOf(join(load, "out"));
  const keys = Array.from({ length: 20 }, (_, at) => `api/v1/products/page=${at + 1}.json`);
  let edge: Running;

  /** Puts a release in place: each of its records has its number, and releases differ in size. */
  function release(number: number): void {
    mkdirSync(layout.nextFiles, { recursive: true });
    const previous = number === 1 ? null : openManifest(layout.manifest);
    const writer = new NextSnapshot(layout, previous, { now: "2026-11-20T12:00:00+00:00", remembers: true });
    const records = 100 + (number % 10) * 20;
    const list = Array.from({ length: records }, () => `{"of":${number}}`).join(",");
    const content = `{"success":true,"release":${number},"records":${records},"data":[${list}],"meta":{"generated_at":"`;
    // With room for the time, which the writer fills in.
    const bytes = Buffer.from(`${content}${" ".repeat(25)}"}}`);
    for (const key of keys) writer.put(madeFile(key, { bytes, stamped: true }));
    writer.commit({}, null);
  }

  beforeAll(async () => {
    mkdirSync(load, { recursive: true });
    mkdirSync(join(load, "out"), { recursive: true });
    release(1);
    const change = (_: string, text: string) => text.replace("limit_req zone", "# limit_req zone");
    edge = await startNginx({ folder: join(load, "nginx"), site: layout.site, fallbackPort: 9, change });
  });
  afterAll(() => edge.stop());

  /** The releases that a thread of wrk has seen, each once. */
  function seenBy(thread: number): Set<number> {
    const file = join(load, `seen-${thread}`);
    return new Set(
      existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number) : [],
    );
  }

  it("never give a 5xx, a cut body or two releases in one body", { timeout: 300_000 }, async () => {
    writeFileSync(join(load, "check.lua"), CHECK_ANSWERS);
    const address = `http://127.0.0.1:${edge.port}/api/v1/products?page=7`;
    // Stop it only after it has seen all releases, however long that takes.
    const wrk = run("wrk", ["-t2", "-c16", "-d300s", "--timeout", "60s", "-s", "check.lua", address], {
      cwd: load,
    });
    const numbers = Array.from({ length: 26 }, (_, at) => at + 1);
    try {
      for (const number of numbers) {
        if (number > 1) release(number);
        await until(`both see release ${number}`, () => seenBy(1).has(number) && seenBy(2).has(number));
      }
    } finally {
      wrk.child.kill("SIGINT");
    }
    const { stdout } = await wrk;
    const [wrong, answers] = /checked (\d+) (\d+)/.exec(stdout)?.slice(1).map(Number) ?? [];
    expect(stdout).not.toMatch(/Socket errors|Non-2xx/);
    expect(wrong).toBe(0);
    expect(answers).toBeGreaterThanOrEqual(2 * numbers.length);
    for (const thread of [1, 2]) expect([...seenBy(thread)].sort((a, b) => a - b)).toEqual(numbers);
  });

  it("change the ETag, also twice in a second and at the same size", async () => {
    const asked = { target: `${API_PATH}/products?page=3` };
    const etags: (string | undefined)[] = [];
    for (const number of [60, 70, 80]) {
      release(number);
      etags.push((await send({ port: edge.port }, asked)).headers["etag"]);
    }
    expect(new Set(etags).size).toBe(3);
    const again = { ...asked, headers: { "If-None-Match": etags[1] ?? "" } };
    expect((await send({ port: edge.port }, again)).status).toBe(200);
  });
});
