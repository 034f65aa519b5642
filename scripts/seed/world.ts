/** What all parts of the seeder share: where rows go, what moment it is, and the products made so far. */
import { Random } from "./random.ts";
import { formatTime } from "./time.ts";
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
  readonly name: string;
  readonly slug: string;
  readonly topic: string;
  readonly type: string;
  readonly createdAt: number;
  /** The public must not see it, nor anything that hangs on it. */
  readonly hidden: boolean;
}

export interface World {
  readonly options: SeedOptions;
  readonly writer: StoreWriter;
  readonly refs: ProductRef[];
  /** Rows of the people and counter tables. */
  readonly users: number;
  readonly customers: number;
  readonly orders: number;
  random(stream: string): Random;
  /** The moment so many seconds after (or, below zero, before) "now". */
  at(offsetSeconds: number): string;
}

export function createWorld(options: SeedOptions, writer: StoreWriter): World {
  return {
    options,
    writer,
    refs: [],
    users: Math.min(40 + Math.floor(options.products / 4), 5000),
    customers: options.products,
    orders: Math.min(options.products, 50_000),
    random: (stream) => new Random(options.seed, stream),
    at: (offsetSeconds) => formatTime(options.now + offsetSeconds),
  };
}
