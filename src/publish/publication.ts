/** The state that all steps of one publish share. */
import type { BucketState } from "./documents.ts";
import type { Lease } from "./lease.ts";
import type { PublishPorts, PublishRules, Snapshot } from "./options.ts";
import type { PlaceMemory } from "./place-memory.ts";

/** One round of a publish: what goes live, how, and what was found at the place. */
export interface Publication {
  readonly snapshot: Snapshot;
  readonly rules: PublishRules;
  readonly ports: PublishPorts;
  readonly state: BucketState;
  readonly memory: PlaceMemory;
  /** The lock, if it was acquired before the comparison. */
  readonly turn: Lease | null;
}
