/** What a server says of itself to those who decide whether it is asked, restarted or left alone. */
import { JSON_TYPE } from "../api/responses.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ApiResponse } from "./answer.ts";

/** It lives: 200 as long as it answers at all. */
export const HEALTH_PATH = "/healthz";
/** It is to be asked: its catalog can be read, is not too old, and it is not about to stop. */
export const READY_PATH = "/readyz";

export interface Readiness {
  readonly isDraining: boolean;
  /** Seconds since what is followed was last looked at with success. */
  readonly pollAgeSeconds: number;
  readonly mostPollAgeSeconds: number;
}

function response(status: number, said: object): ApiResponse {
  const headers = { "Content-Type": JSON_TYPE, "Cache-Control": "no-store" };
  return { status, headers, body: Buffer.from(JSON.stringify(said)), key: null, source: "none" };
}

function about(catalog: Catalog): object {
  return { release: catalog.digest.slice(0, 12), catalog_generated_at: catalog.generatedAt };
}

export function healthResponse(catalog: Catalog): ApiResponse {
  return response(200, { status: "ok", ...about(catalog) });
}

/** 503 where others should be asked, and why. */
export function readyResponse(
  catalog: Catalog,
  { isDraining, pollAgeSeconds, mostPollAgeSeconds }: Readiness,
  failed: (error: unknown, target: string) => void,
): ApiResponse {
  const facts = { ...about(catalog), poll_age_seconds: Math.round(pollAgeSeconds) };
  if (isDraining) return response(503, { status: "draining", ...facts });
  try {
    catalog.probe();
  } catch (error) {
    failed(error, READY_PATH);
    return response(503, { status: "catalog_unreadable", ...facts });
  }
  return pollAgeSeconds > mostPollAgeSeconds
    ? response(503, { status: "poll_too_old", ...facts })
    : response(200, { status: "ok", ...facts });
}
