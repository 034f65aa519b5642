/** Text that is JSON already: a branded type, so that it is never encoded twice and raw text can't slip in. */

declare const isJson: unique symbol;
export type Json = string & { readonly [isJson]: true };

/** Encodes a value once. */
export function encodeJson(value: unknown): Json {
  return JSON.stringify(value) as Json;
}
