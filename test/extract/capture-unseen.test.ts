/** What no trigger sees: whatever is done to a database, files whose rows differ are told. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AllowListQuery } from "../../src/extract/allow-list.ts";
import { lookSql } from "../../src/extract/capture/capture.ts";
import { createPostgresDatabase, POSTGRES_MISSING, standbyOf } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { asking, changesIn, file, installFor, SERVERS, statusFor, toldOf } from "./support/captured.ts";

interface Case {
  readonly name: string;
  /** Makes what is captured; its files read `t` where they are not named. */
  readonly make: string;
  readonly sql?: string;
  /** Between the two builds. */
  readonly edit: string;
}

const ROWS = "INSERT INTO t VALUES (1, 'a'), (2, 'b')";

const POSTGRES: readonly Case[] = [
  {
    name: "a view is replaced",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}; CREATE VIEW w AS SELECT id, v FROM t`,
    sql: "SELECT id, v FROM w",
    edit: "CREATE OR REPLACE VIEW w AS SELECT id, upper(v) AS v FROM t",
  },
  {
    name: "a view below a view is replaced",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}; CREATE VIEW w AS SELECT id, v FROM t;
      CREATE VIEW x AS SELECT * FROM w`,
    sql: "SELECT id, v FROM x",
    edit: "CREATE OR REPLACE VIEW w AS SELECT id, upper(v) AS v FROM t",
  },
  ...[
    ["truncated", "TRUNCATE t1"],
    ["detached", "ALTER TABLE t DETACH PARTITION t1"],
    ["dropped", "DROP TABLE t1"],
    [
      "attached",
      "CREATE TABLE t3 (id int, v text); INSERT INTO t3 VALUES (25, 'x'); ALTER TABLE t ATTACH PARTITION t3 FOR VALUES FROM (20) TO (30)",
    ],
    [
      "exchanged",
      `CREATE TABLE t4 (id int, v text); INSERT INTO t4 VALUES (3, 'x'); ALTER TABLE t DETACH PARTITION t1;
        ALTER TABLE t ATTACH PARTITION t4 FOR VALUES FROM (0) TO (10)`,
    ],
    ["written to by its own name", "INSERT INTO t1 VALUES (5, 'y')"],
  ].map(([what, edit = ""]) => ({
    name: `a partition is ${what}`,
    make: `CREATE TABLE t (id int, v text) PARTITION BY RANGE (id); CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (0) TO (10);
      CREATE TABLE t2 PARTITION OF t FOR VALUES FROM (10) TO (20); INSERT INTO t VALUES (1, 'a'), (11, 'b')`,
    edit,
  })),
  {
    name: "a row is put into a child that inherits",
    make: `CREATE TABLE t (id int, v text); ${ROWS}; CREATE TABLE c (more int) INHERITS (t)`,
    edit: "INSERT INTO c VALUES (7, 'child', 1)",
  },
  {
    name: "a child that inherits comes with its rows",
    make: `CREATE TABLE t (id int, v text); ${ROWS}`,
    edit: "CREATE TABLE c (more int) INHERITS (t); INSERT INTO c VALUES (7, 'child', 1)",
  },
  {
    name: "an enum's label is another",
    make: "CREATE TYPE m AS ENUM ('a', 'b'); CREATE TABLE t (id int, v m); INSERT INTO t VALUES (1, 'a')",
    edit: "ALTER TYPE m RENAME VALUE 'a' TO 'z'",
  },
  {
    name: "an attribute of a composite type is another",
    make: "CREATE TYPE c AS (a int); CREATE TABLE t (id int, v c); INSERT INTO t VALUES (1, ROW(1))",
    sql: "SELECT id, to_json(v)::text AS v FROM t",
    edit: "ALTER TYPE c RENAME ATTRIBUTE a TO z",
  },
  {
    name: "the database shows numbers in another way",
    make: "CREATE TABLE t (id int, v double precision); INSERT INTO t VALUES (1, 0.1::float8 + 0.2::float8)",
    edit: "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET extra_float_digits = 0', current_database()); END $$",
  },
  {
    name: "an operator of the store's own reads another table",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}; CREATE TABLE u (v text); INSERT INTO u VALUES ('a');
      CREATE FUNCTION beside(int, int) RETURNS text LANGUAGE sql AS 'SELECT v FROM u';
      CREATE OPERATOR <%> (LEFTARG = int, RIGHTARG = int, FUNCTION = beside)`,
    sql: "SELECT id, id <%> 1 AS v FROM t",
    edit: "UPDATE u SET v = 'changed'",
  },
  {
    name: "a table has aliases of columns",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`,
    sql: "SELECT a AS id, b AS v FROM t AS p(a, b)",
    edit: "UPDATE t SET v = 'changed' WHERE id = 1",
  },
  {
    name: "a row as a whole is a value",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`,
    sql: "SELECT p.id, CAST(p AS text) AS v, json_build_object('r', p)::text AS w FROM t AS p",
    edit: "UPDATE t SET v = 'changed' WHERE id = 1",
  },
  {
    name: "a column has a comma in its name",
    make: `CREATE TABLE t (id int PRIMARY KEY, "a,b" text); ${ROWS}`,
    sql: 'SELECT id, "a,b" FROM t',
    edit: `UPDATE t SET "a,b" = 'changed' WHERE id = 1`,
  },
  {
    name: "json has its keys in another order",
    make: `CREATE TABLE t (id int PRIMARY KEY, v json); INSERT INTO t VALUES (1, '{"a": 1, "b": 2}')`,
    edit: `UPDATE t SET v = '{"b": 2, "a": 1}'`,
  },
  {
    name: "a float is written where few digits are shown",
    make: "CREATE TABLE t (id int PRIMARY KEY, v double precision); INSERT INTO t VALUES (1, 0.1)",
    edit: "SET extra_float_digits = 0; UPDATE t SET v = 0.10000000000000002; RESET extra_float_digits",
  },
  {
    name: "a table is emptied twice",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`,
    edit: "TRUNCATE t",
  },
  {
    name: "a table is dropped and made again",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`,
    edit: `DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'other')`,
  },
  {
    name: "triggers are off for a while",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`,
    edit: `ALTER TABLE t DISABLE TRIGGER ALL; UPDATE t SET v = 'unseen'; ALTER TABLE t ENABLE ALWAYS TRIGGER vitrine_capture`,
  },
  {
    name: "a session has triggers off",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`,
    edit: "SET session_replication_role = replica; UPDATE t SET v = 'unseen'; RESET session_replication_role",
  },
  {
    name: "another schema's table stands before it",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}; CREATE SCHEMA IF NOT EXISTS near`,
    sql: "SELECT id, v FROM public.t",
    edit: "UPDATE public.t SET v = 'changed'",
  },
  {
    name: "a sequence counts",
    make: "CREATE SEQUENCE t",
    sql: "SELECT 1 AS id, last_value AS v FROM t",
    edit: "SELECT nextval('t'), nextval('t')",
  },
  {
    name: "a materialized view is refreshed",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}; CREATE MATERIALIZED VIEW w AS SELECT * FROM t; UPDATE t SET v = 'c'`,
    sql: "SELECT id, v FROM w",
    edit: "REFRESH MATERIALIZED VIEW w",
  },
];

const PARTS =
  "PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))";

const MYSQL: readonly Case[] = [
  {
    name: "a view is replaced",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}; CREATE VIEW w AS SELECT id, v FROM t`,
    sql: "SELECT id, v FROM w",
    edit: "CREATE OR REPLACE VIEW w AS SELECT id, UPPER(v) AS v FROM t",
  },
  ...[
    ["truncated", "ALTER TABLE t TRUNCATE PARTITION p1"],
    ["dropped", "ALTER TABLE t DROP PARTITION p1"],
    [
      "exchanged",
      "CREATE TABLE x (id int PRIMARY KEY, v text); INSERT INTO x VALUES (3, 'x'); ALTER TABLE t EXCHANGE PARTITION p1 WITH TABLE x",
    ],
    [
      "added",
      "ALTER TABLE t ADD PARTITION (PARTITION p3 VALUES LESS THAN (30)); INSERT INTO t VALUES (25, 'x')",
    ],
  ].map(([what, edit = ""]) => ({
    name: `a partition is ${what}`,
    make: `CREATE TABLE t (id int PRIMARY KEY, v text) ${PARTS}; INSERT INTO t VALUES (1, 'a'), (11, 'b')`,
    edit,
  })),
  {
    name: "a column has a comma in its name",
    make: "CREATE TABLE t (id int PRIMARY KEY, `a,b` text); INSERT INTO t VALUES (1, 'a')",
    sql: "SELECT id, `a,b` FROM t",
    edit: "UPDATE t SET `a,b` = 'changed'",
  },
  {
    name: "a text differs by its case alone",
    make: "CREATE TABLE t (id int PRIMARY KEY, v VARCHAR(20)) COLLATE utf8mb4_general_ci; INSERT INTO t VALUES (1, 'a')",
    edit: "UPDATE t SET v = 'A'",
  },
  {
    name: "a table is emptied twice in a second",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`,
    edit: "TRUNCATE t; INSERT INTO t VALUES (1, 'a'); TRUNCATE t",
  },
  {
    name: "a table is dropped and made again",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`,
    edit: "DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'other')",
  },
  {
    name: "a table that is no longer read takes its place",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}; CREATE TABLE u (id int PRIMARY KEY, v text); INSERT INTO u VALUES (1, 'u')`,
    edit: "RENAME TABLE t TO gone, u TO t",
  },
  {
    name: "a parent's row goes, and its children with it",
    make: `CREATE TABLE p (id int PRIMARY KEY); INSERT INTO p VALUES (1), (2);
      CREATE TABLE t (id int PRIMARY KEY, v int, FOREIGN KEY (v) REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE);
      INSERT INTO t VALUES (1, 1), (2, 2)`,
    edit: "DELETE FROM p WHERE id = 1",
  },
  {
    name: "a parent's key changes, and its children's with it",
    make: `CREATE TABLE p (id int PRIMARY KEY); INSERT INTO p VALUES (1), (2);
      CREATE TABLE t (id int PRIMARY KEY, v int, FOREIGN KEY (v) REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE);
      INSERT INTO t VALUES (1, 1), (2, 2)`,
    edit: "UPDATE p SET id = 3 WHERE id = 1",
  },
  {
    name: "a table without transactions is emptied",
    make: `CREATE TABLE t (id int PRIMARY KEY, v text) ENGINE = MyISAM; ${ROWS}`,
    edit: "TRUNCATE t",
  },
  {
    name: "a view reads another database's table",
    make: "CREATE OR REPLACE VIEW w AS SELECT 1 AS id, COUNT(*) AS v FROM information_schema.processlist",
    sql: "SELECT id, v FROM w",
    edit: "SELECT 1",
  },
];

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

  it.each(kind === "postgres" ? POSTGRES : MYSQL)("$name", async ({ make, sql, edit }) => {
    await clear();
    await database.run(make);
    const files = queries(sql);
    await installFor(database.address, files, definer);
    const { changed, within, differ } = await toldOf(database.address, files, () => database.run(edit));
    if (edit !== "SELECT 1") expect(differ).toEqual(["faqs"]);
    const isTold = changed === "all" || changed.has("faqs");
    expect([isTold, within?.get("faqs")?.some(({ ranges }) => ranges.length === 0) ?? false]).toEqual([
      true,
      false,
    ]);
  });

  it("all is read where a backup is restored, and where the newest change seen does not stand", async () => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    await database.run("UPDATE t SET v = 'c' WHERE id = 1");
    const { fingerprint } = await changesIn(database.address, null, queries());
    expect((await changesIn(database.address, fingerprint, queries())).changed).toEqual(new Set());
    // As it was before that change; then the shop makes another of the same row.
    const last =
      kind === "mysql" ? "seq = (SELECT m FROM (SELECT MAX(seq) AS m FROM vitrine_change) AS n)" : "TRUE";
    await database.run(`DELETE FROM vitrine_change WHERE ${last}`);
    expect((await changesIn(database.address, fingerprint, queries())).changed).toBe("all");
    await database.run("UPDATE t SET v = 'other' WHERE id = 1");
    expect((await changesIn(database.address, fingerprint, queries())).changed).toBe("all");
  });

  it.each([
    ["DELETE FROM vitrine_capture WHERE name = 'epoch'"],
    ["UPDATE vitrine_capture SET value = '{' WHERE name = 'sources'"],
    ["UPDATE vitrine_capture SET value = '[[1, 2]]' WHERE name = 'sources'"],
    ["UPDATE vitrine_capture SET value = 'null' WHERE name = 'sources'"],
    ["INSERT INTO vitrine_capture VALUES ('pruned', '[]')"],
    ['INSERT INTO vitrine_capture VALUES (\'pruned\', \'{"below": "x", "id": "1"}\')'],
    ["UPDATE vitrine_capture SET value = '3' WHERE name = 'form'"],
    ["DROP TABLE vitrine_capture"],
    ["DROP TABLE vitrine_change"],
    ["ALTER TABLE vitrine_change DROP COLUMN at"],
    ["ALTER TABLE vitrine_change RENAME COLUMN src TO other"],
  ])("all is read, and status says so, after %s", async (edit) => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    const { fingerprint } = await changesIn(database.address, null, queries());
    await database.run(edit);
    expect((await changesIn(database.address, fingerprint, queries())).changed).toBe("all");
    const { installed, refusal } = await statusFor(database.address, queries());
    expect([installed, refusal]).toEqual([true, expect.stringMatching(/install it again/)]);
  });

  it("all is read where a dump of the whole database is put back", async () => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    await database.run("UPDATE t SET v = 'c' WHERE id = 1");
    const { fingerprint } = await changesIn(database.address, null, queries());
    const saved = await dump(kind, database);
    // One restored as it is, one where the shop went on in between.
    await putBack(kind, database, saved);
    expect((await changesIn(database.address, fingerprint, queries())).changed).toBe("all");
    const { fingerprint: later } = await changesIn(database.address, null, queries());
    await database.run("UPDATE t SET v = 'd' WHERE id = 1");
    const { fingerprint: latest } = await changesIn(database.address, later, queries());
    await putBack(kind, database, saved);
    await database.run("UPDATE t SET v = 'e' WHERE id = 2");
    for (const before of [fingerprint, later, latest])
      expect((await changesIn(database.address, before, queries())).changed).toBe("all");
    expect((await statusFor(database.address, queries())).gaps).toEqual({});
  });

  it("a table that is emptied, filled and emptied at once is read each time", async () => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    for (let again = 0; again < 3; again++) {
      await database.run(`TRUNCATE TABLE t; ${ROWS}`);
      const { fingerprint } = await changesIn(database.address, null, queries());
      await database.run("TRUNCATE TABLE t");
      expect((await changesIn(database.address, fingerprint, queries())).changed).toBe("all");
    }
  });

  it("a source that stands for nothing is everything", async () => {
    await clear();
    await database.run(`CREATE TABLE t (id int PRIMARY KEY, v text); ${ROWS}`);
    await installFor(database.address, queries(), definer);
    const { fingerprint } = await changesIn(database.address, null, queries());
    await database.run("INSERT INTO vitrine_change (src, id) VALUES (77, 1)");
    expect((await changesIn(database.address, fingerprint, queries())).changed).toBe("all");
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
      const grants = await asking(database.address, async (ask, dialect) =>
        dialect.grantsSql(ask, [...(await dialect.readSchema(ask)).tables.values()].flat()),
      );
      for (const grant of grants) await database.run(grant.replace("…", to));
      expect(await statusFor(address, queries())).toMatchObject({ refusal: null, gaps: {}, faults: [] });
      const { fingerprint } = await changesIn(address, null, queries());
      await database.run("UPDATE t SET v = 'x' WHERE id = 2");
      const { within } = await changesIn(address, fingerprint, queries());
      expect(within?.get("faqs")).toEqual([{ column: "id", ranges: [[2, 2]] }]);
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
        await asking(address, lookSql);
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
    const settled = async (fingerprint: Buffer | null, edit: () => Promise<unknown>) => {
      await edit();
      await standby.caughtUp();
      return changesIn(standby.address, fingerprint, queries);
    };
    const { fingerprint } = await settled(null, async () => undefined);
    const slow = await database.another();
    const first = await settled(fingerprint, async () => {
      await slow.run("BEGIN; UPDATE t SET v = 'late' WHERE id = 1");
      await database.run("UPDATE t SET v = 'early' WHERE id = 2");
      await database.run("UPDATE t SET v = 'early' WHERE id = 2");
    });
    expect(first.within?.get("faqs")).toEqual([{ column: "id", ranges: [[2, 2]] }]);
    const second = await settled(first.fingerprint, () => slow.run("COMMIT"));
    const told = second.within?.get("faqs")?.flatMap(({ ranges }) => ranges);
    expect(told?.some(([from, to]) => from <= 1 && 1 <= to)).toBe(true);
    await slow.close();
  });
});
