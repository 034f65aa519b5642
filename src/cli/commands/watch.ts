/** `vitrine watch` */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CLOCK } from "../../base/clock.ts";
import { messageOf, VitrineError } from "../../base/error.ts";
import { counted, formatCount, type Log } from "../../base/log.ts";
import { failureCode } from "../../base/metrics.ts";
import { toSqlTime } from "../../base/time.ts";
import type { ResourceName } from "../../catalog/resources.ts";
import type { BuildReport } from "../../pipeline/build-report.ts";
import type { PublishReport } from "../../pipeline/publish.ts";
import type { WatchFailure, WatchPorts } from "../../pipeline/watch.ts";
import type { ObjectsCount } from "../../publish/lost-objects.ts";
import { leftOutLines, NAMES, notPublicLines } from "../build-summary.ts";
import { describeError, printError } from "../errors.ts";
import { FORCE_FLAG, INPUT_FLAGS, resolveBuild, SHRINK_FLAG } from "../inputs.ts";
import { METRICS_FLAG, MetricsFile } from "../metrics.ts";
import { describeMissing } from "../missing-objects.ts";
import {
  byDefault,
  commandOf,
  type Flag,
  type Flags,
  flag,
  negated,
  rare,
  seconds,
  text,
} from "../options.ts";
import {
  FIRST_FLAG,
  LOCAL_FLAGS,
  publishOptions,
  RELEASE_FLAGS,
  SERVICE_FLAGS,
  TO_FLAG,
  withPlace,
} from "../remote.ts";
import { untilStopped } from "../stop.ts";
import { printSummary, RenewedLine, terminalLog } from "../terminal.ts";
import { reportLines } from "./publish.ts";

const FLAGS = {
  ...INPUT_FLAGS,
  ...TO_FLAG,
  // biome-ignore lint/suspicious/noThenProperty: it is the name of the flag, not a function
  then: {
    ...text("<command>", "run this in a shell after a build that changed something, instead of publishing"),
    conflicts: "to",
  } as Flag<string | undefined>,
  publish: rare(negated("only build, even if the configuration has `to`")),
  once: flag("build, publish and end: for schedulers"),
  atMostEvery: byDefault(seconds("shortest time from one build to the next"), 1),
  settle: rare(byDefault(seconds("how long to wait after a change for further ones"), 0.2)),
  every: rare(
    seconds(
      "how often to run changed.sql (default: 1); without it, how often to read a server's rows (default: 30)",
    ),
  ),
  ...SHRINK_FLAG,
  ...FORCE_FLAG,
  ...SERVICE_FLAGS,
  ...RELEASE_FLAGS,
  ...FIRST_FLAG,
  ...LOCAL_FLAGS,
  ...METRICS_FLAG,
  json: flag("print each event as a line of JSON"),
};

export const addWatch = commandOf(
  {
    name: "watch",
    does: "build and publish whenever the store changes or a sale begins",
    flags: FLAGS,
    examples: [
      "vitrine watch --store shop.sqlite",
      "vitrine watch --to s3://shop-api --purge cloudfront:E1ABCDEFGHIJKL --at-most-every 10",
      "vitrine watch --once --to file:///srv/www/shop-api",
      "vitrine watch --then 'rsync -a --delete out/site/ edge.example:/srv/www/'",
    ],
  },
  watch,
);

type GivenFlags = Flags<typeof FLAGS>;

