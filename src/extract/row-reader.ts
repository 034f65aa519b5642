/** One row of the store → checked values. A wrong value is reported and replaced by a stand-in. */
import { MAX_SLUG_LENGTH } from "../api/endpoints.ts";
import { CONVERSIONS, TIME_FORM } from "../api/field.ts";
import { formsAmong } from "../api/forms.ts";
import { parseAmount, shiftPoint } from "../api/money.ts";
import type { Gather, Overall, ProductRef, RecordRef, Row, SafeHtml, Values } from "../api/row.ts";
import { parseShallowJson } from "../base/json.ts";
import { isPrivateAddress } from "../base/private-address.ts";
import { decodedTwice, isBlank, printableText } from "../base/text.ts";
import { readTime, type SqlTime } from "../base/time.ts";
import { isSlug } from "../key/bytes.ts";
import { parseAddress } from "./address.ts";
import { OPTIONAL_COLUMNS } from "./allow-list.ts";
import { slugify } from "./columns.ts";
import { cleanHtml, htmlOf } from "./html.ts";
import type { RowProblem } from "./problems.ts";
import { isBlob, type StoreValue } from "./store.ts";
import { readWordpressText } from "./wordpress.ts";

const SHOWN_LENGTH = 60;

/** A value for messages, shortened. */
function show(value: unknown): string {
  if (value === null) return "NULL";
  if (isBlob(value)) return "a BLOB";
  if (typeof value === "object") return Array.isArray(value) ? "an array" : "an object";
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, SHOWN_LENGTH)) : String(value);
  return typeof value === "string" && value.length > SHOWN_LENGTH ? `${text.slice(0, -1)}…"` : text;
}

/** The type of a value that is not NULL, for messages. */
function typeName(value: StoreValue): string {
  if (isBlob(value)) return "bytes";
  return typeof value === "string" ? "text" : "a number";
}

export interface ProblemSink {
  add(problem: RowProblem): void;
}

/** Values from other records, for the current row. */
export interface Known {
  /** The product that the row belongs to. */
  readonly product: ProductRef | null;
  /** The gathered values, in the order of the record's declarations. */
  readonly gathered: readonly unknown[];
}

/** Everything that a reader needs besides rows. */
export interface Surroundings {
  readonly siteUrl: string;
  /** List shapes by id, of records that others embed. */
  readonly shapes: ReadonlyMap<string, ReadonlyMap<number, Values>>;
  readonly gathers: readonly Gather<unknown>[];
  /** Values made of all rows of other records, by their declaration. */
  readonly overall: ReadonlyMap<Overall<unknown>, unknown>;
}

const OPEN_ADDRESS = "an address that visitors can open, not one of localhost or of a private network";
const TWICE =
  "looks encoded twice, like GrÃ¶ÃŸe for Größe (add charset=latin1 to a MySQL store's address: docs/stores.md)";

const NOTHING_KNOWN: Known = { product: null, gathered: [] };

export class RowReader implements Row {
  readonly #file: string;
  readonly #problems: ProblemSink;
  readonly #around: Surroundings;
  readonly #columns: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  /** Values of the columns that the file lacks. */
  readonly #ifMissing: ReadonlyMap<string, StoreValue>;
  /** The forms in which requested columns were found. */
  readonly #forms = new Map<string, string>();
  /** True for a shop that is tried on one machine: there, private addresses are right. */
  readonly #isSitePrivate: boolean;
  #known: Known = NOTHING_KNOWN;
  #values: readonly StoreValue[] = [];
  /** Number of the row within its file, from 1. */
  #ordinal = 0;
  /** The column that was requested last: an error outside of this class is reported for it. */
  #column = "id";
  #failed = false;
  /** True while an optional field is read. */
  #isOptional = false;
  /** True once a value in the current optional field was wrong. */
  #isRefused = false;
  readonly #made = new Map<unknown, unknown>();

  /**
   * @param name of the allow-list's file, `products`
   * @param columns names of the rows' values, in their order: columns, or forms of columns
   */
  constructor(name: string, columns: readonly string[], problems: ProblemSink, around: Surroundings) {
    this.#file = `${name}.sql`;
    this.#ifMissing = OPTIONAL_COLUMNS[name] ?? new Map();
    this.#problems = problems;
    this.#around = around;
    this.#isSitePrivate = isPrivateAddress(around.siteUrl);
    this.#columns = columns;
    this.#places = new Map(columns.map((column, place) => [column, place]));
  }

