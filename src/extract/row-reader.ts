/** One row of the store → checked values. A wrong value is put on the list of problems and replaced by a stand-in. */
import { parseStoreTime, type SqlTime } from "../base/time.ts";
import { MAX_SLUG_LENGTH } from "../contract/endpoints.ts";
import { isSlug } from "../key/bytes.ts";
import type { Problems } from "./problems.ts";
import type { StoreRow, StoreValue } from "./store.ts";

/** A value for messages: short, and never more than its beginning. */
function show(value: StoreValue): string {
  if (value === null) return "NULL";
  if (Buffer.isBuffer(value)) return "a BLOB";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export class RowReader {
  readonly #file: string;
  readonly #problems: Problems;
  readonly #siteUrl: string;
  #row: StoreRow = {};
  #failed = false;

  constructor(file: string, problems: Problems, siteUrl: string) {
    this.#file = file;
    this.#problems = problems;
    this.#siteUrl = siteUrl;
  }

  /** Goes to a row; {@link failed} then speaks of it. */
  open(row: StoreRow): this {
    this.#row = row;
    this.#failed = false;
    return this;
  }

  /** True once something in the row was wrong: it must not become a record. */
  get failed(): boolean {
    return this.#failed;
  }

  fail(column: string, message: string): void {
    this.#failed = true;
    this.#problems.add({ file: this.#file, row: String(this.#row["id"] ?? "-"), column, message });
  }

  #wrong<T>(column: string, must: string, standIn: T): T {
    this.fail(column, `is ${show(this.#row[column] ?? null)}, must be ${must}`);
    return standIn;
  }

  text(column: string): string {
    const value = this.#row[column];
    return typeof value === "string" ? value : this.#wrong(column, "text", "");
  }

  /** Text that is never empty: a title or a name. */
  name(column: string): string {
    const value = this.#row[column];
    return typeof value === "string" && value.trim() !== ""
      ? value
      : this.#wrong(column, "text that is not empty", "");
  }

  integer(column: string, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
    const value = this.#row[column];
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max)
      return value;
    const upTo = max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`;
    return this.#wrong(column, `a whole number from ${min}${upTo}`, min);
  }

  integerOrNull(column: string, min: number): number | null {
    return this.#row[column] === null ? null : this.integer(column, min);
  }

  /** The id; it is also a parameter, so it keeps within what a parameter takes. */
  id(): number {
    return this.integer("id", 1, 999_999_999_999_999);
  }

  flag(column: string): boolean {
    const value = this.#row[column];
    return value === 0 || value === 1 ? value === 1 : this.#wrong(column, "0 or 1", false);
  }

  slug(column: string): string {
    const value = this.#row[column];
    if (typeof value === "string" && isSlug(value, MAX_SLUG_LENGTH)) return value;
    return this.#wrong(column, `a slug: [a-z0-9] first, then [a-z0-9._-], at most ${MAX_SLUG_LENGTH}`, "x");
  }

  slugOrNull(column: string): string | null {
    return this.#row[column] === null ? null : this.slug(column);
  }

  choice<T extends string>(column: string, values: readonly T[]): T {
    const value = this.#row[column];
    return (
      values.find((known) => known === value) ?? this.#wrong(column, values.join(" or "), values[0] as T)
    );
  }

  time(column: string): SqlTime {
    const value = this.#row[column];
    const time = typeof value === "string" ? parseStoreTime(value) : null;
    return time ?? this.#wrong(column, "a UTC date like 2026-11-20 19:00:00", "1970-01-01 00:00:00");
  }

  timeOrNull(column: string): SqlTime | null {
    return this.#row[column] === null ? null : this.time(column);
  }

  currency(column: string): string {
    const value = this.#row[column];
    return typeof value === "string" && /^[A-Z]{3}$/.test(value)
      ? value
      : this.#wrong(column, "an ISO 4217 code like EUR", "EUR");
  }

  /** An address, resolved against the site where it begins with `/`; empty where there is none. */
  url(column: string): string {
    const value = this.#row[column];
    const url = typeof value === "string" ? this.toUrl(value) : null;
    return url ?? this.#wrong(column, "an http(s) address, a path from /, or empty", "");
  }

  /** The address that a text means, or null where it is none that may be published. */
  toUrl(text: string): string | null {
    if (text === "") return "";
    const absolute = text.startsWith("/") && !text.startsWith("//") ? this.#siteUrl + text : text;
    if (!/^https?:\/\//.test(absolute) || !URL.canParse(absolute)) return null;
    const { username, password } = new URL(absolute);
    return username === "" && password === "" ? absolute : null;
  }

  /** A nested array, which SQL gives as JSON text. */
  array(column: string): readonly unknown[] {
    const value = this.#row[column];
    if (typeof value !== "string") return this.#wrong(column, "a JSON array", []);
    try {
      const parsed: unknown = JSON.parse(value);
      if (Array.isArray(parsed)) return parsed;
    } catch {
      // Said below: what does not parse is no array either.
    }
    return this.#wrong(column, "a JSON array", []);
  }
}
