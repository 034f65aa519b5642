/** Whom a request is counted for: an IPv4 address, or the /64 that one IPv6 customer has. */

/** `"2001:db8::7"` → its eight groups, or null where the text is no IPv6 address. */
function ipv6Groups(address: string): string[] | null {
  const halves = address.split("::");
  if (halves.length > 2) return null;
  const head = halves[0] === "" ? [] : (halves[0] ?? "").split(":");
  const tail = halves[1] === undefined || halves[1] === "" ? [] : halves[1].split(":");
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const groups = head.concat(new Array<string>(missing).fill("0"), tail);
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))
    ? groups.map((group) => group.replace(/^0+(?=.)/, ""))
    : null;
}

/** `"::ffff:192.0.2.1"` → `"192.0.2.1"`, `"2001:db8::7"` → `"2001:db8:0:0::/64"`; strangers share one bucket. */
export function bucketOf(address: string): string {
  const text = address.trim().toLowerCase();
  const mapped = text.startsWith("::ffff:") && text.includes(".") ? text.slice(7) : text;
  if (/^[0-9]{1,3}(\.[0-9]{1,3}){3}$/.test(mapped)) return mapped;
  const groups = ipv6Groups(text);
  return groups === null ? "unknown" : `${groups.slice(0, 4).join(":")}::/64`;
}
