/** Guards against publishing an address that contains a password or that only one machine or network can reach. */
import { BlockList, isIP } from "node:net";
import type { PublicConfig } from "../api/config.ts";
import { VitrineError } from "../base/error.ts";

/** An address is stored, sent and logged, so it must hold no password. `instead`: where the secret belongs. @throws VitrineError usage */
export function refusePassword(what: string, address: string, instead: string): void {
  const url = URL.parse(address);
  if (url === null || (url.username === "" && url.password === "")) return;
  throw new VitrineError("usage", `${what} has a password in it. Take it out: ${instead}.`);
}

/** This host, private networks (RFC 1918, RFC 4193) and link-local addresses, also when written as IPv4 inside IPv6. */
const LOCAL = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  LOCAL.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  LOCAL.addSubnet(network, prefix, "ipv6");

/** A name without a dot, or with a suffix that no public name server knows (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAME = /^[^.]*$|\.(?:localhost|local|internal|lan|home\.arpa)$/;

function isLocal(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$|\.$/g, "");
  const version = isIP(host);
  return version === 0 ? LOCAL_NAME.test(host) : LOCAL.check(host, version === 4 ? "ipv4" : "ipv6");
}

/**
 * Refuses to publish a snapshot built for a local address to a public bucket: its links and widgets would ask that address.
 * @throws VitrineError guard_refused
 */
export function guardAddresses(config: Pick<PublicConfig, "baseUrl" | "siteUrl">, to: string): void {
  if (to.startsWith("file:")) return;
  const named = (["baseUrl", "siteUrl"] as const).filter((name) => isLocal(config[name]));
  if (named.length === 0) return;
  const names = named.map((name) => `${name} ${config[name]}`).join(" and ");
  throw new VitrineError(
    "guard_refused",
    `The snapshot is built for ${names}, which the public can't reach: links and widgets would ask there. Nothing was written. ` +
      `Set ${named.join(" and ")} in the configuration to the public address and build again, or say --allow-local.`,
  );
}
