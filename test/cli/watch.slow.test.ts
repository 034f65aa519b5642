/**
 * `vitrine watch` beside a shop that goes on working: what it notices, what it prints, how it ends. When it builds is tested in simulated
 * time, in test/pipeline/watch-run.test.ts and watch-shop.slow.test.ts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BuildReport, type WatchFailure, watch } from "../../src/index.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { commandFile, type Running, startVitrine, vitrine } from "../support/command.ts";
import { DEMO_CONFIG, smallStore, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const PRODUCT = "api/v1/product/slug=invoice-kit.json";
const SOON = ["--settle", "0", "--at-most-every", "0"];

interface Event {
  readonly event: "watching" | "build" | "publish" | "then" | "failed" | "missed";
  readonly code?: string;
  readonly message?: string;
  readonly work?: string;
  readonly nextChangeAt?: string | null;
  readonly retrySeconds?: number;
}

const folder = temporaryFolder();
const running: Running[] = [];
let home = "";
let store = "";
let out = "";
let shops = 0;

beforeEach(() => {
  home = join(folder, String(++shops));
  mkdirSync(home);
  store = join(home, "store.sqlite");
  out = join(home, "out");
  copyFileSync(smallStore(), store);
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({
      ...DEMO_CONFIG,
      queries: resolve("templates/queries"),
      rows: { maxLeftOut: 0 },
      grid: { depth: 0, maxFiles: 250_000, pages: 1 },
    }),
  );
});

/** A build of the store that watches need not make again, made once. */
let built = "";

/** The shop as it is after a first build: what a watch finds when it is started again. */
function buildFirst(): void {
  if (built === "") {
    built = join(folder, "built");
    expect(vitrine([...args("--once"), "--out", built]).status).toBe(0);
  }
  cpSync(built, out, { recursive: true });
}

afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
});

/** Changes the shop's database, each statement in a separate transaction. */
function sql(...statements: readonly string[]): void {
  const db = new Database(store, { timeout: 10_000 });
  for (const statement of statements) db.exec(statement);
  db.close();
}

function setPrice(minor: number): string {
  return `UPDATE products SET regular_price_minor = ${minor} WHERE slug = 'invoice-kit'`;
}

function args(...more: readonly string[]): string[] {
  const config = join(home, "config.json");
  return ["watch", "--store", store, "--config", config, "--out", out, "--json", ...more];
}

function start(...more: readonly string[]): Running {
  const started = startVitrine(args(...more));
  running.push(started);
  return started;
}

function eventsOf(text: string): Event[] {
  const lines = text.split("\n").slice(0, -1);
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Event);
}

function eventsNamed({ said }: Pick<Running, "said">, name: Event["event"]): Event[] {
  return eventsOf(said()).filter(({ event }) => event === name);
}

/** Waits for so many events of a kind; gives the last of them. */
function untilEvent(watched: Running, name: Event["event"], count = 1): Promise<Event> {
  const look = () => eventsNamed(watched, name).at(count - 1);
  return until(`${count} of "${name}"`, look);
}

function regularPrice(site = join(out, "site")): number {
  const file = join(site, PRODUCT);
  if (!existsSync(file)) return 0;
  return (JSON.parse(readFileSync(file, "utf8")) as { data: { price: number } }).data.price;
}

function untilPrice(price: number, site?: string): Promise<true> {
  return until(`a price of ${price}`, () => regularPrice(site) === price);
}

/** Builds that changed something. */
function works(watched: Running): (string | undefined)[] {
  return eventsNamed(watched, "build")
    .map(({ work }) => work)
    .filter((work) => work !== "none");
}