async function watch(given: GivenFlags): Promise<void> {
  // Without a listener, the signal would end the process.
  let isAsked = false;
  process.on("SIGUSR2", () => {
    isAsked = true;
  });
  const isOnlyBuilt = given.publish === false || given.then !== undefined;
  const flags = isOnlyBuilt ? { ...given, to: undefined } : await withPlace(given, true);
  const inputs = await resolveBuild(flags);
  const publishes = flags.to !== undefined || flags.then !== undefined;
  const notes = terminalLog(flags.json === true);
  const log: typeof notes = {
    ...notes,
    info(message) {
      events.end();
      notes.info(message);
    },
    warn(message) {
      events.end();
      notes.warn(message);
    },
  };
  const events = createEvents(flags.json === true, publishes, log);
  const metrics = new MetricsFile(flags.metricsFile, publishes ? ["build", "publish"] : ["build"]);
  if (flags.once === true) {
    const { buildOnce, watchOnce } = await import("../../pipeline/once.ts");
    const ports = {
      built: events.built,
      build: () => metrics.run("build", () => buildOnce(inputs, log)).finally(() => log.done()),
      publish: publisherOf(flags, inputs.out, log, events, metrics),
      countObjects: counterOf(flags, inputs.out, log, events, metrics),
    };
    return watchOnce(inputs, ports, flags).finally(() => events.end());
  }
  metrics.stayAlive();
  const [{ runBuild }, { watchStore }] = await Promise.all([
    import("../../pipeline/build.ts"),
    import("../../pipeline/watch.ts"),
  ]);
  const stop = new AbortController();
  let mayBeCutOff = false;
  void untilStopped().then(() => {
    log.done();
    events.end();
    stop.abort();
    // A build is cut off: the next one repairs what it left. A count only reads. A publish ends by itself and releases its lock.
    if (mayBeCutOff) process.exit(0);
  });
  events.watching(inputs.store, inputs.out);
  const count = counterOf(flags, inputs.out, log, events, metrics);
  const build: WatchPorts["build"] = async (now, saw) => {
    mayBeCutOff = true;
    try {
      const work = () => runBuild({ ...inputs, now: toSqlTime(now) }, log, stop.signal, saw);
      const report = await metrics.run("build", work);
      // A build may compute without a pause: a signal that came meanwhile arrives within two turns of the event loop.
      await nextTurn();
      await nextTurn();
      return report;
    } finally {
      mayBeCutOff = false;
      log.done();
    }
  };
  const ports: Parameters<typeof watchStore>[1] = {
    ...events,
    build,
    publish: publisherOf(flags, inputs.out, log, events, metrics, stop.signal),
    async countObjects() {
      mayBeCutOff = true;
      await count().finally(() => {
        mayBeCutOff = false;
      });
    },
    failed(failure) {
      if (!stop.signal.aborted) events.failed(failure);
    },
    live(freshSeconds) {
      if (publishes) metrics.live(freshSeconds);
    },
    missed(files) {
      metrics.missed();
      events.missed(files);
    },
    isAsked() {
      const is = isAsked;
      isAsked = false;
      return is;
    },
  };
  const { settle: settleSeconds, atMostEvery: atMostEverySeconds, every: everySeconds } = flags;
  const { to, allowLocal } = flags;
  const rules = { settleSeconds, atMostEverySeconds, everySeconds, to, allowLocal };
  await watchStore(inputs, ports, rules, stop.signal);
}

/** Without `publish`, which the library's options do not have: `to` says whether to publish. */
type WatchFlags = Omit<GivenFlags, "publish">;

/** Counts from time to time whether the place has lost objects. */
function counterOf(
  { to, ...flags }: WatchFlags,
  out: string,
  log: Log,
  events: Events,
  metrics: MetricsFile,
): () => Promise<void> {
  if (to === undefined) return async () => {};
  const options = { ...publishOptions({ ...flags, to }, log), out };
  return async () => {
    const { countObjectsAt } = await import("../../pipeline/publish.ts");
    const count = await countObjectsAt(options);
    if (count === null) return;
    metrics.counted(count);
    events.counted(count, to);
  };
}

/** What follows a build: a publish, which the signal ends, or a command. */
function publisherOf(
  flags: WatchFlags,
  out: string,
  log: ReturnType<typeof terminalLog>,
  events: Events,
  metrics: MetricsFile,
  signal?: AbortSignal,
): () => Promise<void> {
  const { to, then, json } = flags;
  if (then !== undefined) {
    return async () => {
      await metrics.run("publish", () => runByShell(then, json === true));
      events.ran(then);
    };
  }
  if (to === undefined) return async () => {};
  const options = { ...publishOptions({ ...flags, to }, log), out, signal };
  return async () => {
    const { publishFolder } = await import("../../pipeline/publish.ts");
    events.published(await metrics.publish(() => publishFolder(options)).finally(() => log.done()));
  };
}

type Events = ReturnType<typeof createEvents>;

