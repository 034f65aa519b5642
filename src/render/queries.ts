/** Values → query, for the generator, whose values are canonical already. */
import type { Endpoint } from "../api/endpoints.ts";
import type { Query } from "../key/query.ts";

/** `queryFor(products, {category: "scripts", page: "2"})`; what equals its default is left out, as in every query. */
export function queryFor(endpoint: Endpoint, values: Readonly<Record<string, string>>): Query {
  return {
    endpoint,
    values: endpoint.params.map((param) => {
      const value = values[param.name];
      return value === undefined || value === param.default ? null : value;
    }),
  };
}
