/** Every write to a store changes its stamp; reading does not. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { quickStampOf, stampOf } from "../../src/store/sqlite-stamp.ts";
import { temporaryFolder } from "../support/shop.ts";

const ROUNDS = 25;
const HOUR_MILLISECONDS = 3_600_000;

const folder = temporaryFolder();
let made = 0;
let file = "";
let shop: Database.Database;

function create(journal: string): void {
  file = join(folder, `store-${++made}.sqlite`);
  shop = new Database(file);
  shop.pragma(`journal_mode = ${journal}`);
  shop.exec("CREATE TABLE prices (id INTEGER PRIMARY KEY, minor INTEGER, note TEXT)");
  shop.exec("INSERT INTO prices VALUES (1, 1000, 'a'), (2, 2000, 'b')");
}

/** Another price of the same length: the file keeps its size. */
function update(db: Database.Database = shop): void {
  db.exec("UPDATE prices SET minor = 1000 + (minor + 1) % 1000");
}

/** Some file systems' clocks stop for milliseconds; a stamp is only trusted if its file is older than that. */
async function letClockMove(): Promise<void> {
  const probe = join(folder, "probe");
  const { ctimeNs } = statSync(file, { bigint: true });
  // In milliseconds, of which there are many hundreds here: test/support/until.ts would take longer.
  await vi.waitUntil(
    () => {
      writeFileSync(probe, "");
      return statSync(probe, { bigint: true }).ctimeNs > ctimeNs;
    },
    { timeout: 120_000, interval: 1 },
  );
}

type Look = (path: string) => string | null;

async function expectEachMoves(look: Look, write: () => void): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await letClockMove();
    const before = look(file);
    expect(before).not.toBeNull();
    write();
    expect(look(file)).not.toBe(before);
  }
}

/** Puts other content in the file's place, with the old file's times. */
function overwrite(from: string): void {
  const { atime, mtime } = statSync(file);
  copyFileSync(from, file);
  utimesSync(file, atime, mtime);
}

