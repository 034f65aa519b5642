/** What all widgets have in common: a tag with its attributes becomes a place in the page, with states that it can be told by. */
import { chooseLanguage, type Language } from "./language.ts";
import { addStyles } from "./styles.ts";
import { element } from "./view.ts";

type State = "loading" | "ready" | "empty" | "failed" | "not-found";
export type Display = (state: State, ...content: readonly (Node | string)[]) => void;

/** Where a widget stands: in the container that the tag names, else before the tag. */
function place(script: HTMLScriptElement, name: string): Element {
  const { theme, container: id } = script.dataset;
  const host = element("div", { "data-vitrine": name, "data-theme": theme ?? "light" });
  const container = document.getElementById(id ?? "");
  if (container === null) script.before(host);
  else container.replaceChildren(host);
  return host;
}

/** Shows states below a heading (unless that is "") in a shadow root, which neither the page's styles nor its ids touch. */
function show(host: Element, title: string, lang: string, css: string): Display {
  const root = host.attachShadow({ mode: "open" });
  addStyles(root, css);
  const dir = lang === "ar" ? "rtl" : "ltr";
  return (state, ...content) => {
    host.setAttribute("data-vitrine-state", state);
    const name = title === "" ? {} : { "aria-label": title };
    const attributes = { lang, dir, ...name, "aria-busy": `${state === "loading"}` };
    const heading = title === "" ? [] : [element("h2", { part: "heading" }, title)];
    root.replaceChildren(element("section", attributes, ...heading, ...content));
  };
}

/** Runs something once an element is near the part of the page that is seen. */
function whenNear(target: Element, run: () => void): void {
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      run();
    },
    { rootMargin: "600px" },
  );
  watcher.observe(target);
}

/** Records that are shown at a time: of the first page, at most. */
export function limitOf(data: DOMStringMap, usual: number): number {
  return Math.min(20, Math.max(1, Number(data["limit"]) || usual));
}

/** Asks, and shows what came. */
type Load = (value: string, data: DOMStringMap, language: Language, display: Display) => Promise<void>;

/**
 * Starts the widget of the tag that runs. `needed`: the attribute without which there is nothing to show; `usual`: records that
 * are shown where the tag does not say, for each of which space is kept; `words`: its heading, and what it says when it fails.
 */
export function startWidget(
  name: string,
  needed: string,
  css: string,
  usual: number,
  load: Load,
  words: (code: string) => readonly [title: string, failed: string] = () => ["", ""],
): void {
  const script = document.currentScript as HTMLScriptElement;
  const { dataset: data } = script;
  const value = data[needed]?.trim();
  const start = () => {
    const host = place(script, name);
    const language = chooseLanguage(data["lang"]);
    const [title, failed] = words(language.code);
    const display = show(host, title, language.code, css);
    display("loading", ...Array.from({ length: limitOf(data, usual) }, () => element("hr", {})));
    // A page must not break because its widget can't be filled.
    const run = () => void load(value ?? "", data, language, display).catch(() => display("failed", failed));
    // Search engines don't scroll.
    if (data["jsonLd"] === undefined) whenNear(host, run);
    else run();
  };
  if (!value) console.error(`Vitrine: no data-${needed.replace(/[A-Z]/g, "-$&").toLowerCase()}`, script);
  else if (document.readyState !== "loading") start();
  else document.addEventListener("DOMContentLoaded", start);
}
