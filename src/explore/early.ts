/**
 * Part of the page itself, before its script: the answers of the start are requested while the script is loaded. The
 * page's policy names this text by its digest, so a page contains no other inline script.
 */
import { HOME } from "./first-requests.ts";

function preload(rest: string): void {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  // With the same mode as fetch, or the browser would send the request twice.
  link.crossOrigin = "anonymous";
  link.href = `../api/v1${rest === "" ? "" : `/${rest}`}`;
  document.head.append(link);
}

// The reference's form asks for a search in the query, this page has it after the #.
const sought = new URLSearchParams(location.search).get("search");
if (sought !== null)
  history.replaceState(null, "", `${location.pathname}#/products?${new URLSearchParams({ search: sought })}`);

// The page's script and styles are requested first.
setTimeout(() => {
  if (/^#?\/?(home)?$/.test(location.hash)) Object.values(HOME).forEach(preload);
  // The first formatter of a page takes 30 ms or more: make it while the answers are on their way.
  new Intl.NumberFormat(navigator.language);
});
