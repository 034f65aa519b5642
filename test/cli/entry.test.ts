/** How the command starts and what it does with a pipe that nobody reads. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { LEAST_NODE } from "../../src/package.ts";
import { commandFile } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

/** The entry as an old Node gets it, and a program that tells that it was loaded. */
async function packEntry(place: string): Promise<string> {
  await build({
    entryPoints: ["src/cli/main.ts", "src/package.ts"],
    outdir: join(place, "dist"),
    outbase: "src",
    platform: "node",
  });
  const main = join(place, "dist/cli/main.js");
  writeFileSync(main, readFileSync(main, "utf8").replaceAll('.ts"', '.js"'));
  writeFileSync(join(place, "dist/cli/program.js"), 'process.stdout.write("loaded\\n");');
  writeFileSync(join(place, "package.json"), readFileSync("package.json"));
  return main;
}

/** A module for `--require` that makes this Node say that it is another. */
function pretend(version: string): string {
  const file = join(folder, `node-${version}.cjs`);
  writeFileSync(file, `Object.defineProperty(process.versions, "node", { value: "${version}" });`);
  return file;
}

/** Every Node on this machine's path that is too old. */
function oldNodes(): string[] {
  const found = (process.env["PATH"] ?? "").split(delimiter).map((path) => join(path, "node"));
  return found.filter((node) => {
    const version = existsSync(node) ? spawnSync(node, ["--version"], { encoding: "utf8" }).stdout : "v99";
    return Number(/^v(\d+)/.exec(version)?.[1]) < 22;
  });
}

/** Runs the command, and prints what of these packages it loads. */
const LOADED = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({
    resolve(name, context, next) {
      loaded.add(name);
      return next(name, context);
    },
  });
  process.on("exit", () => console.log([...loaded].filter((name) => /^(typebox|ajv|better-sqlite3|preact)/.test(name)).join()));
  await import(process.argv[1]);`;

it("starts without the schemas and the database that only some commands need", () => {
  const { stdout } = spawnSync(
    "node",
    ["--input-type=module", "--eval", LOADED, commandFile(), "--version"],
    {
      encoding: "utf8",
    },
  );
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(API [\d.]+\)\n\n$/);
});

describe("the command's entry", () => {
  let main = "";
  beforeAll(async () => {
    mkdirSync(join(folder, "entry"));
    main = await packEntry(join(folder, "entry"));
  });

  it.each(["12.22.0", "18.20.8", "20.20.2", "22.11.0", "9.0.0"])(
    "refuses Node %s in one line, with nothing loaded",
    (version) => {
      const { status, stdout, stderr } = spawnSync("node", ["--require", pretend(version), main], {
        encoding: "utf8",
      });
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toBe(
        `error: usage: this is Node ${version}; Vitrine needs ${LEAST_NODE} or newer, see https://nodejs.org.\n`,
      );
    },
  );

  it.each(["22.12.0", "24.0.0", "100.1.0"])("goes on with Node %s", (version) => {
    const { status, stdout } = spawnSync("node", ["--require", pretend(version), main], { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, "loaded\n"]);
  });

  it("refuses the old Nodes of this machine", () => {
    for (const node of oldNodes()) {
      const { status, stdout, stderr } = spawnSync(node, [main, "--version"], { encoding: "utf8" });
      expect([node, status, stdout]).toEqual([node, 2, ""]);
      expect(stderr.split("\n")).toHaveLength(2);
    }
  });
});

describe("a pipe that nobody reads", () => {
  const out = sharedSnapshot("small");

  /** Runs a command whose standard output and error are closed by their reader before a byte is read. */
  function runUnread(args: readonly string[]): Promise<{ code: number | null; err: string }> {
    return new Promise((resolve) => {
      const child = spawn("node", [commandFile(), ...args]);
      const said: string[] = [];
      child.stdout.destroy();
      child.stderr.on("data", (part: Buffer) => said.push(part.toString()));
      child.on("close", (code) => resolve({ code, err: said.join("") }));
    });
  }

  it("ends a command quietly, with the exit code of its work", async () => {
    expect(await runUnread(["get", "/openapi.json", "--out", out, "--json"])).toEqual({ code: 0, err: "" });
    expect(await runUnread(["check", "--out", out])).toEqual({ code: 0, err: "" });
  });

  it("is another thing than a disk that is full", () => {
    const args = [commandFile(), "get", "/store", "--out", out, "--json"];
    const shell = spawnSync("sh", ["-c", 'node "$@" > /dev/full', "sh", ...args], { encoding: "utf8" });
    expect(shell.status).toBe(6);
    expect(shell.stderr).toContain("error: write_failed: Cannot write the result");
    expect(shell.stderr).not.toContain("bug");
  });
});
