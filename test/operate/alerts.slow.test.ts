/**
 * The alerts in a Prometheus that asks real processes of two hosts: no alert while they work, and for faults of several hosts at
 * once exactly their alerts, each with the host that has the fault. Only the times in the rules are shorter.
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
import { DEMO_CONFIG, smallStore, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const RULES = "templates/operate/prometheus/alerts.yml";
const WAIT = { timeout: 240_000, interval: 500 };

/** What the rules say → what they say here. A watch gives its sign of life every 15 s, and a bucket is polled every 5 s. */
const TIMES: readonly (readonly [alert: string, said: string, here: string])[] = [
  ["VitrinePollFailing", "> 300", "> 20"],
  ["VitrineReleasesLate", "> 600", "> 15"],
  ["VitrineReleasesLate", "[1h]", "[30s]"],
];

interface Rule {
  readonly alert: string;
  expr: string;
  for?: string;
}

function scaledRules(): { groups: { rules: Rule[] }[] } {
  const rules = parse(readFileSync(RULES, "utf8")) as { groups: { rules: Rule[] }[] };
  for (const rule of rules.groups.flatMap((group) => group.rules)) {
    if (rule.for !== undefined && rule.for !== "0m") rule.for = "4s";
    for (const [alert, said, here] of TIMES) {
      if (alert !== rule.alert) continue;
      expect(rule.expr).toContain(said);
      rule.expr = rule.expr.replaceAll(said, here);
    }
  }
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
  /** Metrics of others that node_exporter has, and the blackbox exporter. */
  others: string;
  /** By how much the file's time is set back. */
  readonly agoSeconds: Map<string, number>;
  readonly exporter: Server;
  watch?: Running;
}

