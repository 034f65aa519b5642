/**
 * What can be made again never fails the work: one table of everything that Vitrine remembers, and of everything that may be wrong with
 * it. One that cannot be read is empty, one that cannot be written is not written, and only proven damage deletes it, and says so.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { commandFile, listenTo, type Running, vitrine } from "../support/command.ts";
import { seedSmall, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { startWarmServer } from "../support/warm-server.ts";

const canMount = spawnSync("unshare", ["-m", "true"]).status === 0;
const folder = temporaryFolder();
const first = join(folder, "first");

/** What a shell does before the command begins. */
interface Around {
  readonly before?: string;
  /** In a mount namespace that ends with the command. */
  readonly mounts?: boolean;
}

function shell({ before = "true", mounts = false }: Around, args: readonly string[]): string[] {
  const script = `set -e; ${before}; exec "$@"`;
  const line = ["sh", "-c", script, "sh", process.execPath, commandFile(), ...args];
  return mounts ? ["unshare", "-m", ...line] : line;
}

function run(cwd: string, args: readonly string[], around: Around = {}) {
  if (Object.keys(around).length === 0) {
    const { status, stdout, stderr } = vitrine(args, {}, cwd);
    return { status, said: stdout + stderr };
  }
  const [program = "", ...rest] = shell(around, args);
  const { status, stdout, stderr } = spawnSync(program, rest, { cwd, encoding: "utf8", timeout: 60_000 });
  return { status, said: stdout + stderr };
}

function setName(cwd: string, name: string): void {
  const db = new Database(join(cwd, "store.sqlite"));
  db.prepare("UPDATE products SET name = ? WHERE slug = 'invoice-kit'").run(name);
  db.close();
}

function nameIn(site: string): string {
  const text = readFileSync(join(site, "api/v1/product/slug=invoice-kit.json"), "utf8");
  return (JSON.parse(text) as { data: { title: string } }).data.title;
}

