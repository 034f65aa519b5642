/** Queries of all kinds, seeded: what a reader may ask for and no file answers, and what is wrong. */
import { API_PATH, ENDPOINTS, type Param } from "../../src/api/endpoints.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { resourceOf } from "../../src/catalog/resources.ts";
import type { Random } from "../support/random.ts";

const TEXTS = [
  "kit",
  "invoice",
  "invoce kit",
  "the",
  "theme mails",
  "c++",
  "\u{1f600}",
  "wi-fi",
  "zzzzzz",
  "a b c",
  "cafe",
];
const PRICES = ["0", "5", "9.5", "19.90", "49", "1000"];

function pick<Value>(random: Random, values: readonly Value[]): Value | undefined {
  return values[Math.floor(random() * values.length)];
}

function anyValueOf(random: Random, catalog: Catalog, path: string, param: Param): string {
  if (random() < 0.02) return "wrong value!";
  const resource = resourceOf(path);
  const isFilter = resource !== undefined && resource.filters[param.name] !== undefined;
  if (isFilter && random() < 0.9)
    return pick(random, catalog.list(resource.name).valuesOf(param.name)) ?? "none";
  switch (param.kind) {
    case "integer":
      return String(1 + Math.floor(random() * (param.max ?? 12)));
    case "flag":
      return random() < 0.5 ? "1" : "no";
    case "choice":
      return pick(random, param.values ?? []) ?? "";
    case "price":
      return pick(random, PRICES) ?? "0";
    case "text":
      return pick(random, TEXTS) ?? "";
    default:
      return pick(random, ["invoice-kit", "scripts", "nobody-has-this"]) ?? "";
  }
}

/** `/api/v1/products?category=scripts&min_price=5&sort=rating` */
export function randomTarget(random: Random, catalog: Catalog): string {
  const lists = ENDPOINTS.filter(({ params }) => params.length > 0);
  const endpoint = pick(random, random() < 0.9 ? lists : ENDPOINTS);
  if (endpoint === undefined) throw new Error("there is no endpoint");
  const params = endpoint.params.flatMap((param) => {
    const isAsked = endpoint.needs?.includes(param.name) === true || random() < 0.25;
    return isAsked
      ? [`${param.name}=${encodeURIComponent(anyValueOf(random, catalog, endpoint.path, param))}`]
      : [];
  });
  return `${API_PATH}/${endpoint.path}${params.length === 0 ? "" : `?${params.join("&")}`}`;
}
