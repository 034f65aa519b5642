/** A thread that renders: opens the catalog for itself, counts lists for the plan, and stages the files of each task. */
import { workerData } from "node:worker_threads";
import { itemAt } from "../base/item-at.ts";
import { answerMessages } from "../base/thread-pool.ts";
import type { MetaTime } from "../base/time.ts";
import { type AllRowLists, openCatalog } from "../catalog/catalog.ts";
import type { FragmentCopies } from "../catalog/fragment-copy.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { openManifest } from "../snapshot/manifest.ts";
import { SnapshotPart, type StagedPart } from "../snapshot/staging.ts";
import { type Tally, tallyGroups } from "./groups.ts";
import { type BandWeights, countedFamilies, planFromBands } from "./plan.ts";
import { createRenderer, type RenderTask } from "./render.ts";

export interface RenderData {
  readonly layout: OutLayout;
  readonly fragments: FragmentCopies;
  readonly rowLists: AllRowLists;
  /** False where the snapshot is the first one. */
  readonly hasPrevious: boolean;
  readonly now: MetaTime;
}

/** First what is to be counted, by its place among {@link countedFamilies}; then the plan, by its bands; then tasks. */
export type RenderOrder =
  | { readonly count: number }
  | { readonly bands: BandWeights }
  /** `place`: from 0. */
  | { readonly task: RenderTask; readonly place: number };

export interface RenderAnswer {
  readonly tallies?: ReadonlyMap<number, Tally>;
  readonly staged?: StagedPart;
}

const { layout, fragments, rowLists, hasPrevious, now } = workerData as RenderData;
const catalog = openCatalog(layout.nextCatalog, { fragments, rowLists });
const previous = hasPrevious ? openManifest(layout.manifest) : null;
const counted = countedFamilies(catalog.config);
let render: ReturnType<typeof createRenderer> | undefined;
answerMessages((order: RenderOrder): RenderAnswer => {
  if ("count" in order) return { tallies: tallyGroups(catalog, itemAt(counted, order.count)) };
  if ("bands" in order) {
    render = createRenderer(catalog, planFromBands(catalog.config, order.bands));
    return {};
  }
  const part = new SnapshotPart(layout, previous, now, order.place);
  render?.(order.task, part);
  return { staged: part.staged };
});
