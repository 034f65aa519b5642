/** Documents say what is: files that they name are there, commands run. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/commands.ts";
import { prepareDemo } from "../../src/setup/demo.ts";
import { startServer, startVitrine, until, vitrine } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { openPublicShop, type PublicShop } from "../support/public-shop.ts";
import { readTree, sharedStore, temporaryFolder } from "../support/shop.ts";
import { codeSpans, commands, PAGES, type Page, wordsOf } from "./markdown.ts";

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

describe.each(PAGES.map((page) => [page.file, page] as const))("%s", (_, page) => {
  it("names files that are there", () => {
    const named = codeSpans(page).filter((text) => FOLDERS.test(text));
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
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
    expect(folders.map(({ name }) => `${name}/`).filter((path) => !named.includes(path))).toEqual([]);
  });
});

const program = createProgram();
const MANUAL = PAGES.find(({ file }) => file === "docs/cli.md");

/** Options of a command and of its own commands. */
function optionsOf(name: string): Set<string> {
  const found = program.commands.find((command) => command.name() === name);
  const all = found === undefined ? [] : [found, ...found.commands];
  return new Set(["--help", ...all.flatMap(({ options }) => options.map(({ long }) => long ?? ""))]);
}

/** The commands that each help shows: the manual has all of them, test/cli/manual.test.ts holds it to that. */
const examples = (MANUAL?.blocks ?? []).map(({ text }) =>
  [...text.matchAll(/^ {2}vitrine .*$/gm)].map(([line]) => wordsOf(line.trim())),
);