describe("vitrine watch notices", () => {
  it("each change of the store", async () => {
    const watched = start(...SOON);
    await untilEvent(watched, "build");
    sql(setPrice(4321));
    await untilPrice(43.21);
    sql(setPrice(1234));
    await untilPrice(12.34);
    await until("the builds are reported", () => works(watched).length === 3);
    expect(works(watched)).toEqual(["whole", "part", "part"]);
    expect((await verifySnapshot(layoutOf(out), () => undefined)).problems).toEqual([]);
    watched.child.kill("SIGINT");
    expect(await watched.ended).toBe(0);
  });

  it("another file in the store's place, its changes, and writes to a log by a connection that stays open", async () => {
    buildFirst();
    const watched = start(...SOON);
    await untilEvent(watched, "build");
    const [next, shown] = [`${store}.next`, store];
    copyFileSync(store, next);
    store = next;
    sql(setPrice(4321));
    store = shown;
    renameSync(next, store);
    await untilPrice(43.21);
    sql(setPrice(1234));
    await untilPrice(12.34);
    const db = new Database(store, { timeout: 10_000 });
    db.pragma("journal_mode = WAL");
    db.exec(setPrice(2143));
    await untilPrice(21.43);
    db.exec(setPrice(3214));
    await untilPrice(32.14);
    db.close();
  });
});

/** Begins with the time. */
const EVERYTHING = /^[\dT:-]+Z everything: built in [\d.]+ s, [\d,]+ written, 0 deleted of [\d,]+ files/;
const A_PRODUCT =
  /^[\dT:-]+Z 1 product changed: built in [\d.]+ s, [\d,]+ written, 0 deleted of [\d,]+ files/;

describe("vitrine watch and changed.sql", () => {
  it("builds at SIGUSR2, and names the file of a change that the row did not show", async () => {
    buildFirst();
    const watched = start(...SOON, "--metrics-file", join(home, "watch.prom"));
    await untilEvent(watched, "build");
    sql(
      "UPDATE reviews SET body = 'Edited in place' WHERE id IN (SELECT id FROM reviews WHERE status = 'approved' ORDER BY id LIMIT 20)",
    );
    watched.child.kill("SIGUSR2");
    expect(await untilEvent(watched, "missed")).toMatchObject({ files: ["reviews.sql"] });
  });

  it("reports a file that fails, and reads all rows instead", async () => {
    const queries = join(home, "queries");
    cpSync("templates/queries", queries, { recursive: true });
    writeFileSync(join(queries, "changed.sql"), "SELECT id FROM products");
    const watched = start(...SOON, "--queries", queries);
    const failed = await untilEvent(watched, "failed");
    expect(failed).toMatchObject({ step: "look", code: "allow_list_invalid", retrySeconds: 30 });
    expect(failed.message).toMatch(/^changed\.sql gives more than one row/);
    expect((await untilEvent(watched, "build")).work).toBe("whole");
    // Once it is right, it is asked again.
    cpSync("templates/queries/changed.sql", join(queries, "changed.sql"));
    watched.child.kill("SIGUSR2");
    await untilEvent(watched, "build", 2);
    sql(setPrice(4321));
    await untilPrice(43.21);
  });
});

