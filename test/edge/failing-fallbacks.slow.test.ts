/**
 * nginx as generated, with two fallbacks under load. One after the other is killed, hangs and is restarted: files are unaffected,
 * every miss is answered or refused, and metrics and logs say what happened.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { parseSamples } from "../../src/base/metrics.ts";
import { type Running as Command, startServer } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { type Running, startNginx } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { send } from "./support/wire.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("demo");
const run = promisify(execFile);

interface Fallback {
  readonly port: number;
  readonly metricsPort: number;
  command: Command;
}

function startFallback(port: number, metricsPort: number): Promise<Command> {
  const flags = ["--port", `${port}`, "--metrics", `${metricsPort}`, "--quiet"];
  return startServer(["fallback", "--catalog", join(out, "catalog.sqlite"), ...flags]);
}

async function newFallback(): Promise<Fallback> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  return { port, metricsPort, command: await startFallback(port, metricsPort) };
}

/** Sends a new miss at regular intervals, whatever happened to the others, until it is stopped. */
class Prober {
  /** Statuses of those that were answered. */
  readonly misses: number[] = [];
  readonly #asked: Promise<void>[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(port: number) {
    let count = 0;
    this.#timer = setInterval(() => {
      count += 1;
      this.#asked.push(this.#ask(port, count));
    }, 60);
  }

  async #ask(port: number, count: number): Promise<void> {
    const target = `${API_PATH}/products?min_price=0.${String(count).padStart(2, "0").slice(-2)}&max_price=${100 + count}`;
    const { status } = await send({ port }, { target }).catch(() => ({ status: 0 }));
    this.misses.push(status);
  }

  async end(): Promise<readonly number[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#asked);
    return this.misses;
  }

  /** Waits until so many more were answered. */
  more(count: number): Promise<unknown> {
    const wanted = this.misses.length + count;
    return until(`${count} more misses`, () => this.misses.length >= wanted);
  }

  /** Waits until all that were asked so far are answered. */
  async settled(): Promise<void> {
    let isSettled = false;
    void Promise.all(this.#asked).then(() => {
      isSettled = true;
    });
    await until("an answer to each miss", () => isSettled);
  }
}

async function metricsOf({ metricsPort }: Fallback): Promise<Map<string, number>> {
  return parseSamples(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
}

/** Pauses, so that files are requested at a steady rate and not as fast as the machine can. */
const FILES = "function delay() return 5 end\n";

describeWith(["nginx", "wrk"], "two fallbacks, one of which fails", () => {
  let fallbacks: [Fallback, Fallback];
  let nginx: Running;
  let misses: readonly number[];
  let files: string;
  let restarted: Map<string, number>;
  let survivor: Map<string, number>;

  beforeAll(async () => {
    fallbacks = await Promise.all([newFallback(), newFallback()]);
    nginx = await startNginx({
      folder: join(folder, "nginx"),
      site: join(out, "site"),
      fallbackPort: 9,
      fallbackPorts: fallbacks.map(({ port }) => port),
      exempt: ["127.0.0.0/8"],
      timeouts: "short",
    });
    const [one, other] = fallbacks;
    writeFileSync(join(folder, "files.lua"), FILES);
    const address = `http://127.0.0.1:${nginx.port}${API_PATH}/products?page=2`;
    const load = run("wrk", ["-t1", "-c4", "-d120s", "--latency", "-s", join(folder, "files.lua"), address]);
    const prober = new Prober(nginx.port);
    await prober.more(20);
    one.command.child.kill("SIGKILL");
    await prober.more(40);
    one.command = await startFallback(one.port, one.metricsPort);
    await prober.more(20);
    other.command.child.kill("SIGSTOP");
    await prober.more(80);
    // Also those that nginx sent to the one that hangs.
    await prober.settled();
    other.command.child.kill("SIGCONT");
    await prober.more(40);
    one.command.child.kill("SIGTERM");
    expect(await one.command.ended).toBe(0);
    one.command = await startFallback(one.port, one.metricsPort);
    await prober.more(40);
    misses = await prober.end();
    load.child.kill("SIGINT");
    files = (await load).stdout;
    survivor = await metricsOf(other);
    restarted = await metricsOf(one);
  });
  afterAll(async () => {
    await nginx.stop();
    for (const { command } of fallbacks) command.child.kill("SIGKILL");
  });

  it("every miss is answered or refused, also while one hangs, and most are answered", () => {
    expect(misses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(misses.filter((status) => status === 200).length).toBeGreaterThan(0.7 * misses.length);
  });

  it("no file is refused, cut or reset", () => {
    expect(files).toMatch(/Requests\/sec/);
    expect(files).not.toMatch(/Socket errors|Non-2xx/);
  });

  it("metrics show what happened", () => {
    const answered = 'vitrine_requests_total{source="fallback",code="200"}';
    // One continued while the other was away; a restarted one counts from zero.
    expect(survivor.get(answered)).toBeGreaterThan(60);
    expect(restarted.get(answered)).toBeLessThan(survivor.get(answered) ?? 0);
    expect(restarted.get("process_start_time_seconds")).toBeGreaterThan(
      survivor.get("process_start_time_seconds") ?? 0,
    );
  });

  it("the log says for each request which file it asks for and who answered", async () => {
    const read = () =>
      readFileSync(join(folder, "nginx", "access.log"), "utf8")
        .trim()
        .split("\n");
    await until("the log", () => read().length > 200);
    const lines = read()
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const key = "/api/v1/products/page=2.json";
    expect(lines).toContainEqual(
      expect.objectContaining({
        key,
        status: 200,
        source: "file",
        cache: "",
        upstream: "",
        client: "127.0.0.1",
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ key: "/none", status: 200, source: "fallback", cache: "MISS" }),
    );
    // Both were asked: first the one that hung or was dead, then the other.
    expect(lines).toContainEqual(
      expect.objectContaining({ status: 200, upstream_status: expect.stringMatching(/^50[24], 200$/) }),
    );
  });
});
