/** Behaviour towards database servers: the checks before one is trusted, and what happens if it is missing, silent or wrong. */
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AllowListQuery, QUERY_COLUMNS } from "../../src/extract/allow-list.ts";
import { watchStore } from "../../src/pipeline/watch.ts";
import { runCheck } from "../../src/setup/doctor.ts";
import { isServerAddress, parseServerAddress } from "../../src/store/address.ts";
import { openStore } from "../../src/store/open.ts";
import { runVitrine } from "../support/command.ts";
import {
  createMariadbDatabase,
  createRocksdbDatabase,
  MARIADB_MISSING,
  ROCKSDB_MISSING,
} from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { DEMO_CONFIG, readTree, temporaryFolder } from "../support/shop.ts";

const NOW = "2026-11-20 12:00:00";
const SECRET = "canary-7%/@:pass word";
const folder = temporaryFolder();

describe("the address of a store", () => {
  it.each([
    ["oracle://shop@db/shop", /must be the path of an SQLite file, postgres:/],
    ["postgres://shop:canary@db/shop", /has a password in it.*VITRINE_STORE_PASSWORD/],
    ["mysql://db/shop", /must name user, host and database/],
    ["mysql://shop@db", /must name user, host and database/],
    ["postgres://shop@db/shop?password=canary", /has a password in it.*VITRINE_STORE_PASSWORD/],
    ["postgres://shop%3Acanary@db/shop", /has a password in it/],
    ["postgres://shop:12?canary@db/shop", /has a parameter that is not known/],
    ["postgres:shop:canary@db/shop", /must name user, host and database/],
    ["mysql//shop:canary@db/shop", /must be the path of an SQLite file/],
    ["shop:canary@db", /must be the path of an SQLite file/],
    ["host=db user=shop password=canary dbname=shop", /must be the path of an SQLite file/],
    ["Server=db;Uid=shop;Pwd=canary", /must be the path of an SQLite file/],
    ["postgres://shop@db/shop?sslmode=prefer", /must give sslmode as disable, require, verify-full/],
    ["postgres://shop@db/shop?sslrootcert=none.crt", /Cannot read sslrootcert/],
    ["postgres://shop@db/shop?read_timeout=0", /must give read_timeout in whole seconds/],
  ])("%s is refused", (address, message) => {
    expect(isServerAddress(address)).toBe(true);
    const parse = () => parseServerAddress(address);
    expect(parse).toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringMatching(message) }),
    );
    expect(parse).not.toThrow(/canary/);
  });

  it.each([
    "shop.sqlite",
    "/srv/a:b@c/shop.sqlite",
    "mysql/shop.db",
    "C:\\shop.sqlite",
    "shop@home.db",
    "a=b.sqlite",
  ])("is not taken for one if it is the path of a file: %s", (path) =>
    expect(isServerAddress(path)).toBe(false),
  );

  it("means encryption with a checked certificate, unless it is this machine's or says otherwise", () => {
    const tlsOf = (address: string) => parseServerAddress(address).tls;
    for (const here of ["localhost", "127.0.0.1", "[::1]"])
      expect(tlsOf(`postgres://a@${here}/b`)).toBeNull();
    expect(tlsOf("postgres://a@/b?host=/run/postgresql")).toBeNull();
    expect(tlsOf("mysql://a@db.example/b")).toEqual({ rejectUnauthorized: true });
    expect(tlsOf("mysql://a@db.example/b?sslmode=require")).toEqual({ rejectUnauthorized: false });
    expect(tlsOf("mysql://a@db.example/b?sslmode=disable")).toBeNull();
  });
});

