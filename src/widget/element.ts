/**
 * A widget is a custom element, `<vitrine-reviews product-slug="…">`. A tag makes one at its own place or in its container
 * (tag.ts), `Vitrine.mount` makes one in an element (mount.ts). The element follows its attributes while it is in the page.
 */
import { type Ask, ask } from "./answers.ts";
import { complainOfSlug } from "./complain.ts";
import { chooseLanguage, type Language } from "./language.ts";
import { defineMount } from "./mount.ts";
import { addStyles } from "./styles.ts";
import { propertyOf, serveTags, type WidgetElement } from "./tag.ts";
import { againButton, element, settle } from "./view.ts";

/** The address of a request at the store's API: a parameter of the function around the bundle. */
declare const api: (question: string) => string;

/** What a page or a test can wait for. */
const STATE = "data-vitrine-state";
type State = "loading" | "ready" | "empty" | "failed" | "not-found";
/** Throws if the widget has ended, so that it starts nothing more. */
type Display = (state: State, ...content: readonly (Node | string)[]) => void;

/** The run of a widget: it starts when the element is near the screen, and ends when the element is removed or its attributes change. */
export interface Widget {
  readonly host: Element;
  /** Slug of the product or category, encoded for a URL. */
  readonly slug: string;
  readonly language: Language;
  readonly ask: Ask;
  readonly display: Display;
  /** The number of records that are shown at a time: at most one page. */
  readonly limit: number;
  /** Aborted at its end. */
  readonly signal: AbortSignal;
}

interface Host extends WidgetElement {
  /** Sets an attribute that the page's markup lacks, to a value as programs write them: false, null and undefined remove it. */
  give(attribute: string, value: unknown): void;
}

export interface Kind {
  readonly name: string;
  /** Attributes of the element besides `theme` and `lang`; the first is required. */
  readonly attributes: readonly [needed: "product-slug" | "category", ...others: string[]];
  readonly css: string;
  /** The default number of records. */
  readonly usual: number;
  /** Elements of the usual size: as much space is reserved while the records are loading. */
  blank(widget: Widget): readonly Element[];
  /** Sends the requests and displays the answers. An error with the code `not_found` means that the slug is unknown. */
  load(widget: Widget): Promise<void>;
  /** The heading, and the text of a failure. */
  words?(code: string): readonly [title: string, failed: string];
}

/** Whether an attribute without a value is set. Vue writes `false` as a text. */
export function isSet(host: Element, attribute: string): boolean {
  return (host.getAttribute(attribute) ?? "false") !== "false";
}

/** Shows states below a heading (unless that is "") in a shadow root, which the page's styles and ids do not affect. */
function show(host: Host, title: string, lang: string, signal: AbortSignal): Display {
  const root = host.shadowRoot as ShadowRoot;
  const dir = lang === "ar" ? "rtl" : "ltr";
  signal.addEventListener("abort", () => {
    host.give(STATE, null);
    root.replaceChildren();
  });
  return (state, ...content) => {
    signal.throwIfAborted();
    host.give(STATE, state);
    const name = title === "" ? {} : { "aria-label": title };
    const attributes = { lang, dir, ...name, tabindex: "-1", "aria-busy": `${state === "loading"}` };
    const heading = title === "" ? [] : [element("h2", { part: "heading" }, title)];
    settle(host, () => {
      const section = element("section", attributes, ...heading, ...content);
      const focused = root.activeElement;
      root.replaceChildren(section);
      // Else who pressed "Try again" would start at the page's beginning again.
      if (focused) section.focus();
      return section;
    });
  };
}

/** Runs something once, when an element is near the visible part of the page, or the page is printed. */
function whenNear(target: Element, signal: AbortSignal, run: (event?: Event) => void): void {
  const begun = new AbortController();
  const begin = (event?: Event) => {
    begun.abort();
    run(event);
  };
  const watcher = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) begin();
    },
    { rootMargin: "600px" },
  );
  watcher.observe(target);
  addEventListener("beforeprint", begin, begun);
  matchMedia("print").addEventListener("change", begin, begun);
  begun.signal.addEventListener("abort", () => watcher.disconnect());
  signal.addEventListener("abort", () => begun.abort());
}

