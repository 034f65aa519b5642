/** `to` of the configuration: every command that publishes, reads or checks a place uses it without a flag. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { startServer, vitrine } from "../support/command.ts";
import { sharedStore, temporaryFolder } from "../support/shop.ts";

const shop = temporaryFolder();
const live = join(shop, "live");
const site = "https://shop.example";
const run = (...args: string[]) => vitrine(args, {}, shop);
const releases = () => JSON.parse(run("rollback", "--list", "--json").stdout).releases as object[];

beforeAll(() => {
  mkdirSync(live);
  copyFileSync(sharedStore(150), join(shop, "shop.sqlite"));
  const config = {
    store: "shop.sqlite",
    queries: resolve("templates/queries"),
    baseUrl: `${site}/api/v1`,
    siteUrl: site,
    grid: { depth: 0 },
    pages: false,
    to: `file://${live}`,
    keep: "5",
  };
  writeFileSync(join(shop, "vitrine.config.json"), JSON.stringify(config));
  expect(run("build", "--as-of", "2026-11-20T12:00:00Z").status).toBe(0);
});

describe("the place in the configuration", () => {
  it("is published to and read", () => {
    expect(run("publish", "--dry-run").stdout).toContain("dry run, nothing was written");
    expect(run("publish").stdout).toMatch(/^release 00000001-\w+ is live/);
    expect(existsSync(join(live, "api/v1/store.json"))).toBe(true);
    expect(releases()).toHaveLength(1);
    expect(run("check", "--to").stdout).toMatch(/^[\d,]+ answers read: OK/);
    expect(run("diff", "out", `file://${live}`).stdout).toBe("nothing differs\n");
    expect(run("doctor", "--verbose").stdout).toContain(`place: file://${live} can be read: 00000001-`);
    expect(run("erase", "review", "999999", "--dry-run").stdout).toContain(`file://${live}: no kept release`);
  });

  it("is published to by watch, unless --no-publish or --then is given", () => {
    const db = new Database(join(shop, "shop.sqlite"));
    db.exec("UPDATE products SET name = 'Renamed Kit' WHERE slug = 'invoice-kit'");
    db.close();
    const again = ["watch", "--once", "--quiet"];
    expect(run(...again, "--no-publish", "--json").stdout).not.toContain('"event":"publish"');
    expect(run(...again, "--then", "true", "--json").stdout).not.toContain('"event":"publish"');
    expect(releases()).toHaveLength(1);
    expect(run(...again, "--json").stdout).toContain('"event":"publish"');
    expect(releases()).toHaveLength(2);
  });

  it("is followed by the fallback, which reads the output folder if that is named", async () => {
    const titleBy = async (...args: string[]) => {
      const { child, url, ended } = await startServer(["fallback", ...args], shop);
      const response = await fetch(`${url}/api/v1/product?slug=invoice-kit`);
      const { data } = (await response.json()) as { readonly data: { readonly title: string } };
      child.kill("SIGTERM");
      await ended;
      return data.title;
    };
    expect(run("rollback").stdout).toMatch(/^went back to 00000001-/);
    expect(await titleBy()).not.toBe("Renamed Kit");
    expect(await titleBy("--out", "out")).toBe("Renamed Kit");
    expect(run("publish", "--resume").stdout).toMatch(
      /\nno rollback holds it now: later releases go live again\n$/,
    );
  });

  it("is served by nginx", () => {
    expect(run("edge", "nginx").status).toBe(0);
    expect(readFileSync(join(shop, "edge/vitrine.conf"), "utf8")).toContain(`root "${live}";`);
  });

  it("is published to with a warning if the configuration was changed after the build", () => {
    const file = join(shop, "vitrine.config.json");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replaceAll(site, "https://moved.example").replace('"keep":"5"', '"keep":"6"'));
    const dry = run("publish", "--dry-run");
    writeFileSync(file, before);
    expect([dry.status, dry.stderr]).toEqual([
      0,
      "the snapshot was built with another baseUrl, siteUrl than vitrine.config.json now has: run vitrine build, then publish\n",
    ]);
    expect(run("publish", "--dry-run").stderr).toBe("");
  });

  it("gives way to a flag", () => {
    const other = join(shop, "other");
    mkdirSync(other);
    expect(run("publish", "--to", `file://${other}`).stdout).toMatch(/^release 00000001-/);
    expect(existsSync(join(other, "api/v1/store.json"))).toBe(true);
  });

  it("is not needed if a flag names the place: a broken configuration stops no rollback", () => {
    const file = join(shop, "vitrine.config.json");
    const before = readFileSync(file);
    writeFileSync(file, "{ broken");
    const named = run("rollback", "--list", "--to", `file://${live}`);
    const unnamed = run("rollback", "--list");
    const publish = run("publish", "--to", `file://${live}`);
    writeFileSync(file, before);
    expect([named.status, named.stdout]).toEqual([0, expect.stringContaining("00000001-")]);
    expect(named.stderr).toContain("the configuration is not used, only the flags");
    // It needs the output folder, too.
    expect([publish.status, publish.stderr]).toEqual([2, expect.stringMatching(/^error: config_invalid: /)]);
    expect([unnamed.status, unnamed.stderr]).toEqual([2, expect.stringContaining("is not JSON")]);
  });
});
