/** The home view: the shop, its lists, and first requests for programmers. Files answer all of it. */
import type { Category, Product, Store } from "../../api/types.ts";
import { dataOf, urlOf } from "../api.ts";
import { HOME } from "../first-requests.ts";
import { formatCount } from "../format.ts";
import { CopyButton } from "../parts/copy.tsx";
import { SearchField } from "../parts/fields.tsx";
import { Failure, Skeleton, Slow, State } from "../parts/states.tsx";
import { hrefOf } from "../route.ts";
import { sampleOf } from "../samples.ts";
import { has } from "../shop.ts";
import { restOf } from "../target.ts";
import { useTitle } from "../title.ts";
import { type Asked, useAnswer } from "../use-answer.ts";
import { ProductCard } from "./products.tsx";

/** A row of cards if there is room for it. */
const SHOWN = 4;

interface RowProps {
  readonly title: string;
  /** Address of the whole list; undefined if the API has no such list. */
  readonly href?: string;
  /** Null until they are loaded. */
  readonly products: readonly Product[] | null;
  readonly isFirst?: boolean;
}

function Row({ title, href, products, isFirst = false }: RowProps) {
  if (products?.length === 0) return null;
  return (
    <section class="row">
      <div class="h">
        <h2>{title}</h2>
        {href !== undefined && <a href={href}>Show all</a>}
      </div>
      {products === null ? (
        <Skeleton count={SHOWN} />
      ) : (
        <ul class="grid four">
          {products.slice(0, SHOWN).map((product) => (
            <li key={product.id}>
              <ProductCard product={product} heading="h3" isFirst={isFirst} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Categories({ categories }: { categories: readonly Category[] }) {
  const filled = categories.filter(({ product_count }) => product_count > 0);
  if (filled.length === 0) return null;
  return (
    <section class="row">
      <h2>Categories</h2>
      <ul class="categories">
        {filled.map(({ slug, name, product_count }) => (
          <li key={slug}>
            <a class="btn tall" href={hrefOf(["products"], { category: slug })}>
              <bdi>{name}</bdi>
              <span class="num">{formatCount(product_count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function First({ words, rest }: { words: string; rest: string }) {
  return (
    <li class="entry">
      <span>{words}</span>
      <a href={hrefOf(["request"], { path: rest })}>
        <b class="get">GET</b> <code>/{rest}</code>
      </a>
      <CopyButton
        class="link"
        words="Copy curl"
        label={`Copy curl: ${words}`}
        text={sampleOf("curl", urlOf(rest))}
      />
    </li>
  );
}

/** First requests, each a step further: a list, one record, a list with a filter. */
function Developers({ slug, category }: { slug: string; category: string }) {
  const [order, sort] = has("reviews") ? ["best rated", "rating"] : ["cheapest", "price_asc"];
  const requests = (
    [
      [`The ${order} of a category`, "products", { category, sort }],
      ["One product with all its details", "product", { slug }],
      ["Its reviews", "reviews", { product_slug: slug }],
    ] as const
  ).filter(([, path]) => has(path));
  return (
    <section class="row">
      <h2>For developers</h2>
      <p class="lead">
        All of this is plain JSON, asked with GET and without a key. Most answers are files; only search
        texts, price bounds and rare combinations of filters need a server, and each view says which one
        answered.
      </p>
      <ol class="stack firsts">
        {requests.map(([words, path, values]) => (
          <First key={path} words={words} rest={restOf(path, values)} />
        ))}
      </ol>
      <div class="buttons">
        <a class="btn tall" href="../docs/">
          Read the reference
        </a>
        <a class="btn tall" href={hrefOf(["request"])}>
          Ask for anything
        </a>
      </div>
    </section>
  );
}

/** The API has no filter for sales, so these come from the lists that the view requests anyway. */
function onSale(lists: readonly (readonly Product[] | null)[]): readonly Product[] {
  const found = new Map<number, Product>();
  for (const product of lists.flatMap((list) => list ?? []))
    if (product.status === "published" && product.pricing.sale !== null) found.set(product.id, product);
  return [...found.values()];
}

interface ShelvesProps {
  readonly asked: Asked;
  readonly rated: readonly Product[] | null;
  readonly categories: readonly Category[];
}

function Shelves({ asked, rated, categories }: ShelvesProps) {
  const newest = dataOf<readonly Product[]>(asked.answer);
  const [first = null] = newest ?? [];
  if (newest !== null && first === null)
    return (
      <State
        title="This shop has no products yet"
        text="Products appear here as soon as the shop publishes one. The API works already; its lists are empty."
      >
        <a class="btn go" href="../docs/">
          Read the reference
        </a>
      </State>
    );
  const isRated = rated?.filter(({ rating_summary }) => rating_summary.count > 0) ?? null;
  return (
    <>
      {asked.isSlow && <Slow asked={asked} />}
      <Row title="What is new" href={hrefOf(["products"])} products={newest} isFirst />
      <Row title="Best rated" href={hrefOf(["products"], { sort: "rating" })} products={isRated} />
      <Row title="On sale" products={onSale([newest, rated])} />
      <Categories categories={categories} />
      {first !== null && <Developers slug={first.slug} category={first.category.slug} />}
    </>
  );
}

/** `name`: the shop's name from its status, for a shop without the endpoint /store. */
export function Home({ name }: { name: string }) {
  useTitle("Explorer");
  const about = useAnswer(HOME.store);
  const store = dataOf<Store>(about.answer);
  const asked = useAnswer(HOME.newest);
  const rated = dataOf<readonly Product[]>(useAnswer(HOME.rated).answer);
  const categories = dataOf<readonly Category[]>(useAnswer(HOME.categories).answer) ?? [];
  const isEmpty = dataOf<readonly Product[]>(asked.answer)?.length === 0;
  const search = (text: string) => {
    location.hash = hrefOf(["products"], { search: text });
  };
  // The shop's description has any length: if the content below were shown earlier, it would move.
  const isSaid = about.answer !== null || about.isOffline;
  return (
    <>
      <div class="hero">
        <h1 tabIndex={-1} dir="auto">
          {store?.store_name || name || (about.isOffline ? "Explorer" : "\u00a0")}
        </h1>
        <p class="lead" dir="auto">
          {(store?.tagline || store?.description) ?? ""}
        </p>
        {!isEmpty && <SearchField label="Search products" value="" onSearch={search} isAway hasButton />}
      </div>
      {asked.isOffline || (asked.isCurrent && dataOf(asked.answer) === null) ? (
        <Failure asked={asked} />
      ) : (
        isSaid && <Shelves asked={asked} rated={rated} categories={categories} />
      )}
      {about.isSlow && <Slow asked={about} />}
    </>
  );
}
