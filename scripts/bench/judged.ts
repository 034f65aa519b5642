/** The judged queries: what a visitor types, and which records a good search may answer first. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Judged {
  readonly query: string;
  readonly kind: string;
  /** Whose list is searched; all of products, categories and blog where it is left out. */
  readonly endpoint?: "products" | "blog" | "forum";
  /** `type/slug`; each would do. */
  readonly expect: readonly string[];
}

const FILE = join(import.meta.dirname, "../../test/search/judged.json");

export function readJudged(): Judged[] {
  return JSON.parse(readFileSync(FILE, "utf8")) as Judged[];
}

/** Place of the first expected record in an answer, from 1; 0 where there is none. */
export function placeOf(judged: Judged, answer: readonly string[]): number {
  return answer.findIndex((record) => judged.expect.includes(record)) + 1;
}

export interface Quality {
  readonly success1: number;
  readonly success3: number;
  /** Mean reciprocal rank of the first expected record among the first ten. */
  readonly mrr: number;
}

export function qualityOf(places: readonly number[]): Quality {
  const share = (count: number): number => count / places.length;
  const within = (limit: number): number => places.filter((place) => place > 0 && place <= limit).length;
  const sum = places.reduce((total, place) => total + (place > 0 && place <= 10 ? 1 / place : 0), 0);
  return { success1: share(within(1)), success3: share(within(3)), mrr: share(sum) };
}
