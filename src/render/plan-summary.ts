/** A plan by endpoint: what is files, what the fallback's, and how much of what is asked for first is a file. */
import type { PublicConfig } from "../api/config.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { formatCount } from "../base/log.ts";
import { type LeftOutBand, nameOf } from "./bands.ts";
import { type ChangeCosts, filesOf } from "./change-cost.ts";
import type { Plan } from "./plan.ts";

/** Price of 1,000 PUT requests in US dollars: S3 Standard, us-east-1. Others differ; the count is what counts. */
export const DOLLARS_PER_1000_PUTS = 0.005;

/** PUT requests that a bucket takes in a second: what one process of Ceph took here. Others differ. */
export const PUTS_PER_SECOND = 900;

/** More files than that for one product, and each change of one holds up the others: the plan warns. */
const MOST_PRODUCT_FILES = 5000;

/** The warning for a shop whose products cost too many files, and what to set; null where they do not. */
export function dearProduct({ product, productByPages }: ChangeCosts): { what: string; next: string } | null {
  const files = filesOf(product);
  if (files <= MOST_PRODUCT_FILES) return null;
  const less = productByPages.filter(({ cost }) => filesOf(cost) < 0.95 * files);
  const best = less.find(({ cost }) => filesOf(cost) <= MOST_PRODUCT_FILES) ?? less.at(-1);
  const details = "lower grid.depth or grid.maxFiles, or give its category fewer products.";
  return {
    what: `A product that comes or goes changes about ${formatCount(files)} files, more than ${formatCount(MOST_PRODUCT_FILES)}`,
    next:
      best === undefined
        ? `Each product says how many its category has: ${details}`
        : `"grid": {"pages": ${best.pages}} makes that about ${formatCount(filesOf(best.cost))}; or ${details}`,
  };
}

/** What an upload of so many files costs. */
export function uploadDollarsOf(files: number): number {
  return (files / 1000) * DOLLARS_PER_1000_PUTS;
}

export interface EndpointSummary {
  /** As asked for: `/products`. */
  readonly endpoint: string;
  readonly files: number;
  readonly sizeBytes: number;
  /** First pages of each combination of filters, sort and page size, and records by slug: how many are files. */
  readonly firstPages: { readonly files: number; readonly of: number };
  /** Files that the ceiling leaves to the fallback: pages and records, and their aliases by the product's id. */
  readonly leftOut: { readonly pages: number; readonly byId: number };
}

/** A line for each endpoint that the store offers; one of which nothing is ever a file has zeros. */
export function summarise(plan: Plan, config: PublicConfig): EndpointSummary[] {
  return ENDPOINTS.filter(({ path }) => path === "" || config.endpoints.some((one) => one === path)).map(
    (endpoint) => {
      const own = plan.bands.filter(({ band }) => band.family.endpoint.path === endpoint.path);
      const kept = own.filter((planned) => planned.kept);
      const left = own.filter((planned) => !planned.kept);
      const bodies = (planned: Plan["bands"]) => planned.filter(({ band }) => band.form === "body");
      const sum = (planned: Plan["bands"], of: "files" | "sizeBytes" | "firstPages") =>
        planned.reduce((total, band) => total + band[of], 0);
      const leftPages = sum(bodies(left), "files");
      return {
        endpoint: `/${endpoint.path}`,
        files: sum(kept, "files"),
        sizeBytes: sum(kept, "sizeBytes"),
        firstPages: { files: sum(bodies(kept), "firstPages"), of: sum(bodies(own), "firstPages") },
        leftOut: { pages: leftPages, byId: sum(left, "files") - leftPages },
      };
    },
  );
}

export function leftOutBands({ bands }: Plan): LeftOutBand[] {
  return bands.filter(({ kept }) => !kept).map((band) => ({ name: nameOf(band), files: band.files }));
}
