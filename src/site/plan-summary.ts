/** A plan by endpoint: what becomes files, what the fallback answers, and how many of the most requested answers are files. */
import type { PublicConfig } from "../api/config.ts";
import { ENDPOINTS, offers } from "../api/endpoints.ts";
import { bandName } from "./bands.ts";
import type { Family } from "./grid.ts";
import type { Plan } from "./plan.ts";
import type { WeighedPlan } from "./weigh.ts";
import type { LeftOutBand } from "./write-report.ts";

export interface EndpointSummary {
  /** The path: `/products`. */
  readonly endpoint: string;
  readonly files: number;
  readonly sizeBytes: number;
  /** First pages of each combination of filters, sort and page size, and records by slug: how many of all become files. */
  readonly firstPages: { readonly files: number; readonly of: number };
  /** The other files: later pages, and aliases by the product's id. */
  readonly others: { readonly pages: number; readonly byId: number };
  /** Files that the limits leave to the fallback: pages and records, and their aliases by the product's id. */
  readonly leftOut: { readonly pages: number; readonly byId: number };
}

/** One line per endpoint that the store offers; zeros for an endpoint that never has files. */
export function summarise(plan: WeighedPlan, config: PublicConfig): EndpointSummary[] {
  return ENDPOINTS.filter(({ path }) => offers(config, path)).map((endpoint) => {
    const own = plan.bands.filter(({ band }) => band.family.endpoint.path === endpoint.path);
    const kept = own.filter((planned) => planned.kept);
    const left = own.filter((planned) => !planned.kept);
    const bodies = (planned: WeighedPlan["bands"]) => planned.filter(({ band }) => band.form === "body");
    const sum = (planned: WeighedPlan["bands"], of: "files" | "sizeBytes" | "firstPages") =>
      planned.reduce((total, band) => total + band[of], 0);
    const leftPages = sum(bodies(left), "files");
    const [files, pages] = [sum(kept, "files"), sum(bodies(kept), "files")];
    const firstPages = sum(bodies(kept), "firstPages");
    return {
      endpoint: `/${endpoint.path}`,
      files,
      sizeBytes: sum(kept, "sizeBytes"),
      firstPages: { files: firstPages, of: sum(bodies(own), "firstPages") },
      others: { pages: pages - firstPages, byId: files - pages },
      leftOut: { pages: leftPages, byId: sum(left, "files") - leftPages },
    };
  });
}

export function leftOutBands({ bands }: Plan): LeftOutBand[] {
  return bands.filter(({ kept }) => !kept).map((band) => ({ name: bandName(band), files: band.files }));
}

/** A kind of answers that are left out, with the files and bytes that they would take. */
export interface LeftOutKind {
  readonly what: string;
  readonly files: number;
  readonly sizeBytes: number;
}

const KINDS: Readonly<Record<Family["kind"], string>> = {
  single: "single answers",
  detail: "details",
  list: "pages of lists",
  productList: "one product's reviews, releases and FAQs",
  narrowedProductList: "one product's reviews, releases and FAQs by a second filter or in another order",
};

/** The bands that are left out, grouped by kind, those with the most files first. */
export function leftOutKinds({ bands }: WeighedPlan): LeftOutKind[] {
  const kinds = new Map<string, LeftOutKind>();
  for (const { band, files, sizeBytes, kept } of bands) {
    if (kept) continue;
    const what = KINDS[band.family.kind] + (band.form === "link" ? ", by the product's id" : "");
    const before = kinds.get(what) ?? { files: 0, sizeBytes: 0 };
    kinds.set(what, { what, files: before.files + files, sizeBytes: before.sizeBytes + sizeBytes });
  }
  return [...kinds.values()].sort((a, b) => b.files - a.files);
}
