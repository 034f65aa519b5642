/**
 * The unit that requests are counted by for the rate limit: an IPv4 address, or the /64 of one IPv6 customer; and whether that unit
 * looks like a cache or proxy, whose readers are then counted as one.
 */

/** Two groups of 16 bits. Decimal without leading zeros: programs disagree on what other notations mean. */
function ipv4Groups(text: string): [number, number] | null {
  const bytes = text.split(".");
  if (bytes.length !== 4) return null;
  for (let i = 0; i < 4; i++) {
    const byte = bytes[i] as string;
    if (!/^(?:0|[1-9][0-9]{0,2})$/.test(byte) || Number(byte) > 255) return null;
  }
  return [Number(bytes[0]) * 256 + Number(bytes[1]), Number(bytes[2]) * 256 + Number(bytes[3])];
}

/** The groups between colons; the last two of an address may be written as an IPv4 address (RFC 4291 §2.2). */
function ipv6Groups(text: string, isEnd: boolean): number[] | null {
  const groups: number[] = [];
  if (text === "") return groups;
  const parts = text.split(":");
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(parseInt(part, 16));
      continue;
    }
    const ipv4 = isEnd && i === parts.length - 1 ? ipv4Groups(part) : null;
    if (ipv4 === null) return null;
    groups.push(ipv4[0], ipv4[1]);
  }
  return groups;
}

/** The eight groups of an address, with IPv4 as `::ffff:0:0/96`; null if the text is not an address. */
function readAddress(address: string): number[] | null {
  const text = address.trim();
  const ipv4 = ipv4Groups(text);
  if (ipv4 !== null) return [0, 0, 0, 0, 0, 0xffff].concat(ipv4);
  // The zone of a link-local address names an interface, not a client.
  const halves = text.replace(/%[0-9A-Za-z._-]{1,32}$/, "").split("::");
  const head = ipv6Groups(halves[0] as string, halves.length === 1);
  const tail = halves.length === 2 ? ipv6Groups(halves[1] as string, true) : [];
  if (halves.length > 2 || head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  for (let i = 0; i < missing; i++) head.push(0);
  return head.concat(tail);
}

export function isAddress(text: string): boolean {
  return readAddress(text) !== null;
}

/**
 * `"192.0.2.1"` and `"::ffff:c000:201"` → `"192.0.2.1"`, `"2001:db8::7"` → `"2001:db8:0:0::/64"`. Everything that is not
 * an address shares one key.
 */
export function clientKey(address: string): string {
  const groups = readAddress(address);
  if (groups === null) return "unknown";
  if (groups.slice(0, 6).join() === "0,0,0,0,0,65535") {
    const bytes = groups.slice(6).map((group) => `${Math.floor(group / 256)}.${group % 256}`);
    return bytes.join(".");
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** By these a cache or proxy names the client that it asks for, or itself. */
const PROXY_HEADERS = [
  "X-Forwarded-For",
  "Forwarded",
  "Via",
  "CF-Connecting-IP",
  "True-Client-IP",
  "Fastly-Client-IP",
  "X-Real-IP",
];

/**
 * The header by which a counted address looks like a cache or proxy, or null. It is only good for a message: every client may send it.
 * @param peer the address of the connection; another one is counted if the peer is trusted
 */
export function proxyHeader(
  header: (name: string) => string | undefined,
  counted: string,
  peer: string,
): string | null {
  if (clientKey(counted) === clientKey(peer)) {
    for (let i = 0; i < PROXY_HEADERS.length; i++)
      if (header(PROXY_HEADERS[i] as string) !== undefined) return PROXY_HEADERS[i] as string;
    return null;
  }
  // A trusted proxy named the counted address. An address before that one is whom it asks for.
  const first = (header("X-Forwarded-For") || "").split(",")[0] as string;
  return first === "" || clientKey(first) === clientKey(counted) ? null : "X-Forwarded-For";
}
