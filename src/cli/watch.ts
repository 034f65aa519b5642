/** `vitrine watch` */
import { type Command, Option } from "commander";
import { formatCount, type Log } from "../base/log.ts";
import { failureCode } from "../base/step-metrics.ts";
import type { BuildReport } from "../build/report.ts";
import type { WatchFailure, WatchPorts } from "../build/watch.ts";
import { guardAddresses } from "../publish/local-address.ts";
import type { PublishReport } from "../publish-snapshot.ts";
import { leftOutLines, missedLine } from "./build-summary.ts";
import { describeError, tellError } from "./errors.ts";
import { addInputOptions, addShrinkOption, type BuildFlags, decimalSeconds, resolveBuild } from "./inputs.ts";
import { onInterrupt, untilInterrupted } from "./interrupt.ts";
import { addMetricsFileOption, MetricsFile } from "./metrics.ts";
import { reportLines } from "./publish.ts";
import {
  addLocalOption,
  addReleaseOptions,
  addStoreOptions,
  type PublishFlags,
  publishOptions,
} from "./remote.ts";
import { runByShell } from "./shell.ts";
import { printSummary, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine watch --store shop.sqlite
  vitrine watch --to s3://shop-api --purge cloudfront:E1ABCDEFGHIJKL --at-most-every 10
  vitrine watch --then 'rsync -a --delete out/site/ edge.example:/srv/www/'
  vitrine watch --once --to file:///srv/www/shop-api`;

interface WatchFlags extends BuildFlags, Omit<PublishFlags, "to" | "dryRun" | "allowShrink" | "json"> {
  readonly to?: string;
  readonly then?: string;
  readonly settle: number;
  readonly atMostEvery: number;
  readonly poll: number;
  readonly once?: true;
  readonly metricsFile?: string;
}

/** Says what happens: a JSON object a line for machines, lines for people. */
function teller(json: boolean, log: Log) {
  const tell = (event: string, facts: object, lines: readonly string[]) =>
    printSummary(json, { event, at: new Date().toISOString(), ...facts }, lines);
  let toldLeftOut = "";
  let toldHeld = "";
  return {
    watching: (store: string, out: string) => tell("watching", { store, out }, [`watching ${store}`]),
    built(report: BuildReport) {
      const { files, written, deleted, work, seconds, missed } = report;
      if (missed.length > 0) log.info(missedLine(missed));
      const leftToFallback = report.leftToFallback.map(({ name }) => name);
      const took = seconds.extract + seconds.render + seconds.commit;
      const line =
        `built in ${took.toFixed(2)} s: ${formatCount(written)} written, ${formatCount(deleted)} deleted ` +
        `of ${formatCount(files)} files`;
      // Told again only where it is another: a change of a price is no news of a bad address.
      const leftOut = leftOutLines(report);
      const news = leftOut.join("\n") === toldLeftOut ? [] : leftOut;
      toldLeftOut = leftOut.join("\n");
      tell("build", { ...report, leftToFallback }, [...(work === "none" ? [] : [line]), ...news]);
    },
    published: (report: PublishReport) => tell("publish", report, reportLines(report)),
    ran: (command: string) => tell("then", { command }, []),
    failed({ step, error, retrySeconds }: WatchFailure) {
      const code = failureCode(error);
      const message = describeError(error);
      // A rollback may hold for days: told to people once.
      const isToldHold = code === "release_held" && message === toldHeld;
      if (code === "release_held") toldHeld = message;
      if (!json && !isToldHold) tellError(error, step);
      if (!isToldHold)
        log.info(`trying again when the store changes, at the latest in ${Math.ceil(retrySeconds)} s`);
      tell("failed", { step, code, message, retrySeconds }, []);
    },
  };
}

type Teller = ReturnType<typeof teller>;

/** What follows a build: the snapshot is published, or handed to a command. */
function publisherOf(
  flags: WatchFlags,
  out: string,
  log: ReturnType<typeof terminalLog>,
  tell: Teller,
  metrics: MetricsFile,
): () => Promise<void> {
  const { to, then, json, allowShrink = 0 } = flags;
  if (then !== undefined) {
    return async () => {
      await metrics.run("publish", () => runByShell(then, json === true));
      tell.ran(then);
    };
  }
  if (to === undefined) return async () => {};
  const options = { ...publishOptions({ ...flags, to, allowShrink }, log), out };
  return async () => {
    const { publish } = await import("../publish-snapshot.ts");
    const work = () => untilInterrupted((signal) => publish({ ...options, signal }));
    tell.published(await metrics.publish(work).finally(() => log.done()));
  };
}

async function watch(flags: WatchFlags): Promise<void> {
  const [{ residentBuilder, runBuild }, { watchStore }] = await Promise.all([
    import("./stages.ts"),
    import("../build/watch.ts"),
  ]);
  const inputs = await resolveBuild(flags);
  if (flags.to !== undefined && flags.allowLocal !== true) guardAddresses(inputs.config, flags.to);
  const log = terminalLog(flags.json === true);
  const tell = teller(flags.json === true, log);
  const publishes = flags.to !== undefined || flags.then !== undefined;
  const metrics = new MetricsFile(flags.metricsFile, publishes ? ["build", "publish"] : ["build"]);
  const publish = publisherOf(flags, inputs.out, log, tell, metrics);
  if (flags.once === true) {
    const work = () => runBuild(inputs, log);
    const report = await metrics.build(work).finally(() => log.done());
    tell.built(report);
    if (report.missed.length > 0) process.exitCode = 1;
    return publish();
  }
  const { refuseUnconfirmed } = await import("../extract/allow-list.ts");
  refuseUnconfirmed(inputs.queries);
  metrics.stayAlive();
  // Added first, so done last: whatever is under way then has been ended as its own step says.
  onInterrupt(() => process.exit(0));
  tell.watching(inputs.store, inputs.out);
  const resident = residentBuilder(inputs, log);
  const build: WatchPorts["build"] = (now) => metrics.build(() => resident(now)).finally(() => log.done());
  const { settle: settleSeconds, atMostEvery: atMostEverySeconds, poll: pollSeconds } = flags;
  const rules = { settleSeconds, atMostEverySeconds, pollSeconds };
  await watchStore(inputs.store, { ...tell, build, publish }, rules, new AbortController().signal);
}

export function addWatch(program: Command): void {
  const command = program
    .command("watch")
    .description("build when the store changes, and when the clock alone changes an answer; then publish");
  addInputOptions(command)
    .option("--settle <seconds>", "how long to wait after a change for others to come", decimalSeconds, 0.2)
    .option("--at-most-every <seconds>", "least time from one build to the next", decimalSeconds, 1)
    .option("--poll <seconds>", "how often a store on a server is asked what changed", decimalSeconds, 30)
    .option("--once", "build, publish and end: for schedulers")
    .addOption(new Option("--then <command>", "what the shell runs after a build that changed something"))
    .addOption(
      new Option("--to <place>", "publish there instead: s3://BUCKET/PREFIX or file:///FOLDER").conflicts(
        "then",
      ),
    );
  addMetricsFileOption(addLocalOption(addReleaseOptions(addStoreOptions(addShrinkOption(command)))))
    .option("--json", "print what happens as JSON, an object a line")
    .addHelpText("after", EXAMPLES)
    .action(watch);
}