/** "" for a descriptor that was closed meanwhile. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // The listing's own.
    return "";
  }
}

beforeEach(() => {
  // The test's stores are too young for a stamp: move the clock by an hour.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR_MILLISECONDS });
});
afterEach(() => {
  vi.useRealTimers();
  shop.close();
});

const LOOKS: readonly (readonly [string, Look])[] = [
  ["stamp of", stampOf],
  ["glance at", quickStampOf],
];

describe.each(LOOKS)("the %s a store", (_name, look) => {
  it.each(["delete", "truncate", "persist", "wal"])("changes with each update (%s)", async (journal) => {
    create(journal);
    await expectEachMoves(look, update);
  });

  it("changes when another connection opens the store, updates it and closes", async () => {
    create("wal");
    shop.close();
    await expectEachMoves(look, () => {
      shop = new Database(file);
      update();
      shop.close();
    });
  });

  it("changes with an update that is checkpointed at once", async () => {
    create("wal");
    await expectEachMoves(look, () => {
      update();
      shop.pragma("wal_checkpoint(TRUNCATE)");
    });
  });

  it("changes when the writer restarts its log", async () => {
    create("wal");
    await expectEachMoves(look, () => {
      shop.pragma("wal_checkpoint(RESTART)");
      update();
    });
  });

  it.each(["delete", "wal"])(
    "changes when a fork is copied over the store with its old time (%s)",
    async (journal) => {
      create(journal);
      shop.close();
      const [one, other] = [`${file}.one`, `${file}.other`];
      for (const fork of [one, other]) {
        copyFileSync(file, fork);
        const db = new Database(fork);
        db.exec(`UPDATE prices SET note = '${fork === one ? "c" : "d"}'`);
        db.close();
      }
      overwrite(one);
      let next = other;
      await expectEachMoves(look, () => {
        overwrite(next);
        next = next === one ? other : one;
      });
    },
  );

  it("changes when another file is renamed over the store", async () => {
    create("delete");
    await expectEachMoves(look, () => {
      const { atime, mtime } = statSync(file);
      copyFileSync(file, `${file}.new`);
      utimesSync(`${file}.new`, atime, mtime);
      renameSync(`${file}.new`, file);
    });
  });

  it.each(["delete", "truncate", "persist", "wal"])(
    "does not change with readers and rolled back writers (%s)",
    (journal) => {
      create(journal);
      const stamp = look(file);
      expect(stamp).not.toBeNull();
      for (let round = 0; round < ROUNDS; round++) {
        const reader = new Database(file, { readonly: true });
        reader.prepare("SELECT * FROM prices").all();
        reader.close();
        shop.exec("BEGIN");
        update();
        shop.exec("ROLLBACK");
        expect(look(file)).toBe(stamp);
      }
    },
  );

  it("is the same through a link to the store", () => {
    create("wal");
    update();
    const link = join(folder, `link-${made}`);
    symlinkSync(file, link);
    expect(look(link)).toBe(look(file));
    expect(look(link)).not.toBeNull();
  });
});

describe("the stamp of a store", () => {
  it("distinguishes a commit that is only in the log from one that readers see", () => {
    create("wal");
    update();
    const index = `${file}-shm`;
    const unseen = readFileSync(index).subarray(0, 96);
    const before = stampOf(file);
    update();
    const after = stampOf(file);
    // The log is written, the index not yet: a reader would miss the commit, so the stamp must not include it.
    const descriptor = openSync(index, "r+");
    writeSync(descriptor, unseen, 0, unseen.length, 0);
    closeSync(descriptor);
    const between = stampOf(file);
    expect(new Set([before, between, after]).size).toBe(3);
  });
});

describe("a stamp is missing", () => {
  it("for a store that was written a moment ago", () => {
    create("delete");
    vi.setSystemTime(Math.ceil(statSync(file).ctimeMs) + 1000);
    expect(stampOf(file)).toBeNull();
  });

  it("beside an unfinished journal, but not beside a committed one", () => {
    create("delete");
    writeFileSync(`${file}-journal`, Buffer.from("d9d505f920a163d7ffffffff", "hex"));
    expect(stampOf(file)).toBeNull();
    writeFileSync(`${file}-journal`, Buffer.alloc(12));
    expect(stampOf(file)).not.toBeNull();
  });

  it("for a folder, a missing file, and one that is too short", () => {
    create("delete");
    writeFileSync(`${file}.short`, "SQLite format 3");
    for (const path of [folder, `${file}.missing`, `${file}.short`]) expect(stampOf(path)).toBeNull();
  });
});

describe("a glance at a store", () => {
  it.each(["delete", "wal"])("changes with each commit, also without a tick of the clock (%s)", (journal) => {
    create(journal);
    vi.useRealTimers();
    const seen = Array.from({ length: ROUNDS }, () => {
      update();
      return quickStampOf(file);
    });
    expect(new Set(seen).size).toBe(ROUNDS);
  });

  it("shows a missing store, and that another one appeared", () => {
    create("delete");
    const there = quickStampOf(file);
    renameSync(file, `${file}.away`);
    const gone = quickStampOf(file);
    expect([gone, quickStampOf(join(folder, "never"))]).toEqual(["none", "none"]);
    copyFileSync(`${file}.away`, file);
    expect([there, gone]).not.toContain(quickStampOf(file));
  });

  it("is null while a transaction is being written", () => {
    create("delete");
    shop.pragma("cache_size = 1");
    shop.exec("BEGIN");
    const many = "WITH RECURSIVE n (id) AS (VALUES (3) UNION ALL SELECT id + 1 FROM n WHERE id < 2000)";
    shop.exec(`${many} INSERT INTO prices SELECT id, 1, hex(randomblob(200)) FROM n`);
    expect(quickStampOf(file)).toBeNull();
    shop.exec("COMMIT");
    expect(quickStampOf(file)).not.toBeNull();
  });

  it.skipIf(process.platform !== "linux")(
    "leaves the room on disk of a copy that was removed, behind a link that goes to each night's copy",
    () => {
      const link = join(folder, "tonight");
      for (let night = 0; night < 5; night++) {
        const before = night === 0 ? null : realpathSync(link);
        create("wal");
        symlinkSync(file, `${link}.next`);
        renameSync(`${link}.next`, link);
        expect(quickStampOf(link)).not.toBeNull();
        shop.close();
        if (before !== null) rmSync(before);
        expect(quickStampOf(link)).not.toBeNull();
      }
      const open = readdirSync("/proc/self/fd").map((name) => targetOf(`/proc/self/fd/${name}`));
      expect(open.filter((name) => name.endsWith(" (deleted)") && name.startsWith(folder))).toEqual([]);
    },
  );

  it("lets the shop's last connection clear its log", () => {
    create("wal");
    update();
    quickStampOf(file);
    shop.close();
    expect([existsSync(`${file}-wal`), quickStampOf(file)]).toEqual([false, expect.any(String)]);
  });
});
