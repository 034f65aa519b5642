/** What others say of products, of all that are public. As JSON: most of it goes to the threads that make records. */
import type { ProductBrief } from "../api/row.ts";
import { encodeJson, type Json } from "../base/json.ts";
import { Texts } from "./texts.ts";

export class Briefs {
  readonly #texts = new Texts();
  readonly #places = new Map<number, number>();

  add(brief: ProductBrief): void {
    this.#places.set(brief.id, this.#texts.add(encodeJson(brief)));
  }

  find(id: number): Json | null {
    const place = this.#places.get(id);
    return place === undefined ? null : (this.#texts.at(place) as Json | null);
  }

  /** See {@link Texts.free}. */
  free(): void {
    this.#texts.free();
  }

  *all(): Generator<ProductBrief> {
    for (const id of this.#places.keys()) yield JSON.parse(this.find(id) ?? "") as ProductBrief;
  }
}
