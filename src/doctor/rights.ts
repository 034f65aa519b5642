/** What a role may do to a store but read it, from what the server says. Pure. */

/** Names of a role's rights in MySQL that change what is in a database, or are above that. TRIGGER is what a capture needs. */
const WRITING =
  /\b(?:ALL PRIVILEGES|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|INDEX|FILE|SUPER|GRANT OPTION|DELETE HISTORY)\b/g;

/**
 * Lines of SHOW GRANTS → what they let a role change: ``GRANT SELECT, INSERT ON `shop`.* TO …`` → ``INSERT ON `shop`.*``. Of
 * each line only rights and place are looked at: what follows may be a password's digest.
 */
export function writingGrants(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const match = /^GRANT (.*?) ON ((?:`(?:[^`]|``)*`|\*)\.(?:`(?:[^`]|``)*`|\*)) TO /.exec(line);
    if (match === null) return [];
    const [, rights = "", place = ""] = match;
    // Columns stand in brackets.
    const named = rights.replace(/`(?:[^`]|``)*`/g, "").match(WRITING) ?? [];
    return named.length === 0 ? [] : [`${[...new Set(named)].join(", ")} ON ${place}`];
  });
}

/** Names that servers have for the one time zone in which moments without one are read. */
export function isUtc(zone: string): boolean {
  return /^(?:(?:etc\/)?(?:utc|uct|gmt|zulu|universal|greenwich)|\+00:00)$/i.test(zone);
}
