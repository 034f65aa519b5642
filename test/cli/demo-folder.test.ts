/** The folder of `vitrine demo`: when it is made, used again, made again, or left alone; and how its guide calls the command. */
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { programOf } from "../../src/cli/commands/demo.ts";
import { prepareDemo } from "../../src/setup/demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const made = (name: string) => {
  const demo = join(folder, name);
  prepareDemo(demo, 8080);
  return demo;
};

function priceIn(demo: string): number {
  const db = new Database(join(demo, "store.sqlite"), { readonly: true });
  const price = db.prepare<[], number>("SELECT regular_price_minor FROM products WHERE slug = 'invoice-kit'");
  const found = price.pluck().get() ?? 0;
  db.close();
  return found;
}

function setPrice(demo: string, minor: number): void {
  const db = new Database(join(demo, "store.sqlite"));
  db.prepare("UPDATE products SET regular_price_minor = ? WHERE slug = 'invoice-kit'").run(minor);
  db.close();
}

it("an interrupted copy is made again", () => {
  const demo = made("interrupted");
  const whole = readFileSync(join(demo, "store.sqlite"));
  writeFileSync(join(demo, ".vitrine-demo"), "incomplete\n");
  writeFileSync(join(demo, "store.sqlite"), whole.subarray(0, 5000));
  rmSync(join(demo, "vitrine.config.json"));
  rmSync(join(demo, "queries"), { recursive: true });
  prepareDemo(demo, 8080);
  expect(readFileSync(join(demo, "store.sqlite")).equals(whole)).toBe(true);
  expect(existsSync(join(demo, "queries/products.sql"))).toBe(true);
  expect(readFileSync(join(demo, "vitrine.config.json"), "utf8")).toContain(":8080/api/v1");
});

it("the demo of another version is made again; other files in its folder stay", () => {
  const demo = made("older");
  const price = priceIn(demo);
  setPrice(demo, 4200);
  writeFileSync(join(demo, ".vitrine-demo"), "another version\n");
  writeFileSync(join(demo, "queries/removed.sql"), "SELECT 1");
  mkdirSync(join(demo, "out/site"), { recursive: true });
  writeFileSync(join(demo, "notes.txt"), "mine");
  prepareDemo(demo, 8080);
  expect(priceIn(demo)).toBe(price);
  expect(existsSync(join(demo, "queries/removed.sql"))).toBe(false);
  expect(existsSync(join(demo, "out"))).toBe(false);
  expect(readFileSync(join(demo, "notes.txt"), "utf8")).toBe("mine");
});

it("the demo of this version is used again, with its changes, at another port", () => {
  const demo = made("same");
  setPrice(demo, 4200);
  prepareDemo(demo, 9000);
  expect(priceIn(demo)).toBe(4200);
  expect(readFileSync(join(demo, "vitrine.config.json"), "utf8")).toContain(":9000/api/v1");
});

it("a folder that something else made is refused, also with the same names; a changed configuration is not overwritten", () => {
  const demo = made("other");
  rmSync(join(demo, ".vitrine-demo"));
  setPrice(demo, 4200);
  expect(() => prepareDemo(demo, 8080)).toThrow(/holds something other than the demo.*delete it/);
  expect(priceIn(demo)).toBe(4200);
  const changed = made("changed");
  writeFileSync(join(changed, "vitrine.config.json"), "{}");
  expect(() => prepareDemo(changed, 8080)).toThrow(/vitrine.config.json was changed/);
  expect(readFileSync(join(changed, "vitrine.config.json"), "utf8")).toBe("{}");
});

it.each([
  ["deleted", (path: string) => rmSync(path, { recursive: true })],
  ["cut off", (path: string) => truncateSync(path, 5000)],
  ["emptied", (path: string) => truncateSync(path)],
])(
  "a database that was %s is copied again, and so are a deleted configuration and deleted queries",
  (how, lose) => {
    const demo = made(how);
    const price = priceIn(demo);
    lose(join(demo, "store.sqlite"));
    writeFileSync(join(demo, "store.sqlite-wal"), "of the lost database");
    rmSync(join(demo, "queries"), { recursive: true });
    rmSync(join(demo, "vitrine.config.json"));
    expect(prepareDemo(demo, 8080).again).toEqual(["store.sqlite", "queries"]);
    expect(priceIn(demo)).toBe(price);
    expect(existsSync(join(demo, "store.sqlite-wal"))).toBe(false);
    expect(existsSync(join(demo, "queries/products.sql"))).toBe(true);
    expect(existsSync(join(demo, "vitrine.config.json"))).toBe(true);
  },
);

it("a database without products, or one that is locked, is not lost", () => {
  const demo = made("emptied on purpose");
  const db = new Database(join(demo, "store.sqlite"));
  db.exec("PRAGMA foreign_keys = OFF; DELETE FROM products; BEGIN EXCLUSIVE");
  expect(prepareDemo(demo, 8080).again).toEqual([]);
  db.close();
});

it("a folder with another folder in the place of the mark holds something else", () => {
  const folderAsMark = made("folder as mark");
  rmSync(join(folderAsMark, ".vitrine-demo"));
  mkdirSync(join(folderAsMark, ".vitrine-demo"));
  expect(() => prepareDemo(folderAsMark, 8080)).toThrow(/holds something other than the demo/);
});

const SHIM = "/shop/node_modules/.pnpm/vitrine@0.1.0/node_modules/vitrine/dist/cli/main.js";

it.each([
  ["dist/cli/main.js", undefined, "npx node dist/cli/main.js"],
  [
    "my clone/dist/cli/main.js",
    "npm/11.19.1 node/v24.21.0 linux x64",
    "npx node 'my clone/dist/cli/main.js'",
  ],
  ["/usr/bin/vitrine", undefined, "vitrine"],
  ["C:\\npm\\node_modules\\vitrine\\dist\\cli\\main.js", undefined, "vitrine"],
  ["/shop/node_modules/.bin/vitrine", "npm/11.19.1 node/v24.21.0 linux x64", "npx vitrine"],
  [SHIM, "pnpm/12.21.0 npm/? node/? linux x64", "pnpm exec vitrine"],
  [
    "/shop/.yarn/unplugged/vitrine/node_modules/vitrine/dist/cli/main.js",
    "yarn/4.18.1 npm/? node/v24",
    "yarn vitrine",
  ],
  ["/shop/node_modules/.bin/vitrine", "bun/1.4.5 npm/? node/v26.3.0 linux x64", "bunx vitrine"],
])("the command in %s, called by %s, is %s", (file, agent, expected) => {
  expect(programOf(file, agent)).toBe(expected);
});
