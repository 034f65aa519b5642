/** The package as a program uses it: built as it is packed, installed beside a script, run and type-checked there. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { packageFolder } from "./support/command.ts";
import { temporaryFolder } from "./support/shop.ts";

const folder = temporaryFolder();
const installed = join(folder, "node_modules/vitrine");

function run(
  file: string,
  ...args: readonly string[]
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** The script that docs/library.md shows. */
function scriptOfDocs(): string {
  const [, script] = /```ts\n([\s\S]*?)```/.exec(readFileSync("docs/library.md", "utf8")) ?? [];
  if (script === undefined) throw new Error("docs/library.md shows no script");
  return script;
}

/** In one thread it takes a third of the processor time. */
const compile = (...args: readonly string[]) =>
  run(resolve("node_modules/.bin/tsc"), "--singleThreaded", ...args);

beforeAll(() => {
  cpSync(packageFolder(), installed, { recursive: true });
  // Whether the types are right is `npm run check`'s: here they are only made.
  const project = ["-p", resolve("tsconfig.build.json"), "--noCheck"];
  const { status, stdout } = compile(...project, "--outDir", join(installed, "dist"));
  expect([status, stdout]).toEqual([0, ""]);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "shop.ts"), scriptOfDocs());
});

describe("import … from vitrine", () => {
  it("builds Chinook, reads its catalog and publishes it to a folder, as docs/library.md shows", () => {
    const first = run("node", "shop.ts");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^[1-9]\d+ files, [1-9]\d* written\n200: Chinook.*\npublished: release \d{8}\S*\n$/,
    );
    const served = readFileSync(join(folder, "public/api/v1/store.json"), "utf8");
    expect(JSON.parse(served)).toMatchObject({ success: true });
    const second = run("node", "shop.ts");
    expect(second.stdout).toMatch(/, 0 written\n200: Chinook.*\nunchanged: /);
  });

  it("throws errors with a code, and fills in no defaults for a wrong configuration", () => {
    const script = `
      import { build, VitrineError } from "vitrine";
      const config = { baseUrl: "https://shop.example", siteUrl: "https://shop.example" };
      const error = await build({ store: "none.sqlite", config }).catch((error) => error);
      console.log(error instanceof VitrineError, error.code, JSON.stringify(config));`;
    const { stdout } = run("node", "--input-type=module", "--eval", script);
    expect(stdout).toBe(
      'true config_invalid {"baseUrl":"https://shop.example","siteUrl":"https://shop.example"}\n',
    );
  });

  it("has types for scripts that check all imports, with only Node's types installed", () => {
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--listFiles"];
    const node = ["--typeRoots", resolve("node_modules/@types"), "--types", "node"];
    const { status, stdout } = compile(...options, ...node, "shop.ts");
    expect([status, stdout.split("\n").filter((file) => file.includes("better-sqlite3"))]).toEqual([0, []]);
  });
});

describe("import … from vitrine/api", () => {
  it("loads no package and nothing native: a page can bundle it", () => {
    const script = `
      import { API_VERSION, ERROR_STATUS } from "vitrine/api";
      const native = process.report.getReport().sharedObjects.filter((file) => file.endsWith(".node"));
      console.log(API_VERSION, ERROR_STATUS.not_found, native.length);`;
    expect(run("node", "--input-type=module", "--eval", script).stdout).toBe("1.0 404 0\n");
  });
});
