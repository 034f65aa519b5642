/**
 * A widget is a custom element, `<vitrine-reviews product-slug="…">`. A tag makes one where it stands or in its container
 * (tag.ts), `Vitrine.mount` makes one in an element (mount.ts). It shows what its attributes say while it is in the page.
 */
import { type Ask, ask } from "./answers.ts";
import { complainOfSlug } from "./complain.ts";
import { chooseLanguage, type Language } from "./language.ts";
import { defineMount } from "./mount.ts";
import { addStyles } from "./styles.ts";
import { startTag, type WidgetElement } from "./tag.ts";
import { element } from "./view.ts";

/** The address of a question at the store's API: a parameter of the function that the bundle is wrapped in. */
declare const api: (question: string) => string;

type State = "loading" | "ready" | "empty" | "failed" | "not-found";
/** Throws where the widget has ended, so that nothing is begun after it. */
type Display = (state: State, ...content: readonly (Node | string)[]) => void;

/** What a widget shows and how, from when it starts until it is taken out of the page or its attributes change. */
export interface Widget {
  readonly host: Element;
  /** Slug of the product or category, encoded for a URL. */
  readonly slug: string;
  readonly language: Language;
  readonly ask: Ask;
  readonly display: Display;
  /** Records that are shown at a time: of the first page, at most. */
  readonly limit: number;
  /** Aborted at its end. */
  readonly signal: AbortSignal;
}

export interface Kind {
  readonly name: string;
  /** What the element understands besides `theme` and `lang`, first what it can't do without. */
  readonly attributes: readonly [needed: "product-slug" | "category", ...others: string[]];
  readonly css: string;
  /** Records that are shown where no attribute says it, for each of which space is kept. */
  readonly usual: number;
  /** Asks, and displays what came. An error with the code `not_found` means that nothing has the slug. */
  load(widget: Widget): Promise<void>;
  /** Its heading, and what it says when it fails. */
  words?(code: string): readonly [title: string, failed: string];
}

/** Whether an attribute without a value is set. Vue writes `false` as a text. */
export function isSet(host: Element, attribute: string): boolean {
  return (host.getAttribute(attribute) ?? "false") !== "false";
}

/** Shows states below a heading (unless that is "") in a shadow root, which neither the page's styles nor its ids touch. */
function show(host: Element, title: string, lang: string, css: string, signal: AbortSignal): Display {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  addStyles(root, css);
  const dir = lang === "ar" ? "rtl" : "ltr";
  signal.addEventListener("abort", () => {
    host.removeAttribute("data-vitrine-state");
    root.replaceChildren();
  });
  return (state, ...content) => {
    signal.throwIfAborted();
    host.setAttribute("data-vitrine-state", state);
    const name = title === "" ? {} : { "aria-label": title };
    const attributes = { lang, dir, ...name, "aria-busy": `${state === "loading"}` };
    const heading = title === "" ? [] : [element("h2", { part: "heading" }, title)];
    root.replaceChildren(element("section", attributes, ...heading, ...content));
  };
}

/** Runs something once an element is near the part of the page that is seen. */
function whenNear(target: Element, signal: AbortSignal, run: () => void): void {
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      run();
    },
    { rootMargin: "600px" },
  );
  watcher.observe(target);
  signal.addEventListener("abort", () => watcher.disconnect());
}

/** Shows what the attributes say, until the signal is aborted. */
function start(host: WidgetElement, kind: Kind, signal: AbortSignal): void {
  const { name, attributes, css, usual, load, words } = kind;
  const [needed] = attributes;
  const attribute = host.tag === undefined ? needed : `data-${needed}`;
  const where = host.tag ?? host;
  const address = host.api ?? api;
  const value = (host.getAttribute(needed) ?? "").trim();
  if (value === "") {
    complainOfSlug(`${attribute} is missing or empty`, needed, address, where);
    return;
  }
  host.setAttribute("data-vitrine", name);
  const language = chooseLanguage(host.lang);
  const [title, failed] = words?.(language.code) ?? ["", ""];
  const display = show(host, title, language.code, css, signal);
  const limit = Math.min(20, Math.max(1, Number(host.getAttribute("limit")) || usual));
  const slug = encodeURIComponent(value);
  display("loading", ...Array.from({ length: limit }, () => element("hr", {})));
  const run = async () => {
    try {
      await load({
        host,
        slug,
        language,
        display,
        limit,
        signal,
        ask: (question) => ask(address(question), signal),
      });
    } catch (error) {
      if (signal.aborted) return;
      const { code, message } = error as Error & { code?: string };
      const isUnknown = code === "not_found";
      // A page must not break because its widget can't be filled.
      display(isUnknown ? "not-found" : "failed", failed);
      const wrong = isUnknown ? "is unknown" : `could not be shown: ${message}`;
      complainOfSlug(`${attribute}="${value}" ${wrong}`, needed, address, where);
    }
  };
  // Search engines don't scroll.
  if (isSet(host, "json-ld")) run();
  else whenNear(host, signal, run);
}

/** Defines a kind's element, and makes that of the tag that runs. A script that a page has twice defines it once. */
export function defineWidget(kind: Kind): void {
  const name = `vitrine-${kind.name}`;
  const observed = [...kind.attributes, "theme", "lang"];
  class Defined extends HTMLElement {
    /** The attributes' values that are shown; "" while nothing is. */
    declare shown: string | undefined;
    declare running: AbortController | undefined;

    static get observedAttributes() {
      return observed;
    }

    /** Once all changes of a program are made: an element that it moves stays as it is. */
    connectedCallback(): void {
      queueMicrotask(() => {
        // The style sheet alone follows the theme.
        const values = observed.map((each) => each !== "theme" && this.getAttribute(each));
        const wanted = this.isConnected ? JSON.stringify(values) : "";
        if (wanted === (this.shown ?? "")) return;
        this.shown = wanted;
        this.running?.abort();
        this.running = new AbortController();
        if (wanted !== "") start(this, kind, this.running.signal);
      });
    }

    disconnectedCallback(): void {
      this.connectedCallback();
    }

    attributeChangedCallback(): void {
      this.connectedCallback();
    }
  }
  if (customElements.get(name) === undefined) customElements.define(name, Defined);
  defineMount();
  startTag(name, observed, api);
}
