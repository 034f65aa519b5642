/** What `vitrine edge cloudflare` writes, as data. */
import { checkFallbacks } from "../fallback-address.ts";
import { commonValues, type EdgeFile, type EdgeSettings, filesFrom, requireRoot } from "../template.ts";

/** @throws VitrineError usage, config_invalid */
export function cloudflareFiles(settings: EdgeSettings): EdgeFile[] {
  requireRoot(settings);
  checkFallbacks(settings.fallbacks, "url");
  // Right for most; a zone below a public suffix such as co.uk has one label more.
  const zone = new URL(settings.config.baseUrl).hostname.split(".").slice(-2).join(".");
  const names = ["worker.js", "wrangler.jsonc", "cache-rules.json", "README.md"];
  return filesFrom("cloudflare", names, { ...commonValues(settings), ZONE: zone });
}
