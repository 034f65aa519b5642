/** The stages again and again: a store's snapshot, kept up to date. */
import { SILENT } from "../base/log.ts";
import { toSqlTime } from "../base/time.ts";
import { type BuildOptions, checkOptions, resolveInputs } from "../config/inputs.ts";
import { refuseUnconfirmed } from "../extract/allow-list.ts";
import { isServerAddress } from "../extract/stores/address.ts";
import { glanceAt } from "../extract/stores/sqlite-stamp.ts";
import { Builder } from "./build.ts";
import type { BuildReport } from "./report.ts";
import { ServerLook } from "./server-look.ts";
import { type WatchFailure, type WatchPorts, type WatchRules, WatchRun } from "./watch-run.ts";

export type { WatchFailure } from "./watch-run.ts";

export interface WatchOptions extends Omit<BuildOptions, "now" | "full"> {
  /** How long to wait after a change: what comes meanwhile is the same build. Default: 0.2. */
  readonly settleSeconds?: number | undefined;
  /** Least time from one build to the next. Default: 1. */
  readonly atMostEverySeconds?: number | undefined;
  /**
   * How often a build asks a store on a server what changed; where changes are captured, it is looked at every second, too. A
   * file is looked at all the time. Default: 30.
   */
  readonly pollSeconds?: number | undefined;
  /** Makes the snapshot live: after the first build, and after each that changed something; again where it failed. */
  readonly publish?: ((report: BuildReport) => Promise<void>) | undefined;
  /** Is told of each build. */
  readonly built?: ((report: BuildReport) => void) | undefined;
  /** Is told of each build and publish that failed; the watch goes on. */
  readonly failed?: ((failure: WatchFailure) => void) | undefined;
  /** Ends the watch; a build or publish that is under way is waited for. */
  readonly signal?: AbortSignal | undefined;
}

const WATCH_OPTIONS: Readonly<Record<Exclude<keyof WatchOptions, keyof BuildOptions>, true>> = {
  ...{ settleSeconds: true, atMostEverySeconds: true, pollSeconds: true, signal: true },
  ...{ publish: true, built: true, failed: true },
};

/** When to look, and when to build. */
export interface StoreRules extends WatchRules {
  readonly pollSeconds: number;
}

/** Watches a store by ports that are made already. */
export async function watchStore(
  store: string,
  ports: Omit<WatchPorts, "look">,
  { pollSeconds, ...rules }: StoreRules,
  signal: AbortSignal,
): Promise<void> {
  const server = isServerAddress(store) ? new ServerLook(store, pollSeconds) : null;
  const look = server === null ? () => glanceAt(store) : () => server.look();
  try {
    await new WatchRun({ ...ports, look }, rules).run(signal);
  } finally {
    await server?.close();
  }
}

/**
 * Keeps a store's snapshot up to date, until its signal is aborted. Builds and publishes that fail are told and tried again.
 * @throws VitrineError config_invalid, usage, not_confirmed
 */
export async function watch(options: WatchOptions): Promise<void> {
  checkOptions(options, WATCH_OPTIONS);
  const inputs = await resolveInputs(options);
  refuseUnconfirmed(inputs.queries);
  const builder = new Builder();
  const ports = {
    build: (now: Date) => builder.build({ ...inputs, now: toSqlTime(now) }, options.log ?? SILENT),
    publish: async (report: BuildReport) => options.publish?.(report),
    built: (report: BuildReport) => options.built?.(report),
    failed: (failure: WatchFailure) => options.failed?.(failure),
  };
  const { settleSeconds = 0.2, atMostEverySeconds = 1, pollSeconds = 30 } = options;
  const rules = { settleSeconds, atMostEverySeconds, pollSeconds };
  try {
    await watchStore(inputs.store, ports, rules, options.signal ?? new AbortController().signal);
  } finally {
    builder.close();
  }
}
