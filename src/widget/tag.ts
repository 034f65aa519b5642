/** The tag that loads a widget's script, and the place of its element. */
import { complain, complainOfSlug } from "./complain.ts";

export interface WidgetElement extends HTMLElement {
  /** The tag that made it, and that tag's API: a page may have tags of two shops. */
  tag?: HTMLScriptElement;
  api?: (question: string) => string;
}

/**
 * Puts the element of the running tag into the container that the tag names, or before the tag without one. It waits for the
 * container until the page is loaded. A tag without an attribute of a widget only defines the element.
 */
export function startTag(
  name: string,
  attributes: readonly string[],
  api: (question: string) => string,
): void {
  const tag = document.currentScript as HTMLScriptElement | null;
  const [needed] = attributes as [string];
  if (tag === null) {
    const file = name.replace("vitrine-", "/widgets/");
    const hidden = document.querySelector(`script[type=module][data-${needed}][src$="${file}.js"]`);
    if (hidden !== null)
      complain(
        `a module can't read data-${needed} of its tag. Remove type="module", or use <${name}>.`,
        hidden,
      );
    return;
  }
  const { container: id, ...others } = tag.dataset;
  const isWidget = attributes.some((each) => tag.hasAttribute(`data-${each}`)) || id !== undefined;
  // The most common mistake.
  if (!isWidget && !/slug|product|category/i.test(Object.keys(others).join())) return;
  if (!tag.getAttribute(`data-${needed}`)?.trim()) {
    complainOfSlug(`data-${needed} is missing or empty`, needed, api, tag);
    return;
  }

  const place = () => {
    const { body, readyState } = document;
    if (readyState === "loading") return;
    const found = document.getElementById(id ?? "");
    const container = body.contains(found) ? found : null;
    const isLost = id && container === null;
    if (isLost && readyState !== "complete") return;
    watcher.disconnect();
    document.removeEventListener("readystatechange", place);
    const made: WidgetElement = document.createElement(name);
    made.tag = tag;
    made.api = api;
    for (const each of attributes) {
      const value = tag.getAttribute(`data-${each}`);
      if (value !== null) made.setAttribute(each, value);
    }
    const isInBody = body.contains(tag);
    const isShown = isInBody || container !== null;
    if (isLost || !isShown) {
      const slug = `data-${needed}="${tag.getAttribute(`data-${needed}`)}"`;
      const wrong = isLost
        ? `data-container="${id}" is not the id of an element in <body>`
        : `the tag of ${slug} is in <head> or was removed`;
      const advice = `Nothing is shown. Put an element's id into data-container, or use <${name}>.`;
      complain(`${wrong}. ${isShown ? "The widget is at its tag." : advice}`, tag);
    }
    if (container !== null) container.replaceChildren(made);
    else if (isInBody) tag.before(made);
  };
  const watcher = new MutationObserver(place);
  watcher.observe(document, { childList: true, subtree: true });
  document.addEventListener("readystatechange", place);
  place();
}
