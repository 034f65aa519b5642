/** What all parts of the seeder share: where rows go, the current moment, and the products made so far. */
import { between } from "./dice.ts";
import { DAY, formatTime } from "./time.ts";
import type { StoreWriter } from "./writer.ts";

export interface SeedOptions {
  /** Rows in products, hidden ones included. */
  readonly products: number;
  readonly seed: string;
  /** The tests' "now", in seconds since 1970. */
  readonly now: number;
}

/** The facts about a product that other tables need. */
export interface ProductRef {
  readonly id: number;
  readonly topic: string;
  readonly createdAt: number;
  /** The product and everything that belongs to it must stay hidden. */
  readonly hidden: boolean;
}

export interface World extends SeedOptions {
  readonly writer: StoreWriter;
  readonly refs: ProductRef[];
  /** Public names of people. */
  readonly names: readonly string[];
}

/** The moment `days` before "now", in seconds since 1970. */
export function ago({ now }: World, leastDays: number, mostDays: number): number {
  return now - between(leastDays * DAY, Math.max(leastDays + 1, mostDays) * DAY);
}

export const past = (world: World, leastDays: number, mostDays: number): string =>
  formatTime(ago(world, leastDays, mostDays));