/** Shows the widget that the attributes describe, until the signal is aborted. */
function start(host: Host, kind: Kind, signal: AbortSignal): void {
  const { name, attributes, usual, load, blank, words } = kind;
  const [needed] = attributes;
  const attribute = host.tag === undefined ? needed : `data-${needed}`;
  const where = host.tag ?? host;
  const address = host.api ?? api;
  const value = (host.getAttribute(needed) ?? "").trim();
  if (value === "") {
    complainOfSlug(`${attribute} is missing or empty`, needed, address, where);
    return;
  }
  host.give("data-vitrine", name);
  const language = chooseLanguage(host.getAttribute("lang") ?? "");
  const [title, failed] = words?.(language.code) ?? ["", ""];
  const display = show(host, title, language.code, signal);
  const limit = Math.min(20, Math.max(1, Number(host.getAttribute("limit")) || usual));
  const slug = encodeURIComponent(value);
  let isAtOnce = false;
  const widget: Widget = {
    host,
    slug,
    language,
    display,
    limit,
    signal,
    ask: (question) => ask(address(question), signal, isAtOnce),
  };
  const reserve = () => display("loading", ...blank(widget));
  const run = async (event?: Event) => {
    try {
      // The printed page is what it is when the listeners of this event have ended.
      isAtOnce = event?.type === "beforeprint";
      if (isAtOnce) setTimeout(() => (isAtOnce = false));
      await load(widget);
    } catch (error) {
      if (signal.aborted) return;
      const { code, message } = error as Error & { code?: string };
      const isUnknown = code === "not_found";
      // A page must not break because its widget fails.
      if (isUnknown) display("not-found", failed);
      else display("failed", failed, " ", againButton(language, signal, again));
      const wrong = isUnknown ? "is unknown" : `could not be shown: ${message}`;
      complainOfSlug(`${attribute}="${value}" ${wrong}`, needed, address, where);
    }
  };
  // Search engines don't scroll.
  const again = () => {
    reserve();
    run();
  };
  reserve();
  if (isSet(host, "json-ld")) run();
  else whenNear(host, signal, run);
}

/** Defines the element of a kind, and makes one for each tag. If a page has a script twice, it is defined once. */
export function defineWidget(kind: Kind): void {
  const name = `vitrine-${kind.name}`;
  const observed = [...kind.attributes, "theme", "lang"];
  class Defined extends HTMLElement implements Host {
    declare api?: (question: string) => string;
    /** The shown values of the attributes; "" while the widget shows nothing. */
    declare shown: string | undefined;
    declare running: AbortController | undefined;
    /** The attributes that programs and the widget have set: a morph takes what the page's markup lacks. */
    declare given: Record<string, unknown>;

    static get observedAttributes() {
      return [...observed, STATE];
    }

    constructor() {
      super();
      const early = Object.entries(this);
      this.given = {};
      // A program may have set properties before the script was loaded: they hide the accessors.
      for (const [property, value] of early) {
        Reflect.deleteProperty(this, property);
        Object.assign(this, { [property]: value });
      }
    }

    give(attribute: string, value: unknown): void {
      this.given[attribute] = value;
      if ((value ?? false) === false) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value === true ? "" : `${value}`);
    }

    /** Waits until a program has made all its changes, so that an element that it moves stays unchanged. */
    connectedCallback(): void {
      queueMicrotask(() => {
        for (const each in this.given) if (!this.hasAttribute(each)) this.give(each, this.given[each]);
        // The style sheet handles the theme.
        const values = observed.map((each) => each !== "theme" && this.getAttribute(each));
        const wanted = this.isConnected ? JSON.stringify([(this.api ?? api)(""), ...values]) : "";
        if (wanted !== "") addStyles(this.shadowRoot ?? this.attachShadow({ mode: "open" }), kind.css);
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
  for (const each of observed) {
    Object.defineProperty(Defined.prototype, propertyOf(each), {
      get(this: Defined) {
        return this.given[each] ?? this.getAttribute(each);
      },
      set(this: Defined, value: unknown) {
        this.give(each, value);
      },
    });
  }
  if (customElements.get(name) === undefined) customElements.define(name, Defined);
  defineMount();
  serveTags(name, observed, api);
}
