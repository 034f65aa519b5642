/** Two sequences in order of key, side by side. */

export type Keyed<Item extends { readonly key: string }> = AsyncIterable<Item> | Iterable<Item>;

export interface Pair<Left, Right> {
  readonly key: string;
  /** Undefined where that side has nothing of the key. */
  readonly left: Left | undefined;
  readonly right: Right | undefined;
}

/** Each key of either side once, in order, with what the two have of it. */
export async function* mergeByKey<
  Left extends { readonly key: string },
  Right extends { readonly key: string },
>(left: Keyed<Left>, right: Keyed<Right>): AsyncGenerator<Pair<Left, Right>> {
  async function* others() {
    yield* right;
  }
  const rights = others();
  let next = await rights.next();
  try {
    for await (const one of left) {
      const { key } = one;
      for (; !next.done && next.value.key < key; next = await rights.next())
        yield { key: next.value.key, left: undefined, right: next.value };
      if (next.done !== true && next.value.key === key) {
        yield { key, left: one, right: next.value };
        next = await rights.next();
      } else yield { key, left: one, right: undefined };
    }
    for (; !next.done; next = await rights.next())
      yield { key: next.value.key, left: undefined, right: next.value };
  } finally {
    await rights.return();
  }
}