/** Runs a fallback until it has the wanted answer, or has been asked once if that is null, and ends it. */
async function askFallback(cwd: string, wanted: string | null, around: Around) {
  const args = [
    "fallback",
    "--to",
    `file://${join(cwd, "live")}`,
    "--cache",
    "cache",
    "--port",
    "0",
    "--drain",
    "0",
  ];
  const { child, said, ended } = startFallback(cwd, args, around);
  let hasEnded = false;
  const ending = ended.then(() => {
    hasEnded = true;
  });
  let name: string | null = null;
  const ask = async () => {
    const url = /listening on (http:[^\s"]+)/.exec(said())?.[1];
    if (url === undefined) return false;
    try {
      const response = await fetch(`${url}/api/v1/product?slug=invoice-kit`);
      const { data } = (await response.json()) as { data?: { title: string } };
      name = data?.title ?? null;
    } catch (error) {
      // A server without descriptors closes the connection.
      if (wanted !== null) throw error;
    }
    return wanted === null || name === wanted;
  };
  try {
    await until("the wanted answer", async () => hasEnded || (await ask()));
  } finally {
    if (!hasEnded) child.kill("SIGTERM");
    await ending;
  }
  return { name, said: said() };
}

function startFallback(cwd: string, args: readonly string[], around: Around): Running {
  if (Object.keys(around).length === 0) return startWarmServer(args, cwd);
  const [program = "", ...rest] = shell(around, args);
  return listenTo(spawn(program, rest, { cwd, stdio: ["ignore", "pipe", "pipe"] }));
}

const OLD = "Old Kit";
const NEW = "New Kit";
const NEWEST = "Newest Kit";

interface Kind {
  /** The file of the memory in a copy of the folder. */
  readonly file: (cwd: string) => string;
  /** Gives it another format. */
  readonly format: (file: string) => void;
  /** Does the work, which must succeed and show the new price. Returns what was said. */
  readonly work: (cwd: string, around: Around) => Promise<string>;
  /** The file that another process locks, if the memory's is a database or has such a file. */
  readonly lock: (file: string) => string;
}

const sql = (text: string) => (file: string) => {
  const db = new Database(file);
  db.exec(text);
  db.close();
};

function inPlaces(cwd: string, ending: RegExp): string {
  const places = join(cwd, "out/.places");
  return join(places, readdirSync(places).find((name) => ending.test(name)) ?? "missing");
}

async function publish(cwd: string, around: Around): Promise<string> {
  const { status, said } = run(cwd, ["publish", "--out", "out", "--to", `file://${cwd}/live`], around);
  expect([status, said]).toEqual([0, said]);
  expect(nameIn(join(cwd, "live"))).toBe(NEW);
  return said;
}

const KINDS: Readonly<Record<string, Kind>> = {
  "what a build read of the store": {
    file: (cwd) => join(cwd, "out/.readings.sqlite"),
    format: sql("UPDATE word SET value = '999' WHERE name = 'format'"),
    lock: (file) => file,
    async work(cwd, around) {
      setName(cwd, NEWEST);
      const { status, said } = run(cwd, ["build"], around);
      expect([status, said]).toEqual([0, said]);
      expect(nameIn(join(cwd, "out/site"))).toBe(NEWEST);
      return said;
    },
  },
  "what is remembered of a place": {
    file: (cwd) => inPlaces(cwd, /[0-9a-f]\.sqlite$/),
    format: sql("PRAGMA user_version = 999"),
    lock: (file) => file,
    work: publish,
  },
  "when a place was last listed": {
    file: (cwd) => inPlaces(cwd, /look\.json$/),
    format: (file) => writeFileSync(file, '{"missing":"none"}'),
    lock: (file) => file,
    work: publish,
  },
  "a fallback's copy": {
    file: (cwd) => {
      const [home = ""] = readdirSync(join(cwd, "cache"));
      const [copy = ""] = readdirSync(join(cwd, "cache", home)).filter((name) => name.startsWith("copy-"));
      return join(cwd, "cache", home, copy, "catalog.sqlite");
    },
    format: sql("UPDATE meta SET value = '999' WHERE name = 'format'"),
    lock: (file) => join(dirname(dirname(file)), ".vitrine-lock"),
    work: async (cwd, around) => (await askFallback(cwd, NEW, around)).said,
  },
  "a fallback's note about its copy": {
    file: (cwd) => join(dirname(dirname(KINDS["a fallback's copy"]?.file(cwd) ?? "")), "present.json"),
    format: (file) => writeFileSync(file, '{"format":999}'),
    lock: (file) => join(dirname(file), ".vitrine-lock"),
    work: async (cwd, around) => (await askFallback(cwd, NEW, around)).said,
  },
};

beforeAll(() => {
  mkdirSync(first);
  seedSmall(first);
  setName(first, OLD);
  const config = {
    store: "store.sqlite",
    queries: join(process.cwd(), "templates/queries"),
    out: "out",
    baseUrl: "https://shop.example/api/v1",
    siteUrl: "https://shop.example",
    grid: { maxFiles: 100 },
    pages: false,
  };
  writeFileSync(join(first, "vitrine.config.json"), JSON.stringify(config));
});

/** A folder in which everything is remembered, and a new price is built and not published. */
let made: Promise<void> | null = null;
async function makeFirst(): Promise<void> {
  expect(run(first, ["build"])).toMatchObject({ status: 0 });
  const cwd = join(folder, "live-of-first");
  cpSync(first, cwd, { recursive: true });
  expect(run(cwd, ["publish", "--out", "out", "--to", `file://${cwd}/live`])).toMatchObject({ status: 0 });
  await askFallback(cwd, OLD, {});
  setName(cwd, NEW);
  expect(run(cwd, ["build"])).toMatchObject({ status: 0 });
  rmSync(first, { recursive: true });
  renameSync(cwd, first);
}

async function copyOf(source: string): Promise<string> {
  made ??= makeFirst();
  await made;
  // At the same path in each case: a place is remembered by its address.
  const cwd = join(folder, "live-of-first");
  rmSync(cwd, { recursive: true, force: true });
  spawnSync("cp", ["-a", source, cwd]);
  return cwd;
}

/** The same, after the live place got the new price from a folder with a memory of its own: the fallback's source. */
const published = join(folder, "published");
async function copyOfPublished(): Promise<string> {
  if (!existsSync(published)) {
    const cwd = await copyOf(first);
    const other = join(folder, "other");
    spawnSync("cp", ["-a", join(cwd, "out"), other]);
    expect(run(cwd, ["publish", "--out", other, "--to", `file://${cwd}/live`]).status).toBe(0);
    renameSync(cwd, published);
  }
  return copyOf(published);
}

const full = (path: string) =>
  `cp -a ${path} ${folder}/kept; mount -t tmpfs -o size=16m none ${path}; cp -a ${folder}/kept/. ${path}/; ` +
  `rm -rf ${folder}/kept; dd if=/dev/zero of=${path}/filling bs=64k 2> /dev/null || true; ` +
  `dd if=/dev/zero of=${path}/filling2 bs=512 2> /dev/null || true`;
const readOnly = (path: string) => `mount --bind ${path} ${path}; mount -o remount,ro,bind ${path}`;

const DAMAGE = /is damaged: /;

describe.each(Object.entries(KINDS))("%s", (name, { file: find, format, lock, work }) => {
  const isFallback = name.startsWith("a fallback");
  const start = async () => {
    const cwd = await (isFallback ? copyOfPublished() : copyOf(first));
    return { cwd, file: find(cwd) };
  };

  it("may be absent", async () => {
    const { cwd, file } = await start();
    rmSync(file);
    expect(await work(cwd, {})).not.toMatch(DAMAGE);
  });

  it("may be empty", async () => {
    const { cwd, file } = await start();
    truncateSync(file, 0);
    await work(cwd, {});
  });

  it.each([
    [
      "not what it should be",
      (file: string) => writeFileSync(file, "something else, longer than SQLite's header ".repeat(200)),
    ],
    ["cut off", (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ])("may be damaged: %s; then it is deleted, and that is said", async (_, harm) => {
    const { cwd, file } = await start();
    harm(file);
    const said = await work(cwd, {});
    expect(said).toMatch(DAMAGE);
    // And it is right again.
    expect(await work(cwd, {})).not.toMatch(DAMAGE);
  });

  it("may be of another version", async () => {
    const { cwd, file } = await start();
    format(file);
    await work(cwd, {});
  });

  it("may be a link that leads nowhere, or a folder", async () => {
    const { cwd, file } = await start();
    rmSync(file);
    symlinkSync(join(folder, "nowhere/at/all"), file);
    await work(cwd, {});
    const again = await start();
    rmSync(again.file);
    mkdirSync(again.file);
    await work(again.cwd, {});
  });

  it("may be a pipe, or have one beside it, which blocks nobody", async () => {
    for (const suffix of ["", "-journal", "-wal"]) {
      const { cwd, file } = await start();
      if (suffix !== "" && !file.endsWith(".sqlite")) continue;
      rmSync(`${file}${suffix}`, { force: true });
      execFileSync("mkfifo", [`${file}${suffix}`]);
      await work(cwd, {});
    }
  });

  it("may be locked by another process", async () => {
    const { cwd, file } = await start();
    const before = readFileSync(file);
    const locked = lock(file);
    if (locked.endsWith(".json")) return;
    const db = new Database(locked);
    db.exec("BEGIN EXCLUSIVE");
    try {
      await work(cwd, {});
    } finally {
      db.close();
    }
    if (!name.startsWith("what a build")) expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.runIf(canMount)("may be on a read-only file system", async () => {
    const { cwd, file } = await start();
    const before = readFileSync(file);
    const path = isFallback ? join(cwd, "cache") : name.startsWith("what a build") ? file : join(cwd, "out");
    const said = await work(cwd, { mounts: true, before: readOnly(path) });
    expect(said).toMatch(/cannot be (kept|read)/);
    expect(said).not.toMatch(/bug/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.runIf(canMount)("may be on a full disk, which deletes nothing", async () => {
    const { cwd, file } = await start();
    const before = readFileSync(file);
    if (isFallback) {
      const { name: shown } = await askFallback(cwd, OLD, {
        mounts: true,
        before: full(join(cwd, "cache")),
      });
      expect(shown).toBe(OLD);
    } else if (name.startsWith("what a build")) {
      const out = join(cwd, "out");
      setName(cwd, NEWEST);
      // The whole snapshot has no room: that is an error, and the memory is as it was.
      const look = `${full(out)}; { "$@" || echo "ended with $?"; }; cmp ${file} ${file}.before && echo same; exit`;
      cpSync(file, `${file}.before`);
      const { said } = run(cwd, ["build"], { mounts: true, before: look });
      for (const words of ["write_failed", "ended with 6", "same"]) expect(said).toContain(words);
    } else {
      const look = full(dirname(file));
      expect(await work(cwd, { mounts: true, before: look })).toMatch(/cannot be kept/);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("may meet a process without descriptors, which deletes nothing", async () => {
    const { cwd, file } = await start();
    renameSync(join(cwd, "live"), join(cwd, "away"));
    const before = readFileSync(file);
    for (const descriptors of [23, 25, 27, 30]) {
      const around = { before: `ulimit -n ${descriptors}` };
      if (isFallback) await askFallback(cwd, null, around);
      else {
        const args = name.startsWith("what a build")
          ? ["build", "--full"]
          : ["publish", "--out", "out", "--to", `file://${cwd}/new`];
        expect(run(cwd, args, around).said).not.toMatch(DAMAGE);
      }
      expect(existsSync(file)).toBe(true);
    }
    if (isFallback) {
      expect(readFileSync(file).equals(before)).toBe(true);
      expect((await askFallback(cwd, OLD, {})).name).toBe(OLD);
    }
    renameSync(join(cwd, "away"), join(cwd, "live"));
    await work(cwd, {});
  });
});
