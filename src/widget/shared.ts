/** What the widgets of a page have in common, whichever script made them. */

interface Asked {
  readonly answer: Promise<unknown>;
  readonly cancel: AbortController;
  /** Widgets that need the answer. */
  users: number;
}

interface Shared {
  /** By URL. */
  readonly answers: Map<string, Asked>;
  /** Elements with a product's JSON-LD, in the order in which they came. Only the first is in the page. */
  readonly jsonLd: Set<Element>;
}

const holder = window as unknown as Record<symbol, Shared | undefined>;
/** Scripts of the page find the same: the symbol is in the registry of all scripts. */
const name = Symbol.for("vitrine.widgets");
holder[name] ??= { answers: new Map(), jsonLd: new Set() };

export const shared: Shared = holder[name];
