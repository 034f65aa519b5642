/** `vitrine rollback`: an older release, rendered again from its catalog and published as the difference. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import type { Log } from "../base/log.ts";
import { toMetaTime, toSqlTime } from "../base/time.ts";
import { TOOL_VERSION, templateFolder } from "../package.ts";
import type { Bucket } from "../publish/bucket.ts";
import type { Snapshot } from "../publish/ports.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { type Manifest, metaOf } from "../snapshot/manifest.ts";
import { onInterrupt } from "./interrupt.ts";
import { openSnapshot, reportLines } from "./publish.ts";
import {
  addPublishOptions,
  openPlace,
  type PublishFlags,
  publishAndVerify,
  publishOptions,
  publishPorts,
} from "./remote.ts";
import { printResult, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine releases --to s3://shop/catalog
  vitrine rollback --to s3://shop/catalog
  vitrine rollback --to s3://shop/catalog 00000041 --dry-run`;

/** Renders the catalog that stands in an empty folder; answers that `older` knows get the bytes they had. */
async function deriveSnapshot(layout: OutLayout, older: Manifest): Promise<Snapshot> {
  const [{ openCatalog }, { planCatalog }, { renderPlan }, { restoreSnapshot }] = await Promise.all([
    import("../catalog/catalog.ts"),
    import("../render/plan.ts"),
    import("../render/render.ts"),
    import("../snapshot/restore.ts"),
  ]);
  mkdirSync(layout.site, { recursive: true });
  const catalog = openCatalog(layout.catalog);
  const { digest } = catalog;
  const writer = restoreSnapshot(layout, older, toMetaTime(toSqlTime(new Date())));
  try {
    renderPlan(catalog, planCatalog(catalog), {
      writer,
      widgets: templateFolder("widgets"),
      progress: () => undefined,
    });
  } catch (error) {
    writer.discard();
    throw error;
  } finally {
    catalog.close();
  }
  writer.commit(metaOf(layout.catalog, { digest, nextChangeAt: null, vitrine: TOOL_VERSION }));
  return openSnapshot(layout);
}

/** Makes an older release live. `named`: its id, or the beginning of it; else the one before the live one. */
async function rollback(bucket: Bucket, named: string | undefined, flags: PublishFlags, log: Log) {
  const [{ fetchOlderRelease }, { layoutOf }] = await Promise.all([
    import("../publish/rollback.ts"),
    import("../snapshot/layout.ts"),
  ]);
  const folder = mkdtempSync(join(tmpdir(), "vitrine-rollback-"));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  const release = onInterrupt(clear);
  try {
    const layout = layoutOf(join(folder, "out"));
    log.progress(() => "fetching the older catalog");
    const { record, manifest } = await fetchOlderRelease(bucket, named, layout, folder);
    log.progress(() => `rendering release ${record.id}`);
    const snapshot = await deriveSnapshot(layout, manifest);
    try {
      const ports = await publishPorts(bucket, snapshot.config, log);
      const options = { ...publishOptions(flags), rollbackOf: record.id };
      return { ...(await publishAndVerify(snapshot, options, ports, flags)), rollbackOf: record.id };
    } finally {
      snapshot.manifest.close();
    }
  } finally {
    clear();
    release();
  }
}

export function addRollback(program: Command): void {
  addPublishOptions(
    program
      .command("rollback")
      .description("make an older release live: render its catalog, publish the difference")
      .argument("[release]", "its id or the beginning of it (default: the one before the live one)"),
  )
    .addHelpText("after", EXAMPLES)
    .action(async (named: string | undefined, flags: PublishFlags) => {
      const log = terminalLog(flags.json === true);
      const bucket = await openPlace(flags.to, flags);
      try {
        const report = await rollback(bucket, named, flags, log);
        log.done();
        const { changedKeys, ...result } = report;
        printResult(flags.json === true, { ...result, to: bucket.url }, [
          `went back to ${report.rollbackOf}`,
          ...reportLines(report),
        ]);
      } finally {
        log.done();
        bucket.close();
      }
    });
}
