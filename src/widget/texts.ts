/** The widgets' texts: which there are, and the English ones, which each widget has in it. */

export interface Texts {
  /** `{n}` is a rating. */
  readonly average: string;
  /** By plural category (CLDR); `other` is for all that are missing. `{n}` is the number of reviews. */
  readonly count: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };
  readonly again: string;
  readonly heading: string;
  readonly verified: string;
  readonly more: string;
  readonly all: string;
  readonly none: string;
  readonly failed: string;
  readonly write: string;
  /** Of a price of 0. In English, the words of products are in `productCard`: other widgets do not need them. */
  readonly free?: string;
  readonly preorder?: string;
  readonly coming?: string;
}

export const ENGLISH: Texts = {
  average: "{n} out of 5",
  count: {
    one: "{n} review",
    other: "{n} reviews",
  },
  again: "Try again",
  heading: "Customer reviews",
  verified: "Verified purchase",
  more: "Show more reviews",
  all: "Read all reviews",
  none: "No reviews yet.",
  failed: "Reviews could not be loaded.",
  write: "Write a review",
};
