/** `vitrine fallback` */
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { Log } from "../base/log.ts";
import { CONFIG_FILE } from "../config/inputs.ts";
import { addListenOptions, findOut } from "./inputs.ts";
import { addStoreOptions, openPlace } from "./remote.ts";
import { runServer } from "./server.ts";

interface FallbackFlags {
  readonly catalog?: string;
  readonly config?: string;
  readonly cache?: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly concurrency: number;
  readonly timeout: number;
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly targetHeader?: true;
  readonly quiet?: true;
}

const EXAMPLES = `
Examples:
  vitrine fallback --catalog out/catalog.sqlite
  vitrine fallback --catalog /srv/vitrine/catalog.sqlite --host 127.0.0.1 --port 8081
  vitrine fallback --catalog s3://shop-catalog/v1 --cache /var/cache/vitrine
  curl http://127.0.0.1:8081/healthz`;

/** A catalog on this machine, and what ends its following. */
interface LocalCatalog {
  readonly file: string;
  /** Says who is to be told of the files of the deltas that led to what the file is now. */
  onArrival(tell: (deltas: readonly string[]) => Promise<void>): void;
  stop(): void;
}

/** A file as it is; of a bucket or directory of releases, the live one's catalog in a file that follows it. */
async function bringCatalog(flags: FallbackFlags, log: Pick<Log, "info">): Promise<LocalCatalog> {
  const place = flags.catalog ?? (await findOut(flags)).catalog;
  if (!/^[a-z0-9]+:\/\//.test(place)) return { file: resolve(place), onArrival: () => {}, stop: () => {} };
  const [{ followRelease }, bucket] = await Promise.all([
    import("../publish/follow-release.ts"),
    openPlace({ ...flags, to: place }),
  ]);
  // Without a folder of its own a new one each time: a name that others could guess, they could fill.
  const folder = flags.cache ?? mkdtempSync(join(tmpdir(), "vitrine-"));
  const name = hash("sha256", place, "hex").slice(0, 16);
  const file = join(folder, `catalog-${name}.sqlite`);
  let tell = async (_: readonly string[]): Promise<void> => {};
  const followed = await followRelease(bucket, file, log, { arrived: ({ deltas }) => tell(deltas ?? []) });
  return {
    file,
    onArrival: (given) => {
      tell = given;
    },
    stop: () => {
      followed.stop();
      bucket.close?.();
      if (flags.cache === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function addFallback(program: Command): void {
  const command = program
    .command("fallback")
    .description("answer what has no file, from the catalog alone: the small server behind a CDN")
    .option(
      "--catalog <place>",
      "a catalog file, or s3://BUCKET/PREFIX whose live release is followed; successors are loaded " +
        "(else catalog.sqlite in `out` of the configuration, else out/catalog.sqlite)",
    )
    .option("--config <file>", `configuration (default: ${CONFIG_FILE}, where there is one)`)
    .option(
      "--cache <folder>",
      "where the catalog of a bucket, and the copy that is read of any, is kept (default: a temporary folder)",
    )
    .option("--target-header", "answer the target in X-Vitrine-Target: only behind CloudFront or the Worker")
    .option("--quiet", "no access log");
  addStoreOptions(addListenOptions(command, 8081))
    .addHelpText("after", EXAMPLES)
    .action(async (flags: FallbackFlags) => {
      const [{ pino }, { followCatalog }, { createFallback }] = await Promise.all([
        import("pino"),
        import("../serve/follow.ts"),
        import("../serve/fallback.ts"),
      ]);
      // Lines are gathered, so that most requests write none; every second, and at the end, what is left is written.
      const lines = pino.destination({ sync: true, minLength: 8192 });
      setInterval(() => lines.flush(), 1000).unref();
      const log = pino({ level: flags.quiet === true ? "warn" : "info" }, lines);
      const notes = { info: (message: string) => log.warn(message), progress: () => {} };
      const local = await bringCatalog(flags, notes);
      const catalog = await followCatalog(local.file, notes, { copyTo: flags.cache ?? tmpdir() });
      local.onArrival(catalog.follow);
      const ports = {
        targetHeader: flags.targetHeader === true,
        access: (record: object) => log.info(record, "request"),
        failed: (error: unknown, target: string) => log.error({ err: error, target }, "failed"),
      };
      const server = createFallback(() => catalog.current(), ports, { connections: flags.maxConnections });
      await runServer(server, flags, notes);
      local.stop();
      await catalog.close();
      lines.flushSync();
    });
}
