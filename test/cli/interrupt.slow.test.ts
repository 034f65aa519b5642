/** A build that a signal ends: what it leaves on disk and on the terminal, and its exit code. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { verifySnapshot } from "../../src/snapshot/verify.ts";
import { commandFile, startVitrine, vitrine } from "../support/command.ts";
import { SMALL_CONFIG, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
const layout = layoutOf(out);
let args: string[] = [];

beforeAll(() => {
  const config = join(folder, "config.json");
  writeFileSync(config, JSON.stringify(SMALL_CONFIG));
  args = ["build", "--store", seedDemo(folder), "--config", config, "--out", out];
});

/** Waits until something is there, or the process is at its end. */
async function untilThere(path: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!existsSync(path) && child.exitCode === null && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("a build that a signal ends", () => {
  it.each([
    ["SIGINT", 130, layout.nextCatalog],
    ["SIGTERM", 143, layout.nextManifest],
    ["SIGINT", 130, join(layout.nextSite, "api/v1/products/page=1.json")],
  ] as const)("%s: exits with %d and leaves nothing of the next snapshot", async (signal, code, moment) => {
    let ended: unknown;
    // On a busy machine a build may be done before the signal is sent: then it is made once more.
    for (let tries = 0; tries < 5 && (tries === 0 || existsSync(layout.manifest)); tries++) {
      rmSync(out, { recursive: true, force: true });
      const running = startVitrine(args);
      await untilThere(moment, running.child);
      running.child.kill(signal);
      ended = [await running.ended, running.said()];
    }
    expect(ended).toEqual([code, ""]);
    expect(existsSync(layout.next)).toBe(false);
    expect(existsSync(layout.manifest)).toBe(false);
  });

  it("while the snapshot is put in place: it is whole", async () => {
    const running = startVitrine(args);
    await untilThere(layout.moves, running.child);
    running.child.kill("SIGTERM");
    await running.ended;
    expect(existsSync(layout.next)).toBe(false);
    expect((await verifySnapshot(layout, () => undefined)).problems).toEqual([]);
    expect(vitrine(args)).toMatchObject({ status: 0 });
  });

  it("on a terminal: what is said next starts on a line of its own", () => {
    const fresh = join(folder, "fresh");
    const command = `node ${commandFile()} ${args.slice(0, -1).join(" ")} ${fresh} & build=$!
      while ! [ -e ${fresh}/.next/catalog.sqlite ]; do sleep 0.01; done
      kill -INT $build; wait $build; echo "ended with $?"`;
    const shown = spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8", input: "" }).stdout;
    // Where progress was shown, it has been taken away.
    expect(shown.split("\u001b[K").at(-1)).toBe("ended with 130\r\n");
  });
});
