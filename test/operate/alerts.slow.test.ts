/** The alerts in a Prometheus that asks real processes: nothing while they are well, each as its fault is there. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { describeWith } from "../edge/support/tools.ts";
import { type Running, startServer, startVitrine, until } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { DEMO_CONFIG, sharedStore, temporaryFolder } from "../support/shop.ts";

const RULES = "templates/operate/prometheus/alerts.yml";
const WAIT_MILLISECONDS = 120_000;

const folder = temporaryFolder();
const store = join(folder, "store.sqlite");
const place = join(folder, "live");
const metricsFile = join(folder, "metrics/vitrine.prom");
const running: (Running | { readonly child: ChildProcess; readonly ended: Promise<unknown> })[] = [];
let exporter: Server;
/** What the exporter takes from moments: so long ago a file says that it was written. */
let agoSeconds = 0;
let prometheus = "";
let metricsPort = 0;
let fallback: Running;
let watch: Running;

/** As node_exporter's textfile collector does: a file that is not there is no failure of its own. */
function collect(): string {
  if (!existsSync(metricsFile)) return "";
  return readFileSync(metricsFile, "utf8").replace(
    /^(\w+_timestamp_seconds\S*) (\S+)$/gm,
    (_, name: string, value: string) => `${name} ${Number(value) - agoSeconds}`,
  );
}

async function ask<Data>(path: string): Promise<Data> {
  const response = await fetch(`${prometheus}/api/v1/${path}`);
  return ((await response.json()) as { data: Data }).data;
}

async function value(query: string): Promise<number> {
  const { result } = await ask<{ result: { value: [number, string] }[] }>(
    `query?query=${encodeURIComponent(query)}`,
  );
  return Number(result[0]?.value[1] ?? 0);
}

/** Alerts whose condition holds, for however long it has. */
async function alerts(): Promise<string[]> {
  const found = await ask<{ alerts: { labels: { alertname: string } }[] }>("alerts");
  return [...new Set(found.alerts.map(({ labels }) => labels.alertname))].sort();
}

async function untilAlert(name: string): Promise<void> {
  await expect.poll(alerts, { timeout: WAIT_MILLISECONDS, interval: 100 }).toContain(name);
}

function sql(text: string): void {
  const db = new Database(store, { timeout: 10_000 });
  db.exec(text);
  db.close();
}

async function startFallback(): Promise<void> {
  const catalog = join(folder, "out/catalog.sqlite");
  fallback = await startServer([
    "fallback",
    "--catalog",
    catalog,
    "--quiet",
    "--metrics",
    String(metricsPort),
  ]);
  running.push(fallback);
}

async function startPrometheus(exporterPort: number): Promise<void> {
  const port = await freePort();
  const config = {
    global: { scrape_interval: "250ms", scrape_timeout: "250ms", evaluation_interval: "250ms" },
    rule_files: [resolve(RULES)],
    scrape_configs: [
      { job_name: "vitrine-fallback", static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] },
      { job_name: "vitrine-publish", static_configs: [{ targets: [`127.0.0.1:${exporterPort}`] }] },
    ],
  };
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const flags = [
    `--config.file=${join(folder, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(folder, "tsdb")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn("prometheus", flags, { stdio: "ignore" });
  running.push({ child, ended: new Promise((done) => child.once("exit", done)) });
  prometheus = `http://127.0.0.1:${port}`;
  await vi.waitFor(
    async () => {
      const { status } = await fetch(`${prometheus}/-/ready`);
      if (status !== 200) throw new Error(`it answers ${status}`);
    },
    { timeout: WAIT_MILLISECONDS },
  );
}

