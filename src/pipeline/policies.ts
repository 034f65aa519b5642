/**
 * What must not go live in silence. Commands, the library and schedules all build through build.ts and publish through publish.ts
 * (or erase.ts), which ask here; no command has its own policy. Pure: the stages read the store, this decides.
 *
 * Other rules of the same kind belong to a stage, and so to every way in as well: wrong rows (`rows.maxLeftOut`, extract/extraction.ts),
 * and deletions (`allowShrink`, site/shrink.ts).
 */
import type { PublicConfig } from "../api/config.ts";
import { VitrineError } from "../base/error.ts";
import { formatCount, type Log } from "../base/log.ts";
import { isPrivateAddress } from "../base/private-address.ts";
import type { SqlTime } from "../base/time.ts";
import type { Snapshot } from "../publish/options.ts";
import type { NotPublic } from "./build-report.ts";

/** A reason not to build or to publish, which `force` turns into a warning. */
export interface Objection {
  readonly error: VitrineError;
  /** A line of the log, if it is done all the same. */
  readonly warning: string;
}

/** @returns true if `force` was needed @throws VitrineError the objection's, unless it is forced */
export function enforce(
  objection: Objection | null,
  { force = false }: { readonly force?: boolean | undefined },
  log: Log,
): boolean {
  if (objection === null) return false;
  if (!force) throw objection.error;
  log.warn(objection.warning);
  return true;
}

/** A closed shop. `reason`: what `closed.sql` gave; null if the shop is open. */
export function objectToClosed(reason: string | null): Objection | null {
  if (reason === null) return null;
  return {
    error: new VitrineError(
      "shop_closed",
      `The shop is closed to visitors: ${reason}. Nothing was built, because that would make it public. ` +
        "Open the shop first, or build it with --force.",
    ),
    warning: `the shop is closed to visitors and is built because of --force: ${reason}`,
  };
}

const EMPTY_ON_PURPOSE = "if the shop is meant to have no product, add --force";

/**
 * A shop of which no product becomes public. `before`: number of products of the previous snapshot; `now`: the moment of the build, before
 * which a machine with a clock that is years behind finds no product published.
 */
export function objectToNothing(
  { products, before, now }: { readonly products: number; readonly before: number; readonly now: SqlTime },
  notPublic: NotPublic,
): Objection | null {
  if (products > 0) return null;
  const reasons = Object.entries(notPublic);
  const shown = reasons.reduce((sum, [, count]) => sum + count, 0);
  const counts = reasons.map(([reason, count]) => `${formatCount(count)} ${reason}`).join(", ");
  const had = before === 0 ? "" : `, and the snapshot has ${formatCount(before)}`;
  const what =
    shown === 0
      ? `No product would become public: products.sql gives no row as of ${now} UTC${had}`
      : `None of the ${formatCount(shown)} products that the shop shows would become public: ${counts}${had}`;
  const next =
    shown === 0
      ? "Check that this is the shop's database and that this machine's clock is right, and change products.sql"
      : "Change the SQL files: vitrine doctor --left-out lists the products";
  return {
    error: new VitrineError("rows_invalid", `${what}. Nothing was written. ${next}.`, {
      hint: EMPTY_ON_PURPOSE,
    }),
    warning: `no product becomes public, which --force allows${counts === "" ? "" : `: ${counts}`}`,
  };
}

/** A snapshot without a product, made by force or by an older version. */
export function objectToEmptySnapshot({ layout }: Pick<Snapshot, "layout">): Objection {
  return {
    error: new VitrineError(
      "guard_refused",
      `The snapshot in ${layout.site} has no product. Nothing was published. Run vitrine build, which says why.`,
      { hint: EMPTY_ON_PURPOSE },
    ),
    warning: `the snapshot in ${layout.site} has no product and is published because of --force`,
  };
}

/** Where a snapshot is going to be published. */
export interface Destination {
  /** Undefined if nothing is published, or not by Vitrine. */
  readonly to?: string | undefined;
  readonly allowLocal?: boolean | undefined;
}

/**
 * Refuses to publish a snapshot built for a local address to a public bucket: its links and widgets would ask that address.
 * @throws VitrineError guard_refused
 */
export function guardAddresses(
  config: Pick<PublicConfig, "baseUrl" | "siteUrl">,
  { to, allowLocal = false }: Destination,
): void {
  if (to === undefined || allowLocal || to.startsWith("file:")) return;
  const named = (["baseUrl", "siteUrl"] as const).filter((name) => isPrivateAddress(config[name]));
  if (named.length === 0) return;
  const names = named.map((name) => `${name} ${config[name]}`).join(" and ");
  throw new VitrineError(
    "guard_refused",
    `The snapshot is built for ${names}, which the public can't reach: links and widgets would ask there. Nothing was written. ` +
      `Set ${named.join(" and ")} in the configuration to the public address and build again, or say --allow-local.`,
    { hint: "docs/configuration.md says what each of the two addresses is for" },
  );
}
