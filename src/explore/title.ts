/** The document's title: what the view shows, so that each address has its own title in tabs, bookmarks and the history. */
import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import { type Route, titleOf } from "./route.ts";

/** The shop's name, "" until it is loaded, and the query of the view. */
export const Page = createContext<{ readonly shop: string; readonly query: Route["query"] }>({
  shop: "",
  query: new URLSearchParams(),
});

export function useTitle(heading: string): void {
  const { shop, query } = useContext(Page);
  const title = titleOf(heading, query, shop);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
