/** `vitrine fallback` */
import { commandOf } from "../options.ts";
import { FALLBACK_FLAGS } from "./fallback-flags.ts";

export const addFallback = commandOf(
  {
    name: "fallback",
    does: "run the small server for searches and rare filters",
    flags: FALLBACK_FLAGS,
    examples: [
      "vitrine fallback --out out",
      "vitrine fallback --to s3://shop-api --cache /var/cache/vitrine --metrics 9464",
      "vitrine fallback --to file:///srv/www/shop-api --host 127.0.0.1 --port 8081",
      "vitrine fallback --from https://api.shop.example --cache /var/cache/vitrine",
    ],
  },
  async (flags) => (await import("./run-fallback.ts")).runFallback(flags),
);
