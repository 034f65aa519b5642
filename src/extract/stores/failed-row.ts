/** Which row an allow-list's SQL failed at: databases say what went wrong, not where. Costs some twenty reads of the file. */

export interface FailedRow {
  readonly id: string;
  readonly column: string;
}

/** How an adapter asks its database; `condition` is SQL on `id`. */
export interface FailureProbe {
  /** True where reading a column of some rows fails. */
  fails(column: string, condition: string): Promise<boolean>;
  /** All ids, in their order. */
  ids(): Promise<readonly unknown[]>;
}

/** An id as SQL; null where it is none that could be one of a record. */
function literal(id: unknown): string | null {
  return typeof id === "number" && Number.isSafeInteger(id) ? String(id) : null;
}

export async function findFailedRow(
  columns: readonly string[],
  { fails, ids: readIds }: FailureProbe,
): Promise<FailedRow | null> {
  const column = await firstOf(columns, (name) => fails(name, ""));
  if (column === null || !columns.includes("id") || (await fails("id", ""))) return null;
  const ids = (await readIds()).map(literal);
  if (ids.includes(null)) return null;
  let first = 0;
  let end = ids.length;
  while (end - first > 1) {
    const middle = (first + end) >> 1;
    const isBefore = await fails(column, `WHERE id >= ${ids[first]} AND id < ${ids[middle]}`);
    if (isBefore) end = middle;
    else first = middle;
  }
  const id = ids[first] ?? null;
  if (id === null) return null;
  // What fails for other rows as well is not one row's fault.
  const isOne = (await fails(column, `WHERE id = ${id}`)) && !(await fails(column, `WHERE id <> ${id}`));
  return isOne ? { id, column } : null;
}

async function firstOf<Value>(
  values: readonly Value[],
  test: (value: Value) => Promise<boolean>,
): Promise<Value | null> {
  for (const value of values) if (await test(value)) return value;
  return null;
}
