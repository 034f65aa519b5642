/** What a whole build makes otherwise than the deltas before it did: kept, so that the fault can be found. */
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE } from "../base/modes.ts";
import type { OutLayout } from "./layout.ts";
import type { Difference } from "./report.ts";
import type { NextSnapshot } from "./writer.ts";

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** Beyond this many keys only the keys are named, without bodies. */
const MOST_BODIES = 1000;

/**
 * Null where there is none. `catalogs`: the content digests, as the deltas made it and as it is made from the whole store.
 */
export function keepDifference(
  layout: OutLayout,
  next: NextSnapshot,
  catalogs: { readonly before: string; readonly after: string },
): Difference | null {
  rmSync(layout.difference, { force: true });
  let keys = 0;
  const keep = (line: object) =>
    appendFileSync(layout.difference, `${JSON.stringify(line)}\n`, { mode: PRIVATE_FILE });
  if (catalogs.before !== catalogs.after) keep({ catalog: catalogs });
  for (const { key, path } of next.changes()) {
    keys += 1;
    const bodies = keys > MOST_BODIES ? {} : { before: textOf(join(layout.site, key)), after: textOf(path) };
    keep({ key, ...bodies });
  }
  for (const key of next.deletions) {
    keys += 1;
    keep({ key, ...(keys > MOST_BODIES ? {} : { before: textOf(join(layout.site, key)) }), after: null });
  }
  const differs = keys > 0 || catalogs.before !== catalogs.after;
  return differs ? { file: layout.difference, keys } : null;
}
