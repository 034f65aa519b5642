/**
 * The alerts on metrics of real processes on two hosts: no alert while they work, and for faults of several hosts at once exactly their
 * alerts, each with the host that has the fault. How long a fault lasts is simulated (`LastingAlerts`). A real Prometheus asks the
 * processes once, with shorter times in its rules.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { describeWith } from "../edge/support/tools.ts";
import { type Running, startServer, startVitrine, vitrine } from "../support/command.ts";
import { copiesIn, damageCopy, firstFailure, homeIn } from "../support/damaged-copy.ts";
import { freePort } from "../support/free-port.ts";
import { LastingAlerts, type State } from "../support/lasting-alerts.ts";
import { DEMO_CONFIG, smallStore, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const RULES = "templates/operate/prometheus/alerts.yml";
const WAIT = { timeout: 120_000, interval: 500 };

interface Rule {
  readonly alert: string;
  expr: string;
  for?: string;
}

/** The rules for the real Prometheus. */
function quickRules(): { groups: { rules: Rule[] }[] } {
  const rules = parse(readFileSync(RULES, "utf8")) as { groups: { rules: Rule[] }[] };
  for (const rule of rules.groups.flatMap((group) => group.rules))
    if (rule.for !== undefined && rule.for !== "0m") rule.for = "2s";
  return rules;
}

const folder = temporaryFolder();
const running: (Running | { readonly child: ChildProcess; readonly ended: Promise<unknown> })[] = [];

/** A host with a shop, and its node_exporter, whose textfile collector reads metrics files. */
interface Host {
  readonly name: string;
  readonly store: string;
  readonly out: string;
  readonly place: string;
  readonly metrics: string;
  /** By how much the file's time is set back. */
  readonly agoSeconds: Map<string, number>;
  /** How much later the last release was live. */
  lateSeconds: number;
  readonly exporter: Server;
  watch?: Running;
}

/** As node_exporter does it: a file that is missing is no failure of the scrape. */
function collect({ metrics, agoSeconds, lateSeconds }: Host): string {
  const texts = readdirSync(metrics)
    .filter((name) => name.endsWith(".prom"))
    .map((name) =>
      readFileSync(join(metrics, name), "utf8")
        .replace(
          /^(\w+_timestamp_seconds\S*) (\S+)$/gm,
          (_, series: string, value: string) =>
            `${series} ${value === "0" ? 0 : Number(value) - (agoSeconds.get(name) ?? 0)}`,
        )
        .replace(
          /^(vitrine_freshness_seconds) (\S+)$/m,
          (_, series: string, value: string) => `${series} ${Number(value) + lateSeconds}`,
        ),
    );
  // A family has its type and help once, whatever the number of files.
  const lines = new Set(texts.join("\n").split("\n"));
  const order = [...lines].filter((line) => line !== "" && !line.startsWith("#"));
  return `${order.join("\n")}\n`;
}

async function openHost(name: string): Promise<Host> {
  const home = join(folder, name);
  const metrics = join(home, "metrics");
  mkdirSync(metrics, { recursive: true });
  const store = join(home, "store.sqlite");
  copyFileSync(smallStore(), store);
  const exporter = createServer((_, response) => response.end(collect(host))).listen(0, "127.0.0.1");
  await new Promise((listening) => exporter.once("listening", listening));
  const host: Host = {
    name,
    store,
    out: join(home, "out"),
    place: join(home, "live"),
    metrics,
    agoSeconds: new Map(),
    lateSeconds: 0,
    exporter,
  };
  return host;
}

function addressOf({ exporter }: Host): string {
  return `127.0.0.1:${(exporter.address() as AddressInfo).port}`;
}

function startWatch(host: Host, ...flags: readonly string[]): void {
  const args = ["--store", host.store, "--config", join(folder, "config.json"), "--out", host.out];
  args.push("--settle", "0", "--metrics-file", join(host.metrics, "watch.prom"));
  host.watch = startVitrine(["watch", ...args, ...flags]);
  running.push(host.watch);
}

function sql({ store }: Host, text: string): void {
  const db = new Database(store, { timeout: 10_000 });
  db.exec(text);
  db.close();
}

