/**
 * The account that triggers run as in MySQL and MariaDB. Where it is gone, or may no longer do what they do, every write to
 * their tables fails or nothing is written down: so it is named at the installation, and looked at afterwards.
 */
import { VitrineError } from "../../base/error.ts";
import { quoteName } from "../sql.ts";
import { type Ask, CHANGES, type StoreTable } from "./dialect.ts";

/** Runs as that account: it fails where that is gone. */
export const DEFINER = "vitrine_definer";

export function quoteText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** `shop@10.0.0.%` → `'shop'@'10.0.0.%'` */
function accountOf(definer: string): string {
  const at = definer.lastIndexOf("@");
  const [user, host] = at < 0 ? [definer, "%"] : [definer.slice(0, at), definer.slice(at + 1)];
  return [user, host].map((part) => quoteText(part.replace(/^['`"](.*)['`"]$/, "$1"))).join("@");
}

/** What an account may do that triggers need: `INSERT *`, `TRIGGER .`, `TRIGGER products`; USAGE says that it is there. */
function rightsSql(account: string): string {
  const of = `grantee = ${quoteText(account)}`;
  return `SELECT GROUP_CONCAT(r.item SEPARATOR '\n') FROM (
    SELECT CONCAT(privilege_type, ' *') AS item FROM information_schema.user_privileges WHERE ${of}
    UNION ALL SELECT CONCAT(privilege_type, ' .') FROM information_schema.schema_privileges
      WHERE ${of} AND DATABASE() LIKE table_schema
    UNION ALL SELECT CONCAT(privilege_type, ' ', table_name) FROM information_schema.table_privileges
      WHERE ${of} AND table_schema = DATABASE()) AS r`;
}

/** What of the rights that triggers need is missing, as GRANTs. */
function missingRights(rights: string, tables: readonly string[], account: string): string[] {
  const held = new Set(rights.split("\n"));
  const has = (right: string, table: string) => ["*", ".", table].some((on) => held.has(`${right} ${on}`));
  return [
    ...(has("INSERT", CHANGES) ? [] : [`GRANT INSERT ON ${CHANGES} TO ${account}`]),
    ...tables
      .filter((table) => !has("TRIGGER", table))
      .map((table) => `GRANT TRIGGER ON ${quoteName(table, "mysql")} TO ${account}`),
  ];
}

interface Definer {
  readonly account: string;
  /** Makes {@link DEFINER}, where none is. */
  readonly statements: readonly string[];
}

/** @throws VitrineError usage */
export async function definerFor(
  ask: Ask,
  named: string | null,
  tables: readonly StoreTable[],
): Promise<Definer> {
  const [[self] = []] = await ask("SELECT CURRENT_USER()");
  if (named === null)
    throw new VitrineError(
      "usage",
      "Triggers run as an account of the database. If that is dropped one day, or may no longer do what they do, every write " +
        "to these tables fails (errors 1449 and 1142). Name one with --definer that lasts as long as the shop: best the shop's own, " +
        `since without it the shop can't write anyway. You are ${self} now.`,
    );
  const account = accountOf(named);
  const [[rights = null] = []] = await ask(rightsSql(account));
  if (rights === null)
    throw new VitrineError(
      "usage",
      `There is no account ${account}, as far as ${self} may see. Name one that is there with --definer.`,
    );
  const names = tables.map(({ sql }) => sql.slice(1, -1).replaceAll("``", "`"));
  const missing = missingRights(String(rights), names, account);
  if (missing.length > 0)
    throw new VitrineError(
      "usage",
      `Triggers that run as ${account} would fail the shop's writes, or write nothing down: ${missing.join("; ")}.`,
    );
  const mayExecute = /^EXECUTE [*.]$/m.test(String(rights));
  const statements = [
    `CREATE DEFINER = ${account} FUNCTION ${DEFINER}() RETURNS LONGTEXT CHARACTER SET utf8mb4 READS SQL DATA SQL SECURITY DEFINER
  RETURN (${rightsSql(account)})`,
    ...(mayExecute ? [] : [`GRANT EXECUTE ON FUNCTION ${DEFINER} TO ${account}`]),
  ];
  return { account, statements };
}

export async function readFaults(ask: Ask): Promise<string[]> {
  const triggers = await ask(`SELECT DISTINCT definer, event_object_table FROM information_schema.triggers
    WHERE trigger_schema = DATABASE() AND trigger_name LIKE 'vitrine\\_capture\\_%'`);
  const [[definer] = []] = triggers;
  if (definer === undefined) return [];
  const account = accountOf(String(definer));
  const tables = triggers.map(([, table]) => String(table));
  try {
    const [[rights] = []] = await ask(`SELECT ${DEFINER}()`);
    const missing = missingRights(String(rights ?? ""), tables, account);
    return missing.map(
      (grant) => `The triggers run as ${account}, which may no longer do what they do: ${grant}.`,
    );
  } catch (error) {
    const isGone = error instanceof Error && "errno" in error && error.errno === 1449;
    return [
      isGone
        ? `The triggers run as ${account}, which is gone: every write to these tables fails. Make that account again, or install ` +
          "the capture with another --definer."
        : `The triggers run as ${account}; whether that account still stands, this one can't see: GRANT EXECUTE ON FUNCTION ` +
          `${DEFINER} to it.`,
    ];
  }
}
