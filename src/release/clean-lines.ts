/** Sanitises the HTML in lines of records that another shop wrote, wherever a record's schema says that a text is HTML. */
import { setImmediate } from "node:timers/promises";
import type { TSchema } from "typebox";
import { HTML } from "../api/field.ts";
import { recordNamed } from "../api/records.ts";
import { CLOCK } from "../base/clock.ts";
import { encodeJson, parseShallowJson } from "../base/json.ts";
import type { ResourceName } from "../catalog/resources.ts";

type Clean = (html: string) => string;
type Change = (value: unknown) => unknown;

/** Lets waiting requests be answered at least this often, in milliseconds, but not within one record. */
const TURN_MILLISECONDS = 5;

interface Walked {
  readonly [HTML]?: true;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** A function that sanitises HTML fields in place, null for a schema without HTML. Values of a wrong type are left for the later check. */
function changeOf(schema: TSchema, clean: Clean): Change | null {
  const { [HTML]: isHtml, properties, items, anyOf } = schema as Walked;
  if (isHtml) return (value) => (typeof value === "string" ? clean(value) : value);
  if (properties !== undefined) {
    const changes = Object.entries(properties).flatMap(([name, property]) => {
      const change = changeOf(property, clean);
      return change === null ? [] : [[name, change] as const];
    });
    if (changes.length === 0) return null;
    return (value) => {
      if (typeof value !== "object" || value === null) return value;
      const known = value as Record<string, unknown>;
      for (const [name, change] of changes) if (Object.hasOwn(known, name)) known[name] = change(known[name]);
      return value;
    };
  }
  if (items !== undefined) {
    const change = changeOf(items, clean);
    return change && ((value) => (Array.isArray(value) ? value.map(change) : value));
  }
  const changes = (anyOf ?? []).flatMap((one) => changeOf(one, clean) ?? []);
  return changes.length === 0 ? null : (value) => changes.reduce((changed, change) => change(changed), value);
}

/**
 * The same lines with their HTML sanitised; the lines of a list without HTML are not even parsed.
 * @throws Error if a line is not JSON, or more than a record has
 */
export async function cleanLines(resource: ResourceName, lines: Buffer, clean: Clean): Promise<Buffer> {
  const record = recordNamed(resource);
  const change = changeOf(record.detail ?? record.list, clean);
  if (change === null) return lines;
  const cleaned: Buffer[] = [];
  let turnBegan = CLOCK.elapsed();
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf("\n", start);
    if (end < 0) throw new Error("its last line is cut off");
    const value = parseShallowJson(lines.toString("utf8", start, end));
    cleaned.push(Buffer.from(`${encodeJson(change(value))}\n`));
    start = end + 1;
    if (CLOCK.elapsed() - turnBegan < TURN_MILLISECONDS) continue;
    await setImmediate();
    turnBegan = CLOCK.elapsed();
  }
  return Buffer.concat(cleaned);
}
