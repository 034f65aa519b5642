/** An address of the API as people write it → a request target. */
import { VitrineError } from "../base/error.ts";
import { API_PATH } from "./endpoints.ts";

/** A web address: scheme and host, then the rest without its fragment. */
const ADDRESS = /^https?:\/\/[^/?#]*([^#]*)/i;
/** The part of a path that the API answers, below any mount: `/shop/api/v1/store` → `/api/v1/store`. */
const API_PART = new RegExp(`^[^?]*?(${API_PATH}(?:[/?].*)?|/widgets/.*)$`);

/** An address of this API, at any host and mount → the path at its host. @throws VitrineError usage */
function pathOfAddress(address: string, baseUrl: string): string {
  const below = address.startsWith(baseUrl) ? address.slice(baseUrl.length).replace(/#.*/, "") : "-";
  const path = /^([/?]|$)/.test(below) ? API_PATH + below : ADDRESS.exec(address)?.[1];
  const target = API_PART.exec(path ?? "")?.[1];
  if (target !== undefined) return target;
  throw new VitrineError(
    "usage",
    `${address} is not an address of the API. Write it like ${baseUrl}/products.`,
  );
}

/** A path below the base address, or a whole address → a request target, raw letters as UTF-8 bytes. */
export function toTarget(written: string, baseUrl: string): string {
  const path = ADDRESS.test(written) ? pathOfAddress(written, baseUrl) : written;
  const slashed = path.startsWith("/") ? path : `/${path}`;
  const isWhole = new RegExp(`^(${API_PATH}([/?]|$)|/widgets/)`).test(slashed);
  const target = isWhole ? slashed : API_PATH + slashed.replace(/^\/(?=\?|$)/, "");
  return Buffer.from(target, "utf8").toString("latin1");
}

/** The address above the API's, with or without its path: `https://api.shop.example/api/v1` → `https://api.shop.example` */
export function rootAddress(address: string): string {
  const bare = address.replace(/\/+$/, "");
  return bare.endsWith(API_PATH) ? bare.slice(0, -API_PATH.length) : bare;
}
