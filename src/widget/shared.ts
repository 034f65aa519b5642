/** The state that all widgets of a page share, also across scripts. */

interface Asked {
  readonly answer: Promise<unknown>;
  readonly cancel: AbortController;
  /** Widgets that need the answer. */
  users: number;
}

interface Shared {
  /** By URL. */
  readonly answers: Record<string, Asked>;
  /** Elements with a product's JSON-LD, oldest first. Only the first is in the page. */
  readonly jsonLd: Set<Element>;
  /** What each script does when a tag runs it, by its name and its shop. */
  readonly tags: Record<string, (running: Element | null) => void>;
}

const holder = window as unknown as Record<symbol, Shared | undefined>;
/** All scripts of the page find the same state: the symbol is in the global registry. */
const name = Symbol.for("vitrine.widgets");
holder[name] ??= { answers: {}, jsonLd: new Set(), tags: {} };

export const shared: Shared = holder[name];
