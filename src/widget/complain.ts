/** Messages for the page's developer: the problem, its place, and what to do. */
export function complain(message: string, where: Element): void {
  console.error(`Vitrine: ${message}`, where);
}

/** `data-product-slug is missing or empty. See https://api.shop.example/api/v1/products for the slugs.` */
export function complainOfSlug(
  wrong: string,
  attribute: string,
  api: (question: string) => string,
  where: Element,
): void {
  const list = attribute.endsWith("category") ? "/categories" : "/products";
  complain(`${wrong}. See ${api(list)} for the slugs.`, where);
}
