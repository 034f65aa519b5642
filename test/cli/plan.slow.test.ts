/** `vitrine plan` beside a build: neither holds up the other, and nothing of the plan is left. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { layoutOf } from "../../src/site/layout.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { startVitrine, vitrine } from "../support/command.ts";
import { SMALL_CONFIG, seedDemo, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();
const layout = layoutOf(join(folder, "out"));
const temporary = { TMPDIR: join(folder, "temporary") };
let args: string[] = [];

beforeAll(() => {
  mkdirSync(temporary.TMPDIR);
  const config = join(folder, "config.json");
  writeFileSync(config, JSON.stringify({ ...SMALL_CONFIG, queries: resolve("templates/queries") }));
  args = ["--store", seedDemo(folder), "--config", config, "--out", join(folder, "out")];
});

it("counts the same files as a build that is running", async () => {
  // On a busy machine the build may be done before it is stopped: then the test tries again.
  for (let isAtWork = false; !isAtWork; ) {
    rmSync(join(folder, "out"), { recursive: true, force: true });
    const build = startVitrine(["build", ...args, "--json"]);
    await until("a build under way", () => existsSync(layout.nextCatalog) || existsSync(layout.manifest));
    build.child.kill("SIGSTOP");
    const plan = vitrine(["plan", ...args, "--json"], temporary);
    isAtWork = existsSync(layout.nextCatalog) && !existsSync(layout.manifest);
    build.child.kill("SIGCONT");
    expect([await build.ended, plan.status, plan.stderr]).toEqual([0, 0, ""]);
    const { files } = JSON.parse(plan.stdout) as { files: number };
    expect(JSON.parse(build.said())).toMatchObject({ files });
  }
  expect((await verifySnapshot(layout, () => undefined)).problems).toEqual([]);
  expect(readdirSync(temporary.TMPDIR)).toEqual([]);
});

it("ended by a signal leaves a folder that the next one removes, and does not disturb a running build", async () => {
  mkdirSync(layout.next);
  const catalog = () => readdirSync(temporary.TMPDIR, { recursive: true }).join().includes("catalog.sqlite");
  // On a busy machine the plan may be done before the signal arrives: then the test tries again.
  for (let isEnded = false; !isEnded; ) {
    const plan = startVitrine(["plan", ...args], temporary);
    await until("a plan under way", () => catalog() || plan.child.exitCode !== null);
    plan.child.kill("SIGTERM");
    isEnded = (await plan.ended) === null;
  }
  expect(vitrine(["plan", ...args], temporary)).toMatchObject({ status: 0 });
  expect(readdirSync(temporary.TMPDIR)).toEqual([]);
  expect(existsSync(layout.next)).toBe(true);
});
