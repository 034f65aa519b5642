/**
 * The place in a view: its scroll position is kept in the history's entry, and Back returns there. A browser does so only
 * for documents that are complete at once; here the records come later.
 */

interface Entry {
  readonly top?: number;
}

/** A browser refuses too many changes of an entry, so it is changed when scrolling has paused. */
const PAUSE_MILLISECONDS = 150;
const LONGEST_WAIT_MILLISECONDS = 10_000;
/** What a reader does to go elsewhere. */
const OWN_MOVES = ["wheel", "touchmove", "keydown", "pointerdown", "popstate"];

let returning: AbortController | null = null;

/** From now on, each entry of the history has its place. */
export function keepPlaces(): void {
  history.scrollRestoration = "manual";
  let timer: ReturnType<typeof setTimeout>;
  const keep = () => {
    clearTimeout(timer);
    if (returning === null) history.replaceState({ top: scrollY } satisfies Entry, "");
  };
  addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(keep, PAUSE_MILLISECONDS);
  });
  // A link is followed after this, and another document replaces this one.
  addEventListener("click", keep, true);
  addEventListener("pagehide", keep);
  // The entry is another one already.
  addEventListener("popstate", () => clearTimeout(timer));
}

/** The place of the current entry; null if it is new. */
export function keptPlace(): number | null {
  return (history.state as Entry | null)?.top ?? null;
}

/**
 * Scrolls to a kept place as soon as the records above it are shown, and focuses the link to `from`, the view that the reader
 * comes from. Ends when the reader moves.
 */
export function returnTo(top: number, from: string | null): void {
  returning?.abort();
  const ended = new AbortController();
  returning = ended;
  const { signal } = ended;
  const go = () => {
    scrollTo(0, top);
    if (document.querySelector(".skeletons") !== null || Math.abs(scrollY - top) > 1) return;
    const links = [...document.querySelectorAll<HTMLElement>("#content a")];
    const link = from === null ? undefined : links.find((each) => each.getAttribute("href") === from);
    link?.focus({ preventScroll: true });
    ended.abort();
  };
  const watcher = new ResizeObserver(go);
  signal.addEventListener("abort", () => {
    watcher.disconnect();
    clearTimeout(timer);
    if (returning === ended) returning = null;
  });
  const timer = setTimeout(() => ended.abort(), LONGEST_WAIT_MILLISECONDS);
  for (const type of OWN_MOVES) addEventListener(type, () => ended.abort(), { signal });
  watcher.observe(document.body);
}
