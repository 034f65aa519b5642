/** The files of an allow-list, read through one session of any database. */
import { messageOf, VitrineError } from "../base/error.ts";
import { type AllowListQuery, chooseColumns, placeInFiles } from "../extract/allow-list.ts";
import { BATCH_ROWS, type Origin, type RowText, type StoreReader } from "../extract/store.ts";
import { askOf, type RowQuery, type Session, UnreadableColumn } from "./session.ts";
import { selectOf, sourceOf } from "./sql.ts";

/** A batch ends after this many characters, so that a batch of large rows does not fill the memory. */
const BATCH_CHARACTERS = 500_000;

export class SessionReader implements StoreReader {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async columns(query: AllowListQuery): Promise<readonly string[]> {
    if (query.columns !== undefined) return query.columns;
    return this.#explaining(query, null, async () =>
      chooseColumns(query, await this.#session.columns(`SELECT * FROM ${sourceOf(query)} LIMIT 0`)),
    );
  }

  async *batches(
    query: AllowListQuery,
    extraColumns: readonly string[] = [],
    ids?: readonly number[],
  ): AsyncGenerator<readonly RowText[]> {
    if (ids?.length === 0) return;
    const columns = await this.columns(query);
    try {
      let rows: RowText[] = [];
      let characters = 0;
      for await (const some of this.#texts({ source: sourceOf(query), columns, extraColumns, ids })) {
        for (const row of some) {
          rows.push(row);
          characters += row.text.length;
          if (rows.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
          yield rows;
          [rows, characters] = [[], 0];
        }
      }
      if (rows.length > 0) yield rows;
    } catch (error) {
      throw await this.#explained(query, columns, error);
    }
  }

  async *#texts(query: RowQuery): AsyncGenerator<Iterable<RowText>> {
    if (this.#session.texts !== undefined) return yield this.#session.texts(query);
    const { source, columns, extraColumns, ids } = query;
    const id = columns.indexOf("id");
    const places = extraColumns.map((column) => columns.indexOf(column));
    for await (const rows of this.#session.rows(selectOf(source, columns, columns, ids)))
      yield rows.map((values) => ({
        id: values[id] ?? null,
        text: JSON.stringify(values),
        extra: places.map((place) => values[place] ?? null),
      }));
  }

  row(query: AllowListQuery): Promise<string> {
    return this.#explaining(query, [], async () => {
      const rows = await askOf(this.#session)(`SELECT * FROM ${sourceOf(query)} LIMIT 2`);
      if (rows.length === 1) return JSON.stringify(rows[0]);
      throw new VitrineError(
        "allow_list_invalid",
        `${query.file} gives ${rows.length === 0 ? "no row" : "more than one row"}. It must give exactly one, for example: ` +
          "SELECT MAX(updated_at), COUNT(*) FROM products",
      );
    });
  }

  /** `columns` is called first: it proves that the file is one SELECT. */
  async origins(query: AllowListQuery): Promise<readonly Origin[]> {
    const columns = await this.columns(query);
    return this.#explaining(query, columns, () => this.#session.origins(query.sql));
  }

  async explain(query: AllowListQuery): Promise<readonly string[]> {
    const columns = await this.columns(query);
    return this.#explaining(query, columns, () =>
      this.#session.plan(selectOf(sourceOf(query), columns, columns)),
    );
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  async #explaining<Result>(
    query: AllowListQuery,
    columns: readonly string[] | null,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw await this.#explained(query, columns, error);
    }
  }

  /** The error to report for one of the database. `columns`: null while they are asked for. */
  async #explained(
    query: AllowListQuery,
    columns: readonly string[] | null,
    error: unknown,
  ): Promise<unknown> {
    if (error instanceof VitrineError) return error;
    if (error instanceof UnreadableColumn)
      return new VitrineError("allow_list_invalid", `${query.file}: ${messageOf(error)}.`, { cause: error });
    const session = this.#session;
    if (!session.isSqlError(error)) return session.unreadable(error);
    const isOther = session.now !== ":now" && /:now\b/.test(query.sql);
    const hint = isOther ? ` Write ${session.now} instead of :now in this database.` : "";
    const mistake = await session.mistake(query.sql).catch((failure: unknown) => {
      throw session.unreadable(failure);
    });
    if (mistake !== null) {
      const place = mistake.at === null ? query.file : placeInFiles(query, mistake.at);
      const used = place.startsWith(query.file) ? "" : ` (used by ${query.file})`;
      return new VitrineError("allow_list_invalid", `${place}${used}: ${messageOf(mistake.error)}.${hint}`, {
        cause: mistake.error,
        hint: MISTAKE_HINT,
      });
    }
    const row = await findFailedRow(session, sourceOf(query), columns ?? []);
    if (row !== null)
      return new VitrineError(
        "rows_invalid",
        `${query.file}: ${row.column} of id ${row.id} cannot be read: ${messageOf(error)}. ` +
          "Fix this row in the store, or leave it out in the SQL. Nothing was written.",
        { cause: error },
      );
    const rule = columns === null ? " It must be one SELECT whose columns all have different names." : "";
    return new VitrineError("allow_list_invalid", `${query.file}: ${messageOf(error)}.${hint}${rule}`, {
      cause: error,
    });
  }
}

const MISTAKE_HINT = "correct it; vitrine plan --explain reads all files, and shows what each costs";

interface FailedRow {
  readonly id: number;
  readonly column: string;
}

/** Finds the row at which a file's SQL failed: databases say what went wrong, not where. Costs some twenty reads of the file. */
async function findFailedRow(
  session: Session,
  source: string,
  columns: readonly string[],
): Promise<FailedRow | null> {
  const ask = askOf(session);
  const fails = async (column: string, condition = "") => {
    try {
      await ask(`SELECT COUNT(${column}) FROM ${source} ${condition}`);
      return false;
    } catch (error) {
      if (session.isSqlError(error)) return true;
      throw session.unreadable(error);
    }
  };
  let column: string | undefined;
  for (const each of columns) if (column === undefined && (await fails(each))) column = each;
  if (column === undefined || !columns.includes("id") || (await fails("id"))) return null;
  const ids = (await ask(`SELECT id FROM ${source} ORDER BY id`)).map(([id]) => id);
  if (!ids.every((id) => typeof id === "number" && Number.isSafeInteger(id))) return null;
  let first = 0;
  let end = ids.length;
  while (end - first > 1) {
    const middle = (first + end) >> 1;
    const isBefore = await fails(column, `WHERE id >= ${ids[first]} AND id < ${ids[middle]}`);
    if (isBefore) end = middle;
    else first = middle;
  }
  const id = Number(ids[first]);
  if (ids.length === 0) return null;
  // An error that other rows cause as well is not this row's fault.
  const isOne = (await fails(column, `WHERE id = ${id}`)) && !(await fails(column, `WHERE id <> ${id}`));
  return isOne ? { id, column } : null;
}
