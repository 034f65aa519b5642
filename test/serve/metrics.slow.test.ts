/** Metrics for Prometheus, in both formats; promtool, if it is installed, checks that Prometheus could read them. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLOCK } from "../../src/base/clock.ts";
import { VitrineError } from "../../src/base/error.ts";
import { formatMetrics, parseSamples, StepMetrics } from "../../src/base/metrics.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { MetricsFile } from "../../src/cli/metrics.ts";
import { createFallback } from "../../src/serve/fallback.ts";
import { type AccessRecord, listen } from "../../src/serve/http.ts";
import { createMetricsServer, processFamilies, ServerMetrics } from "../../src/serve/metrics.ts";
import { describeWith } from "../edge/support/tools.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const counted = new ServerMetrics();
const steps = new StepMetrics(["build", "publish"], "", { ...CLOCK, now: () => new Date(1_000_000) });
const info = {
  name: "vitrine_build",
  kind: "info",
  help: "The program.",
  samples: [{ labels: { version: '1 "a" \\', node: "v\n" }, value: 1 }],
} as const;
const families = () => [info, ...steps.families(), ...counted.families(), ...processFamilies()];

let server: Server;
let url = "";

beforeAll(async () => {
  counted.request("fallback", 200, 3);
  counted.request("fallback", 200, 700);
  counted.request("fallback", 200, 9000);
  counted.request("none", 503, 0.1);
  counted.shed();
  counted.closed("pipelined");
  steps.succeeded("build", 2);
  steps.failed("publish", 1, new VitrineError("remote_failed", "away"));
  steps.failed("publish", 1, new Error("oops"));
  server = createMetricsServer(families);
  url = await listen(server, "127.0.0.1", 0);
});
afterAll(() => server.close().closeAllConnections());

describe("/metrics", () => {
  it("has all counters", async () => {
    const samples = parseSamples(await (await fetch(`${url}/metrics`)).text());
    const duration = "vitrine_request_duration_seconds";
    expect(Object.fromEntries(samples)).toMatchObject({
      'vitrine_requests_total{source="fallback",code="200"}': 3,
      'vitrine_requests_total{source="none",code="503"}': 1,
      // Reported from the start, so that a rate includes the first one.
      'vitrine_requests_total{source="fallback",code="500"}': 0,
      [`${duration}_bucket{source="fallback",le="0.0025"}`]: 0,
      [`${duration}_bucket{source="fallback",le="0.005"}`]: 1,
      [`${duration}_bucket{source="fallback",le="1"}`]: 2,
      [`${duration}_bucket{source="fallback",le="+Inf"}`]: 3,
      [`${duration}_count{source="fallback"}`]: 3,
      [`${duration}_sum{source="fallback"}`]: 9.703,
      vitrine_requests_shed_total: 1,
      'vitrine_connections_closed_total{reason="pipelined"}': 1,
      'vitrine_consecutive_failures{step="build"}': 0,
      'vitrine_consecutive_failures{step="publish"}': 2,
      'vitrine_failures_total{code="remote_failed",step="publish"}': 1,
      'vitrine_failures_total{code="bug",step="publish"}': 1,
      'vitrine_last_success_timestamp_seconds{step="build"}': 1000,
      'vitrine_last_success_timestamp_seconds{step="publish"}': 0,
    });
  });

  it("is OpenMetrics on request", async () => {
    const response = await fetch(`${url}/metrics`, {
      headers: { Accept: "application/openmetrics-text;version=1.0.0,text/plain;q=0.5" },
    });
    expect(response.headers.get("content-type")).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
    const text = await response.text();
    expect(text.endsWith("\n# EOF\n")).toBe(true);
    expect(text).toContain("# TYPE vitrine_requests counter\n");
    expect(text).toContain("# UNIT vitrine_request_duration_seconds seconds\n");
    expect(text).toContain('vitrine_build_info{version="1 \\"a\\" \\\\",node="v\\n"} 1\n');
    // Prometheus' importer does not check this: a counter's samples end in _total, and each family appears once.
    const counters = [...text.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name]) => name);
    for (const name of counters) expect(text).not.toMatch(new RegExp(`^${name}[{ ]`, "m"));
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it("is the only path", async () => {
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(404);
  });
});

/** Sends bytes and reads until the server ends the connection. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let said = "";
  socket.on("data", (part: Buffer) => {
    said += part.toString("latin1");
  });
  socket.write(text);
  await once(socket, "close");
  return said;
}

describe("every response", () => {
  const get = (target: string, headers = "") =>
    `GET ${target} HTTP/1.1\r\nHost: shop.example\r\n${headers}Connection: close\r\n\r\n`;
  const RESPONSES: readonly (readonly [text: string, status: number])[] = [
    [get("/api/v1/store"), 200],
    [get("/api/v1/store").replace("GET", "HEAD"), 200],
    [get("/api/v1/store").replace("GET", "OPTIONS"), 204],
    [get("/explore"), 308],
    [get("/docs"), 308],
    [get("/api/v1/store", "If-None-Match: *\r\n"), 304],
    [get("/api/v1/products?page=0"), 400],
    [get("/api/v1/nothing"), 404],
    [get("/api/v1/store").replace("GET", "DELETE"), 405],
    ["CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example\r\n\r\n", 405],
    ["NONSENSE\r\n\r\n", 400],
    [get("/api/v1/store", "Host: other.example\r\n"), 400],
    [get("/api/v1/store", "Transfer-Encoding: xchunked\r\n"), 400],
    ["GET / HTTP/1.1\r\nHost: shop.example\r\nX-A: ", 408],
    [get(`/api/v1/${"x".repeat(9000)}`), 414],
    [get(`/api/v1/${"x".repeat(40_000)}`), 414],
  ];

  it("is counted and logged once, also to an unreadable request", async () => {
    const counted = new ServerMetrics();
    const records: AccessRecord[] = [];
    const catalog = openCatalog(join(sharedSnapshot("demo"), "catalog.sqlite"));
    const withPages = { ...catalog, config: { ...catalog.config, pages: {} } };
    const ports = { access: (record: AccessRecord) => records.push(record), failed: () => {} };
    for (const [text, status] of RESPONSES) {
      const limits = status === 408 ? { headMilliseconds: 200 } : {};
      const fallback = createFallback(() => withPages, { ...ports, metrics: counted }, limits);
      const said = await sendRaw(Number(new URL(await listen(fallback, "127.0.0.1", 0)).port), text);
      expect([said.slice(9, 12), text.slice(0, 80)]).toEqual([`${status}`, text.slice(0, 80)]);
      fallback.close().closeAllConnections();
    }
    catalog.close();
    const wanted = new Map<string, number>();
    for (const [, status] of RESPONSES) wanted.set(`${status}`, (wanted.get(`${status}`) ?? 0) + 1);
    const samples = counted.families().find(({ name }) => name === "vitrine_requests")?.samples ?? [];
    const found = new Map<string, number>();
    for (const { labels, value } of samples) {
      const code = labels?.["code"] ?? "";
      if (value > 0) found.set(code, (found.get(code) ?? 0) + value);
    }
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
    expect(records.map(({ status }) => status)).toEqual(RESPONSES.map(([, status]) => status));
  });
});

it("reports one start of a process", async () => {
  const started = () =>
    processFamilies().find(({ name }) => name === "process_start_time_seconds")?.samples[0]?.value;
  const first = started();
  for (let tries = 0; tries < 50; tries++) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(started()).toBe(first);
  }
});

describeWith(["promtool"], "promtool", () => {
  it("finds no fault with the older format", () => {
    const input = formatMetrics(families(), "text");
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
      input,
      encoding: "utf8",
    });
    expect([stdout, stderr, status]).toEqual(["", "", 0]);
  });

  it("imports the OpenMetrics", () => {
    const into = mkdtempSync(join(folder, "blocks-"));
    const text = formatMetrics(families(), "openmetrics");
    // The importer wants a time for each sample.
    const timed = text.replace(/^([^#\n].*)$/gm, "$1 1700000000");
    writeFileSync(join(into, "metrics"), timed);
    const flags = ["tsdb", "create-blocks-from", "openmetrics", join(into, "metrics"), join(into, "blocks")];
    expect(spawnSync("promtool", flags, { encoding: "utf8" })).toMatchObject({ status: 0 });
  });
});

describe("a metrics file", () => {
  const file = join(folder, "textfile", "vitrine.prom");
  const read = () => Object.fromEntries(parseSamples(readFileSync(file, "utf8")));
  const fail = () => Promise.reject(new VitrineError("remote_failed", "away"));

  it("continues with the counts of the process before", async () => {
    await expect(new MetricsFile(file, ["build", "publish"]).run("publish", fail)).rejects.toThrow("away");
    await expect(new MetricsFile(file, ["build", "publish"]).run("publish", fail)).rejects.toThrow("away");
    expect(read()).toMatchObject({
      'vitrine_consecutive_failures{step="publish"}': 2,
      'vitrine_failures_total{code="remote_failed",step="publish"}': 2,
      'vitrine_last_success_timestamp_seconds{step="publish"}': 0,
    });
    await new MetricsFile(file, ["build", "publish"]).run("publish", () => Promise.resolve());
    const succeeded = read();
    expect(succeeded['vitrine_consecutive_failures{step="publish"}']).toBe(0);
    await expect(new MetricsFile(file, ["build", "publish"]).run("publish", fail)).rejects.toThrow("away");
    const series = 'vitrine_last_success_timestamp_seconds{step="publish"}';
    expect(read()[series]).toBe(succeeded[series]);
  });

  it("says how long the last release took, also to the next process, and does not count an unchanged one as published", async () => {
    rmSync(file);
    const steps = ["build", "publish"] as const;
    const succeeded = 'vitrine_last_success_timestamp_seconds{step="publish"}';
    const first = new MetricsFile(file, steps);
    expect(read()["vitrine_freshness_seconds"]).toBeUndefined();
    first.live(4.5);
    await first.run("build", () => Promise.resolve());
    expect(read()).toMatchObject({ vitrine_freshness_seconds: 4.5, [succeeded]: 0 });
    const second = new MetricsFile(file, steps);
    second.live(null);
    await second.run("build", () => Promise.resolve());
    expect(read()).toMatchObject({
      vitrine_freshness_seconds: 4.5,
      [succeeded]: expect.closeTo(Date.now() / 1000, -2),
      'vitrine_last_run_timestamp_seconds{step="publish"}': 0,
    });
  });

  it("is refused at the start if it cannot be written", () => {
    writeFileSync(join(folder, "no-folder"), "");
    expect(() => new MetricsFile(join(folder, "no-folder", "x.prom"), ["build"])).toThrow(VitrineError);
  });
});
