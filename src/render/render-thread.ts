/** A thread that renders: opens the catalog for itself, and stages the files of each task that it is given. */
import { workerData } from "node:worker_threads";
import { answerMessages } from "../base/thread-pool.ts";
import type { MetaTime } from "../base/time.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { FragmentCopies } from "../catalog/fragment-copy.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { openManifest } from "../snapshot/manifest.ts";
import { SnapshotPart, type StagedPart } from "../snapshot/staging.ts";
import { type BandFiles, planFromFiles } from "./plan.ts";
import { createRenderer, type RenderTask } from "./render.ts";

export interface RenderData {
  readonly layout: OutLayout;
  readonly fragments: FragmentCopies;
  /** The plan, by its bands. */
  readonly files: BandFiles;
  /** False where the snapshot is the first one. */
  readonly hasPrevious: boolean;
  readonly now: MetaTime;
}

export interface RenderOrder {
  readonly task: RenderTask;
  /** From 0. */
  readonly place: number;
}

const { layout, fragments, files, hasPrevious, now } = workerData as RenderData;
const catalog = openCatalog(layout.nextCatalog, { fragments });
const previous = hasPrevious ? openManifest(layout.manifest) : null;
const render = createRenderer(catalog, planFromFiles(catalog.config, files));
answerMessages(({ task, place }: RenderOrder): StagedPart => {
  const part = new SnapshotPart(layout, previous, now, place);
  render(task, part);
  return part.staged;
});
