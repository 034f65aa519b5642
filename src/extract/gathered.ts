/** What records gather from others while they are read: a state for each record that has parts, and one for all. */
import type { Gather, Values } from "../api/row.ts";

interface States {
  readonly byId: Map<unknown, unknown>;
  readonly all: unknown;
}

export class Gathered {
  readonly #states = new Map<Gather<unknown>, States>();

  constructor(gathers: Iterable<Gather<unknown>>) {
    for (const gather of gathers) this.#states.set(gather, { byId: new Map(), all: gather.start() });
  }

  /** Hands a part to all that gather from records of its name. */
  add(name: string, shape: Values, values: Values): void {
    for (const [gather, { byId, all }] of this.#states) {
      if (gather.of !== name) continue;
      const owner = values[gather.by];
      if (owner === null) continue;
      let state = byId.get(owner);
      if (state === undefined) {
        state = gather.start();
        byId.set(owner, state);
      }
      gather.add(state, shape, values);
      gather.add(all, shape, values);
    }
  }

  /** What was gathered for the record with this id. */
  of<State>(gather: Gather<State>, id: unknown): State {
    return (this.#states.get(gather as Gather<unknown>)?.byId.get(id) ?? gather.start()) as State;
  }

  inAll<State>(gather: Gather<State>): State {
    return (this.#states.get(gather as Gather<unknown>)?.all ?? gather.start()) as State;
  }
}
