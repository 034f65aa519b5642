/** Which rows of a file differ from what is remembered of them: told apart by the digests of their texts. */
import type { AllowListQuery } from "./allow-list.ts";
import { digestOfText, RowDigests } from "./readings.ts";
import type { RowText, StoreReader, StoreValue } from "./store.ts";

/** Characters of changed rows that are kept until they are made; the file is read again where there are more. */
const HELD_CHARACTERS = 16_000_000;

/** A changed row; its text is null where there are too many to hold. */
export interface Seen extends Omit<RowText, "text"> {
  readonly text: string | null;
  readonly ordinal: number;
}

/** What differs in one file. */
export interface Scan {
  readonly changed: Map<number, Seen>;
  /** Rows that have no id which could be remembered: they are wrong, and making them says how. */
  readonly wrong: readonly Seen[];
  readonly gone: number[];
  readonly digests: RowDigests;
}

export const NOTHING: Scan = { changed: new Map(), wrong: [], gone: [], digests: new RowDigests() };

/** So many rows change that making the catalog anew is cheaper. */
export class TooMuchChanged extends Error {
  constructor() {
    super("too many rows change for a delta");
  }
}

export interface ScanTools {
  readonly store: StoreReader;
  /** Undefined where there is no such file. */
  readonly query: AllowListQuery | undefined;
  readonly beside: readonly string[];
  /** What is remembered. */
  readonly before: RowDigests;
  /** Most rows that may differ. */
  readonly limit: number;
  refuseTwice(ordinal: number, id: StoreValue): void;
}

/**
 * Reads a file and compares. `among`: only rows with these ids; of all others the digests stay as they were.
 * @throws TooMuchChanged
 */
export async function scanRows(tools: ScanTools, among: ReadonlySet<number> | null): Promise<Scan> {
  const { store, query, beside, before, limit } = tools;
  const [changed, gone, digests] = [new Map<number, Seen>(), [] as number[], new RowDigests()];
  const wrong: Seen[] = [];
  let [ordinal, at, held] = [0, 0, 0];
  let previous: unknown;
  /** Passes by what was remembered of rows before an id. */
  const goTo = (id: number): void => {
    for (; at < before.length && before.idAt(at) < id; at++) {
      if (among === null || among.has(before.idAt(at))) gone.push(before.idAt(at));
      else digests.add(before.idAt(at), before.digestAt(at));
    }
  };
  const ids = among === null ? undefined : [...among];
  for await (const rows of query === undefined ? [] : store.batches(query, beside, ids)) {
    for (const row of rows) {
      ordinal += 1;
      if (row.id === previous) tools.refuseTwice(ordinal, row.id);
      previous = row.id;
      if (typeof row.id !== "number" || !Number.isSafeInteger(row.id)) {
        wrong.push({ ...row, ordinal });
        continue;
      }
      goTo(row.id);
      const digest = digestOfText(row.text);
      digests.add(row.id, digest);
      const known = at < before.length && before.idAt(at) === row.id;
      if (!known || !before.matches(at, digest)) {
        held += row.text.length;
        changed.set(row.id, { ...row, ordinal, text: held > HELD_CHARACTERS ? null : row.text });
      }
      if (known) at += 1;
    }
    if (changed.size + gone.length > limit) throw new TooMuchChanged();
  }
  goTo(Number.POSITIVE_INFINITY);
  return { changed, wrong, gone, digests };
}
