/** Which row of a file has a slug. */
import type { Problems } from "./problems.ts";

export class SlugOwners {
  readonly #file: string;
  readonly #problems: Problems;
  readonly #owners = new Map<string, number>();

  /** @param file of the allow-list: `products.sql` */
  constructor(file: string, problems: Problems) {
    this.#file = file;
    this.#problems = problems;
  }

  /** Gives a slug to a row; false if an earlier row has it, which is reported. */
  take({
    id,
    slug,
    ordinal,
  }: {
    readonly id: number;
    readonly slug: string;
    readonly ordinal: number;
  }): boolean {
    const owner = this.#owners.get(slug);
    if (owner === undefined) {
      this.#owners.set(slug, id);
      return true;
    }
    this.#problems.add({
      file: this.#file,
      ordinal,
      id: String(id),
      row: id,
      column: "slug",
      outcome: "left out",
      problem: "must be unique",
      example: `${JSON.stringify(slug)}, which id ${owner} has too`,
    });
    return false;
  }
}
