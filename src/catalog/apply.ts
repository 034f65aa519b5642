/** Changes of rows → a catalog that has them: by a build that is repaired, by a fallback. */
import { VitrineError } from "../base/error.ts";
import type { ResourceName } from "./resources.ts";
import type { CatalogRow, ListRow } from "./row.ts";
import type { CatalogWriter, PutOutcome } from "./writer.ts";

/** `listed`: only the list part of an existing row changes. */
export type RowChange =
  | { readonly resource: ResourceName; readonly put: CatalogRow }
  | { readonly resource: ResourceName; readonly listed: ListRow }
  | { readonly resource: ResourceName; readonly deleted: number };

/** What a catalog becomes. */
export interface CatalogStep {
  /** Content digests. */
  readonly from: string;
  readonly to: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly generatedAt: string;
}

function applyRow(writer: CatalogWriter, change: RowChange): PutOutcome | boolean {
  if ("put" in change) return writer.put(change.resource, change.put);
  if ("listed" in change) return writer.putListPart(change.resource, change.listed);
  return writer.delete(change.resource, change.deleted);
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
  const waiting: RowChange[] = [];
  for (const change of changes) {
    if (typeof applyRow(writer, change) === "object") waiting.push(change);
  }
  for (const change of waiting) applyRow(writer, change);
  const found = writer.finish(step.meta, step.generatedAt);
  if (found === step.to) return true;
  throw new VitrineError(
    "delta_refused",
    `The delta does not lead to the catalog ${step.to.slice(0, 12)} that it names: it is damaged. Nothing was changed.`,
  );
}
