/** Addresses that only one machine or one network can open. */
import { BlockList, isIP } from "node:net";

/** Networks that visitors can't reach: loopback, private, shared and link-local ones (RFC 1122, 1918, 6598, 3927, 4193, 4291). */
const PRIVATE_NETWORKS = new BlockList();
for (const [address, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  PRIVATE_NETWORKS.addSubnet(address, bits, "ipv4");
for (const [address, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  PRIVATE_NETWORKS.addSubnet(address, bits, "ipv6");

/** Names that resolve only on one machine or in one network (RFC 6761, 6762 and 8375, and ICANN's `.internal`). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|test|home\.arpa)$/;

/** True if visitors of a public site can't open it: `http://localhost:9000/a.png`, `http://minio/a.png`. Takes a parsed address. */
export function isPrivateAddress(address: string): boolean {
  const host = (URL.parse(address)?.hostname ?? "").replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const family = isIP(host);
  if (family !== 0) return PRIVATE_NETWORKS.check(host, family === 6 ? "ipv6" : "ipv4");
  // A host name without a dot is that of a machine in the same network.
  return host !== "" && (!host.includes(".") || PRIVATE_NAME.test(host));
}
