/** Checks with the allow-list's `closed.sql` whether the shop is closed to visitors. */
import { VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { readClosed } from "../extract/allow-list.ts";
import { reasonClosed } from "../extract/columns.ts";
import type { StoreReader } from "../extract/store.ts";

/** @throws VitrineError shop_closed if the shop is closed, unless the inputs force the build */
export async function guardClosed(
  store: StoreReader,
  { queries, force }: Pick<BuildInputs, "queries" | "force">,
  log: Log,
): Promise<void> {
  const reason = await reasonClosed(store, readClosed(queries));
  if (reason === null) return;
  if (!force)
    throw new VitrineError(
      "shop_closed",
      `The shop is closed to visitors: ${reason}. Nothing was built, because that would make it public. ` +
        "Open the shop first, or build it with --force.",
    );
  log.warn(`the shop is closed to visitors and is built because of --force: ${reason}`);
}
