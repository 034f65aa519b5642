/** A catalog for scripts: answers requests as the fallback does, without a server. */
import { toTarget } from "../api/target.ts";
import * as catalogs from "../catalog/catalog.ts";
import { answerTarget } from "./answer.ts";

export interface CatalogResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON: a `SuccessResponse` of `vitrine/api`, or an `ErrorResponse`. */
  readonly body: string;
}

export interface OpenCatalog {
  /** When the catalog's content last changed. */
  readonly generatedAt: string;
  /** SHA-256 of the content, hexadecimal; equal data has an equal digest. */
  readonly digest: string;
  /** The API's answer to a GET of a path below its base address, `/products?category=scripts`, or of a whole address. */
  get(address: string): CatalogResponse;
  close(): void;
}

/** Opens `catalog.sqlite` of an output folder. It must be closed. @throws VitrineError catalog_unreadable */
export function openPublicCatalog(file: string): OpenCatalog {
  const catalog = catalogs.openCatalog(file);
  return {
    generatedAt: catalog.generatedAt,
    digest: catalog.digest,
    get(address) {
      const { status, headers, body } = answerTarget(catalog, toTarget(address, catalog.config.baseUrl));
      return { status, headers, body: body.toString("utf8") };
    },
    close: () => catalog.close(),
  };
}
