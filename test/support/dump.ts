/** Databases of shops, as their own code or a dump program wrote them. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The SQL of a dump: `woocommerce` → that of `test/shops/dumps/woocommerce.sql.gz`. */
export function dumpOf(name: string): string {
  return gunzipSync(readFileSync(`test/shops/dumps/${name}.sql.gz`)).toString();
}
