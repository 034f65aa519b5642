/** The rows of a list, grouped by the values of some filters: each combination that has a result, once. */
import type { Catalog } from "../catalog/catalog.ts";
import type { FilterIndex } from "../catalog/filter-index.ts";
import type { Table } from "../catalog/table.ts";
import type { ListFamily } from "./grid.ts";

export interface Group {
  /** One value for each filter, in their order. */
  readonly values: readonly string[];
  /** The list's rows with these values, in the order that was given. */
  readonly rows: Uint32Array;
}

/** Calls with the number of each combination that a row belongs to: filters' codes as digits, the first highest. */
function forEachCombination(
  indexes: readonly FilterIndex[],
  row: number,
  visit: (combination: number) => void,
): void {
  const descend = (at: number, prefix: number): void => {
    const index = indexes[at];
    if (index === undefined) visit(prefix);
    else index.forEachValueOf(row, (code) => descend(at + 1, prefix * index.values.length + code));
  };
  descend(0, 0);
}

function valuesOf(indexes: readonly FilterIndex[], combination: number): string[] {
  const values: string[] = [];
  let rest = combination;
  for (const index of indexes.toReversed()) {
    values.unshift(index.values[rest % index.values.length] ?? "");
    rest = Math.floor(rest / index.values.length);
  }
  return values;
}

/**
 * Groups rows by filters; groups come in order of their values, rows keep theirs. Without a filter all rows are one
 * group, even where there are none: an empty list is an answer too.
 */
function groupRows(table: Table, filters: readonly string[], rows: Uint32Array): Group[] {
  if (filters.length === 0) return [{ values: [], rows }];
  const indexes = filters.map((param) => table.filter(param));
  const counts = new Map<number, number>();
  for (const row of rows) {
    forEachCombination(indexes, row, (combination) => {
      counts.set(combination, (counts.get(combination) ?? 0) + 1);
    });
  }
  const combinations = [...counts.keys()].sort((a, b) => a - b);
  const members = new Map(
    combinations.map((combination) => [
      combination,
      { rows: new Uint32Array(counts.get(combination) ?? 0), used: 0 },
    ]),
  );
  for (const row of rows) {
    forEachCombination(indexes, row, (combination) => {
      const group = members.get(combination);
      if (group !== undefined) group.rows[group.used++] = row;
    });
  }
  return combinations.map((combination) => ({
    values: valuesOf(indexes, combination),
    rows: members.get(combination)?.rows ?? new Uint32Array(0),
  }));
}

/** The groups that a family renders: a value that equals its parameter's default is the list without that filter. */
export function groupsOf(catalog: Catalog, family: ListFamily): Group[] {
  const table = catalog.table(family.resource.name);
  const rows = table.select({ equal: [] }, family.sort).slice(0, table.size);
  const defaults = family.filters.map(
    (name) => family.endpoint.params.find((param) => param.name === name)?.default,
  );
  return groupRows(table, family.filters, rows).filter(
    (group) => !group.values.some((value, at) => value === defaults[at]),
  );
}
