/** The page: its head, its sections, and the view that its address names. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Status } from "../api/types.ts";
import { dataOf } from "./api.ts";
import { HOME } from "./first-requests.ts";
import { filterSetter, SearchField } from "./parts/fields.tsx";
import { ThemeButton } from "./parts/theme-button.tsx";
import { keptPlace, returnTo } from "./place.ts";
import { hrefOf, isOtherPage, parseRoute, type Route, valuesOf } from "./route.ts";
import { SECTIONS } from "./sections.ts";
import { has, SITE } from "./shop.ts";
import { Page } from "./title.ts";
import { useAnswer } from "./use-answer.ts";
import { Heading, RESULTS_ID } from "./view.tsx";
import { Blog, Forum, Post, ThreadView } from "./views/blog-forum.tsx";
import { Home } from "./views/home.tsx";
import { ProductView } from "./views/product.tsx";
import { Products } from "./views/products.tsx";
import { RequestView } from "./views/request.tsx";

/** The section that a view belongs to. */
function sectionOf({ path: [first = ""] }: Route): string {
  return first === "product" ? "products" : first;
}

function NoPage({ title }: { title: string }) {
  return (
    <>
      <Heading title={title} />
      <a class="btn go" href={hrefOf(["home"])}>
        To the start
      </a>
    </>
  );
}

interface CurrentProps {
  readonly route: Route;
  readonly shop: string;
}

function Current({ route, shop }: CurrentProps) {
  const [section, name] = route.path;
  if (SECTIONS.some(([path]) => path === section && !has(path)))
    return <NoPage title={`This shop shows no ${section} here`} />;
  switch (section) {
    case "home":
      return <Home name={shop} />;
    case "products":
      return <Products route={route} />;
    case "product":
      return <ProductView key={name} slug={name ?? ""} route={route} />;
    case "blog":
      return name === undefined ? <Blog route={route} /> : <Post key={name} slug={name} />;
    case "forum":
      return name === undefined ? <Forum route={route} /> : <ThreadView key={name} slug={name} />;
    case "request":
      return <RequestView route={route} />;
    default:
      return <NoPage title="This page does not exist" />;
  }
}

function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const listen = () => setHash(location.hash);
    addEventListener("hashchange", listen);
    // A program may have changed it since the first drawing.
    listen();
    return () => removeEventListener("hashchange", listen);
  }, []);
  return parseRoute(hash);
}

/** Focuses the heading of another view. */
function focusHeading(): void {
  scrollTo(0, 0);
  document.querySelector("h1")?.focus({ preventScroll: true });
}

/** Shows another page of a list from its first record. Moves the focus there if the followed link no longer exists. */
function focusResults(isOtherPage: boolean): void {
  if (!isOtherPage && document.activeElement !== document.body) return;
  const results = document.getElementById(RESULTS_ID);
  results?.focus({ preventScroll: true });
  if (isOtherPage) results?.scrollIntoView();
}

/** Scrolls to the start of another view or page, and back to the place of one that was left; a changed filter keeps the place. */
function useFocusOnMove(route: Route): void {
  const before = useRef(route);
  useEffect(() => {
    const last = before.current;
    before.current = route;
    const isFirst = last === route;
    const place = keptPlace();
    if (place !== null) {
      if (!isFirst) focusHeading();
      returnTo(place, isFirst ? null : hrefOf(last.path, valuesOf(last.query)));
    } else if (isFirst) return;
    else if (hrefOf(last.path) !== hrefOf(route.path)) focusHeading();
    else focusResults(isOtherPage(last, route));
  }, [hrefOf(route.path, valuesOf(route.query))]);
}

/** Searches the products from every view, and while typing in the list of products. */
function Search({ route: { path, query } }: { route: Route }) {
  const isHere = path[0] === "products";
  const values = isHere ? valuesOf(query) : {};
  return (
    <SearchField
      label="Search products"
      value={values["search"] ?? ""}
      onSearch={filterSetter("products", values)("search")}
      isAway={!isHere}
    />
  );
}

export function App() {
  const route = useRoute();
  useFocusOnMove(route);
  const status = dataOf<Status>(useAnswer(HOME.status).answer);
  const name = status?.store.store_name ?? "";
  const section = sectionOf(route);
  return (
    <>
      <button type="button" class="btn skip" onClick={() => document.querySelector("h1")?.focus()}>
        Skip to the content
      </button>
      <header class="head">
        <div class="wrap top">
          <a class="brand" href={hrefOf(["home"])} aria-current={section === "home" ? "page" : undefined}>
            <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4 20V8l4-5h12v12l-4 5zM4 8h12m0 12V8l4-5" />
            </svg>
            <bdi>{name || "Explorer"}</bdi>
          </a>
          <nav class="main" aria-label="Sections">
            {SECTIONS.filter(([path]) => has(path)).map(([path, words]) => (
              <a key={path} href={hrefOf([path])} aria-current={path === section ? "page" : undefined}>
                {words}
              </a>
            ))}
            <a href={hrefOf(["request"])} aria-current={section === "request" ? "page" : undefined}>
              Requests
            </a>
            <a href="../docs/">Reference</a>
          </nav>
          {section !== "home" && has("products") && <Search route={route} />}
          <ThemeButton />
        </div>
      </header>
      <main class="wrap" id="content">
        <Page.Provider value={{ shop: name, query: route.query }}>
          <Current route={route} shop={name} />
        </Page.Provider>
      </main>
      <footer class="wrap">
        <p>
          Everything here is public and read-only: plain JSON, made by Vitrine.
          {SITE !== "" && status !== null && status.store.public_url !== "" && (
            <>
              {" "}
              <a href={status.store.public_url} rel="noopener noreferrer">
                To the store
              </a>
            </>
          )}
        </p>
      </footer>
    </>
  );
}
