/** `vitrine watch` beside a shop that changes prices: how long until readers see them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { BuildReport } from "../../src/index.ts";
import { peakBytesOf } from "./measure.ts";
import type { Shop } from "./shop.ts";

/** Longer than the second that `watch` leaves between builds. */
const BETWEEN_COMMITS_MILLISECONDS = 1200;
const WAIT_MILLISECONDS = 600_000;
const POLL_MILLISECONDS = 2;

interface WatchEvent extends BuildReport {
  readonly event: string;
}

export interface Watched {
  /** Seconds from the shop's commit to the new bytes in the file. */
  readonly visible: readonly number[];
  /** Seconds of that which the build took. */
  readonly builds: readonly number[];
  readonly peakBytes: number;
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + WAIT_MILLISECONDS;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await sleep(POLL_MILLISECONDS);
  }
}

/** @param args the command's, with `--json` */
export async function measureWatch(args: readonly string[], shop: Shop, rounds: number): Promise<Watched> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (part: Buffer) => {
    text += part.toString();
  });
  const events = () => {
    const lines = text.split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as WatchEvent);
  };
  const builds = () => events().filter(({ event }) => event === "build");
  await until("the first build", () => builds().length > 0);
  const before = builds().length;
  const visible: number[] = [];
  while (visible.length < rounds) {
    await sleep(BETWEEN_COMMITS_MILLISECONDS);
    const { file, text: price } = shop.price();
    const started = performance.now();
    await until("the new price", () => readFileSync(file, "utf8").includes(price));
    visible.push((performance.now() - started) / 1000);
  }
  const changes = () => builds().filter(({ written }, at) => at >= before && written > 0);
  await until("the builds are reported", () => changes().length >= rounds);
  const peakBytes = peakBytesOf(child.pid);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = await ended;
  const failed = events().filter(({ event }) => event === "failed");
  if (code !== 0 || failed.length > 0) throw new Error(`watch ended with ${code}, ${JSON.stringify(failed)}`);
  const took = changes().map(({ seconds: { extract, render, commit } }) => extract + render + commit);
  return { visible, builds: took, peakBytes };
}
