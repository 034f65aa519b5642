/**
 * Values that a snapshot computes from its catalog, which takes longer than to remember them. Each is stored with a digest of its inputs,
 * and may depend on nothing else but the code and the configuration: if these differ, all values are forgotten.
 */

/** A value that JSON keeps as it is, and the digest of its inputs. */
interface KnownValue {
  readonly inputs: string;
  readonly value: unknown;
}

/** By name: `reviews by rating` */
export type SavedValues = Readonly<Record<string, KnownValue>>;

export class KnownValues {
  readonly #before: ReadonlyMap<string, KnownValue>;
  readonly #now = new Map<string, KnownValue>();

  /** @param before as the last build saved them; none for a snapshot that is made as a whole */
  constructor(before: SavedValues = {}) {
    this.#before = new Map(Object.entries(before));
  }

  /** The value of a name: computed, unless it is known of the same inputs. */
  of<Value>(name: string, inputs: string, compute: () => Value): Value {
    const known = this.#now.get(name) ?? this.#before.get(name);
    const found = known?.inputs === inputs ? known : { inputs, value: compute() };
    this.#now.set(name, found);
    return found.value as Value;
  }

  /** True if the last build had the same inputs for a name, whose value is not remembered. */
  isSame(name: string, inputs: string): boolean {
    this.#now.set(name, { inputs, value: null });
    return this.#before.get(name)?.inputs === inputs;
  }

  /** Everything that this build used. */
  get saved(): SavedValues {
    return Object.fromEntries(this.#now);
  }
}
