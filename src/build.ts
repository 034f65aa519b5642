/** The stages in a row: store → catalog → files, as a delta where that is enough, else anew. */
import { type Log, SILENT } from "./base/log.ts";
import { allCores, type Threads } from "./base/thread-pool.ts";
import { type BuildReport, BuildRun } from "./build-run.ts";
import { type BuildInputs, type BuildOptions, resolveInputs } from "./config/inputs.ts";
import { withOut } from "./snapshot/out.ts";

export type { BuildReport } from "./build-run.ts";

/** Builds a snapshot from inputs that are checked already. */
export function buildSnapshot(
  inputs: BuildInputs,
  log: Log,
  threads: Threads = allCores(),
): Promise<BuildReport> {
  return withOut(inputs.out, (layout) => new BuildRun(inputs, layout, log, threads).run());
}

/**
 * Builds a store's snapshot: its catalog and its files. On any error the present one is as it was.
 * @throws VitrineError
 */
export async function build(options: BuildOptions = {}): Promise<BuildReport> {
  return buildSnapshot(await resolveInputs(options), options.log ?? SILENT);
}
