/** Names → slugs, and which of the records that would have the same one gets it. */
import anyAscii from "any-ascii";
import type { StoreValue } from "./store.ts";

/** With a hyphen and the longest id, a slug is as long as it may be. */
const MAX_BASE_LENGTH = 130;
/** Of a longer text only the beginning is looked at. */
const MAX_SOURCE_LENGTH = 1000;

/**
 * `"Café Menü: 50 % off"` → `"cafe-menu-50-off"`: transliterated, lower case, words joined by hyphens. Empty where the text
 * has no letter and no digit.
 */
export function slugify(text: string): string {
  const letters = anyAscii(text.slice(0, MAX_SOURCE_LENGTH).normalize("NFC")).toLowerCase();
  const words = letters.replaceAll("'", "").match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, MAX_BASE_LENGTH).replace(/-$/, "");
}

/** `"foo-12"` → `["foo", 12]`: the base and the id whose slug it would be; null where it would be nobody's. */
function readSuffixed(base: string): readonly [base: string, id: number] | null {
  const match = /^(?:(.*)-)?([1-9]\d{0,14})$/.exec(base);
  return match === null ? null : [match[1] ?? "", Number(match[2])];
}

/**
 * Slugs of a file's records. Of those with one base the smallest id has it bare, the others with their id behind it; where
 * a bare one would be what another has with its id, it gets its own id too. So slugs follow from ids and texts alone, in
 * whatever order they come, and a record that is added takes another's only where its id is smaller, or where the other's is
 * its own base and id.
 */
export class Slugs {
  readonly #bases = new Map<number, string>();
  readonly #smallest = new Map<string, number>();

  add(id: number, text: string): void {
    const base = slugify(text);
    this.#bases.set(id, base);
    this.#smallest.set(base, Math.min(id, this.#smallest.get(base) ?? id));
  }

  /** The slug of a record that was added; null of any other. */
  of(id: StoreValue): string | null {
    const base = typeof id === "number" ? this.#bases.get(id) : undefined;
    if (base === undefined) return null;
    if (this.#bareOwner(base) === id) return base;
    return base === "" ? String(id) : `${base}-${id}`;
  }

  /** Whose slug a base is as it stands; null: nobody's, or that of a record with another base. */
  #bareOwner(base: string): number | null {
    const smallest = this.#smallest.get(base);
    if (base === "" || smallest === undefined) return null;
    const taken = readSuffixed(base);
    if (taken === null) return smallest;
    const [inner, id] = taken;
    return this.#bases.get(id) === inner && this.#bareOwner(inner) !== id ? null : smallest;
  }
}