/** A port that forwards to a server's, counts the connected clients, and keeps what a client sent last. */
async function listenBetween(port: number) {
  const connected = new Set<Socket>();
  let last = "";
  const server = createServer((socket) => {
    connected.add(socket.on("close", () => connected.delete(socket)));
    socket.on("data", (bytes) => {
      last = bytes.toString("hex");
    });
    pipeline(socket, connect(port, "127.0.0.1"), socket, () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connected: () => connected.size,
    last: () => last,
    close: () => server.close(),
  };
}

/** An authentication message of PostgreSQL's protocol. */
function authentication(code: number, text: string): Buffer {
  const head = Buffer.alloc(9);
  head.write("R");
  head.writeInt32BE(8 + text.length, 1);
  head.writeInt32BE(code, 5);
  return Buffer.concat([head, Buffer.from(text)]);
}

it("a PostgreSQL server that never closes its side is disconnected", async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once("data", () => {
      socket.write(authentication(10, "SCRAM-SHA-256\0\0"));
      socket.once("data", (bytes) => {
        const [nonce] = /r=[^,]+$/.exec(bytes.toString("latin1")) ?? [];
        socket.write(authentication(11, `${nonce}more,s=c2FsdHNhbHQ=,i=4096`));
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, "connection");
  vi.stubEnv("VITRINE_STORE_PASSWORD", "");
  const opening = openStore(`postgres://a@127.0.0.1:${port}/b?connect_timeout=5`, NOW);
  await expect(opening).rejects.toThrow(/password/);
  const [socket] = (await accepted) as [Socket];
  socket.on("error", () => undefined);
  // An open connection accepts writes; a closed one fails at the second write.
  const isDisconnected = () => socket.destroyed || !socket.write("are you there?");
  await expect.poll(isDisconnected).toBe(true);
  server.close();
});

/** One release whose title is an expression of SQL. */
function release(title: string): AllowListQuery {
  const sql = `SELECT 1 AS id, 1 AS product_id, '' AS version, ${title} AS title, '' AS notes_html,
    '${NOW}' AS release_date, '' AS public_url`;
  return { name: "releases", file: "releases.sql", sql };
}

async function titleOf(address: string, title: string): Promise<unknown> {
  const reader = await openStore(address, NOW);
  try {
    let found: unknown;
    for await (const [row] of reader.batches(release(title), ["title"])) found = row?.extra[0];
    return found;
  } finally {
    await reader.close();
  }
}

/** An allow-list for a shop without products: its only table is empty. */
function writeQueries(target: string, table = "hits"): string {
  const known: Record<string, string> = { store_name: "'Shop'", currency: "'EUR'", social_links: "'[]'" };
  mkdirSync(target);
  for (const name of ["store", "categories", "products"]) {
    const columns = (QUERY_COLUMNS[name] ?? []).map((column) => `${known[column] ?? "''"} AS ${column}`);
    const source = name === "store" ? "" : ` FROM ${table}`;
    writeFileSync(join(target, `${name}.sql`), `SELECT ${columns.join(", ")}${source}`);
  }
  return target;
}

const SERVERS = [
  {
    name: "PostgreSQL",
    scheme: "postgres",
    create: createPostgresDatabase,
    missing: POSTGRES_MISSING,
    user: "locked",
    goodbye: "5800000004",
    me: "current_user::text",
    sleep: "pg_sleep(60)::text",
    grant: (password: string) =>
      `DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD '${password}'`,
    cipher: "(SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid())",
    endless:
      "(SELECT COUNT(*)::text FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b)",
    working: (name: string) =>
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'vitrine' AND datname = '${name}'`,
    lock: "BEGIN; LOCK TABLE hits",
    waiting: "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
    kill: (name: string) =>
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'vitrine' AND datname = '${name}'`,
    writer: `CREATE TABLE hits (n INTEGER); CREATE FUNCTION hit() RETURNS INTEGER LANGUAGE sql AS
      'INSERT INTO hits VALUES (1) RETURNING n'; GRANT SELECT ON hits TO locked`,
    dated: (name: string) => `CREATE TABLE dated (n INTEGER, at TIMESTAMP);
      ALTER DATABASE ${name} SET TimeZone = 'Europe/Berlin'`,
  },
  {
    name: "MariaDB",
    scheme: "mysql",
    create: createMariadbDatabase,
    missing: MARIADB_MISSING,
    user: "locked",
    goodbye: "0100000001",
    me: "SUBSTRING_INDEX(CURRENT_USER(), '@', 1)",
    sleep: "SLEEP(60)",
    grant: (password: string) =>
      `CREATE OR REPLACE USER locked@'%' IDENTIFIED BY '${password}'; GRANT SELECT ON *.* TO locked@'%'`,
    cipher:
      "(SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_version')",
    endless: "(SELECT COUNT(*) FROM seq_1_to_1000000 AS a JOIN seq_1_to_1000000 AS b ON a.seq <> b.seq + 1)",
    working: (name: string) =>
      `SELECT id FROM information_schema.processlist WHERE db = '${name}' AND id <> CONNECTION_ID()`,
    lock: "LOCK TABLES hits WRITE",
    waiting:
      "SELECT id FROM information_schema.processlist WHERE info LIKE '%FROM hits%' AND id <> CONNECTION_ID()",
    kill: (name: string) =>
      `SELECT CONCAT('KILL ', id) INTO @kill FROM information_schema.processlist
        WHERE db = '${name}' AND id <> CONNECTION_ID() ORDER BY id DESC LIMIT 1;
      PREPARE killing FROM @kill; EXECUTE killing`,
    writer: `CREATE TABLE hits (n INTEGER); CREATE FUNCTION hit() RETURNS INTEGER
      BEGIN INSERT INTO hits VALUES (1); RETURN 1; END`,
    // MariaDB calls it no BASE TABLE.
    dated: () => `CREATE TABLE dated (n INTEGER, at DATETIME) ENGINE = MyISAM WITH SYSTEM VERSIONING;
      INSERT INTO dated (n) VALUES (1), (2)`,
  },
].filter(({ missing }) => missing === null);

describe.each(SERVERS)(
  "a store in $name",
  ({
    create,
    scheme,
    user,
    goodbye,
    grant,
    me,
    sleep,
    endless,
    working,
    lock,
    waiting,
    cipher,
    kill,
    writer,
    dated,
  }) => {
    let database: TestDatabase;
    const at = (host: string, options = "", name = user) =>
      `${scheme}://${name}@${host}:${database.port}/${database.name}${options}`;

    beforeAll(async () => {
      database = await create();
      await database.run(grant(SECRET));
      await database.run(writer);
    });
    afterAll(() => database.close());

    it("uses the password from the environment, or from a file that it names", async () => {
      vi.stubEnv("VITRINE_STORE_PASSWORD", SECRET);
      expect(await titleOf(at("127.0.0.1"), me)).toBe(user);
      writeFileSync(join(folder, "password"), `${SECRET}\n`);
      vi.stubEnv("VITRINE_STORE_PASSWORD", "wrong");
      vi.stubEnv("VITRINE_STORE_PASSWORD_FILE", join(folder, "password"));
      expect(await titleOf(at("127.0.0.1"), me)).toBe(user);
    });

    it.each(["", "canary-wrong"])(
      "is not readable with the password %j, and no message names a password",
      async (password) => {
        vi.stubEnv("VITRINE_STORE_PASSWORD", password);
        vi.stubEnv("PGPASSWORD", SECRET);
        const between = await listenBetween(database.port);
        const opening = openStore(at("127.0.0.1").replace(`:${database.port}`, `:${between.port}`), NOW);
        await expect(opening).rejects.toMatchObject({
          code: "store_unreadable",
          message: expect.stringMatching(/^Cannot read the store (postgres|mysql):\/\/locked@127/),
        });
        await expect(opening).rejects.not.toThrow(/canary/);
        // No connection may stay open: the server would wait a minute for the login, and could not drop the database meanwhile.
        await expect.poll(between.connected).toBe(0);
        between.close();
      },
    );

    it("does not reveal the password in any output or file", async () => {
      vi.stubEnv("VITRINE_STORE_PASSWORD", SECRET);
      const [out, queries] = [join(folder, `out-${scheme}`), writeQueries(join(folder, `queries-${scheme}`))];
      const options = ["--queries", queries, "--config", "vitrine.config.json", "--force"];
      const [store, nowhere] = [at("127.0.0.1"), at("127.0.0.1").replace(database.name, "nowhere")];
      const runs = await Promise.all([
        runVitrine(["build", "--store", store, ...options, "--out", out, "--json"]),
        runVitrine(["build", "--store", nowhere, ...options, "--out", `${out}-nowhere`]),
      ]);
      for (const { out: said, err } of runs) expect(said + err).not.toContain("canary");
      expect(runs.map(({ code }) => code)).toEqual([0, 3]);
      const files = readTree(out);
      expect([...files.keys()]).toEqual(expect.arrayContaining(["catalog.sqlite", "manifest.sqlite"]));
      for (const [path, bytes] of files) expect(bytes.includes("canary"), path).toBe(false);
    });

    it("uses TLS if asked to, and checks the certificate's name and signer", async () => {
      vi.stubEnv("VITRINE_STORE_PASSWORD", SECRET);
      const signed = `&sslrootcert=${database.certificate}`;
      expect(await titleOf(at("localhost", `?sslmode=verify-full${signed}`), cipher)).toMatch(/^TLS/);
      expect(await titleOf(at("127.0.0.1", "?sslmode=require"), cipher)).toMatch(/^TLS/);
      for (const address of [
        at("127.0.0.1", `?sslmode=verify-full${signed}`),
        at("localhost", "?sslmode=verify-full"),
      ])
        await expect(openStore(address, NOW)).rejects.toThrow(/certificate|altnames|host name/);
    });

    it("has a timeout from its address", async () => {
      vi.stubEnv("VITRINE_STORE_PASSWORD", SECRET);
      await expect(titleOf(at("127.0.0.1", "?read_timeout=1"), sleep)).rejects.toMatchObject({
        code: "store_unreadable",
        message: expect.stringMatching(/has not answered for 1 s|timeout/),
      });
      const silent = createServer(() => undefined).listen(0, "127.0.0.1");
      await new Promise((resolve) => silent.once("listening", resolve));
      const { port } = silent.address() as AddressInfo;
      const opening = openStore(`${scheme}://a@127.0.0.1:${port}/b?connect_timeout=5`, NOW);
      await expect(opening).rejects.toMatchObject({ code: "store_unreadable" });
      silent.close();
      await expect(openStore(`${scheme}://a@127.0.0.1:${port}/b`, NOW)).rejects.toThrow(/ECONNREFUSED/);
    });

    it("stops a statement that takes too long, here and at the server", async () => {
      const queries = writeQueries(join(folder, `slow-${scheme}`));
      const file = join(queries, "store.sql");
      writeFileSync(file, readFileSync(file, "utf8").replace("'Shop'", endless));
      const options = ["--queries", queries, "--config", "vitrine.config.json", "--out", `${queries}-out`];
      const address = `${database.address}?read_timeout=1`;
      const { code, err } = await runVitrine(["build", "--store", address, ...options]);
      expect([code, err]).toEqual([3, expect.stringMatching(/Cannot read the store .*read_timeout/)]);
      await expect.poll(() => database.run(working(database.name))).toEqual([]);
    });

    it("waits for a lock as long as its address says, here and at the server", async () => {
      const holder = await database.another();
      await holder.run(lock);
      const reading = titleOf(`${database.address}?read_timeout=1`, "(SELECT MAX(n) FROM hits)");
      await expect(reading).rejects.toMatchObject({
        code: "store_unreadable",
        message: expect.stringMatching(/Cannot read the store .*read_timeout/),
      });
      await expect.poll(() => database.run(waiting)).toEqual([]);
      await holder.close();
    });

    // Without it, MariaDB counts the connection as aborted, and warns of it in its log.
    it("is left with a goodbye", async () => {
      const between = await listenBetween(database.port);
      await titleOf(database.address.replace(`:${database.port}`, `:${between.port}`), "'a'");
      await expect.poll(between.last).toBe(goodbye);
      between.close();
    });

    it("is disconnected by a watch that ends during a query", async () => {
      const holder = await database.another();
      await holder.run(lock);
      const queries = writeQueries(join(folder, `asked-${scheme}`));
      writeFileSync(join(queries, "changed.sql"), "SELECT MAX(n) FROM hits");
      const abort = new AbortController();
      const calls: string[] = [];
      const ports = {
        isAsked: () => false,
        build: async () => Promise.reject(new Error(calls.push("build").toString())),
        publish: async () => void calls.push("publish"),
        built: () => undefined,
        failed: () => void calls.push("failed"),
        countObjects: async () => undefined,
        missed: () => undefined,
        live: () => undefined,
      };
      const rules = { settleSeconds: 0, atMostEverySeconds: 0 };
      const inputs = { store: database.address, queries, config: DEMO_CONFIG };
      const watching = watchStore(inputs, ports, rules, abort.signal);
      try {
        await expect.poll(() => database.run(waiting)).toHaveLength(1);
        abort.abort();
        await watching;
        expect(calls).toEqual([]);
      } finally {
        await holder.close();
      }
    });

    it("is reported as unreadable after its connection is lost", async () => {
      const reader = await openStore(database.address, NOW);
      await database.run(kill(database.name));
      const reading = async () => {
        for await (const _ of reader.batches(release("'a'")));
      };
      await expect(reading()).rejects.toMatchObject({ code: "store_unreadable" });
      await reader.close();
    });

    it("does not let a function of the store write", async () => {
      await expect(titleOf(database.address, "hit()")).rejects.toMatchObject({
        code: "allow_list_invalid",
        message: expect.stringMatching(/^releases\.sql: .*read.only/i),
      });
      expect(await database.run("SELECT n FROM hits")).toEqual([]);
    });

    it("is checked by doctor: rights, clock, time zone and transactions", async () => {
      vi.stubEnv("VITRINE_STORE_PASSWORD", SECRET);
      const look = async (check: string, store: string, queries: string) =>
        (await runCheck(check, { store, queries, timeoutSeconds: 30 })).map(
          ({ level, what }) => `${level}: ${what}`,
        );
      const queries = writeQueries(join(folder, `doctor-${scheme}`));
      expect(await look("store", at("127.0.0.1"), queries)).toEqual([
        expect.stringMatching(/^ok: \S+locked@127\S+ can be read$/),
        "ok: The role can only read",
        expect.stringMatching(/^ok: The server's time zone is/),
        "ok: The server's clock and this machine's agree",
        ...(scheme === "mysql" ? ["ok: All tables that are read have transactions"] : []),
      ]);
      const shown = await runVitrine(["doctor", "--store", at("127.0.0.1"), "--queries", queries, "--json"]);
      expect(shown.out + shown.err).not.toContain("canary");
      vi.unstubAllEnvs();
      await database.run(dated(database.name));
      const worse = writeQueries(join(folder, `doctor-${scheme}-2`), "dated AS d WHERE at IS NULL");
      const said = await look("store", database.address, worse);
      expect(said[1]).toMatch(
        /^warning: The role can also write: (everything, as a superuser|.*ALL PRIVILEGES)/,
      );
      if (scheme === "mysql")
        expect(said.at(-1)).toMatch(/^warning: Tables without transactions: dated \(MyISAM\)\. /);
      else
        expect(said[2]).toMatch(
          /^warning: The server's time zone is Europe\/Berlin, and dated\.at are read as UTC/,
        );
      const nowhere = database.address.replace(database.name, "nowhere");
      expect(await look("store", nowhere, queries)).toEqual([expect.stringMatching(/^problem: .*nowhere/)]);
    });

    it.skipIf(scheme === "mysql")("is checked by doctor: rows that policies hide from the role", async () => {
      vi.stubEnv("VITRINE_STORE_PASSWORD", SECRET);
      const queries = writeQueries(join(folder, "doctor-policies"), "hits AS h WHERE n IS NULL");
      const look = async () =>
        (await runCheck("store", { store: at("127.0.0.1"), queries, timeoutSeconds: 30 })).flatMap(
          ({ level, what }) => (/row|polic/i.test(what) ? [`${level}: ${what}`] : []),
        );
      try {
        expect(await look()).toEqual([]);
        await database.run("CREATE TABLE others (n INTEGER); ALTER TABLE others ENABLE ROW LEVEL SECURITY");
        expect(await look()).toEqual([]);
        await database.run("ALTER TABLE hits ENABLE ROW LEVEL SECURITY");
        const hidden = "warning: Row level security hides all rows of hits from this role";
        expect(await look()).toEqual([hidden]);
        await database.run("CREATE POLICY adding ON hits FOR INSERT WITH CHECK (true)");
        await database.run("CREATE POLICY own ON hits FOR SELECT TO postgres USING (true)");
        expect(await look()).toEqual([hidden]);
        await database.run("CREATE POLICY reading ON hits FOR SELECT USING (n > 0)");
        expect(await look()).toEqual(["ok: Policies decide which rows of hits are read"]);
      } finally {
        vi.unstubAllEnvs();
        await database.run("DROP TABLE others; ALTER TABLE hits DISABLE ROW LEVEL SECURITY");
      }
    });

    it.skipIf(scheme === "mysql")("is checked by doctor: the role as which a view reads", async () => {
      vi.stubEnv("VITRINE_STORE_PASSWORD", SECRET);
      const owner = `owner_${process.pid}`;
      const look = async (name: string) => {
        const queries = writeQueries(join(folder, `doctor-${name}`), `${name} AS v WHERE n IS NULL`);
        const found = await runCheck("store", { store: at("127.0.0.1"), queries, timeoutSeconds: 30 });
        return found.flatMap(({ level, what }) => (/row|polic/i.test(what) ? [`${level}: ${what}`] : []));
      };
      try {
        await database.run(`CREATE ROLE ${owner}; CREATE TABLE goods (n INTEGER); ALTER TABLE goods ENABLE ROW LEVEL SECURITY;
          CREATE VIEW shown AS SELECT n FROM goods; CREATE VIEW over_shown AS SELECT n FROM shown;
          CREATE VIEW asked WITH (security_invoker) AS SELECT n FROM goods;
          CREATE MATERIALIZED VIEW kept AS SELECT n FROM goods;
          CREATE VIEW others AS SELECT n FROM goods; ALTER VIEW others OWNER TO ${owner};
          CREATE TABLE free (n INTEGER); CREATE VIEW noted AS SELECT n FROM free; ALTER VIEW noted OWNER TO ${owner};
          CREATE RULE note AS ON INSERT TO noted DO INSTEAD INSERT INTO goods VALUES (NEW.n);
          CREATE FUNCTION called() RETURNS SETOF goods LANGUAGE sql AS 'SELECT n FROM asked';
          CREATE FUNCTION trusted() RETURNS SETOF goods LANGUAGE sql SECURITY DEFINER AS 'SELECT n FROM goods';
          GRANT SELECT ON goods, free TO ${owner}; GRANT SELECT ON shown, over_shown, asked, kept, others, noted TO locked`);
        // What only an INSERT into a view touches is not read.
        for (const name of ["shown", "over_shown", "kept", "noted", "trusted()"])
          expect(await look(name), name).toEqual([]);
        const hidden = "warning: Row level security hides all rows of goods from";
        for (const name of ["asked", "called()"])
          expect(await look(name), name).toEqual([`${hidden} this role`]);
        expect(await look("others")).toEqual([`${hidden} ${owner}, as which the view others reads it`]);
      } finally {
        vi.unstubAllEnvs();
        await database.run(`DROP TABLE goods, free CASCADE; DROP OWNED BY ${owner}; DROP ROLE ${owner}`);
      }
    });

    it.skipIf(scheme === "mysql")("says how to write a column of the type money", async () => {
      await expect(titleOf(database.address, "12.5::numeric::money")).rejects.toMatchObject({
        code: "allow_list_invalid",
        message:
          "releases.sql: title has the type money, whose text depends on the locale: cast it, like amount::numeric AS price.",
      });
    });

    it("rounds the next change up to a whole second after the build", async () => {
      const queries = writeQueries(join(folder, `next-${scheme}`));
      const next = async (moment: string) => {
        const type = scheme === "mysql" ? "DATETIME(6)" : "TIMESTAMPTZ(6)";
        const sql = `SELECT CAST('${moment}' AS ${type}) AS next_change_at`;
        writeFileSync(join(queries, "next_change.sql"), sql);
        const options = [
          "--queries",
          queries,
          "--config",
          "vitrine.config.json",
          "--as-of",
          NOW,
          "--full",
          "--force",
        ];
        const out = join(folder, `next-${scheme}-out`);
        const { code, out: said } = await runVitrine([
          "build",
          ...["--store", database.address, ...options, "--out", out, "--json"],
        ]);
        expect(code).toBe(0);
        return (JSON.parse(said) as { nextChangeAt: string }).nextChangeAt;
      };
      expect(await next("2026-11-20 12:00:00.000001")).toBe("2026-11-20T12:00:01+00:00");
      expect(await next("2026-11-20 12:00:00.75")).toBe("2026-11-20T12:00:01+00:00");
      expect(await next("2026-11-20 12:00:00")).toBe("2026-11-20T12:00:01+00:00");
      expect(await next("2026-12-31 23:59:59.5")).toBe("2027-01-01T00:00:00+00:00");
      expect(await next("2026-11-21 00:00:00")).toBe("2026-11-21T00:00:00+00:00");
    });

    it("says how to write the moment in this database", async () => {
      await expect(titleOf(database.address, ":now")).rejects.toThrow(
        /Write (current_setting\('vitrine\.now'\)|@now) instead of :now in this database\./,
      );
    });
  },
);

// MariaDB 10.11.19: information_schema.engines says so of ROCKSDB, of SPIDER too.
it.skipIf(ROCKSDB_MISSING !== null)("knows that MyRocks has transactions", async () => {
  const database = await createRocksdbDatabase();
  await database.run("CREATE TABLE hits (n INTEGER PRIMARY KEY) ENGINE = ROCKSDB");
  const queries = writeQueries(join(folder, "queries-rocksdb"), "hits WHERE n > 0");
  const found = await runCheck("store", { store: database.address, queries, timeoutSeconds: 30 });
  expect(found.map(({ what }) => what)).toContain("All tables that are read have transactions");
  await database.close();
});
