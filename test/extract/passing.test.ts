import { describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { ChangedMeanwhile, isOfSql, serverState } from "../../src/store/passing.ts";

function errorWith(fields: object): Error {
  return Object.assign(new Error("as the driver throws it"), fields);
}

describe("an error of a database", () => {
  it.each([
    ["PostgreSQL's lock_timeout", { code: "55P03" }, "lock"],
    ["MariaDB's lock_wait_timeout", { code: "ER_LOCK_WAIT_TIMEOUT", errno: 1205, sqlState: "HY000" }, "lock"],
    [
      "a table that was rewritten",
      { code: "ER_TABLE_DEF_CHANGED", errno: 1412, sqlState: "HY000" },
      "moment",
    ],
    ["MariaDB's deadlock", { code: "ER_LOCK_DEADLOCK", errno: 1213, sqlState: "40001" }, "moment"],
    ["a standby's conflict with recovery", { code: "40001" }, "moment"],
    ["PostgreSQL's deadlock", { code: "40P01" }, "moment"],
    ["a server that ends", { code: "57P01" }, "moment"],
    ["a server that starts", { code: "57P03" }, "moment"],
    ["a pooler without its server", { code: "08P01" }, "moment"],
    ["a pooler that lost its server", { code: "08P01", severity: "FATAL" }, "moment"],
    [
      "SQL with a parameter in PostgreSQL",
      { code: "08P01", severity: "ERROR", routine: "exec_bind_message" },
      null,
    ],
    // PostgreSQL 15.18 with lc_messages = 'de_DE.UTF-8'.
    [
      "SQL with a parameter in a PostgreSQL that speaks German",
      { code: "08P01", severity: "FEHLER", routine: "exec_bind_message" },
      null,
    ],
    ["too many connections", { code: "53300" }, "moment"],
    ["a connection that a proxy closed", { message: "Connection terminated unexpectedly" }, "moment"],
    ["a connection that was reset", { code: "ECONNRESET", errno: -104 }, "moment"],
    ["a table that is missing in PostgreSQL", { code: "42P01" }, "definition"],
    ["a table that is missing in MariaDB", { code: "ER_NO_SUCH_TABLE", errno: 1146 }, "definition"],
    // As MariaDB 10.11 reports the cut index of a MyISAM table, and a table of InnoDB without its file.
    ["a damaged index", { code: "HA_ERR_CRASHED", errno: 126, sqlState: "HY000" }, "server"],
    [
      "a table without its file",
      { code: "ER_TABLESPACE_DISCARDED", errno: 1814, sqlState: "HY000" },
      "server",
    ],
    ["a full disk of PostgreSQL", { code: "53100" }, "server"],
    ["a statement that took too long", { code: "57014" }, "server"],
    ["a file of SQLite that cannot be read", { code: "SQLITE_IOERR_READ" }, "server"],
    ["a file of SQLite that stayed locked", { code: "SQLITE_BUSY" }, "server"],
    ["wrong syntax in PostgreSQL", { code: "42601" }, null],
    ["wrong syntax in MariaDB", { code: "ER_PARSE_ERROR", errno: 1064, sqlState: "42000" }, null],
    ["wrong SQL in SQLite", { code: "SQLITE_ERROR" }, null],
    ["a division by zero", { code: "22012" }, null],
    ["a server that refuses connections", { code: "ECONNREFUSED" }, null],
  ])("%s passes, or does not", (_, fields, state) => {
    const error = errorWith(fields);
    expect(serverState(error)).toBe(state);
    expect(serverState(new VitrineError("store_unreadable", "No.", { cause: error }))).toBe(state);
    expect(isOfSql(error)).toBe(state === null || state === "definition");
  });

  it("passes if the store was found changed", () => {
    expect(serverState(new ChangedMeanwhile("faqs"))).toBe("moment");
    expect(serverState("no error")).toBeNull();
  });
});
