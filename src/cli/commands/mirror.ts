/** `vitrine mirror` */
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../base/error.ts";
import { formatBytes, formatCount, type Log } from "../../base/log.ts";
import type { SyncReport } from "../../mirror/sync.ts";
import { JSON_FLAG, listenFlags } from "../inputs.ts";
import { byDefault, commandOf, DAY_SECONDS, type Flag, type Flags, flag, text, whole } from "../options.ts";
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
  every: whole("<seconds>", "go on: look for changes so often", 1, DAY_SECONDS),
  serve: flag("answer the API from the mirror, search included, until told to stop"),
  ...listenFlags(8080),
  concurrency: byDefault(whole("<number>", "files that are fetched at once", 1, 64), 4),
  ...JSON_FLAG,
};

function linesOf({ isChanged, records, put, deleted, buckets, fetchedBytes }: SyncReport): string[] {
  const held = Object.values(records).reduce((sum, count) => sum + count, 0);
  if (!isChanged) return [`nothing is new: ${formatCount(held)} records`];
  return [
    `${formatCount(held)} records: ${formatCount(put)} put, ${formatCount(deleted)} deleted; ` +
      `${formatCount(buckets)} buckets fetched, ${formatBytes(fetchedBytes)} in all`,
  ];
}

async function mirrorOnce(flags: Flags<typeof FLAGS>, log: Log): Promise<void> {
  const [{ MirrorFolder }, { openRemote }, { sync }] = await Promise.all([
    import("../../mirror/folder.ts"),
    import("../../mirror/http.ts"),
    import("../../mirror/sync.ts"),
  ]);
  const remote = openRemote(flags.from);
  using folder = new MirrorFolder(flags.to);
  const pause = (round: number) => sleep(1000 * 2 ** round);
  const report = await sync(remote, folder, { log, concurrency: flags.concurrency, pause });
  printSummary(flags.json === true, report, linesOf(report));
}

/** Looks for changes again and again; what fails is tried again then. */
async function follow(flags: Flags<typeof FLAGS>, seconds: number, log: Log, signal: AbortSignal) {
  for (;;) {
    await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await mirrorOnce(flags, log).catch((error: unknown) => log.info(messageOf(error)));
  }
}

async function mirror(flags: Flags<typeof FLAGS>): Promise<void> {
  const log = terminalLog(flags.json === true);
  await mirrorOnce(flags, log).finally(() => log.done());
  const stopped = new AbortController();
  const following = flags.every === undefined ? null : follow(flags, flags.every, log, stopped.signal);
  if (flags.serve === true) {
    const { serveSnapshot } = await import("./serve.ts");
    const { host, port, maxConnections } = flags;
    await serveSnapshot({
      ...{ out: flags.to, config: undefined, host, port, maxConnections },
      ...{ rateLimit: true, trustProxy: undefined, media: undefined },
    });
    stopped.abort();
  }
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
