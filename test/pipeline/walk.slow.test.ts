/**
 * The same random edits of one shop in each database, with builds that are killed in between: after each step the snapshot equals
 * a build from scratch, and is the same in all databases.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyChanges, copyStore } from "../../scripts/seed/copy-store.ts";
import type { PublicConfig } from "../../src/api/config.ts";
import { type WalkStep, walk } from "../support/edit-walk.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import { DEMO_CONFIG, smallStore, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const SEED = Number(process.env["WALK_SEED"] ?? 1);
const STEPS = Number(process.env["WALK_STEPS"] ?? 8);
const CONFIG: PublicConfig = {
  ...DEMO_CONFIG,
  grid: { depth: 0, maxFiles: 250_000 },
  feeds: { sitemap: true, news: true, llms: true, jsonLd: true, google: true, bulk: true },
};

const SERVERS = [
  { name: "PostgreSQL", kind: "postgres", create: createPostgresDatabase, missing: POSTGRES_MISSING },
  { name: "MariaDB", kind: "mysql", create: createMariadbDatabase, missing: MARIADB_MISSING },
] as const;

/** A new folder with a shop's file in it. */
function makeHome(name: string) {
  const home = join(folder, name);
  mkdirSync(home);
  const file = join(home, "store.sqlite");
  copyFileSync(smallStore(), file);
  return { home, file, seed: SEED, steps: STEPS, config: CONFIG };
}

let inFile: Promise<WalkStep[]> | undefined;

function walkInFile(): Promise<WalkStep[]> {
  inFile ??= walk({ ...makeHome("sqlite"), queries: "templates/queries", kills: (3 * STEPS) / 2 });
  return inFile;
}

describe("a walk of random edits and killed builds", { timeout: 60_000 + STEPS * 30_000 }, () => {
  it("gives the same in SQLite as builds from scratch", async () => {
    const walked = await walkInFile();
    expect(walked.filter(({ work }) => work !== "whole").length).toBeGreaterThan(STEPS / 3);
    const left = walked.flatMap(({ killed }) => killed);
    expect(left).toEqual(expect.arrayContaining(["files", "moves"]));
  });

  it.each(SERVERS.filter(({ missing }) => missing === null))("gives the same in $name", async (server) => {
    const { kind, create, name } = server;
    const database = await create();
    try {
      const target = { kind, run: database.run };
      await copyStore(smallStore(), target);
      await walk({
        ...makeHome(name),
        queries: `templates/queries-${kind}`,
        kills: 2,
        like: await walkInFile(),
        server: {
          address: database.address,
          follow: (before, after) => copyChanges(before, after, target),
        },
      });
    } finally {
      await database.close();
    }
  });
});
