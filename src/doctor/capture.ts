/** Whether the capture of a store, of any kind, does what it is to. */
import type { AllowListQuery } from "../extract/allow-list.ts";
import { captureStatus } from "../extract/capture/capture.ts";
import type { Ask, CaptureDialect } from "../extract/capture/dialect.ts";
import { type Found, ok, warning } from "./finding.ts";

/** What stands of the capture, where it does not do what it is to. */
export async function checkCapture(
  ask: Ask,
  dialect: CaptureDialect,
  queries: readonly AllowListQuery[],
): Promise<Found[]> {
  const { installed, refusal, gaps, faults } = await captureStatus(ask, dialect, queries);
  if (!installed && faults.length === 0) return [];
  const again = "vitrine capture install makes it anew; vitrine capture status tells all.";
  const told = [
    ...faults,
    ...(refusal === null ? [] : [`Builds can't use the capture and read all rows: ${refusal}`]),
    ...Object.entries(gaps).map(([table, gap]) => `Changes of ${table} are not written down: ${gap}`),
  ];
  return told.length === 0
    ? [ok("The capture writes down what changes")]
    : told.map((what) => warning(what, again));
}