describeWith(["prometheus"], "alerts in a Prometheus", () => {
  beforeAll(async () => {
    copyFileSync(sharedStore(150), store);
    const config = join(folder, "config.json");
    writeFileSync(
      config,
      JSON.stringify({
        ...DEMO_CONFIG,
        grid: { depth: 0, maxFiles: 250_000, pages: 1 },
        rows: { maxLeftOut: 0 },
      }),
    );
    mkdirSync(join(folder, "metrics"));
    const flags = ["--store", store, "--queries", "templates/queries", "--config", config];
    flags.push("--out", join(folder, "out"), "--settle", "0");
    watch = startVitrine(["watch", ...flags, "--to", `file://${place}`, "--metrics-file", metricsFile]);
    running.push(watch);
    await until("a release", () => watch.said().includes("is live"), WAIT_MILLISECONDS);
    metricsPort = await freePort();
    await startFallback();
    exporter = createServer((_, response) => response.end(collect())).listen(0, "127.0.0.1");
    await new Promise((listening) => exporter.once("listening", listening));
    await startPrometheus((exporter.address() as AddressInfo).port);
  }, 300_000);
  afterAll(async () => {
    exporter?.close().closeAllConnections();
    for (const { child, ended } of running) {
      child.kill("SIGKILL");
      await ended;
    }
  });

  it("are none while all is well", async () => {
    const asked = () => value(`count_over_time(up{job="vitrine-fallback"}[5m])`);
    // Until both were asked, and the rules after that, nothing is known of them.
    await expect.poll(() => value("sum(up)"), { timeout: WAIT_MILLISECONDS }).toBe(2);
    await expect.poll(asked, { timeout: WAIT_MILLISECONDS }).toBeGreaterThanOrEqual(8);
    const seen = new Set<string>();
    const look = async () => {
      for (const name of await alerts()) seen.add(name);
      // On a busy machine one answer may take longer than the quarter of a second that it is waited for here.
      seen.delete("VitrineDown");
      return await asked();
    };
    await expect.poll(look, { timeout: WAIT_MILLISECONDS }).toBeGreaterThanOrEqual(40);
    expect([...seen]).toEqual([]);
    expect(await value('min(avg_over_time(up{job=~"vitrine.*"}[5m]))')).toBeGreaterThan(0.5);
    await expect.poll(alerts, { timeout: WAIT_MILLISECONDS }).toEqual([]);
    const { groups } = await ask<{ groups: { rules: { name: string; health: string }[] }[] }>("rules");
    for (const { name, health } of groups.flatMap(({ rules }) => rules))
      expect([name, health]).toEqual([name, "ok"]);
  });

  it("ask for nothing that no process tells", async () => {
    const told = await ask<string[]>("label/__name__/values");
    const { groups } = parse(readFileSync(RULES, "utf8")) as { groups: { rules: { expr: string }[] }[] };
    const asked = groups
      .flatMap(({ rules }) => rules)
      .flatMap(({ expr }) => expr.match(/\b(?:vitrine|process)_\w+(?![\w"])/g) ?? [])
      .filter((name) => !/^vitrine_(?:fallback|publish)$/.test(name));
    expect(asked.length).toBeGreaterThan(12);
    expect(asked.filter((name) => !told.includes(name))).toEqual([]);
  });

  it("tell of an object that a place has lost", async () => {
    expect(await alerts()).not.toContain("VitrineObjectsMissing");
    const objects = join(place, ".vitrine/objects");
    const [first = ""] = readdirSync(objects);
    const before = readFileSync(join(objects, first));
    // As if the last look had been an hour ago.
    const lookAgain = () => {
      const places = join(folder, "out/.places");
      for (const name of readdirSync(places)) if (name.endsWith(".look.json")) rmSync(join(places, name));
      watch.child.kill("SIGUSR2");
    };
    rmSync(join(objects, first));
    lookAgain();
    await untilAlert("VitrineObjectsMissing");
    writeFileSync(join(objects, first), before);
    watch.child.kill("SIGUSR2");
    await expect.poll(alerts, { timeout: WAIT_MILLISECONDS }).not.toContain("VitrineObjectsMissing");
  });

  it("tell of publishes that fail", async () => {
    writeFileSync(join(place, ".vitrine/current.json"), "a file that somebody put there");
    sql("UPDATE products SET regular_price_minor = 4321 WHERE slug = 'invoice-kit'");
    await untilAlert("VitrinePublishFailing");
  });

  it("tell of builds that fail", async () => {
    sql("UPDATE products SET slug = 'Not A Slug!' WHERE id = 2");
    await untilAlert("VitrineBuildFailing");
  });

  it("tell of a watch that was killed", async () => {
    expect(await alerts()).not.toContain("VitrineWatchDead");
    watch.child.kill("SIGKILL");
    await watch.ended;
    agoSeconds = 180;
    await untilAlert("VitrineWatchDead");
  });

  it("tell of builds of which nothing has been heard for hours", async () => {
    expect(await alerts()).not.toContain("VitrineBuildTooOld");
    agoSeconds = 4 * 3600;
    await untilAlert("VitrineBuildTooOld");
  });

  it("tell of a metrics file that is gone", async () => {
    expect(await alerts()).not.toContain("VitrineMetricsMissing");
    rmSync(metricsFile);
    await untilAlert("VitrineMetricsMissing");
  });

  it("tell of a fallback that is down, and of one that starts again and again", async () => {
    for (let starts = 0; starts < 3; starts++) {
      expect(await alerts()).not.toContain("VitrineRestarting");
      fallback.child.kill("SIGKILL");
      await fallback.ended;
      await untilAlert("VitrineDown");
      await startFallback();
      await expect.poll(alerts, { timeout: WAIT_MILLISECONDS }).not.toContain("VitrineDown");
    }
    await untilAlert("VitrineRestarting");
  });
});
