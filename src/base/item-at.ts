/** The item at a place of a list or typed array. @throws RangeError where there is none: a bug of ours, and never a zero */
export function itemAt<Item>(items: ArrayLike<Item>, place: number): Item {
  const found = items[place];
  if (found === undefined) throw new RangeError(`No item at ${place} of ${items.length}`);
  return found;
}
