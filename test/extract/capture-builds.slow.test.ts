/** What no trigger sees, as builds have it: after each edit what changed gives the same answers as a build from nothing. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyStore } from "../../scripts/seed/copy-store.ts";
import type { PublicConfig } from "../../src/api/config.ts";
import { SILENT } from "../../src/base/log.ts";
import { buildSnapshot } from "../../src/build/build.ts";
import { readAllowList } from "../../src/extract/allow-list.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { demoInputs, readTree, temporaryFolder } from "../support/shop.ts";
import { TINY_CONFIG, tinyStore } from "../support/tiny-shop.ts";
import { installFor, SERVERS } from "./support/captured.ts";
import { isShownByBuilds, MYSQL_CASES, POSTGRES_CASES } from "./support/unseen-cases.ts";

const folder = temporaryFolder();
let builds = 0;

/** Questions are what the cases change. */
const CONFIG: PublicConfig = { ...TINY_CONFIG, endpoints: ["store", "faqs"] as PublicConfig["endpoints"] };

/** Beside the shop's own tables, where `t` may be anything. */
const ODD = "odd";

function answers(out: string): Map<string, string> {
  const time = /"generated_at":"[^"]*"/g;
  const files = [...readTree(join(out, "site"))];
  return new Map(files.map(([path, bytes]) => [path, bytes.toString().replace(time, "")]));
}

describe.each(SERVERS)("a build of a captured shop in $name", ({ kind, definer, create }) => {
  let database: TestDatabase;
  let own: ReadonlySet<string>;
  const queries = join(folder, `queries-${kind}`);
  const out = join(folder, `out-${kind}`);

  beforeAll(async () => {
    database = await create();
    await copyStore(tinyStore(4), { kind, run: database.run });
    own = new Set(kind === "mysql" ? await tables() : []);
    cpSync(`templates/queries-${kind}`, queries, { recursive: true });
    if (kind === "postgres")
      await database.run(`ALTER DATABASE ${database.name} SET search_path = ${ODD}, public;
        SET search_path = ${ODD}, public`);
  });
  afterAll(() => database.close());

  const tables = async () =>
    (
      await database.run(
        "SELECT table_name AS t FROM information_schema.tables WHERE table_schema = DATABASE()",
      )
    ).map(({ t }) => String(t));

  const build = (into: string) =>
    buildSnapshot(demoInputs(database.address, into, { queries, config: CONFIG }), SILENT);

  const clear = async () => {
    if (kind === "postgres") {
      await database.run(`DROP SCHEMA IF EXISTS ${ODD} CASCADE; CREATE SCHEMA ${ODD}`);
      return;
    }
    await database.run("SET foreign_key_checks = 0");
    for (const name of await tables())
      if (!own.has(name))
        await database.run(`DROP VIEW IF EXISTS \`${name}\`; DROP TABLE IF EXISTS \`${name}\``);
    await database.run("SET foreign_key_checks = 1");
  };

  const text = kind === "postgres" ? "text" : "CHAR";
  const questions = (sql: string) => `-- rows: t.id
SELECT s.id AS id, CAST(NULL AS ${kind === "postgres" ? "integer" : "SIGNED"}) AS product_id, 'general' AS type,
  CONCAT('Why ', CAST(s.v AS ${text}), '?') AS question, '<p>So.</p>' AS answer_html, 1 AS position
FROM (${sql}) AS s`;

  it.each((kind === "postgres" ? POSTGRES_CASES : MYSQL_CASES).filter(isShownByBuilds))(
    "$name",
    async ({ make, sql, edit }) => {
      await clear();
      await database.run(make);
      writeFileSync(join(queries, "faqs.sql"), questions(sql ?? "SELECT * FROM t"));
      const files = Object.values(readAllowList(queries));
      await installFor(database.address, files, definer);
      await build(out);
      const before = answers(out);
      await database.run(edit);
      await build(out);
      const clean = join(folder, `clean-${kind}-${++builds}`);
      await build(clean);
      expect(answers(out)).toEqual(answers(clean));
      expect(answers(out)).not.toEqual(before);
    },
  );
});
