/** `vitrine fallback` */

import { commandOf } from "../options.ts";
import { FALLBACK_FLAGS } from "./fallback-flags.ts";

export const addFallback = commandOf(
  {
    name: "fallback",
    does: "answer what has no file, from the catalog alone: the small server behind a CDN",
    flags: FALLBACK_FLAGS,
    examples: [
      "vitrine fallback --catalog out/catalog.sqlite",
      "vitrine fallback --catalog /srv/vitrine/catalog.sqlite --host 127.0.0.1 --port 8081",
      "vitrine fallback --catalog s3://shop-catalog/v1 --cache /var/cache/vitrine",
      "vitrine fallback --from https://api.shop.example --cache /var/cache/vitrine",
      "vitrine fallback --catalog out/catalog.sqlite --metrics 9464",
      "curl http://127.0.0.1:8081/readyz",
    ],
  },
  async (flags) => (await import("./run-fallback.ts")).runFallback(flags),
);