/** Reports what happens: for machines a line of JSON for each event, for people a line for each build with its outcome. */
function createEvents(json: boolean, publishes: boolean, log: Log) {
  const line = new RenewedLine();
  const events = (event: string, facts: object, lines: readonly string[]) => {
    if (!json && lines.length > 0) line.end();
    printSummary(json, { event, at: CLOCK.now().toISOString(), ...facts }, lines);
  };
  /** The line of a build that is not published yet; it is printed with the outcome. */
  let pending = "";
  const show = (...outcome: readonly string[]) => {
    const parts = [pending, ...outcome].filter((part) => part !== "");
    if (!json && parts.length > 0) line.show(parts.join("; "));
    pending = "";
  };
  const news = new News();
  let lastStanding = "";
  /** The last failure of each step, until it succeeds. */
  const lastFailures = new Map<string, string>();
  let lastMissing = "";
  return {
    /** Call it before anything else is written. */
    end: () => line.end(),
    watching: (store: string, out: string) => events("watching", { store, out }, [`watching ${store}`]),
    built(report: BuildReport) {
      const { work, nextChangeAt, seconds } = report;
      const standing = standingFacts(report);
      const own = Object.entries(report).filter(([name]) => !Object.hasOwn(standing, name));
      // Most builds find no change: they repeat nothing of the last one.
      const facts = work === "none" ? { work, nextChangeAt, seconds } : Object.fromEntries(own);
      if (work !== "none") pending = builtLine(report);
      const lines = standingLines(report);
      const shown = lines.join("\n") === lastStanding ? [] : lines;
      lastStanding = lines.join("\n");
      lastFailures.delete("build");
      events("build", { ...facts, ...news.of(standing) }, shown);
      if (!publishes) show();
    },
    published(report: PublishReport) {
      lastFailures.delete("publish");
      // A purge may name thousands of addresses.
      const purges = report.purges.map(({ cdn, amount }) => ({ cdn, amount }));
      events("publish", { ...report, purges }, []);
      show(...reportLines(report));
    },
    /** Prints the same loss only once. */
    counted(count: ObjectsCount, to: string) {
      const missing = describeMissing(count, to) ?? "";
      if (missing !== lastMissing) {
        if (missing !== "") log.warn(missing);
        events("looked", count, []);
      }
      lastMissing = missing;
    },
    ran(command: string) {
      lastFailures.delete("publish");
      events("then", { command }, []);
      show(`ran ${command}`);
    },
    missed(files: readonly string[]) {
      const named = files.join(", ");
      log.warn(
        `rows of ${named} have changed, and changed.sql did not show it: add their tables to changed.sql`,
      );
      events("missed", { files }, []);
    },
    failed({ step, error, retrySeconds }: WatchFailure) {
      show();
      line.end();
      const code = failureCode(error);
      const message = describeError(error);
      // It may fail for days, as behind a rollback that holds or while the shop is closed: the text is printed once.
      const isSame = step !== "look" && lastFailures.get(step) === message;
      lastFailures.set(step, message);
      // A rollback may hold for days, and a snapshot may stay the older one.
      const isSameHold = isSame && (code === "release_held" || code === "older_snapshot");
      if (!json && !isSame) printError(error, step);
      const waits = `${Math.ceil(retrySeconds)} s`;
      const again = isSame ? `${step} failed again (${code}): ` : "";
      if (step === "look") log.warn(`reading all rows instead, every ${waits}`);
      else if (!isSameHold)
        log.warn(`${again}trying again when the store changes, at the latest in ${waits}`);
      events("failed", { step, code, ...(isSame ? {} : { message }), retrySeconds }, []);
    },
  };
}

/** Facts without those that had the same value the last time. */
class News {
  readonly #told = new Map<string, string>();

  of<Facts extends object>(facts: Facts): Partial<Facts> {
    const isNew = ([name, value]: readonly [string, unknown]) => {
      const text = JSON.stringify(value);
      const before = this.#told.get(name);
      this.#told.set(name, text);
      return text !== before;
    };
    return Object.fromEntries(Object.entries(facts).filter(isNew)) as Partial<Facts>;
  }
}

/** `2026-11-24T19:33:01Z 1 product, 2 reviews changed: built in 0.22 s, 34 written, 1 deleted of 12,983 files` */
function builtLine({ changed, files, written, deleted, seconds }: BuildReport): string {
  const took = seconds.extract + seconds.render + seconds.commit;
  const names = Object.entries(changed ?? {}) as [ResourceName, number][];
  const records = names.map(([name, count]) => counted(count, NAMES[name])).join(", ");
  const what = changed === null ? "everything" : records === "" ? "no record changed" : `${records} changed`;
  return (
    `${CLOCK.now().toISOString().slice(0, 19)}Z ${what}: built in ${took.toFixed(2)} s, ` +
    `${formatCount(written)} written, ${formatCount(deleted)} deleted of ${formatCount(files)} files`
  );
}

/** Lines to be printed only when they change: a new price says nothing new about a bad address. */
function standingLines(report: BuildReport): string[] {
  const { first, last } = notPublicLines(report.notPublic, report.records.product ?? 0);
  return [...first, ...leftOutLines(report), ...last];
}

/** What describes the whole shop: it may be long, and a usual change does not touch it. */
function standingFacts(report: BuildReport) {
  const { leftOut, wrong, shortened, notPublic, summary, feeds } = report;
  const leftToFallback = report.leftToFallback.map(({ name }) => name);
  return { leftOut, wrong, shortened, notPublic, summary, feeds, leftToFallback };
}

/**
 * Runs a command in a shell and shows its output; on standard error if standard output is for machines.
 * @throws VitrineError command_failed, with the exit code that a shell gives
 */
async function runByShell(command: string, isForMachines: boolean): Promise<void> {
  const code = await exitCodeOf(command, isForMachines);
  if (code === 0) return;
  throw new VitrineError("command_failed", `\`${command}\` ended with exit code ${code}.`, {
    exitCode: code,
  });
}

function exitCodeOf(command: string, isForMachines: boolean): Promise<number> {
  const output = isForMachines ? process.stderr : "inherit";
  const child = spawn(command, { shell: true, stdio: ["ignore", output, "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(
        new VitrineError("command_failed", `Cannot run \`${command}\`: ${messageOf(error)}.`, {
          cause: error,
        }),
      );
    });
    child.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
  });
}
