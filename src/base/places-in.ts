/** Where numbers stand in an ascending list of ids: few of them as cheap as by halving, all of them as cheap as by walking. */
import { itemAt } from "./item-at.ts";

/** The places of `wanted`, which are descending and all in `ids`. @throws RangeError where one is not: a bug of ours */
export function placesIn(ids: Float64Array, wanted: Float64Array): Uint32Array {
  const places = new Uint32Array(wanted.length);
  /** All ids from here on are above what is looked for. */
  let end = ids.length;
  for (let i = 0; i < wanted.length; i++) {
    const id = itemAt(wanted, i);
    let step = 1;
    while (step < end && itemAt(ids, end - step) > id) step *= 2;
    let low = Math.max(0, end - step);
    let high = end - (step >>> 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (itemAt(ids, middle) > id) high = middle;
      else low = middle + 1;
    }
    end = low - 1;
    if (ids[end] !== id) throw new RangeError(`No id ${id} among ${ids.length}`);
    places[i] = end;
  }
  return places;
}
