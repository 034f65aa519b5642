/** `vitrine mirror` */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../base/error.ts";
import { counted, formatBytes, formatCount, type Log } from "../../base/log.ts";
import type { Asking } from "../../mirror/http.ts";
import type { SyncReport } from "../../mirror/sync.ts";
import { layoutOf } from "../../snapshot/layout.ts";
import { JSON_FLAG, listenFlags } from "../inputs.ts";
import { byDefault, commandOf, DAY_SECONDS, type Flag, type Flags, flag, text, whole } from "../options.ts";
import { untilStopped } from "../server.ts";
import { printSummary, terminalLog } from "../terminal.ts";

const FLAGS = {
  from: {
    ...text("<url>", "the shop's API, https://shop.example/api/v1, or a folder that its files stand in"),
    isRequired: true,
  } as Flag<string>,
  to: {
    ...text("<folder>", "where the mirror stands: catalog.sqlite, and site/bulk as the shop has it"),
    isRequired: true,
  } as Flag<string>,
  every: whole("<seconds>", "go on until told to stop: look for changes so often", 1, DAY_SECONDS),
  serve: flag("answer the API from the mirror, search included, until told to stop"),
  ...listenFlags(8080),
  concurrency: byDefault(whole("<number>", "files that are fetched at once", 1, 64), 4),
  ...JSON_FLAG,
};

type MirrorFlags = Flags<typeof FLAGS>;

function linesOf({ isChanged, records, put, deleted, buckets, fetchedBytes }: SyncReport): string[] {
  const held = counted(
    Object.values(records).reduce((sum, count) => sum + count, 0),
    ["record"],
  );
  if (!isChanged) return [`nothing is new: ${held}`];
  return [
    `${held}: ${formatCount(put)} put, ${formatCount(deleted)} deleted; ` +
      `${counted(buckets, ["bucket"])} fetched, ${formatBytes(fetchedBytes)} in all`,
  ];
}

async function mirrorOnce({ from, to, concurrency }: MirrorFlags, log: Log, asking: Partial<Asking> = {}) {
  const [{ MirrorFolder }, { openRemote }, { sync }] = await Promise.all([
    import("../../mirror/folder.ts"),
    import("../../mirror/http.ts"),
    import("../../mirror/sync.ts"),
  ]);
  const remote = openRemote(from, asking);
  using folder = new MirrorFolder(to);
  const pause = (round: number) => sleep(1000 * 2 ** round, undefined, { signal: asking.stop });
  return await sync(remote, folder, { log, concurrency, pause });
}

/** Looks for changes until it is told to stop, at once if something is held by now. What fails is tried again then. */
async function follow(flags: MirrorFlags, { info }: Log, stop: AbortSignal): Promise<void> {
  const log = { info, progress: () => undefined };
  while (!stop.aborted) {
    try {
      const report = await mirrorOnce(flags, log, { stop });
      if (report.isChanged) printSummary(flags.json === true, report, linesOf(report));
    } catch (error) {
      if (!stop.aborted) info(messageOf(error));
    }
    if (flags.every === undefined) return;
    await sleep(flags.every * 1000, undefined, { signal: stop }).catch(() => undefined);
  }
}

async function serveMirror({ to, host, port, maxConnections }: MirrorFlags): Promise<void> {
  const { serveSnapshot } = await import("./serve.ts");
  await serveSnapshot({
    ...{ out: to, config: undefined, host, port, maxConnections },
    ...{ rateLimit: true, trustProxy: undefined, media: undefined, open: undefined },
  });
}

async function mirror(flags: MirrorFlags): Promise<void> {
  const log = terminalLog(flags.json === true);
  const goesOn = flags.serve === true || flags.every !== undefined;
  // What is held is served and followed also while the shop is not to be reached.
  if (!goesOn || !existsSync(layoutOf(flags.to).catalog)) {
    const report = await mirrorOnce(flags, log).finally(() => log.done());
    printSummary(flags.json === true, report, linesOf(report));
  }
  if (!goesOn) return;
  const stop = new AbortController();
  const following = follow(flags, log, stop.signal);
  await (flags.serve === true ? serveMirror(flags) : untilStopped()).finally(() => stop.abort());
  await following;
}

export const addMirror = commandOf(
  {
    name: "mirror",
    does: "hold all records of a shop with feeds.bulk in a folder: fetch what changed, serve what is held",
    flags: FLAGS,
    examples: [
      "vitrine mirror --from https://shop.example/api/v1 --to mirror",
      "vitrine mirror --from https://shop.example/api/v1 --to mirror --every 60 --serve",
      "vitrine fallback --catalog mirror/catalog.sqlite",
    ],
  },
  mirror,
);
