/**
 * Two versions of the package: today's, and one whose formats have higher numbers. The newer one publishes while a fallback of
 * the older one runs (docs/versions.md).
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSamples } from "../src/base/metrics.ts";
import { NOW, STORE_QUERIES } from "./store-fixture.ts";
import { packageFolder, type Running, runVitrine, startServer } from "./support/command.ts";
import { temporaryFolder } from "./support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "./support/tiny-shop.ts";
import { until } from "./support/until.ts";

type Format = "catalog" | "manifest" | "releaseIndex" | "pointer" | "journal" | "bulk";

const folder = temporaryFolder();
const running: Running[] = [];
let older = "";
let shop: TinyShop;
let config = "";

beforeAll(() => {
  older = commandOf(packageNamed("older"));
  shop = createTinyShop();
  config = join(folder, "vitrine.config.json");
  const { baseUrl, siteUrl, grid, pages } = TINY_CONFIG;
  writeFileSync(
    config,
    JSON.stringify({ baseUrl, siteUrl, grid, pages, store: shop.store, queries: resolve(STORE_QUERIES) }),
  );
});
afterAll(() => {
  for (const { child } of running) child.kill("SIGKILL");
  shop.close();
});

/** The one module of a package that holds something, rewritten. */
function rewrite(made: string, holds: RegExp, change: (text: string) => string): void {
  const dist = join(made, "dist");
  const file = readdirSync(dist)
    .map((name) => join(dist, name))
    .find((name) => name.endsWith(".js") && holds.test(readFileSync(name, "utf8")));
  if (file === undefined) throw new Error(`no module of the package holds ${holds}`);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

const POLL = /(function releaseSource\(bucket, pollMilliseconds = )5e3\b/;

/** A copy of the package, whose fallbacks look for a release ten times as often. */
function packageNamed(name: string): string {
  const made = join(folder, name);
  cpSync(packageFolder(), made, { recursive: true, verbatimSymlinks: true });
  rewrite(made, POLL, (text) => text.replace(POLL, "$1500"));
  return made;
}

const commandOf = (made: string) => join(made, "dist/cli/main.js");

/** The package with formats whose numbers are one higher, of which it reads the one before; its command. */
function newerPackage(formats: readonly Format[]): string {
  const made = packageNamed(`newer-${formats.join("-")}`);
  const about = JSON.parse(readFileSync(join(made, "package.json"), "utf8")) as object;
  writeFileSync(join(made, "package.json"), JSON.stringify({ ...about, version: "99.0.0" }));
  rewrite(made, /\breleaseIndex: \{\s+oldest:/, (before) => {
    let text = before;
    for (const name of formats) {
      const pattern = new RegExp(`(\\b${name}: \\{\\s+oldest: )\\d+(,\\s+newest: )(\\d+)`);
      expect(text).toMatch(pattern);
      text = text.replace(
        pattern,
        (_, oldest, newest, number) => `${oldest}${number}${newest}${Number(number) + 1}`,
      );
    }
    return text;
  });
  return commandOf(made);
}

/** A shop's folders: what is built, where it is published, and its command in any version. */
function shopAt(name: string) {
  const [out, target] = [join(folder, name, "out"), join(folder, name, "public")];
  mkdirSync(target, { recursive: true });
  const to = ["--to", `file://${target}`];
  const run = (command: string, ...args: string[]) => runVitrine(args, undefined, {}, command);
  return {
    to,
    out,
    target,
    run,
    async publish(command: string, title: string) {
      shop.sql(`UPDATE products SET name = '${title}' WHERE slug = '${shop.slugs[0]}'`);
      const build = await run(command, "build", "--config", config, "--out", out, "--as-of", NOW);
      expect([build.code, build.err.slice(-500)]).toEqual([0, expect.anything()]);
      expect(await run(command, "publish", ...to, "--out", out)).toMatchObject({ code: 0 });
    },
    async fallback(command: string, cache: string) {
      const args = [
        "fallback",
        "--to",
        `file://${target}`,
        "--cache",
        join(folder, name, cache),
        "--metrics",
        "0",
      ];
      const server = await startServer(args, ".", command);
      running.push(server);
      return server;
    },
  };
}

async function titleOf({ url }: { readonly url: string }): Promise<string> {
  const response = await fetch(`${url}/api/v1/product?slug=${shop.slugs[0]}`);
  return ((await response.json()) as { data: { title: string } }).data.title;
}

async function newerFound(server: Running): Promise<number> {
  const [address = ""] = /http:[^ "]+\/metrics/.exec(server.said()) ?? [];
  const samples = parseSamples(await (await fetch(address)).text());
  return samples.get('vitrine_failures_total{code="newer_format",step="poll"}') ?? 0;
}

/** It answers what it has, is ready, and says why in its log and its metrics. */
async function expectToStay(server: Running & { url: string }, title: string): Promise<void> {
  await until("a look that finds a newer format", async () => (await newerFound(server)) > 1);
  await until("a line about the newer format", () => server.said().includes("Update Vitrine here"));
  expect(server.child.exitCode).toBeNull();
  expect(await titleOf(server)).toBe(title);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const said = server.said().split("was made by a newer Vitrine: its format is").length - 1;
  expect(said).toBe(1);
}

const NEWER = {
  code: 6,
  err: expect.stringMatching(/error: newer_format: .* was made by a newer Vitrine: .*Update/),
};

describe("an update of the publisher", () => {
  it("whose catalogs have a new format: older fallbacks keep their release, newer ones follow, and both ways back work", async () => {
    const newer = newerPackage(["catalog"]);
    const { to, out, run, publish, fallback } = shopAt("catalog");
    await publish(older, "By the older");
    const [old, young] = [await fallback(older, "old"), await fallback(newer, "new")];
    expect([await titleOf(old), await titleOf(young)]).toEqual(["By the older", "By the older"]);

    const beside = await startServer([
      "fallback",
      "--catalog",
      join(out, "catalog.sqlite"),
      "--metrics",
      "0",
    ]);
    running.push(beside);

    await publish(newer, "By the newer");
    await until("the newer fallback", async () => (await titleOf(young)) === "By the newer");
    await expectToStay(old, "By the older");
    await expectToStay(beside, "By the older");

    expect(await run(older, "publish", ...to, "--out", out)).toMatchObject(NEWER);
    expect(await run(older, "check", "--out", out)).toMatchObject(NEWER);
    expect(await run(older, "serve", "--out", out, "--port", "0")).toMatchObject(NEWER);
    expect(await run(older, "check", "--to", ...to.slice(1))).toMatchObject({ code: 0 });
    const listed = (await run(older, "rollback", ...to, "--list")).out.split("\n");
    expect(listed[0]).toMatch(
      /^live 00000002.*cannot go back to it: its catalog's format is 2, .* reads 1: update/,
    );
    expect(listed[1]).not.toContain("cannot");

    // An older one that builds again must not replace the release that fallbacks follow by an older one.
    const back = join(folder, "catalog/older-out");
    const build = await run(older, "build", "--config", config, "--out", back, "--as-of", NOW);
    expect([build.code, build.err.slice(-500)]).toEqual([0, expect.anything()]);
    expect(await run(older, "publish", ...to, "--out", back)).toMatchObject(NEWER);
    const watched = ["watch", "--once", ...to, "--config", config, "--out", join(folder, "catalog/watched")];
    expect(await run(older, ...watched)).toMatchObject(NEWER);

    expect(await run(older, "rollback", ...to)).toMatchObject({ code: 0 });
    await until("both fallbacks", async () => {
      return (await titleOf(old)) === "By the older" && (await titleOf(young)) === "By the older";
    });
    await until("a look that succeeds", () => old.said().includes("release 00000003"));
    // To what the newer made, the newer alone goes back.
    expect(await run(older, "rollback", ...to, "00000002")).toMatchObject(NEWER);
    expect(await run(newer, "rollback", ...to, "00000002")).toMatchObject({ code: 0 });
    await until("the newer fallback", async () => (await titleOf(young)) === "By the newer");
    expect(await run(newer, "rollback", ...to, "00000001")).toMatchObject({ code: 0 });
    await until("the older fallback", () => old.said().includes("release 00000005"));
    expect(await titleOf(old)).toBe("By the older");
  }, 300_000);

  it("that raises all formats: the older version reports every newer format, and the newer version can go back to older releases", async () => {
    const newer = newerPackage(["catalog", "manifest", "releaseIndex", "pointer", "journal", "bulk"]);
    const { to, out, target, run, publish, fallback } = shopAt("all");
    await publish(older, "By the older");
    const [old, young] = [await fallback(older, "old"), await fallback(newer, "new")];
    await publish(newer, "By the newer");
    await until("the newer fallback", async () => (await titleOf(young)) === "By the newer");
    const objects = () => readdirSync(join(target, ".vitrine/objects")).length;
    const before = objects();
    await publish(newer, "By the newer, a part");
    await until("the newer fallback", async () => (await titleOf(young)) === "By the newer, a part");
    // The index, and partitions of the product and its keys: all else is in objects of the release before.
    expect(objects() - before).toBeGreaterThan(1);
    expect(objects() - before).toBeLessThan(before / 2);
    await expectToStay(old, "By the older");

    for (const args of [
      ["publish", ...to, "--out", out],
      ["rollback", ...to],
      ["rollback", ...to, "--list"],
      ["check", "--to", ...to.slice(1)],
      ["check", "--out", out],
      ["serve", "--out", out, "--port", "0"],
    ])
      expect([args[0], await run(older, ...args)]).toEqual([args[0], expect.objectContaining(NEWER)]);
    // With its own catalog it answers at once; without a catalog it can't answer.
    old.child.kill("SIGTERM");
    expect(await old.ended).toBe(0);
    expect(await titleOf(await fallback(older, "old"))).toBe("By the older");
    const waiting = await fallback(older, "none");
    await until("the older fallback says why it waits", () =>
      /no catalog yet: .*newer Vitrine/.test(waiting.said()),
    );
    expect((await fetch(`${waiting.url}/readyz`)).status).toBe(503);

    expect(await run(newer, "rollback", ...to, "00000001")).toMatchObject({ code: 0 });
    await until("the newer fallback", async () => (await titleOf(young)) === "By the older");
    expect(await run(newer, "check", "--to", ...to.slice(1))).toMatchObject({ code: 0 });
  }, 300_000);
});