let price = 1000;
function changePrice(host: Host): void {
  sql(host, `UPDATE products SET regular_price_minor = ${++price} WHERE slug = 'invoice-kit'`);
}

interface Fallback {
  readonly name: string;
  readonly metricsPort: number;
  readonly cache: string;
  process: (Running & { readonly url: string }) | null;
}

async function startFallback(fallback: Fallback, place: string): Promise<void> {
  const metrics = ["--metrics", String(fallback.metricsPort), "--cache", fallback.cache];
  fallback.process = await startServer(["fallback", "--to", `file://${place}`, "--quiet", ...metrics]);
  running.push(fallback.process);
}

async function kill(process: Pick<Running, "child" | "ended"> | null | undefined): Promise<void> {
  process?.child.kill("SIGKILL");
  await process?.ended;
}

let prometheus = "";
/** By the address that Prometheus asks. */
const names = new Map<string, string>();

async function ask<Data>(path: string): Promise<Data> {
  const response = await fetch(`${prometheus}/api/v1/${path}`);
  return ((await response.json()) as { data: Data }).data;
}

/** Alerts that fire in the real Prometheus, each with the host or fallback that it names: `Down fallback-b`. */
async function firing(): Promise<string[]> {
  const found = await ask<{ alerts: { state: string; labels: { alertname: string; instance?: string } }[] }>(
    "alerts",
  );
  return found.alerts
    .filter(({ state }) => state === "firing")
    .map(({ labels: { alertname, instance = "" } }) =>
      `${alertname.replace("Vitrine", "")} ${names.get(instance) ?? instance}`.trim(),
    )
    .sort();
}

/** The jobs of all targets, by their addresses. */
const jobs = new Map<string, string>();
const lasting = new LastingAlerts(folder);

/** As Prometheus asks all targets. */
function scrape(): Promise<State> {
  const ask = async ([instance, job]: readonly [string, string]) => {
    const text = await fetch(`http://${instance}/metrics`).then(
      (response) => response.text(),
      () => null,
    );
    return { job, instance, text, atSeconds: Date.now() / 1000 };
  };
  return Promise.all([...jobs].map(ask));
}

/** Waits until the processes are in a state that lets exactly these alerts fire while it lasts. */
async function expectFiring(...wanted: readonly string[]): Promise<void> {
  const alerts = wanted.map((one) => {
    const [alert = "", name = ""] = one.split(" ");
    const [instance = ""] = [...names].find(([, known]) => known === name) ?? [];
    return { alert: `Vitrine${alert}`, instance };
  });
  let state: State = [];
  const look = async () => {
    state = await scrape();
    return lasting.judge(state, alerts);
  };
  await expect.poll(look, WAIT).toBe("");
  lasting.add(state);
}

