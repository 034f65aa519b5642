/** Documents say what is: files that they name are there, links lead somewhere, commands run. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { commandFile, startServer, startVitrine, until, vitrine } from "../support/command.ts";
import { sharedStore, temporaryFolder } from "../support/shop.ts";
import { anchors, codeSpans, commands, links, PAGES, type Page, wordsOf } from "./markdown.ts";

const FOLDERS = /^(?:src|test|docs|templates|scripts|examples|\.ci)\/[\w./-]*$/;

/** A change that a block shows: to a file that is there, or with a new one. */
interface Change {
  readonly file: string;
  readonly isNew: boolean;
  /** Lines that the file has before the change. */
  readonly before: readonly string[];
}

function changesOf(page: Page): Change[] {
  const parts = page.blocks
    .filter(({ language }) => language === "diff")
    .flatMap(({ text }) => text.split(/^(?=--- )/m));
  return parts.map((part) => {
    const [from = "", to = "", ...lines] = part.split("\n");
    const before = lines.filter((line) => /^[ -]/.test(line)).map((line) => line.slice(1).trim());
    return { file: to.replace("+++ b/", ""), isNew: from === "--- /dev/null", before };
  });
}

describe.each(PAGES.map((page) => [page.file, page] as const))("%s", (file, page) => {
  it("names files that are there", () => {
    const named = codeSpans(page).filter((text) => FOLDERS.test(text));
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it("has links that lead somewhere", () => {
    const inside = links(page).filter((target) => !/^[a-z]+:/.test(target));
    const dead = inside.filter((target) => {
      const [path = "", anchor] = target.split("#");
      const place = path === "" ? file : normalize(join(dirname(file), path));
      return !existsSync(place) || (anchor !== undefined && !anchors(place).includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  it("shows changes to lines that are there", () => {
    for (const { file: changed, isNew, before } of changesOf(page)) {
      expect([changed, existsSync(changed)]).toEqual([changed, !isNew]);
      const lines = isNew ? [] : readFileSync(changed, "utf8").split("\n");
      const known = new Set(lines.map((line) => line.trim()));
      expect(before.filter((line) => !known.has(line))).toEqual([]);
    }
  });

  it("has JSON that is JSON, and configurations that their schema allows", () => {
    const schema = JSON.parse(readFileSync("vitrine.config.schema.json", "utf8")) as object;
    const validate = new Ajv2020({ strict: false }).compile(schema);
    for (const { language, text } of page.blocks) {
      if (language !== "json") continue;
      const value = JSON.parse(text) as object;
      if ("baseUrl" in value) expect([validate(value), validate.errors]).toEqual([true, null]);
    }
  });
});

describe("docs/architecture.md", () => {
  it("has every folder of src in its tree", () => {
    const page = PAGES.find(({ file }) => file === "docs/architecture.md");
    const named = page === undefined ? [] : codeSpans(page);
    const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => `src/${name}/`).filter((path) => !named.includes(path))).toEqual([]);
  });
});

/** Names of a command's options, and the commands that its help shows. */
const helps = new Map<string, { options: Set<string>; examples: string[][] }>();

function helpText(words: readonly string[]): string {
  const { status, stdout } = vitrine([...words, "--help"]);
  expect([words, status]).toEqual([words, 0]);
  return stdout;
}

function optionsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name = ""]) => name);
}

/** A command's help; its options are those of its own commands, too. */
function helpOf(command: string) {
  const known = helps.get(command);
  if (known !== undefined) return known;
  const stdout = helpText([command]);
  const own = [...stdout.matchAll(/^ {2}([a-z]+) \[options\] /gm)].map(([, name = ""]) => [command, name]);
  const options = new Set([stdout, ...own.map(helpText)].flatMap(optionsIn));
  const examples = [...stdout.matchAll(/^ {2}vitrine .*$/gm)].map(([line]) => wordsOf(line.trim()));
  helps.set(command, { options, examples });
  return { options, examples };
}

function unknownOptions([, command = "", ...words]: readonly string[]): string[] {
  const { options } = helpOf(command);
  return words.filter((word) => word.startsWith("--") && !options.has(word));
}

describe("commands", () => {
  const told = PAGES.flatMap((page) => [
    ...commands(page),
    ...codeSpans(page)
      .map(wordsOf)
      .filter(([name, command = ""]) => name === "vitrine" && /^[a-z]+$/.test(command)),
  ]);

  it("exist, with their options, in documents and in the help of each command", () => {
    const ours = told.filter(([name]) => name === "vitrine");
    expect(ours.length).toBeGreaterThan(40);
    for (const words of ours) expect([words.join(" "), unknownOptions(words)]).toEqual([words.join(" "), []]);
    for (const [command, { examples }] of helps) {
      expect(examples.length, command).toBeGreaterThan(0);
      for (const words of examples) {
        expect([words.join(" "), unknownOptions(words)]).toEqual([words.join(" "), []]);
      }
    }
  });

  it("of npm are scripts of this package, or npm's own", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
    const own = ["ci", "test", "pack", "install"];
    for (const [name, command = "", script = ""] of told) {
      if (name !== "npm") continue;
      expect(command === "run" ? Object.keys(scripts) : own).toContain(command === "run" ? script : command);
    }
  });
});

