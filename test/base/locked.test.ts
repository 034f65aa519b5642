/** A database that another process keeps locked is sound: nobody is told to make it again, and it is no bug. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { isLocked, messageOf, VitrineError } from "../../src/base/error.ts";
import { openSqlite, remedyOf } from "../../src/base/sqlite.ts";
import { explainWriteFailure } from "../../src/base/write-failure.ts";
import { temporaryFolder } from "../support/shop.ts";

function lockedError(file: string): unknown {
  const holder = new Database(file);
  holder.exec("CREATE TABLE a (b); BEGIN EXCLUSIVE");
  const db = openSqlite(file, { timeout: 0 });
  try {
    db.exec("SELECT * FROM a");
  } catch (error) {
    return error;
  } finally {
    db.close();
    holder.close();
  }
  throw new Error("it is not locked");
}

it("a locked database is said in our words, with the way to find out who locks it", () => {
  const file = join(temporaryFolder(), "catalog.sqlite");
  const error = lockedError(file);
  expect(isLocked(error)).toBe(true);
  expect(messageOf(error)).toBe("another process keeps it locked");
  expect(remedyOf(file, error, "Make it again.")).toEqual({
    next: "Try again once that process has ended.",
    hint: `fuser ${file} names that process`,
  });
  expect(remedyOf(file, new Error("torn"), "Make it again.")).toEqual({ next: "Make it again." });
});

it("a build whose catalog a reader keeps locked is refused, and is no bug", () => {
  const folder = temporaryFolder();
  const explained = explainWriteFailure(lockedError(join(folder, "catalog.sqlite")), folder);
  expect(explained).toBeInstanceOf(VitrineError);
  expect((explained as VitrineError).message).toBe(
    `Cannot write to ${folder}: another process keeps a database in it locked. Try again once that process has ended.`,
  );
  expect((explained as VitrineError).hint).toMatch(/^fuser FILE names the processes/);
});
