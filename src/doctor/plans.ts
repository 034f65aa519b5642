/**
 * Which tables a database reads whole more than once for one file: again for each row of something else. That a file reads
 * its own tables whole, once, is what it is for. From the lines that `vitrine plan --explain` prints. Pure.
 */

export type PlanKind = "sqlite" | "postgres" | "mysql";

/** What is too small to matter: rows of a table in MySQL, and the cost of one reading in PostgreSQL, a page being 1. */
const FEW = { rows: 1000, cost: 100 } as const;

interface Step {
  readonly depth: number;
  readonly text: string;
}

/** Steps above a step, the nearest first. */
function above(steps: readonly Step[], at: number): Step[] {
  const found: Step[] = [];
  let depth = steps[at]?.depth ?? 0;
  for (let place = at - 1; place >= 0; place--) {
    const step = steps[place];
    if (step === undefined || step.depth >= depth) continue;
    found.push(step);
    depth = step.depth;
  }
  return found;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A join's tables stand beside each other, the outer ones first. */
function inSqlite(lines: readonly string[]): string[] {
  const steps = lines.map((line) => ({ depth: indentOf(line), text: line.trim() }));
  return steps.flatMap(({ depth, text }, at) => {
    const [, table] = /^SCAN (\S+)(?! VIRTUAL)/.exec(text) ?? [];
    if (table === undefined || /^SCAN (?:CONSTANT ROW|\()/.test(text) || / VIRTUAL TABLE /.test(text))
      return [];
    const parents = above(steps, at);
    const begins = steps.findLastIndex((step, place) => place < at && step.depth < depth);
    const before = steps.slice(begins + 1, at).filter((step) => step.depth === depth);
    const isInner = before.some(
      (step) => /^(?:SCAN|SEARCH) /.test(step.text) && !/CONSTANT ROW/.test(step.text),
    );
    return isInner || parents.some((step) => step.text.startsWith("CORRELATED")) ? [table] : [];
  });
}

/** Steps begin with `->`, or are labels of what is run for each row (SubPlan) or once (InitPlan, CTE). */
function postgresSteps(lines: readonly string[]): Step[] {
  return lines.flatMap((line, at) => {
    const match = /^( *)(?:-> {2})?(.*)$/.exec(line);
    const isStep = at === 0 || /^ *->/.test(line) || /^ *(?:SubPlan|InitPlan|CTE) /.test(line);
    return isStep && match !== null ? [{ depth: match[1]?.length ?? 0, text: match[2] ?? "" }] : [];
  });
}

/** True for a step that is the second below a join: it is run for each row of the first. */
function isInner(steps: readonly Step[], child: Step, parent: Step): boolean {
  if (!parent.text.startsWith("Nested Loop")) return false;
  const [from, to] = [steps.indexOf(parent), steps.indexOf(child)];
  return steps
    .slice(from + 1, to)
    .some(({ depth, text }) => depth === child.depth && !/^\w+Plan |^CTE /.test(text));
}

function inPostgres(lines: readonly string[]): string[] {
  const steps = postgresSteps(lines);
  const hashed = new Set([...lines.join("\n").matchAll(/hashed (SubPlan \d+)/g)].map(([, name]) => name));
  return steps.flatMap((step, at) => {
    const [, table, cost] = /^(?:Parallel )?Seq Scan on (\S+).*\.\.(\d+\.\d+) /.exec(step.text) ?? [];
    if (table === undefined || Number(cost) < FEW.cost) return [];
    let child = step;
    for (const parent of above(steps, at)) {
      if (/^(?:Materialize|Memoize|Hash\b|CTE)/.test(parent.text)) return [];
      if (hashed.has(parent.text.trim())) return [];
      if (parent.text.startsWith("SubPlan") || isInner(steps, child, parent)) return [table];
      child = parent;
    }
    return [];
  });
}

/** Rows of the plan, a step each: those of one SELECT have its number, the outer ones first. */
function inMysql(lines: readonly string[]): string[] {
  const seen = new Set<string>();
  return lines.flatMap((line) => {
    const cells = line.split("  ");
    const [id = "", kind = "", table = ""] = cells;
    const isFirst = !seen.has(id);
    seen.add(id);
    const all = cells.indexOf("ALL");
    // MySQL and MariaDB differ in what stands before; key, length and ref stand between.
    if (all < 0 || table.startsWith("<") || Number(cells[all + 5] ?? 0) < FEW.rows) return [];
    const isHashed = /hash join|BNLH/.test(line);
    return kind.startsWith("DEPENDENT") || (!isFirst && !isHashed) ? [table] : [];
  });
}

const READERS: Readonly<Record<PlanKind, (lines: readonly string[]) => string[]>> = {
  sqlite: inSqlite,
  postgres: inPostgres,
  mysql: inMysql,
};

/** Tables, as the plan names them, each once. */
export function readAgain(kind: PlanKind, lines: readonly string[]): string[] {
  return [...new Set(READERS[kind](lines))];
}
