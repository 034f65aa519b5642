/** `vitrine releases` */
import { formatBytes, formatCount } from "../../base/log.ts";
import type { ReleaseRecord } from "../../publish/documents.ts";
import { JSON_FLAG } from "../inputs.ts";
import { commandOf } from "../options.ts";
import { openPlace, TARGET_FLAGS } from "../remote.ts";
import { printResult } from "../terminal.ts";

/** `cannotGoBack`: why this version cannot go back to it. */
type Listed = ReleaseRecord & { readonly cannotGoBack: string | null };

function lineOf(record: Listed, live: string): string {
  const { id, at, files, sizeBytes, put, deleted, by, rollbackOf, cannotGoBack } = record;
  const back = rollbackOf === undefined ? "" : `, back to ${rollbackOf}`;
  const not = cannotGoBack === null ? "" : `; cannot be gone back to: ${cannotGoBack}`;
  return (
    `${id === live ? "live" : "    "} ${id}  ${at}  ${formatCount(put)} put, ${formatCount(deleted)} deleted, ` +
    `${formatCount(files)} files, ${formatBytes(sizeBytes)}, by ${by}${back}${not}`
  );
}

export const addReleases = commandOf(
  {
    name: "releases",
    does: "list the releases that can be gone back to",
    flags: { ...TARGET_FLAGS, ...JSON_FLAG },
    examples: [
      "vitrine releases --to s3://shop/catalog",
      "vitrine releases --to file:///srv/www/shop-api --json",
    ],
  },
  async (flags) => {
    using bucket = await openPlace(flags);
    const [{ readLive }, { whyNotBack }] = await Promise.all([
      import("../../publish/documents.ts"),
      import("../../publish/rollback.ts"),
    ]);
    const { release, releases: kept, held = false } = await readLive(bucket);
    const releases = kept.map((record): Listed => ({ ...record, cannotGoBack: whyNotBack(record) }));
    const hold = "held by a rollback: nothing newer goes live before vitrine publish --resume";
    printResult(flags.json === true, { live: release, held, releases }, [
      ...releases.map((record) => lineOf(record, release)),
      ...(held ? [hold] : []),
    ]);
  },
);
