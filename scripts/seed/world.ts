/** What all parts of the seeder share: where rows go, what moment it is, and the products made so far. */
import { between } from "./dice.ts";
import { DAY, formatTime } from "./time.ts";
import type { StoreWriter } from "./writer.ts";

export interface SeedOptions {
  /** Rows in products, hidden ones included. */
  readonly products: number;
  readonly seed: string;
  /** The demo's "now", in seconds since 1970. */
  readonly now: number;
}

/** What other tables need to know of a product. */
export interface ProductRef {
  readonly id: number;
  readonly topic: string;
  readonly createdAt: number;
  /** The public must not see it, nor anything that hangs on it. */
  readonly hidden: boolean;
}

export interface World extends SeedOptions {
  readonly writer: StoreWriter;
  readonly refs: ProductRef[];
  /** What people call themselves. */
  readonly names: readonly string[];
}

/** A moment so many days before "now", in seconds since 1970. */
export function ago({ now }: World, leastDays: number, mostDays: number): number {
  return now - between(leastDays * DAY, Math.max(leastDays + 1, mostDays) * DAY);
}

export const past = (world: World, leastDays: number, mostDays: number): string =>
  formatTime(ago(world, leastDays, mostDays));
