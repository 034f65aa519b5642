/** Requests of the home view and of all views: known before the page's script is loaded. */

/** Each is the part of an address after the API's base address. */
export const HOME = {
  status: "",
  store: "store",
  newest: "products",
  rated: "products?sort=rating",
  categories: "categories",
} as const;
