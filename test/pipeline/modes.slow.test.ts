/** Who can read what a build and a publish write: all users the answers, only this user the rest. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { runVitrine } from "../support/command.ts";
import { seedDemo, temporaryFolder } from "../support/shop.ts";

const QUERIES = "templates/queries";
const usual = process.umask();
afterEach(() => {
  process.umask(usual);
});

/** Modes of a folder and of everything below it. */
function modesOf(path: string): Map<string, string> {
  const found = new Map<string, string>();
  const look = (at: string) => {
    const stats = statSync(at);
    found.set(at, `${stats.isDirectory() ? "folder" : "file"} ${(stats.mode & 0o777).toString(8)}`);
    if (stats.isDirectory()) for (const name of readdirSync(at)) look(join(at, name));
  };
  look(path);
  return found;
}

function kindsOf(path: string): string[] {
  return [...new Set(modesOf(path).values())].toSorted();
}

describe.each(["022", "077", "002"])("with the umask %s", (umask) => {
  it("a web server's user can read site/ and the published answers, and only this user the private files", async () => {
    const folder = join(temporaryFolder(), umask);
    mkdirSync(folder);
    const store = seedDemo(folder);
    const [out, place] = [join(folder, "out"), join(folder, "place")];
    const config = join(folder, "vitrine.config.json");
    const site = "https://shop.example";
    writeFileSync(config, JSON.stringify({ baseUrl: `${site}/api/v1`, siteUrl: site, grid: { depth: 0 } }));
    process.umask(Number.parseInt(umask, 8));
    const build = ["build", "--store", store, "--config", config, "--out", out, "--queries", QUERIES];
    const buildIt = async () => expect((await runVitrine(build)).code).toBe(0);
    const publish = async () =>
      expect((await runVitrine(["publish", "--out", out, "--to", `file://${place}`])).code).toBe(0);
    await buildIt();
    await publish();
    // A change, so that files are put beside existing ones.
    new Database(store).exec("UPDATE products SET name = name || ' 2'").close();
    await buildIt();
    await publish();
    expect(kindsOf(join(out, "site"))).toEqual(["file 644", "folder 755"]);
    const modes = modesOf(out);
    expect(modes.get(out)).toBe("folder 755");
    expect(modes.get(join(out, "catalog.sqlite"))).toBe("file 644");
    for (const name of [".lock", ".turn", ".readings.sqlite", "manifest.sqlite"])
      expect(modes.get(join(out, name)), name).toBe("file 600");
    expect(modesOf(place).get(place)).toBe("folder 755");
    expect(kindsOf(join(place, ".vitrine"))).toEqual(["file 600", "folder 700"]);
    for (const name of ["api", "widgets"])
      expect(kindsOf(join(place, name))).toEqual(["file 644", "folder 755"]);
  });
});
