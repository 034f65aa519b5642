/** Responses of other servers: their bodies, which may be endless, and how long they ask to wait. */

/** `Retry-After` in milliseconds; it is a number of seconds or a date (RFC 9110 §10.2.3). NaN if it is missing. */
export function retryAfter(headers: Headers, now: number): number {
  const text = headers.get("Retry-After") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
}

/**
 * Why a 429 came earlier than its own limit says, or null: others are counted as the same client.
 * @param sent requests that this program has sent to that address since it started
 */
export function sharedLimitReason(headers: Headers, sent: number): string | null {
  const limit = headers.get("X-RateLimit-Limit") ?? "";
  if (!/^[1-9]\d{0,8}$/.test(limit) || sent > Number(limit)) return null;
  return (
    `refused request ${sent} of this command, though it allows each client ${limit}. So others count as the same client: other ` +
    "programs at this machine's public address, also those of the last minute; or all readers, if a cache or proxy is in front of " +
    "nginx and vitrine edge nginx --trust does not name it"
  );
}

type Pieces<Piece> = AsyncIterable<Piece> | Iterable<Piece>;

/** The pieces of a body. @throws what `error` makes if they exceed `mostBytes` */
export async function* bounded<Piece extends Uint8Array>(
  source: Pieces<Piece>,
  mostBytes: number,
  error: () => unknown,
): AsyncGenerator<Piece> {
  let sizeBytes = 0;
  for await (const piece of source) {
    sizeBytes += piece.length;
    if (sizeBytes > mostBytes) throw error();
    yield piece;
  }
}

/** A whole body in memory; `moved` gets the length of each piece. @throws what `error` makes if it exceeds `mostBytes` */
export async function wholeBody(
  source: Pieces<Uint8Array>,
  mostBytes: number,
  error: () => unknown,
  moved?: (bytes: number) => void,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bounded(source, mostBytes, error)) {
    moved?.(piece.length);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
