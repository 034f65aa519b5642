/** What the home view asks for, and what all views ask for: known before anything else of the page is there. */

/** Each as what follows the API's base address. */
export const HOME = {
  status: "",
  store: "store",
  newest: "products",
  rated: "products?sort=rating",
  categories: "categories",
} as const;
