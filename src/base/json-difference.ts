/** The differences between two JSON values, by path. Pure. */

export interface JsonChange {
  /** `data.pricing.current`, `data[id=12].title`, `paths["/store"]`; "" is the whole. */
  readonly path: string;
  /** Absent if it was added. */
  readonly before?: unknown;
  /** Absent if it was removed. */
  readonly after?: unknown;
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object's own property; undefined if it has none. */
function memberOf(object: Members, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function memberPath(path: string, name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

/** Elements by their `id`; null unless each has a unique one. */
function elementsById(list: readonly unknown[]): Map<number, unknown> | null {
  const elements = new Map<number, unknown>();
  for (const element of list) {
    if (!isObject(element) || typeof element["id"] !== "number") return null;
    elements.set(element["id"], element);
  }
  return elements.size === list.length ? elements : null;
}

/** Records of a list are matched by id, so that a new one at the top does not show all others as changed. */
function* walkRecords(
  path: string,
  before: Map<number, unknown>,
  after: Map<number, unknown>,
): Generator<JsonChange> {
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    yield* walk(`${path}[id=${id}]`, before.get(id), after.get(id));
  }
  const kept = [...before.keys()].filter((id) => after.has(id));
  const moved = [...after.keys()].filter((id) => before.has(id));
  if (kept.some((id, place) => id !== moved[place])) {
    yield { path: `${path}[].id`, before: [...before.keys()], after: [...after.keys()] };
  }
}

function* walkLists(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
): Generator<JsonChange> {
  const [earlier, later] = [elementsById(before), elementsById(after)];
  if (earlier !== null && later !== null) return yield* walkRecords(path, earlier, later);
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    yield* walk(`${path}[${i}]`, before[i], after[i]);
  }
}

/** `undefined`, which JSON does not have, means "absent". */
function* walk(path: string, before: unknown, after: unknown): Generator<JsonChange> {
  if (Array.isArray(before) && Array.isArray(after)) yield* walkLists(path, before, after);
  else if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* walk(memberPath(path, name), memberOf(before, name), memberOf(after, name));
    }
  } else if (before === undefined && after !== undefined) yield { path, after };
  else if (before !== undefined && after === undefined) yield { path, before };
  else if (before !== after) yield { path, before, after };
}

/** The changes that turn `before` into `after`, in order of their paths; undefined means "absent". */
export function diffJson(before: unknown, after: unknown): JsonChange[] {
  return [...walk("", before, after)];
}
