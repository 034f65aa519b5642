/** Names for products: every number has one of its own, and neighbours do not look alike. */
import { slugify } from "./prose.ts";
import { Random } from "./random.ts";
import { EDITIONS, FORMS, TOPICS } from "./words.ts";

export interface Title {
  readonly name: string;
  readonly slug: string;
  readonly topic: string;
  readonly form: string;
}

const COMBINATIONS = TOPICS.length * FORMS.length * EDITIONS.length;

/** The next number that shares no factor with `total`, so that multiples of it visit every remainder once. */
function coprimeFrom(start: number, total: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let candidate = start;
  while (divisor(candidate, total) !== 1) candidate++;
  return candidate;
}

function at(list: readonly string[], index: number): string {
  return list[index] ?? "";
}

export class Titles {
  private readonly offset: number;
  private readonly stride: number;
  private readonly taken: Set<string>;

  constructor(seed: string, taken: Iterable<string>) {
    const random = new Random(seed, "titles");
    this.offset = random.below(COMBINATIONS);
    this.stride = coprimeFrom(random.between(20_000, 60_000), COMBINATIONS);
    this.taken = new Set(taken);
  }

  /** Once all combinations are used, a number tells the next round from the first. */
  title(number: number): Title {
    const place = (this.offset + number * this.stride) % COMBINATIONS;
    const round = Math.floor(number / COMBINATIONS);
    const topic = at(TOPICS, place % TOPICS.length);
    const form = at(FORMS, Math.floor(place / TOPICS.length) % FORMS.length);
    const edition = at(EDITIONS, Math.floor(place / (TOPICS.length * FORMS.length)));
    const name = [topic, form, edition, round > 0 ? String(round + 1) : ""]
      .filter((word) => word !== "")
      .join(" ");
    return { name, slug: this.claim(slugify(name), number), topic, form };
  }

  private claim(slug: string, number: number): string {
    const free = this.taken.has(slug) ? `${slug}-${number}` : slug;
    this.taken.add(free);
    return free;
  }
}
