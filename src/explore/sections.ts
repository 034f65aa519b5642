/** Sections of the explorer that show records: the endpoint that each needs, and its name in the navigation. */
export const SECTIONS = [
  ["products", "Products"],
  ["blog", "Blog"],
  ["forum", "Forum"],
] as const;
