/** Changes of rows → a catalog that has them: by a build that is repaired, by a mirror, by a fallback. */
import { VitrineError } from "../base/error.ts";
import type { ResourceName } from "./resources.ts";
import type { CatalogRow } from "./row.ts";
import type { CatalogWriter } from "./writer.ts";

export type RowChange =
  | { readonly resource: ResourceName; readonly put: CatalogRow }
  | { readonly resource: ResourceName; readonly deleted: number };

/** What a catalog becomes. */
export interface CatalogStep {
  /** Content digests. */
  readonly from: string;
  readonly to: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly generatedAt: string;
}

/**
 * Applies changes within the writer's transaction, which is still to be committed. False where the catalog is at the end
 * of the step already: nothing is done then.
 * @throws VitrineError delta_refused where it is another base, or does not become what it should
 */
export function applyRows(writer: CatalogWriter, changes: Iterable<RowChange>, step: CatalogStep): boolean {
  const digest = writer.meta("digest");
  if (digest === step.to) return false;
  if (digest !== step.from) {
    throw new VitrineError(
      "delta_refused",
      `The delta is for the catalog ${step.from.slice(0, 12)}, and this one is ${digest?.slice(0, 12)}. Nothing was changed.`,
    );
  }
  // A row whose slug another one still has waits until that one has given it away.
  const waiting: (RowChange & { readonly put: CatalogRow })[] = [];
  for (const change of changes) {
    if ("deleted" in change) writer.delete(change.resource, change.deleted);
    else if (typeof writer.put(change.resource, change.put) === "object") waiting.push(change);
  }
  for (const { resource, put } of waiting) writer.put(resource, put);
  if (writer.finish(step.meta, step.generatedAt) === step.to) return true;
  throw new VitrineError(
    "delta_refused",
    `The delta does not lead to the catalog ${step.to.slice(0, 12)} that it names: it is damaged. Nothing was changed.`,
  );
}
