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
  /** True where keys are the first values of records, which others may share. */
  readonly isIndex: boolean;
  readonly children: readonly number[];
  /** Between each child and the next: the largest rowid of the one, or of a record the first value. Null where that is no whole number. */
  readonly keys: readonly (bigint | null)[];
}

/** An interior page. */
export function interiorOf(bytes: Buffer): Interior | null {
  const children = childrenOf(bytes);
  const cells = children && cellsOf(bytes, INTERIOR_HEADER_BYTES, POINTER_BYTES + 1);
  if (children === null || cells === null) return null;
  const isIndex = bytes[0] === INTERIOR_INDEX;
  const keyAt = (start: number) => (isIndex ? firstValueAt(bytes, start) : varintAt(bytes, start).value);
  return { isIndex, children, keys: cells.map((cell) => keyAt(cell + POINTER_BYTES)) };
}

/** Of any record so many bytes stand on its page, of which SQLite's smallest pages have 480. */
const LEAST_LOCAL_BYTES = 35;
/** Bytes of a whole number by the serial type of its value. */
const NUMBER_BYTES: readonly (number | undefined)[] = [undefined, 1, 2, 3, 4, 6, 8, undefined, 0, 0];
const SERIAL_ONE = 9;

/** The first value of a record, whose size stands before it; null where it is no whole number, or not certain to stand there. */
function firstValueAt(bytes: Buffer, start: number): bigint | null {
  const size = varintAt(bytes, start);
  const header = varintAt(bytes, size.end);
  const serial = Number(varintAt(bytes, header.end).value);
  const length = NUMBER_BYTES[serial];
  const from = size.end + Number(header.value);
  if (length === undefined || header.value < 2n) return null;
  if (length === 0) return serial === SERIAL_ONE ? 1n : 0n;
  if (from + length > Math.min(size.end + LEAST_LOCAL_BYTES, bytes.length)) return null;
  return length === 8 ? bytes.readBigInt64BE(from) : BigInt(bytes.readIntBE(from, length));
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
