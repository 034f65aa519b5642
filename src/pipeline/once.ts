/** One build, and what follows it, for schedules and scripts: the stages are loaded only if something may have changed. */
import type { Log } from "../base/log.ts";
import type { BuildInputs } from "../config/inputs.ts";
import type { BuildReport } from "./build-report.ts";
import { guardStore } from "./own-folders.ts";
import { type Destination, guardAddresses } from "./policies.ts";
import { lookAhead } from "./previous.ts";

/** A build; of an untouched store in a tenth of a second. @throws VitrineError */
export async function buildOnce(inputs: BuildInputs, log: Log): Promise<BuildReport> {
  const untouched = lookAhead(inputs);
  if (untouched !== null) return untouched;
  log.progress(() => "extracting");
  const { buildSnapshot } = await import("./build.ts");
  return await buildSnapshot(inputs, log);
}

/** What a single run of a watch does, one after the other; a failure ends it. */
interface OncePorts {
  build(): Promise<BuildReport>;
  built(report: BuildReport): void;
  publish(report: BuildReport): Promise<void>;
  countObjects(): Promise<void>;
}

/** `vitrine watch --once`. @throws VitrineError of the step that failed */
export async function watchOnce(
  { store, config }: Pick<BuildInputs, "store" | "config">,
  ports: OncePorts,
  destination: Destination,
): Promise<void> {
  guardAddresses(config, destination);
  guardStore(store, destination.to);
  const report = await ports.build();
  ports.built(report);
  await ports.publish(report);
  await ports.countObjects();
}
