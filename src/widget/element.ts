/**
 * A widget is a custom element, `<vitrine-reviews product-slug="…">`. A tag makes one at its own place or in its container
 * (tag.ts), `Vitrine.mount` makes one in an element (mount.ts). The element follows its attributes while it is in the page.
 */
import { type Ask, ask } from "./answers.ts";
import { complain } from "./complain.ts";
import { codeOf, type Language, languageOf } from "./language.ts";
import { defineMount } from "./mount.ts";
import { addStyles } from "./styles.ts";
import { propertyOf, REST_MILLISECONDS, serveTags, type WidgetElement } from "./tag.ts";
import { ENGLISH, type Texts } from "./texts.ts";
import { againButton, element, pressFailed, settle } from "./view.ts";

/** The address of a request at the store's API: a parameter of the function around the bundle. */
declare const api: (question: string) => string;

/** What a page or a test can wait for. */
const STATE = "data-vitrine-state";
type State = "loading" | "ready" | "empty" | "failed" | "not-found";
/** Returns the box of the content. Throws if the widget has ended, so that it starts nothing more. */
type Display = (state: State, ...content: readonly (Node | string)[]) => HTMLElement;

/** The run of a widget: it starts when the element is near the screen, and ends when the element is removed or its attributes change. */
export interface Widget {
  readonly host: Element;
  /** Slug of the product or category, encoded for a URL. */
  readonly slug: string;
  /** While the space is reserved, its texts are the English ones. */
  readonly language: Language;
  readonly ask: Ask;
  /** Of a request at the API. */
  readonly address: (question: string) => string;
  readonly display: Display;
  /** The number of records that are shown at a time: at most one page. */
  readonly limit: number;
  /** Aborted at its end. */
  readonly signal: AbortSignal;
}

export interface Kind<Data> {
  readonly name: string;
  /** Attributes of the element besides `theme` and `lang`; the first is required. */
  readonly attributes: readonly [needed: "product-slug" | "category", ...others: string[]];
  readonly css: string;
  /** The default number of records. */
  readonly usual: number;
  /** Elements of the usual size: as much space is reserved while the records are loading. */
  blank(widget: Widget): readonly Element[];
  /** Sends the requests. An error with the code `not_found` means that the slug is unknown. */
  load(widget: Widget): Promise<Data>;
  /** Displays their answers. */
  show(widget: Widget, data: Data): unknown;
  /** True if it has a heading, and says in words that it failed. */
  readonly isTitled?: boolean;
}

/** Attributes without a value. As properties they are true or false, as `hidden` is: then Vue writes "" as true, Preact null as "". */
const SWITCHES: readonly string[] = ["photos", "json-ld"];

/** An attribute's text, or null if it is not set. Vue writes `false` as a text; VanJS, Snabbdom and Arrow null and undefined, too. */
export function settingOf(host: Element, attribute: string): string | null {
  const value = host.getAttribute(attribute);
  return /^(false|null|undefined)$/.test(`${value}`) ? null : value;
}

export function isSet(host: Element, attribute: string): boolean {
  return settingOf(host, attribute) !== null;
}

