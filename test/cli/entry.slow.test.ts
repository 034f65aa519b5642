/** How the command starts, and how it handles a closed pipe. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { LEAST_NODE } from "../../src/package.ts";
import { commandFile, packageFolder } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

/** The package with another program in place of its own. */
function packEntry(place: string, program: string): string {
  cpSync(packageFolder(), place, { recursive: true });
  writeFileSync(join(place, "dist/cli/program.js"), program);
  return join(place, "dist/cli/main.js");
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

/** Prints at a process's end which files it has loaded, on standard error. */
const TELL_LOADED = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({
    load(url, context, next) {
      if (url.startsWith("file:")) loaded.add(url);
      return next(url, context);
    },
  });
  process.on("exit", () => process.stderr.write([...loaded].join("\\n")));`;

/** The modules of libraries that a command loads: files of the library, or parts of the files in `dist`, from their source maps. */
function librariesOf(...args: string[]): string[] {
  const first = `data:text/javascript,${encodeURIComponent(TELL_LOADED)}`;
  const { stderr } = spawnSync("node", ["--import", first, commandFile(), ...args], { encoding: "utf8" });
  const sources = (stderr.match(/^file:.*$/gm) ?? []).flatMap((url) => {
    const file = fileURLToPath(url);
    if (!existsSync(`${file}.map`)) return [file];
    return (JSON.parse(readFileSync(`${file}.map`, "utf8")) as { sources: string[] }).sources;
  });
  return sources.flatMap((source) => /.*\/node_modules\/(.*)/.exec(source)?.[1] ?? []);
}

describe("a start", () => {
  it("loads neither the schemas nor the database that only some commands need", () => {
    const packages = librariesOf("--version").map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
    expect(new Set(packages)).toEqual(new Set(["commander"]));
  });

  it("compiles no schema to check a configuration: the check was compiled with the package", () => {
    const store = resolve("examples/chinook/chinook.sqlite");
    const loaded = librariesOf("build", "--store", store, "--queries", join(folder, "none"));
    expect(loaded.filter((path) => path.startsWith("ajv"))).toEqual(["ajv/dist/runtime/equal.js"]);
  });
});

describe("the command's entry", () => {
  let main = "";
  beforeAll(() => {
    main = packEntry(
      join(folder, "entry"),
      'process.stdout.write("loaded\\n"); export const run = () => undefined;',
    );
  });

  it.each(["12.22.0", "18.20.8", "20.20.2", "22.13.1", "9.0.0"])(
    "refuses Node %s in one line, with nothing loaded",
    (version) => {
      const { status, stdout, stderr } = spawnSync("node", ["--require", pretend(version), main], {
        encoding: "utf8",
      });
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toBe(
        `error: usage: this is Node ${version}; Vitrine needs ${LEAST_NODE} or newer: https://nodejs.org, or npm install node@24 in this project.\n`,
      );
    },
  );

  it.each(["22.14.0", "24.0.0", "100.1.0"])("starts with Node %s", (version) => {
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

/** Makes a million objects, a fifth of which live, and prints the MB of the space for new ones, and the most of the whole heap. */
const WORK = `
  import { getHeapSpaceStatistics } from "node:v8";
  export function run() {
    const live = [];
    let most = 0;
    for (let at = 0; at < 1_000_000; at++) {
      live[at % 200_000] = { name: "product " + at, at };
      if (at % 10_000 === 0) most = Math.max(most, process.memoryUsage().heapTotal);
    }
    const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
    process.stdout.write(JSON.stringify({ young: young / 2 ** 20, heap: most / 2 ** 20 }));
  }`;

describe("the heap of a command", () => {
  it("stays small where V8 by its own rules lets it grow to several times what lives", () => {
    const main = packEntry(join(folder, "heap"), WORK);
    const { young, heap } = JSON.parse(spawnSync("node", [main], { encoding: "utf8" }).stdout);
    expect(young).toBeLessThanOrEqual(16);
    expect(heap).toBeLessThan(70); // 44 with Node 24, 94 with a small space for new objects alone, 198 by V8's own rules
  });
});

describe("a closed pipe", () => {
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
    expect(await runUnread(["check", "--out", out, "--quiet"])).toEqual({ code: 0, err: "" });
  });

  it.each([
    ["get", "/store", "--json"],
    ["export", "products"],
    ["doctor", "--json"],
  ])("is no full disk, which ends %s %s with one error and its exit code", (...command) => {
    const args = [commandFile(), ...command, "--out", out];
    const shell = spawnSync("sh", ["-c", 'node "$@" > /dev/full', "sh", ...args], { encoding: "utf8" });
    expect(shell.stderr).toMatch(/^error: write_failed: Cannot write the result: .*\n {2}hint: .*\n$/);
    expect(shell.status).toBe(6);
  });
});
