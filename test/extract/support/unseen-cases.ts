/** What is done to a database that no trigger sees, or that triggers once did not tell. */
export interface Case {
  readonly name: string;
  /** Makes what is captured; its files read `t` where they are not named. */
  readonly make: string;
  readonly sql?: string;
  /** Between the two builds. */
  readonly edit: string;
}

/** True where a build's answers show it: `t` is where the connection looks, and the edit changes what a question can hold. */
export function isShownByBuilds({ edit, sql }: Case): boolean {
  return edit !== "SELECT 1" && !/public\.|nextval|ALTER DATABASE/.test(`${edit} ${sql}`);
}

export const ROWS = "INSERT INTO t VALUES (1, 'a'), (2, 'b')";

export const POSTGRES_CASES: readonly Case[] = [
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
    sql: 'SELECT id, "a,b" AS v FROM t',
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

export const MYSQL_CASES: readonly Case[] = [
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
    sql: "SELECT id, `a,b` AS v FROM t",
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