async function startPrometheus(): Promise<Pick<Running, "child" | "ended">> {
  writeFileSync(join(folder, "alerts.yml"), stringify(quickRules()));
  const port = await freePort();
  const config = {
    global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
    rule_files: [join(folder, "alerts.yml")],
    scrape_configs: [...new Set(jobs.values())].map((job) => ({
      job_name: job,
      static_configs: [{ targets: [...jobs.keys()].filter((target) => jobs.get(target) === job) }],
    })),
  };
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const flags = [
    `--config.file=${join(folder, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(folder, "tsdb")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn("prometheus", flags, { stdio: "ignore" });
  const started = { child, ended: new Promise<number | null>((done) => child.once("exit", done)) };
  running.push(started);
  prometheus = `http://127.0.0.1:${port}`;
  await until("Prometheus", () =>
    fetch(`${prometheus}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return started;
}

describeWith(["prometheus", "promtool"], "alerts on real processes", () => {
  let a: Host;
  let b: Host;
  const fallbacks: Fallback[] = [];

  beforeAll(async () => {
    const grid = { depth: 0, maxFiles: 250_000, pages: 1 };
    const config = { ...DEMO_CONFIG, queries: `${process.cwd()}/templates/queries`, grid };
    writeFileSync(join(folder, "config.json"), JSON.stringify({ ...config, rows: { maxLeftOut: 0 } }));
    a = await openHost("a");
    b = await openHost("b");
    startWatch(a, "--to", `file://${a.place}`);
    // On the other host one process builds, and another publishes.
    startWatch(b);
    await until("a release", () => a.watch?.said().includes("is live"));
    await until("a build", () => b.watch?.said().includes("built in"));
    const publish = ["publish", "--out", b.out, "--to", `file://${b.place}`];
    const published = vitrine([...publish, "--metrics-file", join(b.metrics, "publish.prom")]);
    expect(published).toMatchObject({ status: 0 });
    for (const name of ["fallback-a", "fallback-b"]) {
      const cache = join(folder, name);
      const fallback: Fallback = { name, metricsPort: await freePort(), cache, process: null };
      mkdirSync(cache);
      await startFallback(fallback, a.place);
      fallbacks.push(fallback);
      names.set(`127.0.0.1:${fallback.metricsPort}`, name);
      jobs.set(`127.0.0.1:${fallback.metricsPort}`, "vitrine-fallback");
    }
    for (const host of [a, b]) {
      names.set(addressOf(host), host.name);
      jobs.set(addressOf(host), "vitrine-publish");
    }
    // Other metrics with such a name are not ours.
    jobs.set(`127.0.0.1:${await freePort()}`, "vitrine-shop");
  }, 300_000);
  afterAll(async () => {
    for (const { exporter } of [a, b]) exporter.close().closeAllConnections();
    for (const { child, ended } of running) {
      child.kill("SIGKILL");
      await ended;
    }
  });
  const fallback = (name: string) => fallbacks.find((one) => one.name === name) as Fallback;

  it("do not fire while everything works, however long", async () => {
    await expectFiring();
  });

  it("use only metrics that a process has", async () => {
    // Written when a release followed a change.
    changePrice(a);
    const texts = async () => (await scrape()).map(({ text }) => text ?? "").join("\n");
    await expect.poll(texts, WAIT).toContain("vitrine_freshness_seconds");
    const given = new Set([...(await texts()).matchAll(/^(\w+)/gm)].map(([, name = ""]) => name));
    const asked = quickRules()
      .groups.flatMap(({ rules }) => rules)
      .flatMap(({ expr }) => expr.match(/\b(?:vitrine|process)_\w+(?![\w"])/g) ?? [])
      .filter((name) => !/^vitrine_(?:fallback|publish)$/.test(name));
    expect(asked.length).toBeGreaterThan(12);
    expect(asked.filter((name) => !given.has(name))).toEqual([]);
    await expectFiring();
  });

  it("name each of two hosts and a fallback: a lost object, builds that fail, no answer; in a real Prometheus, too", async () => {
    const asking = await startPrometheus();
    const value = async (query: string) => {
      const path = `query?query=${encodeURIComponent(query)}`;
      const { result } = await ask<{ result: { value: [number, string] }[] }>(path);
      return Number(result[0]?.value[1] ?? 0);
    };
    await expect.poll(() => value("sum(up)"), WAIT).toBe(4);
    const { groups } = await ask<{ groups: { rules: { name: string; health: string }[] }[] }>("rules");
    for (const { name, health } of groups.flatMap(({ rules }) => rules))
      expect([name, health]).not.toEqual([name, "err"]);
    const one = fallback("fallback-b");
    const objects = join(a.place, ".vitrine/objects");
    const [first = ""] = readdirSync(objects);
    const before = readFileSync(join(objects, first));
    rmSync(join(objects, first));
    // As if the last look had been an hour ago.
    const places = join(a.out, ".places");
    for (const name of readdirSync(places)) if (name.endsWith(".look.json")) rmSync(join(places, name));
    a.watch?.child.kill("SIGUSR2");
    // changed.sql shows a price, and no slug.
    sql(b, "UPDATE products SET slug = 'Not A Slug!', regular_price_minor = 4321 WHERE id = 3");
    await kill(one.process);
    const faults = ["BuildFailing b", "Down fallback-b", "ObjectsMissing a"];
    await expectFiring(...faults);
    await expect.poll(firing, WAIT).toEqual(faults);
    await kill(asking);
    writeFileSync(join(objects, first), before);
    a.watch?.child.kill("SIGUSR2");
    sql(b, "UPDATE products SET slug = 'a-slug' WHERE id = 3");
    await startFallback(one, join(folder, "never-published"));
    await expectFiring("NoRelease fallback-b");
  });

  it("name the host that publishes nothing, two releases among the fallbacks, and the one that starts again and again", async () => {
    const one = fallback("fallback-b");
    await kill(one.process);
    await startFallback(one, b.place);
    b.agoSeconds.set("publish.prom", 3 * 3600);
    await expectFiring("ReleasesDiffer", "NothingPublished b");
    b.agoSeconds.delete("publish.prom");
    await kill(one.process);
    await startFallback(one, a.place);
    await expectFiring("Restarting fallback-b");
    lasting.forget();
    await expectFiring();
  });

  it("name the hosts that can't read or write a damaged place, the late release, and what follows a dead watch", async () => {
    const pointer = join(a.place, ".vitrine/current.json");
    renameSync(pointer, `${pointer}.kept`);
    writeFileSync(pointer, "a file that somebody put there");
    changePrice(a);
    await kill(b.watch);
    b.agoSeconds.set("watch.prom", 180);
    const polls = ["PollFailing fallback-a", "PollFailing fallback-b"];
    await expectFiring("PublishFailing a", ...polls, "WatchDead b");
    b.agoSeconds.set("watch.prom", 4 * 3600);
    await expectFiring("PublishFailing a", ...polls, "BuildTooOld b", "WatchDead b");
    renameSync(`${pointer}.kept`, pointer);
    a.lateSeconds = 600;
    a.watch?.child.kill("SIGUSR2");
    await expectFiring("ReleasesLate a", "BuildTooOld b", "WatchDead b");
    a.lateSeconds = 0;
    for (const name of readdirSync(b.metrics)) rmSync(join(b.metrics, name));
    await expectFiring("MetricsMissing b");
    b.exporter.close().closeAllConnections();
    await expectFiring("PublisherUnseen b");
  });

  it("report a rollback that holds, until it is resumed", async () => {
    const to = ["--to", `file://${a.place}`];
    expect(vitrine(["rollback", ...to])).toMatchObject({ status: 0 });
    changePrice(a);
    await expectFiring("ReleaseHeld a", "PublisherUnseen b");
    expect(vitrine(["publish", "--out", a.out, ...to, "--resume"])).toMatchObject({ status: 0 });
    changePrice(a);
    await expectFiring("PublisherUnseen b");
    // Its failed publish may have been tried again before it noticed the price.
    const product = join(a.place, "api/v1/product/slug=invoice-kit.json");
    const livePrice = () =>
      (JSON.parse(readFileSync(product, "utf8")) as { data: { price: number } }).data.price;
    await until("the new price", () => livePrice() === price / 100);
  });

  it("name the host where changed.sql did not show a change", async () => {
    sql(a, "UPDATE reviews SET body = 'Edited in place' WHERE status = 'approved'");
    a.watch?.child.kill("SIGUSR2");
    await expectFiring("ChangesMissed a", "PublisherUnseen b");
  });

  it("name the fallback whose copy was damaged again after it was fetched again", async () => {
    const one = fallback("fallback-a");
    const [home, url] = [homeIn(one.cache), one.process?.url ?? ""];
    const [damaged = ""] = copiesIn(home);
    damageCopy(home);
    expect((await firstFailure(url))?.status).toBe(503);
    // The other one, or the damage would be done to what is about to be deleted.
    await expect.poll(() => copiesIn(home), WAIT).toEqual([expect.not.stringContaining(damaged)]);
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, WAIT).toBe(200);
    damageCopy(home);
    await expectFiring("ChangesMissed a", "PublisherUnseen b");
    const errors = { alert: "VitrineErrors", instance: `127.0.0.1:${one.metricsPort}` };
    const look = async () => {
      await firstFailure(url);
      // Others may fire with it: on a busy machine its few answers are slow.
      return lasting.judge(await scrape(), [errors], { only: "VitrineErrors", isGrowing: true });
    };
    await expect.poll(look, WAIT).toBe("");
  });
});
