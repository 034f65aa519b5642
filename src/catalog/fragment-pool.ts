/**
 * All list fragments of a resource in memory: a page is then a few copies, and neither SQLite nor an encoder stands
 * between a query and its bytes. Costs the fragments' size, about 1 KB a product.
 *
 * They lie in chunks that are only ever added to, so that a changed list shares them with the one before it.
 */
import type Database from "better-sqlite3";
import { itemAt, uintAt } from "../base/item-at.ts";
import type { Json } from "../base/json.ts";
import { type Fragments, JoinedFragments, movedNumbers, readFragmentPieces, readSizes } from "./fragments.ts";
import type { Moves } from "./moves.ts";
import type { ResourceName } from "./resources.ts";

/** A larger fragment has a chunk of its own. */
const CHUNK_BYTES = 2 ** 20;
/** At most one in so many bytes is of fragments that are gone. */
const DEAD_SHARE = 5;

interface Chunk {
  readonly bytes: Buffer;
  /** What stands behind is free. Grows, for all lists that share the chunk. */
  used: number;
}

const NO_CHUNK: Chunk = { bytes: Buffer.alloc(0), used: 0 };

/** Where the fragment of each row is. */
interface Places {
  readonly chunks: Uint32Array;
  readonly offsets: Uint32Array;
  readonly sizes: Uint32Array;
}

/** The chunks of a list while it is made. */
class Arena {
  readonly chunks: Chunk[];
  #open: number;

  constructor(chunks: readonly Chunk[]) {
    this.chunks = [...chunks];
    this.#open = chunks.findLastIndex(({ bytes, used }) => used < bytes.length);
  }

  /** Finds room; the number of the chunk, and where in it. */
  allocate(size: number): { chunk: number; offset: number } {
    let found = this.chunks[this.#open] ?? NO_CHUNK;
    if (found.bytes.length - found.used < size) {
      found = { bytes: Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, size)), used: 0 };
      const free = this.chunks.indexOf(NO_CHUNK);
      this.#open = free < 0 ? this.chunks.length : free;
      this.chunks[this.#open] = found;
    }
    const offset = found.used;
    found.used += size;
    return { chunk: this.#open, offset };
  }

  write(bytes: Buffer): { chunk: number; offset: number } {
    const place = this.allocate(bytes.length);
    bytes.copy(itemAt(this.chunks, place.chunk).bytes, place.offset);
    return place;
  }
}

/** Fragments as data alone. */
export interface PackedFragments {
  readonly chunks: readonly { readonly bytes: Uint8Array; readonly used: number }[];
  readonly places: Places;
}

export class FragmentPool extends JoinedFragments implements Fragments {
  readonly #chunks: readonly Chunk[];
  readonly #places: Places;

  private constructor(chunks: readonly Chunk[], places: Places) {
    super();
    this.#chunks = chunks;
    this.#places = places;
  }

  /**
   * Reads all; `ids` are those of the rows, ascending.
   * @param sizes bytes of each row's fragment, where they are known
   */
  static load(
    db: Database.Database,
    name: ResourceName,
    ids: Float64Array,
    sizes: Uint32Array = readSizes(db, name, ids.length),
  ): FragmentPool {
    const places = { chunks: new Uint32Array(ids.length), offsets: new Uint32Array(ids.length), sizes };
    const chunks: Chunk[] = [];
    for (const { from, to, bytes } of readFragmentPieces(db, name, { ids, sizes }, CHUNK_BYTES)) {
      places.chunks.fill(chunks.length, from, to);
      let offset = 0;
      for (let row = from; row < to; row++) {
        places.offsets[row] = offset;
        offset += uintAt(sizes, row);
      }
      chunks.push({ bytes, used: bytes.length });
    }
    return new FragmentPool(chunks, places);
  }

  /** The fragments that {@link pack} made into data. */
  static unpack({ chunks, places }: PackedFragments): FragmentPool {
    const own = chunks.map(({ bytes, used }) => ({
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      used,
    }));
    return new FragmentPool(own, places);
  }

  /** All fragments, as data that can be handed to another thread. */
  pack(): PackedFragments {
    return { chunks: this.#chunks, places: this.#places };
  }

  size(row: number): number {
    return uintAt(this.#places.sizes, row);
  }

  at(row: number): Buffer {
    const { chunks, offsets } = this.#places;
    const offset = uintAt(offsets, row);
    return itemAt(this.#chunks, uintAt(chunks, row)).bytes.subarray(offset, offset + this.size(row));
  }

  protected copy(row: number, target: Buffer, at: number): number {
    const { chunks, offsets } = this.#places;
    const offset = uintAt(offsets, row);
    return itemAt(this.#chunks, uintAt(chunks, row)).bytes.copy(target, at, offset, offset + this.size(row));
  }

  /** Bytes that are held, of fragments that are gone too. */
  get heldBytes(): number {
    return this.#chunks.reduce((sum, { used }) => sum + used, 0);
  }

  next(moves: Moves, put: readonly Json[]): FragmentPool {
    const arena = new Arena(this.#chunks);
    const bytes = put.map((json) => Buffer.from(json));
    const written = bytes.map((one) => arena.write(one));
    const { chunks, offsets, sizes } = this.#places;
    const places = {
      chunks: movedNumbers(
        chunks,
        moves,
        written.map(({ chunk }) => chunk),
      ),
      offsets: movedNumbers(
        offsets,
        moves,
        written.map(({ offset }) => offset),
      ),
      sizes: movedNumbers(
        sizes,
        moves,
        bytes.map(({ length }) => length),
      ),
    };
    compact(arena, places);
    return new FragmentPool(arena.chunks, places);
  }
}

/**
 * Copies what lives in the emptiest chunks elsewhere, until little enough is dead. A chunk is emptied when at least a
 * fifth of it is dead, so what is copied is at most four times what died since.
 */
function compact(arena: Arena, { chunks, offsets, sizes }: Places): void {
  const live = new Uint32Array(arena.chunks.length);
  for (let row = 0; row < chunks.length; row++) {
    const chunk = uintAt(chunks, row);
    live[chunk] = uintAt(live, chunk) + uintAt(sizes, row);
  }
  let used = arena.chunks.reduce((sum, chunk) => sum + chunk.used, 0);
  let dead = used - live.reduce((sum, bytes) => sum + bytes, 0);
  const deadIn = (chunk: number): number => itemAt(arena.chunks, chunk).used - uintAt(live, chunk);
  const deadShare = (chunk: number): number => deadIn(chunk) / Math.max(1, itemAt(arena.chunks, chunk).used);
  const former = new Map<number, Chunk>();
  for (const chunk of [...live.keys()].sort((a, b) => deadShare(b) - deadShare(a))) {
    if (dead * DEAD_SHARE <= used) break;
    former.set(chunk, itemAt(arena.chunks, chunk));
    dead -= deadIn(chunk);
    used -= deadIn(chunk);
    arena.chunks[chunk] = NO_CHUNK;
  }
  if (former.size === 0) return;
  chunks.forEach((chunk, row) => {
    const from = former.get(chunk)?.bytes;
    if (from === undefined) return;
    const offset = uintAt(offsets, row);
    const place = arena.write(from.subarray(offset, offset + uintAt(sizes, row)));
    chunks[row] = place.chunk;
    offsets[row] = place.offset;
  });
}
