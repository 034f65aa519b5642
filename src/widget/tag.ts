/** The tags that load a widget's script, and the places of their elements. */
import { complain } from "./complain.ts";
import { shared } from "./shared.ts";

export interface WidgetElement extends HTMLElement {
  /** The tag that made it, and that tag's API: a page may have tags of two shops. */
  tag?: HTMLScriptElement;
  api?: (question: string) => string;
  /** The attributes that programs and the widget have set: a morph takes what the page's markup lacks. */
  given: Record<string, unknown>;
  /** Sets an attribute that the page's markup lacks, to a value as programs write them: false, null and undefined remove it. */
  give(attribute: string, value: unknown): void;
}

/** A tag has its element as a property with the element's name. */
type Tag = HTMLScriptElement & Record<string, WidgetElement | undefined>;

/** Between two looks, so that a program that removes what a tag adds does not stop the page. */
export const REST_MILLISECONDS = 100;

/** The name of an attribute as a property: `reviewUrl` of `review-url`, and of a tag's `data-review-url` in its `dataset`. */
export function propertyOf(attribute: string): string {
  return attribute.replace(/-./g, (part) => part.slice(1).toUpperCase());
}

/**
 * Gives each tag of a script its element, in the container that the tag names, or before the tag. Which tag runs the script does
 * not matter: in a module, in a shadow root, and after a router it is unknown. While a tag is in the page, its element is too,
 * and follows its attributes. A tag without a slug or a container only defines the element.
 */
export function serveTags(
  name: string,
  attributes: readonly string[],
  api: (question: string) => string,
): void {
  const file = `${name.replace("vitrine-", "/widgets/")}.js`;
  // The script's own address, unless a program runs its text.
  const [address = file] = RegExp(`http\\S*${file}`).exec(`${Error().stack}`) ?? [];
  /** Tags that are new, or whose container may still come. */
  const waiting = new Set<Tag>();
  let isResting = false;

  const warn = (wrong: string, where: Element, isShown?: boolean) =>
    complain(
      `${wrong}. ${isShown ? "The widget is at its tag" : `Nothing is shown. Use data-container or <${name}>`}.`,
      where,
    );

  const find = (root: ParentNode, selector: string) => {
    for (const each of root.querySelectorAll<Tag>(selector)) {
      if (each.shadowRoot) find(each.shadowRoot, selector);
      // A tag of another type waits for the visitor's consent.
      if (`${each.src}`.includes(address) && /^(|module|\w+.javascript)$/.test(each.type)) waiting.add(each);
    }
  };

  const follow = (tag: Tag) => {
    const made = tag[name];
    if (made?.tag === tag) for (const each of attributes) made.give(each, tag.dataset[propertyOf(each)]);
  };

  /** Returns true if the tag must wait. */
  const place = (tag: Tag): boolean => {
    const { dataset } = tag;
    // Without a slug, the container keeps its content, and the element says what is missing.
    const id = dataset[propertyOf(attributes[0] as string)]?.trim() && dataset["container"];
    const { readyState } = document;
    const known = tag[name];
    // The most common mistake is a wrong name.
    const isAsking = /slug|product|category|container/i.test(`${Object.keys(dataset)}`);
    if (known?.isConnected || !isAsking) return false;
    if (readyState === "loading") return true;
    const root = tag.getRootNode() as Partial<Document>;
    const found = id ? (root.getElementById?.(id) ?? document.getElementById(id)) : null;
    const container = found?.closest("head") ? null : found;
    const isInBody = tag.isConnected && !tag.closest("head");
    if (id && !container) {
      // A router may bring its container back.
      if (known || readyState !== "complete") return !known;
      warn(`data-container="${id}" is not the id of an element in <body>`, tag, isInBody);
    } else if (!known && !container && !isInBody) warn("the tag is in <head> or was removed", tag);
    // A page that a router brings back as it was left has a copy of the element already.
    const beside = (
      container ? container.firstElementChild : tag.previousElementSibling
    ) as WidgetElement | null;
    const isCopy =
      beside?.localName === name &&
      attributes.every(
        (each) =>
          (beside.given[each] ?? beside.getAttribute(each) ?? "") === (dataset[propertyOf(each)] ?? ""),
      );
    const made = isCopy ? beside : (known ?? (document.createElement(name) as WidgetElement));
    // Of two tags with one container, the last has it.
    if (known && container && !isCopy && beside?.localName.startsWith("vitrine-")) return false;
    tag[name] = made;
    made.tag = tag;
    made.api = api;
    follow(tag);
    if (isCopy) return false;
    if (container) container.replaceChildren(made);
    else if (isInBody) tag.before(made);
    return false;
  };

  const look = () => {
    find(document, "script");
    for (const tag of waiting) if (!place(tag)) waiting.delete(tag);
  };

  const start = () => {
    const watcher = new MutationObserver((changes) => {
      for (const { target } of changes) follow(target as Tag);
      if (isResting) return;
      isResting = true;
      look();
      setTimeout(() => {
        isResting = false;
        look();
      }, REST_MILLISECONDS);
    });
    const attributeFilter = attributes.map((each) => `data-${each}`);
    watcher.observe(document, { childList: true, subtree: true, attributeFilter });
    document.addEventListener("readystatechange", look);
    return (running: Element | null) => {
      if (running) waiting.add(running as Tag);
      else find(document, "*");
      if (waiting.size === 0 && "vitrineWidget" in window && !document.querySelector(name))
        warn("the tag is in a closed shadow root", document.body);
      look();
    };
  };
  const key = address + api(name);
  shared.tags[key] ??= start();
  shared.tags[key]?.(document.currentScript);
}