/** As node_exporter does it: a file that is missing is no failure of the scrape. */
function collect({ metrics, others, agoSeconds }: Pick<Host, "metrics" | "others" | "agoSeconds">): string {
  const texts = readdirSync(metrics)
    .filter((name) => name.endsWith(".prom"))
    .map((name) =>
      readFileSync(join(metrics, name), "utf8").replace(
        /^(\w+_timestamp_seconds\S*) (\S+)$/gm,
        (_, series: string, value: string) =>
          `${series} ${value === "0" ? 0 : Number(value) - (agoSeconds.get(name) ?? 0)}`,
      ),
    );
  // A family has its type and help once, whatever the number of files.
  const lines = new Set([...texts, others].join("\n").split("\n"));
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
    others: "",
    agoSeconds: new Map(),
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

/** What node_exporter says of a disk. */
function disk(availableBytes: number, inodes: number): string {
  return [
    `node_filesystem_avail_bytes{fstype="ext4",mountpoint="/var"} ${availableBytes}`,
    'node_filesystem_size_bytes{fstype="ext4",mountpoint="/var"} 1000000000',
    `node_filesystem_files_free{fstype="ext4",mountpoint="/var"} ${inodes}`,
    'node_filesystem_files{fstype="ext4",mountpoint="/var"} 1000',
  ].join("\n");
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

async function kill(process: Running | null | undefined): Promise<void> {
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

/** Alerts that fire, each with the host or fallback that it names: `Down fallback-b`. */
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

/** Waits until exactly these alerts fire. */
async function expectFiring(...wanted: readonly string[]): Promise<void> {
  await expect.poll(firing, WAIT).toEqual([...wanted].sort());
}

async function startPrometheus(targets: Readonly<Record<string, readonly string[]>>): Promise<void> {
  writeFileSync(join(folder, "alerts.yml"), stringify(scaledRules()));
  const port = await freePort();
  const config = {
    global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
    rule_files: [join(folder, "alerts.yml")],
    scrape_configs: Object.entries(targets).map(([job, targets]) => ({
      job_name: job,
      static_configs: [{ targets }],
    })),
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
  await until("Prometheus", () =>
    fetch(`${prometheus}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
}

describeWith(["prometheus"], "alerts in a Prometheus", () => {
  let a: Host;
  let b: Host;
  const fallbacks: Fallback[] = [];
  /** Alerts that do not end before the test does. */
  const lasting: string[] = [];

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
    }
    for (const host of [a, b]) names.set(addressOf(host), host.name);
    await startPrometheus({
      "vitrine-fallback": fallbacks.map(({ metricsPort }) => `127.0.0.1:${metricsPort}`),
      "vitrine-publish": [addressOf(a), addressOf(b)],
      // Other metrics with such a name are not ours.
      "vitrine-shop": [`127.0.0.1:${await freePort()}`],
    });
  }, 300_000);
  afterAll(async () => {
    for (const { exporter } of [a, b]) exporter.close().closeAllConnections();
    for (const { child, ended } of running) {
      child.kill("SIGKILL");
      await ended;
    }
  });
  const fallback = (name: string) => fallbacks.find((one) => one.name === name) as Fallback;

  it("do not fire while everything works", async () => {
    const value = async (query: string) => {
      const path = `query?query=${encodeURIComponent(query)}`;
      const { result } = await ask<{ result: { value: [number, string] }[] }>(path);
      return Number(result[0]?.value[1] ?? 0);
    };
    // Before all were asked, and the rules after that, nothing is known of them.
    await expect.poll(() => value("sum(up)"), WAIT).toBe(4);
    await expectFiring();
    const asked = () => value('min(count_over_time(up{job!="vitrine-shop"}[5m]))');
    const before = await asked();
    const seen = new Set<string>();
    const look = async () => {
      for (const name of await firing()) seen.add(name);
      return asked();
    };
    await expect.poll(look, WAIT).toBeGreaterThanOrEqual(before + 8);
    expect([...seen]).toEqual([]);
    const { groups } = await ask<{ groups: { rules: { name: string; health: string }[] }[] }>("rules");
    for (const { name, health } of groups.flatMap(({ rules }) => rules))
      expect([name, health]).toEqual([name, "ok"]);
  });

  it("use only metrics that a process has", async () => {
    // Written when a release followed a change.
    changePrice(a);
    const known = () => ask<string[]>("label/__name__/values");
    await expect.poll(known, WAIT).toContain("vitrine_freshness_seconds");
    const present = await known();
    const asked = scaledRules()
      .groups.flatMap(({ rules }) => rules)
      .flatMap(({ expr }) => expr.match(/\b(?:vitrine|process)_\w+(?![\w"])/g) ?? [])
      .filter((name) => !/^vitrine_(?:fallback|publish)$/.test(name));
    expect(asked.length).toBeGreaterThan(12);
    expect(asked.filter((name) => !present.includes(name))).toEqual([]);
  });

  it("name each of two hosts and a fallback: a lost object, a disk that fills up, builds that fail, no answer", async () => {
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
    let available = 190_000_000;
    const filling = setInterval(() => {
      available -= 100_000;
      a.others = disk(available, 900);
    }, 200);
    await expectFiring("ObjectsMissing a", "DiskFull a", "BuildFailing b", "Down fallback-b");
    clearInterval(filling);
    a.others = disk(900_000_000, 900);
    writeFileSync(join(objects, first), before);
    a.watch?.child.kill("SIGUSR2");
    sql(b, "UPDATE products SET slug = 'a-slug' WHERE id = 3");
    await startFallback(one, join(folder, "never-published"));
    await expectFiring("NoRelease fallback-b");
  });

  it("name the host with few inodes, the one that publishes nothing, and two releases among the fallbacks", async () => {
    const one = fallback("fallback-b");
    await kill(one.process);
    await startFallback(one, b.place);
    b.agoSeconds.set("publish.prom", 3 * 3600);
    a.others = disk(900_000_000, 50);
    await expectFiring("ReleasesDiffer", "NothingPublished b", "InodesFew a");
    await kill(one.process);
    await startFallback(one, a.place);
    lasting.push("Restarting fallback-b");
    b.agoSeconds.delete("publish.prom");
    a.others = `probe_ssl_earliest_cert_expiry ${Date.now() / 1000 + 86_400}`;
    await expectFiring("CertificateExpires a", ...lasting);
    a.others = "";
    await expectFiring(...lasting);
  });

  it("name the hosts that can't read or write a damaged place, the late release, and what follows a dead watch", async () => {
    const pointer = join(a.place, ".vitrine/current.json");
    renameSync(pointer, `${pointer}.kept`);
    writeFileSync(pointer, "a file that somebody put there");
    changePrice(a);
    await kill(b.watch);
    b.agoSeconds.set("watch.prom", 180);
    const polls = ["PollFailing fallback-a", "PollFailing fallback-b"];
    await expectFiring("PublishFailing a", ...polls, "WatchDead b", ...lasting);
    b.agoSeconds.set("watch.prom", 4 * 3600);
    await expectFiring("PublishFailing a", ...polls, "BuildTooOld b", "WatchDead b", ...lasting);
    renameSync(`${pointer}.kept`, pointer);
    await expectFiring("ReleasesLate a", "BuildTooOld b", "WatchDead b", ...lasting);
    for (const name of readdirSync(b.metrics)) rmSync(join(b.metrics, name));
    await expectFiring("MetricsMissing b", ...lasting);
    b.exporter.close().closeAllConnections();
    lasting.push("PublisherUnseen b");
    await expectFiring(...lasting);
  });

  it("report a rollback that holds, until it is resumed", async () => {
    const to = ["--to", `file://${a.place}`];
    expect(vitrine(["rollback", ...to])).toMatchObject({ status: 0 });
    changePrice(a);
    await expectFiring("ReleaseHeld a", ...lasting);
    expect(vitrine(["publish", "--out", a.out, ...to, "--resume"])).toMatchObject({ status: 0 });
    changePrice(a);
    await expect.poll(firing, WAIT).not.toContain("ReleaseHeld a");
    await expectFiring(...lasting);
    // Its failed publish may have been tried again before it noticed the price.
    const product = join(a.place, "api/v1/product/slug=invoice-kit.json");
    const livePrice = () =>
      (JSON.parse(readFileSync(product, "utf8")) as { data: { price: number } }).data.price;
    await until("the new price", () => livePrice() === price / 100);
  });

  it("name the host where changed.sql did not show a change", async () => {
    sql(a, "UPDATE reviews SET body = 'Edited in place' WHERE status = 'approved'");
    a.watch?.child.kill("SIGUSR2");
    lasting.push("ChangesMissed a");
    await expectFiring(...lasting);
  });

  it("name the fallback whose copy was damaged again after it was fetched again", async () => {
    const one = fallback("fallback-a");
    const [home, url] = [homeIn(one.cache), one.process?.url ?? ""];
    damageCopy(home);
    expect((await firstFailure(url))?.status).toBe(503);
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    await expect.poll(() => copiesIn(home)).toHaveLength(1);
    damageCopy(home);
    const asking = setInterval(() => void firstFailure(url).catch(() => undefined), 200);
    try {
      await expect.poll(firing, WAIT).toContain("Errors fallback-a");
    } finally {
      clearInterval(asking);
    }
    expect(await firing()).not.toContain("Errors fallback-b");
  });
});
