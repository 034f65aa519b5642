/** Maps of values that are made once, and a merge join of two sequences. */

/** The value of a key, made and kept if it is not known yet. */
export function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = make();
  known.set(key, value);
  return value;
}

/** A function that makes each value once, and remembers it for good. */
export function memo<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => remembered(made, key, () => make(key));
}

export interface Pair<Left, Right> {
  readonly key: string;
  /** Undefined if that side does not have the key. */
  readonly left: Left | undefined;
  readonly right: Right | undefined;
}

/** Each key of either side once, in order, with both sides' values. */
export function* mergeByKey<Left extends { readonly key: string }, Right extends { readonly key: string }>(
  left: Iterable<Left>,
  right: Iterable<Right>,
): Generator<Pair<Left, Right>> {
  const rights = right[Symbol.iterator]();
  let next = rights.next();
  try {
    for (const one of left) {
      const { key } = one;
      for (; !next.done && next.value.key < key; next = rights.next())
        yield { key: next.value.key, left: undefined, right: next.value };
      if (next.done !== true && next.value.key === key) {
        yield { key, left: one, right: next.value };
        next = rights.next();
      } else yield { key, left: one, right: undefined };
    }
    for (; !next.done; next = rights.next())
      yield { key: next.value.key, left: undefined, right: next.value };
  } finally {
    rights.return?.();
  }
}