/** Shows the widget that the attributes describe, until the signal is aborted. */
function start<Data>(host: WidgetElement, kind: Kind<Data>, signal: AbortSignal): void {
  const { name, attributes, usual, load, blank, show, isTitled } = kind;
  const [needed] = attributes;
  const address = host.api ?? api;
  const value = (host.getAttribute(needed) ?? "").trim();
  const complainOf = (wrong: string) => {
    const list = address(needed === "category" ? "/categories" : "/products");
    complain(`${host.tag ? "data-" : ""}${needed}${wrong}. See ${list} for the slugs.`, host.tag ?? host);
  };
  if (value === "") {
    // A program may still set it: Alpine starts after this script, Angular fills its deferred blocks in the page.
    const wait = (): unknown =>
      setTimeout(() => {
        if (signal.aborted) return;
        if (document.readyState === "complete") complainOf(" is missing or empty");
        else wait();
      }, 2 * REST_MILLISECONDS);
    wait();
    return;
  }
  host.give("data-vitrine", name);
  // The page's styles and ids do not affect what is in it.
  const root = host.shadowRoot as ShadowRoot;
  signal.addEventListener("abort", () => {
    host.give(STATE, null);
    root.replaceChildren();
  });
  // The page's, else the visitor's.
  const tag = settingOf(host, "lang") || document.documentElement.lang || navigator.language;
  const wanted = codeOf(tag);
  let isAtOnce = false;
  const widget = {
    host,
    slug: encodeURIComponent(value),
    language: languageOf(tag, wanted, ENGLISH),
    limit: Math.min(20, Math.max(1, Number(settingOf(host, "limit")) || usual)),
    signal,
    address,
    ask: <Said>(question: string, tries?: number) => ask<Said>(address(question), signal, isAtOnce, tries),
    display(state: State, ...content: readonly (Node | string)[]) {
      signal.throwIfAborted();
      host.give(STATE, state);
      const { code, heading } = widget.language;
      const section = element(
        "section",
        {
          lang: code,
          dir: code === "ar" ? "rtl" : "ltr",
          tabindex: "-1",
          "aria-busy": `${state === "loading"}`,
        },
        ...content,
      );
      if (isTitled) {
        section.ariaLabel = heading;
        section.prepend(element("h2", { part: "heading" }, heading));
      }
      return settle(host, () => {
        const focused = root.activeElement;
        root.replaceChildren(section);
        // Else who pressed "Try again" would start at the page's beginning again.
        if (focused) section.focus();
        return section;
      });
    },
  };
  /** Without its file, the widget is in English. */
  const translate = async () => {
    if (wanted === "en") return;
    widget.language = await widget.ask<Texts>(`/../../widgets/${wanted}.json`, 1).then(
      ({ data }) => languageOf(tag, wanted, data),
      () => languageOf(tag, "en", ENGLISH),
    );
  };
  const reserve = () => widget.display("loading", ...blank(widget));
  const run = async (event?: Event) => {
    // The printed page is what it is when the listeners of this event have ended.
    isAtOnce = event?.type === "beforeprint";
    setTimeout(() => (isAtOnce = false));
    const records = load(widget);
    await Promise.allSettled([records, translate()]);
    try {
      await show(widget, await records);
    } catch (error) {
      if (signal.aborted) return;
      const { code, message } = error as Error & { code?: string };
      const isUnknown = code === "not_found";
      const { language } = widget;
      const failed = isTitled ? [language.failed, " "] : [];
      // A page must not break because its widget fails.
      if (isUnknown) widget.display("not-found", ...failed);
      else widget.display("failed", ...failed, againButton(language, again));
      complainOf(`="${value}" ${isUnknown ? "is unknown" : `could not be shown: ${message}`}`);
    }
  };
  const again = () => {
    reserve();
    run();
  };
  reserve();
  // Once, when the element is near the visible part of the page, or the page is printed.
  let isBegun = false;
  const begin = (event?: Event) => {
    watcher.disconnect();
    if (!isBegun) run(event);
    isBegun = true;
  };
  const watcher = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) begin();
    },
    { rootMargin: "600px" },
  );
  watcher.observe(host);
  addEventListener("beforeprint", begin, { signal });
  addEventListener("online", () => pressFailed(root), { signal });
  matchMedia("print").addEventListener("change", begin, { signal });
  signal.addEventListener("abort", () => watcher.disconnect());
  // Search engines don't scroll.
  if (isSet(host, "json-ld")) begin();
}

/** Defines the element of a kind, and makes one for each tag. If a page has a script twice, it is defined once. */
export function defineWidget<Data>(kind: Kind<Data>): void {
  const name = `vitrine-${kind.name}`;
  const observed = [...kind.attributes, "theme", "lang"];
  /** HTML writes an attribute that a program calls `reviewUrl` in lower case. */
  const joined = observed.map((each) => each.replaceAll("-", ""));
  class Defined extends HTMLElement implements WidgetElement {
    declare api?: (question: string) => string;
    /** The shown values of the attributes; "" while the widget shows nothing. */
    declare shown: string | undefined;
    declare running: AbortController | undefined;
    declare given: Record<string, unknown>;

    static get observedAttributes() {
      return [...observed, ...joined, STATE];
    }

    constructor() {
      super();
      // A program may have set properties before the script was loaded: they hide the accessors.
      const early = { ...this };
      for (const each of Object.keys(early)) Reflect.deleteProperty(this, each);
      this.given = {};
      Object.assign(this, early);
    }

    give(attribute: string, value: unknown): void {
      this.given[attribute] = value;
      // The polyfill of scoped registries reports the removal of what was not set: without a look, this would never end.
      if ((value ?? false) !== false) this.setAttribute(attribute, value === true ? "" : `${value}`);
      else if (this.hasAttribute(attribute)) this.removeAttribute(attribute);
    }

    /** Waits until a program has made all its changes, so that an element that it moves stays unchanged. */
    connectedCallback(): void {
      queueMicrotask(() => {
        for (const [each, value] of Object.entries(this.given))
          if (!this.hasAttribute(each)) this.give(each, value);
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

    /** A morph may take an element that its tag puts back when it has rested (tag.ts). */
    disconnectedCallback(): void {
      setTimeout(() => this.connectedCallback(), 2 * REST_MILLISECONDS);
    }

    attributeChangedCallback(name: string, _: unknown, value: unknown): void {
      const known = observed[joined.indexOf(name)] ?? name;
      if (known !== name) this.give(known, value);
      this.connectedCallback();
    }
  }
  for (const each of observed) {
    const isSwitch = SWITCHES.includes(each);
    // Angular sets an attribute with {{ }} as a property of the attribute's name, Solid one of `reviewUrl` as `reviewurl`.
    for (const property of [each, propertyOf(each), each.replaceAll("-", "")]) {
      Object.defineProperty(Defined.prototype, property, {
        get(this: Defined) {
          return isSwitch ? isSet(this, each) : (this.given[each] ?? this.getAttribute(each));
        },
        set(this: Defined, value: unknown) {
          this.give(each, isSwitch && value === "" ? false : value);
        },
        configurable: true,
      });
    }
  }
  if (customElements.get(name) === undefined) customElements.define(name, Defined);
  defineMount();
  serveTags(name, observed, api);
}
