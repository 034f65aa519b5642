/** Whether the shop is closed to visitors, by the words of the allow-list's own `closed.sql`. */
import { VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { readClosed } from "../extract/allow-list.ts";
import { reasonClosed } from "../extract/columns.ts";
import type { StoreReader } from "../extract/store.ts";

/** @throws VitrineError shop_closed where the shop is closed, unless the inputs force it */
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
      `The shop shows visitors nothing: ${reason}. Nothing was built, because that would make it public. ` +
        "Open the shop first, or build it with --force.",
    );
  log.warn(`the shop shows visitors nothing, and is built by --force: ${reason}`);
}
