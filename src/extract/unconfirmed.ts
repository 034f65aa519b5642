/**
 * What `init` proposes of a schema that it does not know is a guess, and a guess is never public: a line in the SQL says
 * that nobody has looked yet, and while it stands the file is refused by whatever would extract.
 */

/** @example unconfirmedLine("products.sql") // "-- vitrine: not confirmed. Look at … vitrine init --confirm products.sql" */
export function unconfirmedLine(file: string): string {
  return `-- vitrine: not confirmed. Look at what this file gives, then remove this line, or run: vitrine init --confirm ${file}`;
}

/** A condition that selects nothing, until a person has put one of these in its place. `offers` is one line. */
export function choiceCondition(offers: string): string {
  return `1 = 0 -- vitrine: choose, and write instead of 1 = 0: ${offers}`;
}

/** Wherever they stand in a file, and however somebody has changed the rest of the line. */
const MARKS = /vitrine:\s*(not\s+confirmed|choose)/gi;

const OWN_LINE = /^[ \t]*--[ \t]*vitrine:[ \t]*not confirmed\b.*(?:\r?\n|$)/gim;

export interface Unconfirmed {
  /** Lines, from 1, of conditions that a person must choose. */
  readonly choices: readonly number[];
}

/** Null of a file that is a person's own, or confirmed. */
export function unconfirmedOf(sql: string): Unconfirmed | null {
  const marks = [...sql.matchAll(MARKS)];
  if (marks.length === 0) return null;
  const choices = marks.filter(([, word]) => word?.toLowerCase() === "choose");
  return { choices: choices.map(({ index }) => sql.slice(0, index).split("\n").length) };
}

/** The file's text without the line that says so; null where something else in it says so too. */
export function confirmed(sql: string): string | null {
  const text = sql.replace(OWN_LINE, "");
  return unconfirmedOf(text) === null ? text : null;
}
