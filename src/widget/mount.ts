/** `Vitrine.mount`: for programs that add and remove widgets themselves. */
import { complain } from "./complain.ts";

/** `{ widget: "grid", category: "scripts", limit: 8 }`: attributes in camelCase. */
type Options = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Replaces the content of `element` by a widget, and returns a function that removes it. Options that are null, undefined or
 * false are ignored.
 */
function mount(container: Element, { widget = "reviews", ...options }: Options): () => void {
  const name = `vitrine-${widget}`;
  const made = document.createElement(name);
  const kind = customElements.get(name);
  if (!kind) throw new Error(`Vitrine.mount: load widgets/${widget}.js first`);
  for (const [option, value] of Object.entries(options)) {
    if (Object.hasOwn(kind.prototype, option)) Object.assign(made, { [option]: value });
    else complain(`mount has no option "${option}"`, container);
  }
  container.replaceChildren(made);
  return () => made.remove();
}

/** A `Vitrine` that the page or an earlier script has defined is kept. */
export function defineMount(): void {
  const page = window as unknown as { Vitrine?: { mount: typeof mount } };
  page.Vitrine ??= { mount };
}
