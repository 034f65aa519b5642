/** The state that all steps of one publish share. Apart from the options, because the package's types must not need those of its database. */
import type { BucketState } from "./documents.ts";
import type { PublishPorts, PublishRules, Snapshot } from "./options.ts";
import type { PlaceMemory } from "./place-memory.ts";

/** What goes live, how, and what was found at the place. */
export interface Publication {
  readonly snapshot: Snapshot;
  readonly rules: PublishRules;
  readonly ports: PublishPorts;
  readonly memory: PlaceMemory;
  readonly state: BucketState;
}
