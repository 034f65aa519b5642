/** What is said of a server's failure: its own words, and what to do about it. */
import { expect, it } from "vitest";
import { parseServerAddress } from "../../src/store/address.ts";
import { serverFailure } from "../../src/store/session.ts";

const POSTGRES = parseServerAddress("postgres://a@localhost/b");
const MARIADB = parseServerAddress("mysql://a@localhost/b");

it.each([
  // PostgreSQL 15.18: FATAL, because a reading has a savepoint, and in the language of lc_messages.
  [
    "a standby that had to replay a VACUUM",
    POSTGRES,
    { message: "breche Verbindung ab wegen Konflikt mit der Wiederherstellung", code: "40001" },
    /Wiederherstellung\. The server is a standby .*max_standby_streaming_delay.*hot_standby_feedback/,
  ],
  // mysql2 3.24.6 at MariaDB 10.11.19: "See TODO: add plugins doco here".
  [
    "a role that logs in by a key",
    MARIADB,
    {
      message:
        "Server requests authentication using unknown plugin client_ed25519. See TODO: add plugins doco here on how to configure or author authentication plugins.",
      code: "AUTH_SWITCH_PLUGIN_ERROR",
    },
    /^Cannot read the store mysql:\/\/a@localhost\/b: the role logs in by client_ed25519, .*ALTER USER .*mysql_native_password/,
  ],
  [
    "a role without a password",
    MARIADB,
    { message: "Access denied", errno: 1045, sqlState: "28000" },
    /^Cannot read the store mysql:\/\/a@localhost\/b: Access denied\. Give its password in VITRINE_STORE_PASSWORD/,
  ],
])("of %s", (_, address, { message, ...fields }, said) => {
  const error = serverFailure(address, Object.assign(new Error(message), fields));
  expect(error.code).toBe("store_unreadable");
  expect(error.message).toMatch(said);
  expect(error.message).not.toMatch(/TODO/);
});
