/** What a watch says where finding a change took long, and triggers would have told it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { captureHint, planCapture, runCaptureSql } from "../../src/build/capture.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { sharedStore } from "../support/shop.ts";
import { createSqliteDatabase } from "../support/sqlite.ts";

const built = (work: "none" | "delta" | "whole", extract: number) => ({
  work,
  seconds: { extract, render: 9, commit: 9 },
});

describe("a store without a capture", () => {
  let database: TestDatabase;
  const inputs = () => ({ store: database.address, queries: "templates/queries" });
  beforeAll(async () => {
    database = await createSqliteDatabase(sharedStore(150));
  });
  afterAll(() => database.close());

  it("is told of it after a build that read all rows for longer than the limit", async () => {
    const hint = /^to find what changed, all rows were read, in 2\.0 s; with vitrine capture install/;
    for (const work of ["delta", "none"] as const)
      expect(await captureHint(inputs(), built(work, 2))).toMatch(hint);
    expect(await captureHint(inputs(), built("delta", 0.2), 0.1)).toMatch(/in 0\.2 s/);
  });

  it("is told nothing after a quick build, one that had nothing to compare with, or once it has one", async () => {
    expect(await captureHint(inputs(), built("delta", 1.9))).toBeNull();
    expect(await captureHint(inputs(), built("delta", 0.2), 0.3)).toBeNull();
    expect(await captureHint(inputs(), built("whole", 60))).toBeNull();
    await runCaptureSql(inputs(), (await planCapture(inputs())).statements);
    expect(await captureHint(inputs(), built("delta", 2))).toBeNull();
  });
});
