/** The catalog of the next snapshot, beside the present one. */
import { copyFileSync, existsSync } from "node:fs";
import { type Catalog, openCatalog } from "./catalog/catalog.ts";
import type { BuildInputs } from "./config/inputs.ts";
import { type ExtractReport, extract } from "./extract/extract.ts";
import type { OutLayout } from "./snapshot/layout.ts";

/** The digest of the catalog that is in place, or null where there is none that can be read. */
function presentDigest(layout: OutLayout): string | null {
  if (!existsSync(layout.catalog)) return null;
  try {
    const catalog = openCatalog(layout.catalog);
    const { digest } = catalog;
    catalog.close();
    return digest;
  } catch {
    return null; // Of another format, or broken: it is replaced.
  }
}

/** Extracts the next catalog. Where nothing in it changed, it becomes a copy of the present one, `generated_at` and all. */
export async function extractNext(
  inputs: BuildInputs,
  layout: OutLayout,
): Promise<{ catalog: Catalog; report: ExtractReport }> {
  const report = await extract({ ...inputs, file: layout.nextCatalog });
  const next = openCatalog(layout.nextCatalog);
  if (next.digest !== presentDigest(layout)) return { catalog: next, report };
  next.close();
  copyFileSync(layout.catalog, layout.nextCatalog);
  return { catalog: openCatalog(layout.nextCatalog), report };
}