/** Run as they stand, in their order, by somebody whose shop is the demo's: buckets are folders, and no CDN is purged. */
describe("commands of the documents, run", () => {
  const shop = temporaryFolder();
  const ELSEWHERE = ["--purge", "--verify", "--endpoint", "--region"];

  function localise(words: readonly string[]): string[] {
    const local = words.filter(
      (word, at) => !ELSEWHERE.includes(word) && !ELSEWHERE.includes(words[at - 1] ?? ""),
    );
    return local.map((word) =>
      word
        .replace(/^s3:\/\/(.*)/, `file://${shop}/$1`)
        .replace(/^file:\/\/\/srv\//, `file://${shop}/srv/`)
        .replace(/^\/(srv|var)\//, `${shop}/$1/`)
        // The documents' shop has published more often.
        .replace(/(?<=^|#)00000009$/, "00000001"),
    );
  }

  function run(args: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync("node", [commandFile(), ...args], { cwd: shop, encoding: "utf8" });
  }

  /** In a folder of its own: it overwrites nothing. */
  function initOnce(args: readonly string[]): void {
    const cwd = mkdtempSync(join(shop, "new-"));
    copyFileSync(sharedStore(150), join(cwd, "shop.sqlite"));
    const { status, stderr } = spawnSync("node", [commandFile(), ...args], { cwd, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  }

  async function serveOnce(args: readonly string[]): Promise<void> {
    const port = args.indexOf("--port");
    const free = port < 0 ? args : args.filter((_, at) => at !== port && at !== port + 1);
    const anyPort = free.map((word, at) => (free[at - 1] === "--metrics" ? "0" : word));
    const { child, url, ended } = await startServer(anyPort, shop);
    expect((await fetch(`${url}/api/v1/store`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }

  async function watchOnce(args: readonly string[]): Promise<void> {
    const { child, said, ended } = startVitrine(args, {}, shop);
    await until("a watch", () => said().includes("watching "));
    child.kill("SIGTERM");
    expect([await ended, said()]).toEqual([0, expect.not.stringContaining("error: ")]);
  }

  beforeAll(() => {
    copyFileSync(sharedStore(150), join(shop, "shop.sqlite"));
    cpSync("templates/queries", join(shop, "my-queries"), { recursive: true });
    symlinkSync(resolve("examples"), join(shop, "examples"));
    const [readme] = PAGES;
    const written = readme?.blocks.find(({ language }) => language === "json")?.text ?? "";
    const config = { ...(JSON.parse(written) as object), grid: { depth: 0 } };
    writeFileSync(join(shop, "vitrine.config.json"), JSON.stringify(config));
    // A release to go back to.
    for (const args of [["build"], ["publish", "--to", `file://${shop}/shop-api`]]) {
      expect(run(args)).toMatchObject({ status: 0 });
    }
    const db = new Database(join(shop, "shop.sqlite"));
    db.exec("UPDATE products SET name = 'Renamed Kit' WHERE slug = 'invoice-kit'");
    db.close();
  });

  const runnable = PAGES.flatMap((page) =>
    commands(page).flatMap(([name = "", ...args]): (readonly [string, readonly string[]])[] => {
      // Captures are of stores on servers: test/extract/store-capture.test.ts runs them there.
      if (args[0] === "capture") return [];
      if (name === "vitrine") return [[page.file, args]];
      const address = args.find((arg) => /^https:\/\/[^/]+\/api\/v1/.test(arg));
      return name === "curl" && address !== undefined ? [[page.file, ["get", address, "--fail"]]] : [];
    }),
  );

  it.each(runnable.map(([file, args]) => [file, args.join(" "), args] as const))(
    "%s: %s",
    async (_file, _line, args) => {
      const local = localise(args);
      if (local[0] === "serve" || local[0] === "fallback") return serveOnce(local);
      if (local[0] === "watch" && !local.includes("--once")) return watchOnce(local);
      if (local[0] === "init") return initOnce(local);
      const { status, stderr } = run(local);
      expect([status, stderr]).toEqual([0, expect.not.stringContaining("error: ")]);
    },
  );
});