  get siteUrl(): string {
    return this.#around.siteUrl;
  }

  get product(): ProductRef | null {
    return this.#known.product;
  }

  /** Begins a row; {@link failed} then refers to it. `ordinal`: its number within its file, from 1. */
  open(values: readonly StoreValue[], ordinal: number, known: Known = NOTHING_KNOWN): this {
    this.#values = values;
    this.#ordinal = ordinal;
    this.#known = known;
    this.#column = "id";
    this.#failed = false;
    this.#made.clear();
    return this;
  }

  #cell(column: string): StoreValue {
    const place = this.#places.get(column);
    return (place === undefined ? this.#ifMissing.get(column) : this.#values[place]) ?? null;
  }

  #value(column: string): StoreValue {
    this.#column = column;
    return this.#cell(column);
  }

  /** The name under which a row has a column: its own, or that of a form. */
  #formOf(column: string): string {
    if (this.#places.has(column)) return column;
    const known = this.#forms.get(column);
    if (known !== undefined) return known;
    const [form = column] = formsAmong(column, this.#columns);
    this.#forms.set(column, form);
    return form;
  }

  /** True once a required value was wrong: the row must not become a record. */
  get failed(): boolean {
    return this.#failed;
  }

  /** @param problem the same words for the same problem; the row's own value is the `example` */
  fail(column: string, problem: string, example: string | null = null): void {
    if (this.#isOptional) this.#isRefused = true;
    else this.#failed = true;
    this.#report(column, problem, example, this.#isOptional ? "emptied" : "left out");
  }

  #report(
    column: string,
    problem: string,
    example: string | null,
    consequence: Exclude<RowProblem["outcome"], "refused" | "shortened">,
  ): void {
    const where = this.#where();
    const outcome = consequence === "left out" && where.row === null ? "refused" : consequence;
    this.#problems.add({ ...where, column, problem, example, outcome });
  }

  #where(): Pick<RowProblem, "file" | "ordinal" | "id" | "row"> {
    const row = this.#cell("id");
    const id =
      row === null ? "-" : typeof row === "string" || typeof row === "object" ? show(row) : String(row);
    const known = typeof row === "number" && Number.isSafeInteger(row) ? row : null;
    return { file: this.#file, ordinal: this.#ordinal, id, row: known };
  }

  /** Reads an optional field: a problem is reported, and `empty` is returned instead. */
  optional<Value>(empty: Value, read: () => Value): Value {
    [this.#isOptional, this.#isRefused] = [true, false];
    try {
      const value = read();
      return this.#isRefused ? empty : value;
    } finally {
      this.#isOptional = false;
    }
  }

  /** Reports an error that was thrown while reading the row, for the current column. */
  failReading(message: string): void {
    this.fail(this.#column, "cannot be read", message);
  }

  refuse(column: string, must: string, value: unknown): void {
    this.fail(column, `must ${must}`, show(value));
  }

  drop(column: string, must: string, element: unknown): void {
    this.#report(column, `must ${must}`, show(element), "emptied");
  }

  /** @param type the type that a right value has: a value of another one is converted in the SQL */
  #wrong<T>(column: string, must: string, standIn: T, type?: "string" | "number"): T {
    const value = this.#cell(column);
    const isOther = type !== undefined && value !== null && typeof value !== type;
    this.refuse(column, `be ${must}${isOther ? `, not ${typeName(value)} (${CONVERSIONS})` : ""}`, value);
    return standIn;
  }

  text(column: string): string {
    const text = this.#textOf(column) ?? this.#wrong(column, "text", "", "string");
    return text !== "" && isBlank(text) ? this.#wrong(column, "text, or empty, but not blanks", "") : text;
  }

  /** Text that is never empty: a title or a name. */
  name(column: string): string {
    const text = this.#textOf(column) ?? "";
    return isBlank(text) ? this.#wrong(column, "text that is not empty", "", "string") : text;
  }

  /** Displayable text, from a column of markup its plain text; null if the value is not text. */
  #textOf(column: string): string | null {
    const form = this.#formOf(column);
    if (form !== column) return this.html(form).text;
    const value = this.#value(column);
    if (typeof value !== "string") return null;
    if (decodedTwice(value) !== null) this.#report(column, TWICE, null, "kept");
    return printableText(value);
  }

  integer(column: string, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
    const value = this.#value(column);
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max)
      return value;
    const upTo = max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`;
    return this.#wrong(column, `a whole number from ${min}${upTo}`, min, "number");
  }

  integerOrNull(column: string, min: number, max?: number): number | null {
    return this.#cell(column) === null ? null : this.integer(column, min, max);
  }

  /** An amount in whole minor units with this many digits, in whichever form the store has it. */
  money(column: string, digits: number, storedDigits: number): number {
    const form = this.#formOf(column);
    const amount =
      form === column ? shiftPoint(String(this.integer(column, 0)), storedDigits) : this.#value(form);
    return parseAmount(amount, digits) ?? this.#wrong(form, "an amount from 0, like 19.99", 0);
  }

  moneyOrNull(column: string, digits: number, storedDigits: number): number | null {
    return this.#cell(this.#formOf(column)) === null ? null : this.money(column, digits, storedDigits);
  }

  /** The id; it is also a parameter, so it has at most the 15 digits that a parameter accepts. */
  id(): number {
    return this.integer("id", 1, 999_999_999_999_999);
  }

  flag(column: string): boolean {
    const value = this.#value(column);
    return value === 0 || value === 1 ? value === 1 : this.#wrong(column, "0 or 1", false, "number");
  }

  /** A slug; empty if it is wrong. The record's own slug is made before rows are read. */
  slug(column: string): string {
    const form = this.#formOf(column);
    const source = this.#value(form);
    const value = form === column || typeof source !== "string" ? source : slugify(source);
    if (typeof value === "string" && isSlug(value, MAX_SLUG_LENGTH)) return value;
    const given = formsAmong(column, this.#columns).at(-1) ?? column;
    if (given !== column) {
      const text = this.#cell(given);
      // A slug is made from the id as well: if that is wrong, it is what is reported.
      if (typeof text === "string" && slugify(text) !== "") return "";
      return this.#wrong(given, "text with a letter or a digit", "", "string");
    }
    const shape = `[a-z0-9] first, then [a-z0-9._-], at most ${MAX_SLUG_LENGTH}`;
    return this.#wrong(column, `a slug (${shape}; AS ${column}_source takes any text)`, "", "string");
  }

  slugOrNull(column: string): string | null {
    return this.#cell(this.#formOf(column)) === null ? null : this.slug(column);
  }

  choice<T extends string>(column: string, values: readonly T[]): T {
    const value = this.#value(column);
    return (
      values.find((known) => known === value) ?? this.#wrong(column, values.join(" or "), values[0] as T)
    );
  }

  time(column: string): SqlTime {
    return readTime(this.#value(column)) ?? this.#wrongTime(column);
  }

  /** The first whole second at which a moment has passed. */
  passedTimeOrNull(column: string): SqlTime | null {
    const value = this.#value(column);
    if (value === null) return null;
    return readTime(value, "up") ?? this.#wrongTime(column);
  }

  #wrongTime(column: string): SqlTime {
    const value = this.#value(column);
    const isMilliseconds = typeof value === "number" && readTime(Math.trunc(value / 1000)) !== null;
    const must = isMilliseconds ? `Unix seconds, not milliseconds (${CONVERSIONS})` : TIME_FORM;
    return this.#wrong(column, must, "1970-01-01 00:00:00");
  }

  currency(column: string): string {
    const value = this.#value(column);
    return typeof value === "string" && /^[A-Z]{3}$/.test(value)
      ? value
      : this.#wrong(column, "an ISO 4217 code like EUR", "EUR");
  }

  /** An address, resolved against the site if it begins with `/`; may be empty. */
  url(column: string): string {
    const value = this.#value(column);
    const url = typeof value === "string" ? this.toUrl(value) : null;
    if (url !== null) return url;
    const isPrivate = typeof value === "string" && parseAddress(value) !== null;
    const must = isPrivate ? OPEN_ADDRESS : "an http(s) address without a password, a path from /, or empty";
    return this.#wrong(column, must, "");
  }

  /** The absolute address that a text means, or null if it must not be published. */
  toUrl(text: string): string | null {
    if (text === "") return "";
    if (text.startsWith("/") && !text.startsWith("//")) return parseAddress(this.siteUrl + text);
    const address = parseAddress(text);
    return address !== null && this.#isHidden(address) ? null : address;
  }

  /** A nested array, which SQL gives as JSON text. */
  array(column: string): readonly unknown[] {
    const value = this.#value(column);
    if (typeof value !== "string") return this.#wrong(column, "a JSON array", []);
    try {
      const parsed = parseShallowJson(value);
      if (Array.isArray(parsed)) return parsed;
    } catch {
      // Reported below: text that does not parse is not an array either.
      if (/^\{(?!\s*"[^"]*"\s*:).*\}$/s.test(value))
        return this.#wrong(column, `a JSON array, not PostgreSQL's text of an array (${CONVERSIONS})`, []);
    }
    return this.#wrong(column, "a JSON array", []);
  }

  markupOf(element: Readonly<Record<string, unknown>>, name: string): SafeHtml | null {
    const [form = name, another] = formsAmong(name, Object.keys(element));
    const text = element[form];
    return typeof text === "string" && another === undefined ? this.#markup(text, form) : null;
  }

  html(column: string): SafeHtml {
    return this.#once(column, () => {
      const form = this.#formOf(column);
      const value = this.#value(form);
      return this.#markup(typeof value === "string" ? value : this.#wrong(form, "text", "", "string"), form);
    });
  }

  /** Content that is left out of a text is reported with its row. */
  #markup(text: string, form: string): SafeHtml {
    if (decodedTwice(text) !== null) this.#report(form, TWICE, null, "kept");
    if (!form.endsWith("_wordpress")) return this.#clean(htmlOf(printableText(text), form), form);
    // As stored: without its control characters, other brackets would be shortcodes than in WordPress.
    const { html, leftOut } = readWordpressText(text);
    for (const { kind, name, count } of leftOut) this.#reportShortened(form, `${kind} ${name}`, count);
    return this.#clean(html, form);
  }

  /** Images that visitors can't load lose their address, and what the shop's page hides and unknown frames are left out. */
  #clean(html: string, form: string): SafeHtml {
    let closed: string | null = null;
    let lost: string | null = null;
    const leftOut = new Map<string, number>();
    const safe = cleanHtml(html, {
      isShown: (address) => {
        if (!this.#isHidden(address)) return true;
        closed ??= address;
        return false;
      },
      onLostImage: (address) => {
        lost ??= address;
      },
      onLeftOut: (name) => leftOut.set(name, (leftOut.get(name) ?? 0) + 1),
    });
    if (closed !== null) this.#report(form, `must have images at ${OPEN_ADDRESS}`, closed, "emptied");
    if (lost !== null)
      this.#report(form, "must have images at https://…, http://… or a path", lost, "emptied");
    for (const [name, times] of leftOut) this.#reportShortened(form, `element ${name}`, times);
    return safe;
  }

  #reportShortened(column: string, problem: string, times: number): void {
    this.#problems.add({ ...this.#where(), column, problem, example: null, times, outcome: "shortened" });
  }

  /** True for an address that visitors can't open, unless the shop itself is private: it is tried on one machine. */
  #isHidden(address: string): boolean {
    return !this.#isSitePrivate && isPrivateAddress(address);
  }

  once<Value>(read: (row: Row) => Value): Value {
    return this.#once(read, () => read(this));
  }

  /** Computes a value once per row. */
  #once<Value>(key: unknown, make: () => Value): Value {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as Value;
  }

  gathered<Value>(gather: Gather<Value>): Value {
    return this.#known.gathered[this.#around.gathers.indexOf(gather as Gather<unknown>)] as Value;
  }

  overall<Value>(overall: Overall<Value>): Value {
    return this.#around.overall.get(overall as Overall<unknown>) as Value;
  }

  other<Shape>(record: RecordRef<Shape>, id: number): Shape | null {
    return (this.#around.shapes.get(record.name)?.get(id) ?? null) as Shape | null;
  }
}