describe("vitrine watch prints", () => {
  const words = (...more: readonly string[]) => args(...SOON, ...more).filter((arg) => arg !== "--json");

  it("a line for each build in a log: what changed, the seconds, what was published", async () => {
    const place = join(home, "live");
    const watched = startVitrine(words("--to", `file://${place}`, "--allow-shrink", "1000000"));
    running.push(watched);
    const lines = () => watched.said().split("\n").slice(0, -1);
    const releases = () => lines().filter((line) => line.includes("is live after"));
    await until("a release", () => releases().length === 1);
    sql(setPrice(4321));
    await until("another", () => releases().length === 2);
    const [first, ...others] = lines().filter((line) => !line.startsWith("extracting"));
    expect(first).toBe(`watching ${store}`);
    expect(releases()).toEqual([expect.stringMatching(EVERYTHING), expect.stringMatching(A_PRODUCT)]);
    expect(others.filter((line) => line.includes("built in"))).toEqual(releases());
  });

  it("nothing for a build without changes, and little as JSON", async () => {
    const metrics = join(home, "watch.prom");
    const [people, machines] = [
      startVitrine(words("--metrics-file", metrics)),
      start("--out", `${out}-json`),
    ];
    running.push(people);
    await until("a build", () => people.said().includes("built in"));
    await untilEvent(machines, "build");
    const ran = () =>
      /^vitrine_last_run_timestamp_seconds\{step="build"\} (.*)$/m.exec(readFileSync(metrics, "utf8"))?.[1];
    const [before, said] = [ran(), people.said()];
    sql("UPDATE orders SET total = total + 1");
    for (const { child } of [people, machines]) child.kill("SIGUSR2");
    await until("it has built again", () => ran() !== before);
    people.child.kill("SIGTERM");
    expect([await people.ended, people.said()]).toEqual([0, said]);
    const nothing = await untilEvent(machines, "build", 2);
    expect(Object.keys(nothing)).toEqual(["event", "at", "work", "nextChangeAt", "seconds"]);
  });

  it("as JSON what describes the whole shop once, and again when it changes", async () => {
    const watched = start(...SOON);
    const standing = ["leftOut", "wrong", "shortened", "notPublic", "feeds", "leftToFallback"];
    const told = async (count: number) =>
      Object.keys(await untilEvent(watched, "build", count)).filter((name) => standing.includes(name));
    expect(await told(1)).toEqual(standing);
    sql(setPrice(4321));
    expect(await told(2)).toEqual([]);
    expect(JSON.stringify(await untilEvent(watched, "build", 2)).length).toBeLessThan(2000);
    sql(`BEGIN; ${setPrice(1234)}; UPDATE products SET demo_url = 'no address' WHERE id = 3; COMMIT`);
    expect(await told(3)).toEqual(["wrong"]);
  });

  it("the text of a failure once, however long it lasts", async () => {
    sql("UPDATE products SET slug = 'Not A Slug!' WHERE id = 3");
    const [machines, people] = [start(...SOON), startVitrine(words("--out", `${out}-people`))];
    running.push(people);
    for (const count of [1, 2, 3]) {
      await untilEvent(machines, "failed", count);
      sql(setPrice(count));
    }
    const failures = eventsNamed(machines, "failed");
    expect(failures.map(({ code }) => code)).toEqual(failures.map(() => "rows_invalid"));
    expect(failures.filter(({ message }) => message !== undefined)).toEqual([failures[0]]);
    await until("another try", () =>
      people.said().includes("build failed again (rows_invalid): trying again"),
    );
    expect(people.said().split("Not A Slug!")).toHaveLength(2);
  });

  it("one line that is overwritten on a terminal", async () => {
    const shown = words().map((word) => `'${word}'`);
    const command = `stty cols 200; exec node ${commandFile()} ${shown.join(" ")}`;
    // Ended with its terminal.
    const child = spawn("script", ["-qec", command, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (part: Buffer) => {
      said += part.toString();
    });
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    running.push({ child, ended, said: () => said });
    const built = () => said.split("built in").length - 1;
    await until("a build", () => built() === 1);
    sql(setPrice(4321));
    await until("another", () => built() === 2);
    const [first = "", second = ""] = said.split("\r\u001b[K").filter((text) => /^\d{4}-/.test(text));
    expect([first, second]).toEqual([expect.stringMatching(EVERYTHING), expect.stringMatching(A_PRODUCT)]);
    expect(first).not.toContain("\n");
  });
});

describe("vitrine watch survives", () => {
  it("a command that fails, and runs it again at the next change", async () => {
    const ready = join(home, "ready");
    const watched = start(...SOON, "--then", `echo said by the command; test -e ${ready} || exit 7`);
    const failed = await untilEvent(watched, "failed");
    expect(failed).toMatchObject({
      code: "command_failed",
      message: expect.stringContaining("ended with exit code 7"),
    });
    expect(watched.said()).toContain("said by the command\n");
    writeFileSync(ready, "");
    sql(setPrice(4321));
    await untilEvent(watched, "then");
    expect(regularPrice()).toBe(43.21);
  });
});

describe("vitrine watch publishes", () => {
  it("to a place, after each build that changed something", async () => {
    buildFirst();
    const place = join(home, "live");
    const watched = start(...SOON, "--to", `file://${place}`, "--allow-shrink", "1000000");
    await untilEvent(watched, "publish");
    sql(setPrice(4321));
    await untilPrice(43.21, place);
    // changed.sql does not show an order: nothing is built for it until somebody asks.
    sql("UPDATE orders SET total = total + 1");
    watched.child.kill("SIGUSR2");
    await until("a build of nothing", () =>
      eventsNamed(watched, "build").some(({ work }) => work === "none"),
    );
    sql(setPrice(1234));
    await untilPrice(12.34, place);
    await untilEvent(watched, "publish", 3);
    expect(eventsNamed(watched, "publish")).toHaveLength(3);
  });
});

describe("vitrine watch and a rollback", () => {
  it("builds without going live, reports that, and publishes again after --resume", async () => {
    buildFirst();
    const place = join(home, "live");
    const to = ["--to", `file://${place}`];
    const watched = start(...SOON, ...to, "--metrics-file", join(home, "vitrine.prom"));
    await untilEvent(watched, "publish");
    const before = regularPrice(place);
    sql(setPrice(4321));
    await untilPrice(43.21, place);
    await untilEvent(watched, "publish", 2);
    expect(vitrine(["rollback", ...to]).status).toBe(0);
    sql(setPrice(1234));
    await untilPrice(12.34);
    expect(await untilEvent(watched, "failed")).toMatchObject({
      step: "publish",
      code: "release_held",
      message: expect.stringContaining("--resume makes the built snapshot live again"),
    });
    expect(regularPrice(place)).toBe(before);
    const metric = (name: string) =>
      new RegExp(`^${name} (\\d+)`, "m").exec(readFileSync(join(home, "vitrine.prom"), "utf8"))?.[1];
    await until("the metric", () => metric("vitrine_release_held") === "1");
    expect(metric('vitrine_consecutive_failures\\{step="publish"\\}')).toBe("0");
    expect(vitrine(["publish", ...to, "--out", out]).status).toBe(6);
    expect(vitrine(["publish", ...to, "--out", out, "--resume"]).status).toBe(0);
    expect(regularPrice(place)).toBe(12.34);
    sql(setPrice(2345));
    await untilPrice(23.45, place);
    await until("the metric", () => metric("vitrine_release_held") === "0");
  });
});

describe("vitrine watch --once", () => {
  it("builds, runs the command and ends, with the exit code of what failed", () => {
    const log = join(home, "log");
    expect(vitrine(args("--once", "--then", `echo ran >> ${log}`)).status).toBe(0);
    expect(vitrine(args("--once", "--then", `echo ran >> ${log}; exit 7`)).status).toBe(7);
    expect(readFileSync(log, "utf8")).toBe("ran\nran\n");
    sql("UPDATE products SET slug = 'Not A Slug!' WHERE id = 3");
    expect(vitrine(args("--once", "--then", `echo ran >> ${log}`)).status).toBe(3);
    expect(readFileSync(log, "utf8")).toBe("ran\nran\n");
  });

  it("publishes", () => {
    const place = join(home, "live");
    const ran = vitrine(args("--once", "--to", `file://${place}`));
    expect([ran.status, eventsOf(ran.stdout).map(({ event }) => event)]).toEqual([0, ["build", "publish"]]);
    expect(regularPrice(place)).toBe(regularPrice());
  });

  it("takes --to or --then, not both", () => {
    expect(vitrine(args("--once", "--to", "file:///nowhere", "--then", "true")).status).toBe(2);
  });
});

describe("a signal ends vitrine watch", () => {
  it("during a build: nothing follows, and the next build is right", async () => {
    const followed = join(home, "followed");
    const layout = layoutOf(out);
    // On a busy machine the build may be done before the signal arrives: then the test tries again.
    for (let isCutOff = false; !isCutOff; ) {
      for (const left of [out, followed]) rmSync(left, { recursive: true, force: true });
      const watched = start("--then", `touch ${followed}`);
      const builds = () => eventsNamed(watched, "build").length;
      await until("a build under way", () => existsSync(layout.nextCatalog) || builds() > 0);
      watched.child.kill("SIGTERM");
      expect(await watched.ended).toBe(0);
      expect(eventsNamed(watched, "failed")).toEqual([]);
      isCutOff = builds() === 0;
    }
    expect(existsSync(followed)).toBe(false);
    expect(vitrine(args("--once")).status).toBe(0);
    expect((await verifySnapshot(layout, () => undefined)).problems).toEqual([]);
  });

  it("during a publish, which leaves no lock", async () => {
    const place = join(home, "live");
    const to = ["--to", `file://${place}`];
    const watched = start(...to);
    await until("a publish under way", () => existsSync(join(place, ".vitrine")));
    watched.child.kill("SIGTERM");
    expect(await watched.ended).toBe(0);
    expect(eventsNamed(watched, "failed")).toEqual([]);
    const { status, stderr } = vitrine(["publish", "--out", out, ...to]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(regularPrice(place)).toBe(regularPrice());
  });

  it("during its command, after which it ends", async () => {
    const [begun, go, done] = ["begun", "go", "done"].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ];
    const command = `touch ${begun}; while ! [ -e ${go} ]; do sleep 0.02; done; touch ${done}`;
    const watched = start("--then", command);
    await until("the command runs", () => existsSync(begun));
    watched.child.kill("SIGTERM");
    writeFileSync(go, "");
    expect([await watched.ended, existsSync(done)]).toEqual([0, true]);
  });

  it("during its command, if concurrently passes on the Ctrl-C that the terminal has sent to all", async () => {
    const [begun, go] = ["begun", "go"].map((name) => join(home, name)) as [string, string];
    const watched = start("--then", `touch ${begun}; while ! [ -e ${go} ]; do sleep 0.02; done`);
    await until("the command runs", () => existsSync(begun));
    watched.child.kill("SIGINT");
    await sleep(120);
    watched.child.kill("SIGINT");
    writeFileSync(go, "");
    expect([await watched.ended, watched.child.signalCode]).toEqual([0, null]);
  });

  it("at once, if it is the second signal", async () => {
    const [begun, go] = ["begun", "go"].map((name) => join(home, name)) as [string, string];
    const watched = start("--then", `touch ${begun}; while ! [ -e ${go} ]; do sleep 0.02; done`);
    await until("the command runs", () => existsSync(begun));
    watched.child.kill("SIGTERM");
    const again = setInterval(() => watched.child.kill("SIGTERM"), 20);
    // Its command still runs, with its output.
    await once(watched.child, "exit");
    clearInterval(again);
    expect(watched.child.signalCode).toBe("SIGTERM");
    writeFileSync(go, "");
  });
});

describe("watch, from a script", () => {
  it("builds, passes each change to publish, reports failures, and ends by its signal", async () => {
    const abort = new AbortController();
    const [built, failures, published]: [BuildReport[], WatchFailure[], BuildReport[]] = [[], [], []];
    const watching = watch({
      store,
      configFile: join(home, "config.json"),
      out,
      signal: abort.signal,
      settleSeconds: 0,
      atMostEverySeconds: 0,
      built: (report) => built.push(report),
      failed: (failure) => failures.push(failure),
      publish: async (report) => {
        published.push(report);
        if (published.length === 1) throw new Error("not yet");
      },
    });
    await until("a publish that failed", () => failures.length === 1);
    expect(failures).toMatchObject([{ step: "publish", error: { message: "not yet" } }]);
    await until("it is published again", () => published.length === 2);
    sql(setPrice(4321));
    await until("the change is published", () => published.length === 3);
    expect([regularPrice(), published[2]?.work]).toEqual([43.21, "part"]);
    // A moment that cannot be compared is reported; the change that came with it waits until it is repaired.
    sql(
      `BEGIN; ${setPrice(8765)}; UPDATE blog_posts SET published_at = 'soon' WHERE id = (SELECT MIN(id) FROM blog_posts WHERE status = 'published' AND COALESCE(password, '') = ''); COMMIT`,
    );
    await until("the moment is refused", () => failures.length >= 2);
    expect([regularPrice(), failures.at(-1)]).toMatchObject([
      43.21,
      { step: "build", error: { code: "rows_invalid" } },
    ]);
    sql("UPDATE blog_posts SET published_at = '2025-01-02 10:00:00' WHERE published_at = 'soon'");
    await until("it is published", () => published.length === 4);
    expect(regularPrice()).toBe(87.65);
    expect(published[3]?.nextChangeAt).toBe(built[0]?.nextChangeAt);
    abort.abort();
    await watching;
  });
});