function unknownOptions([, command = "", ...words]: readonly string[]): string[] {
  const options = optionsOf(command);
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
    expect(examples.filter((shown) => shown.length === 0)).toEqual([]);
    expect(examples.length).toBe(program.commands.length);
    for (const words of [...ours, ...examples.flat()]) {
      expect(program.commands.map((command) => command.name())).toContain(words[1]);
      expect([words.join(" "), unknownOptions(words)]).toEqual([words.join(" "), []]);
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

/** Run in their order by somebody who has a shop and, beside it, the demo: buckets are folders, and no CDN is purged. */
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
        .replace(/^https:\/\/api\.shop\.example\/api\/v1$/, join(shop, "out/site"))
        .replace(/^\/(srv|var)\//, `${shop}/$1/`)
        // The documents' shop has published more often.
        .replace(/(?<=^|#)00000009$/, "00000001"),
    );
  }

  const run = (args: readonly string[]) => vitrine(args, {}, shop);

  /** In a folder of its own: it overwrites nothing. */
  function initOnce(args: readonly string[]): void {
    const cwd = mkdtempSync(join(shop, "new-"));
    copyFileSync(sharedStore(150), join(cwd, "shop.sqlite"));
    const { status, stderr } = vitrine(args, {}, cwd);
    expect([status, stderr]).toEqual([0, ""]);
  }

  /** The shop's files at an address. */
  let mirrored: PublicShop;

  async function serveOnce(args: readonly string[]): Promise<void> {
    const port = args.indexOf("--port");
    const here = args.map((word) => (word === "https://api.shop.example" ? mirrored.base : word));
    const free = port < 0 ? here : here.filter((_, at) => at !== port && at !== port + 1);
    const anyPort = free.map((word, at) => (free[at - 1] === "--metrics" ? "0" : word));
    // Nobody is connected for whom it would have to go on listening.
    const drain = args[0] === "fallback" ? ["--drain", "0"] : [];
    const { child, url, ended } = await startServer([...anyPort, ...drain], shop);
    expect((await fetch(`${url}/api/v1/store`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }

  /** Copies the shop of the package: its pictures are addressed by the port. */
  async function demoOnce(args: readonly string[]): Promise<void> {
    const cwd = mkdtempSync(join(shop, "new-"));
    const { child, url, ended } = await startServer([...args, "--port", String(await freePort())], cwd);
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

  beforeAll(async () => {
    // `vitrine serve --open` opens nothing.
    process.env["BROWSER"] = "true";
    copyFileSync(sharedStore(150), join(shop, "shop.sqlite"));
    cpSync("templates/queries", join(shop, "my-queries"), { recursive: true });
    mkdirSync(join(shop, "node_modules/vitrine"), { recursive: true });
    symlinkSync(resolve("examples"), join(shop, "node_modules/vitrine/examples"));
    const written =
      PAGES.find(({ file }) => file === "docs/own-store.md")?.blocks.find(
        ({ language }) => language === "json",
      )?.text ?? "";
    const config = {
      ...(JSON.parse(written) as object),
      grid: { depth: 0 },
      feeds: { bulk: true },
      pages: false,
    };
    writeFileSync(join(shop, "vitrine.config.json"), JSON.stringify(config));
    // As `npm run demo` leaves it.
    prepareDemo(join(shop, "demo"), 8080);
    expect(run(["build", "--config", "demo/vitrine.config.json"])).toMatchObject({ status: 0 });
    // A release to go back to.
    for (const args of [["build"], ["publish", "--to", `file://${shop}/shop-api`]]) {
      expect(run(args)).toMatchObject({ status: 0 });
    }
    mirrored = await openPublicShop();
    mirrored.files = readTree(join(shop, "out/site"));
    const db = new Database(join(shop, "shop.sqlite"));
    db.exec("UPDATE products SET name = 'Renamed Kit' WHERE slug = 'invoice-kit'");
    db.close();
  });

  const runnable = PAGES.flatMap((page) =>
    commands(page).flatMap(([name = "", ...args]): (readonly [string, readonly string[]])[] => {
      if (name === "vitrine") return [[page.file, args]];
      const address = args.find((arg) => /^https:\/\/[^/]+\/api\/v1/.test(arg));
      return name === "curl" && address !== undefined ? [[page.file, ["get", address, "--fail"]]] : [];
    }),
  );

  /** What several pages say is run where it stands first. */
  const once = new Map<string, readonly [file: string, args: readonly string[]]>();
  for (const [file, words] of runnable) {
    const args = localise(words);
    const line = args.join(" ").replaceAll(shop, "");
    if (!once.has(line)) once.set(line, [file, args]);
  }

  // After an erasing there is no release to go back to.
  const lines = [...once].map(([line, [file, args]]) => [file, line, args] as const);
  const isLast = ([, , args]: (typeof lines)[number]) => Number(args[0] === "erase");
  it.each(lines.toSorted((a, b) => isLast(a) - isLast(b)))("%s: %s", async (_file, _line, args) => {
    if (["serve", "open", "fallback"].includes(args[0] ?? "")) return serveOnce(args);
    if (args[0] === "watch" && !args.includes("--once")) return watchOnce(args);
    if (args[0] === "init") return initOnce(args);
    if (args[0] === "demo") return demoOnce(args);
    if (args[0] === "erase" && args[1] === "review")
      buildAfter(`UPDATE reviews SET status = 'rejected' WHERE id = ${Number(args[2])}`);
    const { status, stderr } = run(args);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining("error: ")]);
    // Else it would hold whatever the next documents publish.
    const place = args[args.indexOf("--to") + 1] ?? "";
    if (args[0] === "rollback") expect(run(["publish", "--to", place, "--resume"]).status).toBe(0);
  });

  /** Changes a store, and says what a build prints then. */
  function buildAfter(sql: string, store = "shop.sqlite", config = "vitrine.config.json"): string {
    const db = new Database(join(shop, store));
    db.exec(sql);
    db.close();
    const { status, stdout } = run(["build", "--config", config]);
    expect(status).toBe(0);
    return stdout;
  }

  it("docs/start.md: a price that changes rewrites the files that hold it", () => {
    const blocks = PAGES.find(({ file }) => file === "docs/start.md")?.blocks ?? [];
    const [sql = ""] = blocks.flatMap(({ text }) => /UPDATE [^"]+/.exec(text)?.[0] ?? []);
    const said = buildAfter(sql, "demo/store.sqlite", "demo/vitrine.config.json");
    const [, written] = /([\d,]+) written, 0 deleted/.exec(said) ?? [];
    expect(Number(written)).toBeGreaterThan(0);
    expect(Number(written)).toBeLessThan(300);
  });
});
