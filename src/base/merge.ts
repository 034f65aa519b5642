/** A merge join of two sequences in order of key. */

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
