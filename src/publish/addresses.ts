/** Guards against publishing an address that contains a password or that only one machine or network can reach. */
import type { PublicConfig } from "../api/config.ts";
import { VitrineError } from "../base/error.ts";
import { isPrivateAddress } from "../base/private-address.ts";

/** An address is stored, sent and logged, so it must hold no password. `instead`: where the secret belongs. @throws VitrineError usage */
export function refusePassword(what: string, address: string, instead: string): void {
  const url = URL.parse(address);
  if (url === null || (url.username === "" && url.password === "")) return;
  throw new VitrineError("usage", `${what} has a password in it. Take it out: ${instead}.`);
}

/**
 * Refuses to publish a snapshot built for a local address to a public bucket: its links and widgets would ask that address.
 * @throws VitrineError guard_refused
 */
export function guardAddresses(config: Pick<PublicConfig, "baseUrl" | "siteUrl">, to: string): void {
  if (to.startsWith("file:")) return;
  const named = (["baseUrl", "siteUrl"] as const).filter((name) => isPrivateAddress(config[name]));
  if (named.length === 0) return;
  const names = named.map((name) => `${name} ${config[name]}`).join(" and ");
  throw new VitrineError(
    "guard_refused",
    `The snapshot is built for ${names}, which the public can't reach: links and widgets would ask there. Nothing was written. ` +
      `Set ${named.join(" and ")} in the configuration to the public address and build again, or say --allow-local.`,
  );
}
