/** SIGINT and SIGTERM end a command where it is; the next run repairs what it left. */
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { layoutOf } from "../../src/site/layout.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { commandFile, startVitrine, vitrine } from "../support/command.ts";
import { SMALL_CONFIG, seedDemo, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
const layout = layoutOf(out);
const place = join(folder, "live");
let build: string[] = [];
const publish = ["publish", "--out", out, "--to", `file://${place}`];

beforeAll(() => {
  const config = join(folder, "config.json");
  writeFileSync(config, JSON.stringify({ ...SMALL_CONFIG, queries: resolve("templates/queries") }));
  build = ["build", "--store", seedDemo(folder), "--config", config, "--out", out];
});

/** Runs a command and sends it a signal once a file exists. Returns the signal that ended it; null if it had finished before. */
async function endedBy(signal: "SIGINT" | "SIGTERM", args: readonly string[], moment: string) {
  const { child, ended } = startVitrine(args);
  await until(moment, () => existsSync(moment) || child.exitCode !== null);
  child.kill(signal);
  await ended;
  return child.signalCode;
}

/** Tries again if the command was done before the signal came. */
async function interrupted(
  signal: "SIGINT" | "SIGTERM",
  args: readonly string[],
  moment: string,
  prepare: () => void,
) {
  let ended = null;
  for (let tries = 0; tries < 50 && ended === null; tries++) {
    prepare();
    ended = await endedBy(signal, args, moment);
  }
  expect(ended).toBe(signal);
}

async function expectWhole(): Promise<void> {
  expect(existsSync(layout.next)).toBe(false);
  expect((await verifySnapshot(layout, () => undefined)).problems).toEqual([]);
}

describe("a build that a signal ends", () => {
  it.each([
    ["SIGINT", "while it extracts", layout.nextCatalog],
    ["SIGTERM", "while it renders", layout.nextManifest],
    ["SIGINT", "while it writes files", join(layout.nextSite, "api/v1/products/page=1.json")],
  ] as const)("%s %s: the next build is right", async (signal, _when, moment) => {
    await interrupted(signal, build, moment, () => rmSync(out, { recursive: true, force: true }));
    expect(vitrine(build)).toMatchObject({ status: 0 });
    await expectWhole();
  });

  it.runIf(canMakeNamespaces)(
    "ends also as the first process of a container, which the kernel spares",
    () => {
      const line = `node ${commandFile()} ${build.slice(0, -1).join(" ")} ${join(folder, "contained")}`;
      const command = `unshare --pid --fork --kill-child --mount-proc ${line} & unshared=$!
      while ! [ -e ${join(folder, "contained")}/.next ]; do sleep 0.01; done
      kill -TERM $(cat /proc/$unshared/task/$unshared/children); wait $unshared; echo "ended with $?"`;
      const { stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8", timeout: 60_000 });
      expect(stdout).toBe("ended with 143\n");
    },
  );

  it("ends with 130, as a shell says", () => {
    const command = `node ${commandFile()} ${build.slice(0, -1).join(" ")} ${join(folder, "fresh")} & build=$!
      while ! [ -e ${join(folder, "fresh")}/.next/catalog.sqlite ]; do sleep 0.01; done
      kill -INT $build; wait $build; echo "ended with $?"`;
    const { stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    expect(stdout).toBe("ended with 130\n");
  });
});

const canMakeNamespaces = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;

describe("a publish that a signal ends", () => {
  it("says what it leaves, and ends by that signal", async () => {
    expect(vitrine(build)).toMatchObject({ status: 0 });
    let said = "";
    for (let tries = 0; tries < 50 && !said.includes("stopped"); tries++) {
      rmSync(place, { recursive: true, force: true });
      const { child, ended, said: saidBy } = startVitrine(publish);
      await until("its first files", () => existsSync(join(place, "api")) || child.exitCode !== null);
      child.kill("SIGTERM");
      await ended;
      said = saidBy();
      if (said.includes("stopped")) expect(child.signalCode).toBe("SIGTERM");
    }
    expect(said).toContain(
      "stopped by SIGTERM: a part of its files may be live; run the same command again, which finishes it\n",
    );
  });

  it.each(["SIGINT", "SIGTERM"] as const)("%s: the next publish is right", async (signal) => {
    expect(vitrine(build)).toMatchObject({ status: 0 });
    await interrupted(signal, publish, join(place, ".vitrine"), () =>
      rmSync(place, { recursive: true, force: true }),
    );
    expect(vitrine(publish)).toMatchObject({ status: 0, stderr: "" });
    expect(vitrine(["check", "--to", `file://${place}`])).toMatchObject({ status: 0 });
  });
});

/** As pm2 7 starts a program, in fork and in cluster mode: it listens for messages of its parent inside the process. */
function startListened(args: readonly string[]) {
  return fork(commandFile(), args, {
    execArgv: ["--import", "data:text/javascript,process.on('message', () => {})"],
    stdio: ["ignore", "pipe", "ignore", "ipc"],
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
}

describe("a command whose starter listens for its messages", () => {
  it("ends when its work is done", async () => {
    expect(await once(startListened(build), "exit")).toEqual([0, null]);
  });

  it.each([
    ["watch", () => ["watch", ...build.slice(1)], "watching"],
    ["fallback", () => ["fallback", "--out", out, "--port", "0", "--drain", "0"], "listening"],
  ])("%s ends after a signal", async (_name, args, word) => {
    const child = startListened(args());
    const ended = once(child, "exit");
    for await (const line of child.stdout ?? []) if (String(line).includes(word)) break;
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
  });
});
