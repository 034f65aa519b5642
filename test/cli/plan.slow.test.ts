/** `vitrine plan` beside a build: neither holds up the other, and nothing of the plan is left. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { layoutOf } from "../../src/site/layout.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { startVitrine, until, vitrine } from "../support/command.ts";
import { SMALL_CONFIG, seedDemo, temporaryFolder } from "../support/shop.ts";

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
  const build = startVitrine(["build", ...args, "--json"]);
  await until("a build under way", () => existsSync(layout.nextCatalog), 60_000);
  build.child.kill("SIGSTOP");
  const plan = vitrine(["plan", ...args, "--json"], temporary);
  const isStillAtWork = existsSync(layout.nextCatalog) && !existsSync(layout.manifest);
  build.child.kill("SIGCONT");
  expect([await build.ended, plan.status, plan.stderr, isStillAtWork]).toEqual([0, 0, "", true]);
  const { files } = JSON.parse(plan.stdout) as { files: number };
  expect(JSON.parse(build.said())).toMatchObject({ files });
  expect((await verifySnapshot(layout, () => undefined)).problems).toEqual([]);
  expect(readdirSync(temporary.TMPDIR)).toEqual([]);
});

it("ended by a signal leaves a folder that the next one removes, and does not disturb a running build", async () => {
  mkdirSync(layout.next);
  const plan = startVitrine(["plan", ...args], temporary);
  const catalog = () => readdirSync(temporary.TMPDIR, { recursive: true }).join().includes("catalog.sqlite");
  await until("a plan under way", catalog, 60_000);
  plan.child.kill("SIGTERM");
  expect(await plan.ended).toBeNull();
  expect(vitrine(["plan", ...args], temporary)).toMatchObject({ status: 0 });
  expect(readdirSync(temporary.TMPDIR)).toEqual([]);
  expect(existsSync(layout.next)).toBe(true);
});
