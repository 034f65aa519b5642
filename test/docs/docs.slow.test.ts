/** The documents are right: the files that they name exist, and their commands run. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
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
import { commandFile, startServer, startVitrine, vitrine } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { hasCommand, RUNNERS, runProgram } from "../support/programs.ts";
import { openPublicShop, type PublicShop } from "../support/public-shop.ts";
import { readTree, sharedStore, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { codeSpans, commands, PAGES, type Page, readPage, shellLines, wordsOf } from "./markdown.ts";

const FOLDERS = /^(?:src|test|docs|templates|scripts|examples|\.ci)\/[\w./-]*$/;

/** A change that a block shows: to an existing file, or a new file. */
interface Change {
  readonly file: string;
  readonly isNew: boolean;
  /** Lines of the file before the change. */
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
  it("names existing files", () => {
    const named = codeSpans(page).filter((text) => FOLDERS.test(text));
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it("shows changes to existing lines", () => {
    for (const { file: changed, isNew, before } of changesOf(page)) {
      expect([changed, existsSync(changed)]).toEqual([changed, !isNew]);
      const lines = isNew ? [] : readFileSync(changed, "utf8").split("\n");
      const known = new Set(lines.map((line) => line.trim()));
      expect(before.filter((line) => !known.has(line))).toEqual([]);
    }
  });

  it("has valid JSON, and configurations that fit the schema", () => {
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

/** The examples in the help of each command: test/cli/manual.test.ts checks that the manual has all of them. */
const examples = (MANUAL?.blocks ?? []).map(({ text }) =>
  [...text.matchAll(/^ {2}vitrine .*$/gm)].map(([line]) => wordsOf(line.trim())),
);

function unknownOptions([, command = "", ...words]: readonly string[]): string[] {
  const options = optionsOf(command);
  return words.filter((word) => word.startsWith("--") && !options.has(word));
}

const TEMPLATES = globSync("templates/*/*/README.md").sort().map(readPage);

/** Programs whose commands no test runs, with the reason. Add a program only if its commands can't run in a folder of a test. */
const NOT_RUN: Readonly<Record<string, string>> = {
  aws: "needs an account",
  cd: "changes a shell that ends",
  cp: "writes into /etc",
  export: "changes a shell that ends",
  git: "changes this repository",
  install: "needs the user vitrine",
  mkdir: "writes into /etc",
  npm: "installs packages, or runs tests: the scripts exist, see below",
  printf: "writes into /etc",
  runuser: "needs the user vitrine",
  systemctl: "needs systemd: the units exist, see below",
  touch: "writes into /etc",
  useradd: "changes the machine",
};
const RUN = ["vitrine", "npx", "curl", "sqlite3", "grep", "find", "df", "journalctl"];

describe("commands", () => {
  const shown = [...PAGES, ...TEMPLATES].flatMap((page) => [
    ...commands(page),
    ...codeSpans(page)
      .map(wordsOf)
      .filter(([name, command = ""]) => name === "vitrine" && /^[a-z]+$/.test(command)),
  ]);

  it("are run by a test, or can't be", () => {
    const programs = PAGES.flatMap((page) =>
      page.blocks
        .filter(({ language }) => language === "sh")
        .flatMap((block) => shellLines({ ...page, blocks: [block] }))
        .map((line) => /^(?:[A-Z_]+=\S+ )*([\w./-]+)/.exec(line)?.[1] ?? line)
        .map((program) => [page.file, program]),
    );
    const known = [...RUN, ...Object.keys(NOT_RUN)];
    expect(programs.filter(([, program = ""]) => program !== "" && !known.includes(program))).toEqual([]);
    const used = new Set(PAGES.flatMap(shellLines).map((line) => /^\w+/.exec(line)?.[0]));
    expect(known.filter((program) => !used.has(program))).toEqual([]);
  });

  it("of systemd name units that are shipped", () => {
    const units = PAGES.flatMap((page) => [...shellLines(page), ...codeSpans(page)])
      .filter((line) => line.startsWith("systemctl "))
      .flatMap((line) => line.match(/\bvitrine-[\w@.*]+/g) ?? []);
    const shipped = readdirSync("templates/operate/systemd");
    // `vitrine-fallback@8081` and `vitrine-fallback@*` are instances of vitrine-fallback@.service.
    const fileOf = (unit: string) => (/\.\w+$/.test(unit) ? unit : `${unit.replace(/@.*/, "@")}.service`);
    expect(units.length).toBeGreaterThan(10);
    expect(units.filter((unit) => !shipped.includes(fileOf(unit)))).toEqual([]);
  });

  it("exist with their options, in documents, templates and the help of each command", () => {
    const ours = shown.filter(([name]) => name === "vitrine");
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
    for (const [name, command = "", script = ""] of shown) {
      if (name !== "npm") continue;
      expect(command === "run" ? Object.keys(scripts) : own).toContain(command === "run" ? script : command);
    }
  });
});

/** Run in their order in the folder of a shop, which also has the demo: buckets are folders, and no CDN is purged. */
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

  /** In a new folder, because it overwrites no file. */
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
    // No client is connected, so it need not drain.
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
    for (const queries of ["queries", "my-queries"])
      cpSync("templates/queries", join(shop, queries), { recursive: true });
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
      const isAnswer = name === "curl" && args.length === 1 && address !== undefined;
      return isAnswer ? [[page.file, ["get", address, "--fail"]]] : [];
    }),
  );

  /** A line of several pages is run for the first of them. */
  const once = new Map<string, readonly [file: string, args: readonly string[]]>();
  for (const [file, words] of runnable) {
    const args = localise(words);
    const line = args.join(" ").replaceAll(shop, "");
    if (!once.has(line)) once.set(line, [file, args]);
  }

  // Erasing leaves no release to go back to, so it comes last.
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
    // Otherwise the rollback would hold the releases of the next pages.
    const place = args[args.indexOf("--to") + 1] ?? "";
    if (args[0] === "rollback") expect(run(["publish", "--to", place, "--resume"]).status).toBe(0);
  });

  /** Changes the store, and builds. */
  function buildAfter(sql: string): void {
    const db = new Database(join(shop, "shop.sqlite"));
    db.exec(sql);
    db.close();
    expect(run(["build"]).status).toBe(0);
  }

  const blocksOf = (name: string) => PAGES.find(({ file }) => file === name)?.blocks ?? [];
  const sh = (lines: string) => runProgram(RUNNERS.sh, lines, shop);

  // CI installs sqlite3.
  it.skipIf(!hasCommand("sqlite3"))(
    "docs/start.md: what its reader types, while the demo is served",
    async () => {
      const { child, url, ended } = await startServer(
        ["serve", "--out", "demo/out", "--no-rate-limit"],
        shop,
      );
      const typed = blocksOf("docs/start.md")
        .filter(({ language }) => language === "sh")
        .map(({ text }) =>
          text
            .replaceAll("http://127.0.0.1:8080", url)
            .replaceAll("curl ", "curl --silent --fail ")
            .replaceAll("npx node dist/cli/main.js", `node ${commandFile()}`),
        );
      const [asked, changed, searched, planned, ...others] = typed;
      expect(others).toEqual([]);
      expect(await sh(asked ?? "")).toMatch(/"product_slug":"invoice-kit".*"slug":"invoice-kit"/s);
      const [, written] = /([\d,]+) written, 0 deleted/.exec(await sh(changed ?? "")) ?? [];
      expect(Number(written)).toBeGreaterThan(0);
      expect(Number(written)).toBeLessThan(300);
      const { data } = (await (await fetch(`${url}/api/v1/product?slug=invoice-kit`)).json()) as {
        data: { price: number };
      };
      expect(data.price).toBe(42);
      // grep exits with 1: it found nothing.
      expect(await sh(searched ?? "")).toMatch(/^1: (?:[^|\n]+\|[^|\n]+@mail\.example\n){5}$/);
      expect(await sh(planned ?? "")).toMatch(/^\/products .* files .*^in all /ms);
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
    },
  );

  it("README.md: what one sees of a build, a search and a widget", async () => {
    const seen = blocksOf("README.md");
    prepareDemo(join(shop, "seen"), 8080);
    const [summary = "", answer = ""] = seen
      .filter(({ language }) => language === "text")
      .map(({ text }) => text);
    const built = run(["build", "--config", "seen/vitrine.config.json"]);
    expect(built.stdout + built.stderr).toContain(summary);
    const { child, url, ended } = await startServer(["serve", "--out", "seen/out", "--no-rate-limit"], shop);
    const [asked = ""] = seen.filter(({ language }) => language === "sh").map(({ text }) => text);
    const escaped = answer
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("…", ".+");
    const said = await sh(asked.replace("http://127.0.0.1:8080", url).replace("curl ", "curl --silent "));
    expect(said).toMatch(new RegExp(`^${escaped}`));
    const [, widget = ""] = /src="https:\/\/shop\.example([^"]+)"/.exec(
      seen.find(({ language }) => language === "html")?.text ?? "",
    ) ?? [""];
    expect((await fetch(url + widget)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("what is typed at a fallback: probes, agents' requests, and who asks", async () => {
    const place = `file://${shop}/shop-api`;
    const { child, url, said, ended } = await startServer(
      ["fallback", "--mcp", "--to", place, "--drain", "0"],
      shop,
    );
    const lines = PAGES.flatMap((page) =>
      page.blocks.flatMap((block) => shellLines({ ...page, blocks: [block] })),
    );
    const probes = [...new Set(lines.filter((line) => line.includes("127.0.0.1:8081/")))];
    expect(probes.length).toBeGreaterThan(0);
    for (const line of probes)
      expect(await sh(`${line.replace("http://127.0.0.1:8081", url)} --silent --fail`)).toContain(
        '"status":"ok"',
      );
    const [agent = ""] = lines.filter((line) => line.includes("https://api.shop.example/mcp"));
    const listed = await sh(`${agent.replace("https://api.shop.example", url)} --silent --fail`);
    expect(listed).toContain('"search_products"');
    expect((await fetch(`${url}/api/v1/search?q=kit`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    writeFileSync(join(shop, "fallback.log"), said());
    const pipelines = lines
      .filter((line) => line.startsWith("journalctl ") && line.includes("|"))
      .map((line) => line.replace(/^journalctl [^|]*/, "cat fallback.log "));
    const [targets = "", addresses = "", failures = ""] = pipelines;
    expect(await sh(targets)).toMatch(/^ *1 "target":"\/api\/v1\/search$/m);
    expect(await sh(addresses)).toMatch(/^ *\d+ "address":"127\.0\.0\.1$/m);
    // grep exits with 1: no request failed.
    expect([await sh(failures), pipelines.length]).toEqual(["1: ", 3]);
  });

  it("docs/erasing.md: emptying a cache; docs/operations.md: the room on a disk", async () => {
    mkdirSync(join(shop, "cache/1a"), { recursive: true });
    writeFileSync(join(shop, "cache/1a/answer"), "");
    const lines = PAGES.flatMap(shellLines);
    await sh(lines.find((line) => line.startsWith("find ")) ?? "");
    expect(readdirSync(join(shop, "cache/1a"))).toEqual([]);
    const room = lines.find((line) => line.startsWith("df ")) ?? "";
    expect(await sh(room.replaceAll(/\/(?:var|srv)\/[\w/]+/g, "."))).toMatch(/Use%.*IUse%/s);
  });
});
