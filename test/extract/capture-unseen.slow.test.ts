/**
 * What no trigger sees: whatever is done to a database, files whose rows differ are told. Cases that a build's answers show are
 * capture-builds.slow.test.ts's.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askingStore } from "../../src/build/capture.ts";
import type { AllowListQuery } from "../../src/extract/allow-list.ts";
import { lookSql } from "../../src/store/capture/capture.ts";
import { createPostgresDatabase, POSTGRES_MISSING, standbyOf } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { changesIn, file, installFor, planFor, SERVERS, statusFor, toldOf } from "./support/captured.ts";
import { isShownByBuilds, MYSQL_CASES, POSTGRES_CASES, ROWS } from "./support/unseen-cases.ts";

async function command(program: string, args: readonly string[], input = ""): Promise<string> {
  const running = promisify(execFile)(program, [...args]);
  running.child.stdin?.end(input);
  return (await running).stdout;
}

function clientOptions(kind: string, { port, name, address }: TestDatabase): string[] {
  return kind === "postgres"
    ? [address]
    : ["--no-defaults", "--host=127.0.0.1", `--port=${port}`, "--user=root", "--skip-ssl", name];
}

function dump(kind: string, database: TestDatabase): Promise<string> {
  const options = clientOptions(kind, database);
  return kind === "postgres"
    ? command("pg_dump", ["--clean", "--if-exists", ...options])
    : command("mariadb-dump", [...options, "--triggers", "--routines"]);
}

async function putBack(kind: string, database: TestDatabase, sql: string): Promise<void> {
  const program = kind === "postgres" ? "psql" : "mariadb";
  await command(program, [...(kind === "postgres" ? ["-q"] : []), ...clientOptions(kind, database)], sql);
}

describe.each(SERVERS)("behind the triggers in $name", ({ kind, definer, create }) => {
  let database: TestDatabase;
  const queries = (sql = "SELECT * FROM t"): AllowListQuery[] => [file("faqs", `-- rows: t.id\n${sql}`)];
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database.close());

  const clear = async () => {
    await database.run(
      kind === "postgres"
        ? `DROP SCHEMA public CASCADE; CREATE SCHEMA public; ALTER DATABASE ${database.name} RESET ALL`
        : (
            await database.run(
              "SELECT table_name AS t, table_type AS y FROM information_schema.tables WHERE table_schema = DATABASE()",
            )
          )
            .map(({ t, y }) => `DROP ${y === "VIEW" ? "VIEW" : "TABLE"} \`${t}\``)
            .sort((a) => (a.includes("`p`") ? 1 : -1))
            .concat("SELECT 1")
            .join(";"),
    );
  };

  const cases = (kind === "postgres" ? POSTGRES_CASES : MYSQL_CASES).filter((one) => !isShownByBuilds(one));
  it.each(cases)("$name", async ({ make, sql, edit }) => {
    await clear();
    await database.run(make);
    const files = queries(sql);
    await installFor(database.address, files, definer);
    const { changed, rowFilters, differ } = await toldOf(database.address, files, () => database.run(edit));
    if (edit !== "SELECT 1") expect(differ).toEqual(["faqs"]);
    const isTold = changed === "all" || changed.has("faqs");
    expect([isTold, rowFilters?.get("faqs")?.some(({ ids }) => ids.length === 0) ?? false]).toEqual([
      true,
      false,
    ]);
  });

  it("all is read where a backup is restored, and where the newest change seen does not stand", async () => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    await database.run("UPDATE t SET v = 'c' WHERE id = 1");
    const { mark } = await changesIn(database.address, null, queries());
    expect((await changesIn(database.address, mark, queries())).changed).toEqual(new Set());
    // As it was before that change; then the shop makes another of the same row.
    const last =
      kind === "mysql" ? "seq = (SELECT m FROM (SELECT MAX(seq) AS m FROM vitrine_change) AS n)" : "TRUE";
    await database.run(`DELETE FROM vitrine_change WHERE ${last}`);
    expect((await changesIn(database.address, mark, queries())).changed).toBe("all");
    await database.run("UPDATE t SET v = 'other' WHERE id = 1");
    expect((await changesIn(database.address, mark, queries())).changed).toBe("all");
  });

  it.each([
    ["DELETE FROM vitrine_capture WHERE name = 'epoch'"],
    ["UPDATE vitrine_capture SET value = '{' WHERE name = 'sources'"],
    ["UPDATE vitrine_capture SET value = '[[1, 2]]' WHERE name = 'sources'"],
    ["UPDATE vitrine_capture SET value = 'null' WHERE name = 'sources'"],
    ["UPDATE vitrine_capture SET value = '3' WHERE name = 'form'"],
    ["DROP TABLE vitrine_capture"],
    ["DROP TABLE vitrine_change"],
    ["ALTER TABLE vitrine_change DROP COLUMN at"],
    ["ALTER TABLE vitrine_change RENAME COLUMN src TO other"],
  ])("all is read, and status says so, after %s", async (edit) => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    const { mark } = await changesIn(database.address, null, queries());
    await database.run(edit);
    expect((await changesIn(database.address, mark, queries())).changed).toBe("all");
    const { installed, refusal } = await statusFor(database.address, queries());
    expect([installed, refusal]).toEqual([true, expect.stringMatching(/install it again/)]);
  });

  it("all is read where a dump of the whole database is put back", async () => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    await database.run("UPDATE t SET v = 'c' WHERE id = 1");
    const { mark } = await changesIn(database.address, null, queries());
    const saved = await dump(kind, database);
    // One restored as it is, one where the shop went on in between.
    await putBack(kind, database, saved);
    expect((await changesIn(database.address, mark, queries())).changed).toBe("all");
    const { mark: later } = await changesIn(database.address, null, queries());
    await database.run("UPDATE t SET v = 'd' WHERE id = 1");
    const { mark: latest } = await changesIn(database.address, later, queries());
    await putBack(kind, database, saved);
    await database.run("UPDATE t SET v = 'e' WHERE id = 2");
    for (const before of [mark, later, latest])
      expect((await changesIn(database.address, before, queries())).changed).toBe("all");
    expect((await statusFor(database.address, queries())).gaps).toEqual({});
  });

  it("a table that is emptied, filled and emptied at once is read each time", async () => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    for (let again = 0; again < 3; again++) {
      await database.run(`TRUNCATE TABLE t; ${ROWS}`);
      const { mark } = await changesIn(database.address, null, queries());
      await database.run("TRUNCATE TABLE t");
      expect((await changesIn(database.address, mark, queries())).changed).toBe("all");
    }
  });

  it("a source that stands for nothing is everything", async () => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    const { mark } = await changesIn(database.address, null, queries());
    await database.run("INSERT INTO vitrine_change (src, id) VALUES (77, 1)");
    expect((await changesIn(database.address, mark, queries())).changed).toBe("all");
  });

  it("an account that may not read what was written is told what it needs", async () => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    const role = `reader_${database.name}`;
    await database.run(
      kind === "postgres"
        ? `CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA public TO ${role}; GRANT SELECT ON t TO ${role}`
        : `CREATE USER ${role}@'%'; GRANT SELECT, TRIGGER ON t TO ${role}@'%'; GRANT INSERT ON vitrine_change TO ${role}@'%'`,
    );
    const address = database.address.replace(/\/\/\w+@/, `//${role}@`);
    try {
      const { refusal } = await statusFor(address, queries());
      expect(refusal).toMatch(/may not read/);
      expect((await changesIn(address, null, queries())).changed).toBe("all");
      const to = kind === "postgres" ? role : `${role}@'%'`;
      const { grants } = await planFor(database.address, queries(), definer);
      for (const grant of grants) await database.run(grant.replace("…", to));
      expect(await statusFor(address, queries())).toMatchObject({ refusal: null, gaps: {}, faults: [] });
      const { mark } = await changesIn(address, null, queries());
      await database.run("UPDATE t SET v = 'x' WHERE id = 2");
      const { rowFilters } = await changesIn(address, mark, queries());
      expect(rowFilters?.get("faqs")).toEqual([{ column: "id", ids: [2] }]);
    } finally {
      await database.run(
        kind === "postgres" ? `DROP OWNED BY ${role}; DROP ROLE ${role}` : `DROP USER ${role}@'%'`,
      );
    }
  });
});

describe.skipIf(POSTGRES_MISSING !== null)("PostgreSQL's own log and standbys", () => {
  let database: TestDatabase;
  const queries = [file("faqs", "-- rows: t.id\nSELECT * FROM t")];
  beforeAll(async () => {
    database = await createPostgresDatabase();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
  });
  afterAll(() => database.close());

  it("no statement of ours leaves an error in the log", async () => {
    const role = `looker_${database.name}`;
    await database.run(`CREATE ROLE ${role} LOGIN; GRANT SELECT ON t TO ${role}`);
    const addresses = [database.address, database.address.replace("postgres@", `${role}@`)];
    const errors = () =>
      readFileSync(join(dirname(database.certificate), "out"), "utf8")
        .split("\n")
        .filter((line) => line.startsWith(`${database.name} `) && /ERROR|FATAL/.test(line));
    const look = async () => {
      for (const address of addresses) {
        await changesIn(address, null, queries);
        await statusFor(address, queries);
        await askingStore(address, lookSql);
      }
    };
    await look();
    await installFor(database.address, queries, null);
    await look();
    await installFor(database.address, queries, null);
    await database.run("DROP TABLE vitrine_capture");
    await look();
    await installFor(database.address, queries, null);
    await database.run("ALTER TABLE vitrine_change DROP COLUMN at");
    await look();
    expect(errors()).toEqual([]);
    await database.run(`SELECT nothing FROM t`).catch(() => undefined);
    expect(errors()).toHaveLength(1);
    await database.run(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it("a standby tells also what committed late", async () => {
    await installFor(database.address, queries, null);
    const standby = await standbyOf(database);
    const settled = async (mark: Buffer | null, edit: () => Promise<unknown>) => {
      await edit();
      await standby.caughtUp();
      return changesIn(standby.address, mark, queries);
    };
    const { mark } = await settled(null, async () => undefined);
    const slow = await database.another();
    const first = await settled(mark, async () => {
      await slow.run("BEGIN; UPDATE t SET v = 'late' WHERE id = 1");
      await database.run("UPDATE t SET v = 'early' WHERE id = 2");
      await database.run("UPDATE t SET v = 'early' WHERE id = 2");
    });
    expect(first.rowFilters?.get("faqs")).toEqual([{ column: "id", ids: [2] }]);
    const second = await settled(first.mark, () => slow.run("COMMIT"));
    const told = second.rowFilters?.get("faqs")?.flatMap(({ ids }) => ids);
    expect(told).toContain(1);
    await slow.close();
  });
});
