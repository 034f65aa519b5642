/** Pages of b-trees as bytes (sqlite.org/fileformat2.html, 1.6). What does not fit the format is null: nothing is believed. */

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;

const INTERIOR_HEADER_BYTES = 12;
const LEAF_HEADER_BYTES = 8;
const POINTER_BYTES = 4;

/** The value of a number of at most nine bytes, and where it ends. */
function varintAt(bytes: Buffer, start: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  let at = 0;
  for (; at < 9; at++) {
    const byte = bytes[start + at] ?? 0;
    if (at === 8) value = (value << 8n) | BigInt(byte);
    else value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80 && at < 8) break;
  }
  return { value: BigInt.asIntN(64, value), end: start + Math.min(at + 1, 9) };
}

/** Where the cells of a page begin; null where they cannot. */
function cellsOf(bytes: Buffer, headerBytes: number, leastBytes: number): number[] | null {
  const count = bytes.readUInt16BE(3);
  if (headerBytes + 2 * count > bytes.length) return null;
  const cells: number[] = [];
  for (let at = 0; at < count; at++) {
    const cell = bytes.readUInt16BE(headerBytes + 2 * at);
    if (cell + leastBytes > bytes.length) return null;
    cells.push(cell);
  }
  return cells;
}

export function isInterior(bytes: Buffer): boolean {
  return bytes[0] === INTERIOR_INDEX || bytes[0] === INTERIOR_TABLE;
}

/** Pages that an interior page names, of whichever kind, in their order. */
export function childrenOf(bytes: Buffer): number[] | null {
  const cells = isInterior(bytes) ? cellsOf(bytes, INTERIOR_HEADER_BYTES, POINTER_BYTES) : null;
  return cells && [...cells.map((cell) => bytes.readUInt32BE(cell)), bytes.readUInt32BE(8)];
}

export interface Interior {
  readonly children: readonly number[];
  /** Of each child but the last the largest rowid. */
  readonly keys: readonly bigint[];
}

/** An interior page of a table. */
export function interiorOf(bytes: Buffer): Interior | null {
  if (bytes[0] !== INTERIOR_TABLE) return null;
  const children = childrenOf(bytes);
  const cells = cellsOf(bytes, INTERIOR_HEADER_BYTES, POINTER_BYTES + 1);
  return children && cells && { children, keys: cells.map((cell) => varintAt(bytes, cell + 4).value) };
}

/** First pages of what a leaf's cells have elsewhere, by the cell's place. `usable`: bytes of a page that hold content. */
export function overflowsOf(bytes: Buffer, usable: number): { cell: number; page: number }[] | null {
  const isTable = bytes[0] === LEAF_TABLE;
  if (!isTable && bytes[0] !== LEAF_INDEX) return null;
  const cells = cellsOf(bytes, LEAF_HEADER_BYTES, 1);
  if (cells === null) return null;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const overflows: { cell: number; page: number }[] = [];
  for (const [cell, start] of cells.entries()) {
    const size = varintAt(bytes, start);
    const payload = Number(size.value);
    if (payload <= most) continue;
    const begin = isTable ? varintAt(bytes, size.end).end : size.end;
    const wished = least + ((payload - least) % (usable - 4));
    const end = begin + (wished <= most ? wished : least);
    if (end + POINTER_BYTES > bytes.length) return null;
    overflows.push({ cell, page: bytes.readUInt32BE(end) });
  }
  return overflows;
}
