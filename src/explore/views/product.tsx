/** One product: pictures, facts, description, reviews, questions and releases. */
import { useEffect, useRef } from "preact/hooks";
import type { ProductDetail } from "../../api/types.ts";
import { countWords, formatDay, kindName } from "../format.ts";
import { Price } from "../parts/price.tsx";
import { Rating } from "../parts/stars.tsx";
import { Tile } from "../parts/tile.tsx";
import { hrefOf, type Route } from "../route.ts";
import { SafeHtml } from "../safe-html.tsx";
import { has, SITE } from "../shop.ts";
import { restOf } from "../target.ts";
import type { Asked } from "../use-answer.ts";
import { Detail, Split } from "../view.tsx";
import { Questions, Releases, Reviews } from "./product-lists.tsx";

/** Tabs, each with its endpoint. */
const TABS = [
  ["description", "Description", "product"],
  ["reviews", "Reviews", "reviews"],
  ["questions", "Questions", "faqs"],
  ["releases", "Releases", "releases"],
] as const;

function Gallery({ product }: { product: ProductDetail }) {
  const { id, title, image, gallery } = product;
  const others = gallery.filter((url) => url !== "" && url !== image);
  return (
    <div>
      <div class="card">
        <Tile id={id} title={title} src={image} class="big" />
      </div>
      <div class="thumbs">
        {others.map((url, at) => (
          <a key={url} href={url} rel="noopener noreferrer" aria-label={`Picture ${at + 2}`}>
            <Tile id={id} title={title} src={url} class="big" />
          </a>
        ))}
      </div>
    </div>
  );
}

/** Addresses for documentation, which lead nowhere (RFC 2606): those of the demo's products. */
const NOWHERE = /^https?:\/\/[^/?#]*\.(?:example|invalid)(?=[:/?#]|$)/;

function Facts({ product }: { product: ProductDetail }) {
  const { category, type, rating_summary: rating, latest_release: release } = product;
  const links = [
    ["View in the store", SITE && product.public_url, "btn go tall"],
    ["Demo", product.demo_url, "btn tall"],
    ["Documentation", product.docs_url, "btn tall"],
  ] as const;
  const facts = [
    [
      "Category",
      <a href={hrefOf(["products"], { category: category.slug })} dir="auto">
        {category.name}
      </a>,
    ],
    ["Kind", <a href={hrefOf(["products"], { type })}>{kindName(type)}</a>],
    ["Latest release", release && `${release.version}, ${formatDay(release.release_date)}`],
    ["Updated", formatDay(product.updated_at)],
  ].filter(([, value]) => value !== null);
  return (
    <div class="facts">
      <Rating average={rating.average} count={rating.count} />
      <Price product={product} />
      <p class="lead" dir="auto">
        {product.excerpt || product.description_short}
      </p>
      <div class="buttons">
        {links
          .filter(([, url]) => url !== "" && !NOWHERE.test(url))
          .map(([words, url, className]) => (
            <a key={words} class={className} href={url} rel="noopener noreferrer">
              {words}
            </a>
          ))}
      </div>
      <dl class="list">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </div>
  );
}

interface TabsProps {
  readonly product: ProductDetail;
  readonly current: string;
}

function Tabs({ product, current }: TabsProps) {
  const counts: Readonly<Record<string, number>> = {
    reviews: product.review_count,
    questions: product.faqs.length,
  };
  const nav = useRef<HTMLElement>(null);
  // A link to the reviews scrolls to them; by now the page has its final height.
  useEffect(() => {
    if (current !== TABS[0][0]) nav.current?.scrollIntoView();
  }, []);
  return (
    <nav ref={nav} class="tabs" aria-label="About this product">
      {TABS.filter(([, , path]) => has(path)).map(([tab, words]) => (
        <a
          key={tab}
          href={hrefOf(["product", product.slug], { tab: tab === "description" ? null : tab })}
          aria-current={tab === current ? "page" : undefined}
        >
          {words}
          <span class="num"> {counts[tab]}</span>
        </a>
      ))}
    </nav>
  );
}

interface TabProps {
  readonly tab: string;
  readonly product: ProductDetail;
  readonly route: Route;
  readonly asked: Asked;
}

function Tab({ tab, product, route, asked }: TabProps) {
  if (tab === "reviews") return <Reviews product={product} route={route} />;
  if (tab === "questions") return <Questions product={product} route={route} />;
  if (tab === "releases") return <Releases product={product} route={route} />;
  const { title, review_count, description, description_html, public_url } = product;
  return (
    <Split asked={asked} status={`${title}, ${countWords(review_count, "review", "reviews")}`}>
      {description === "" ? (
        <p class="none">This product has no description yet.</p>
      ) : (
        <SafeHtml html={description_html} base={public_url} />
      )}
    </Split>
  );
}

interface ViewProps {
  readonly slug: string;
  readonly route: Route;
}

export function ProductView({ slug, route }: ViewProps) {
  const tab = route.query.get("tab") ?? "description";
  return (
    <Detail<ProductDetail>
      rest={restOf("product", { slug })}
      slug={slug}
      kind={["product", "products", "search"]}
      hasOwnBar={tab !== "description"}
      crumbs={(product) => [
        ["Products", hrefOf(["products"])],
        ...(product === null
          ? []
          : [[product.category.name, hrefOf(["products"], { category: product.category.slug })] as const]),
      ]}
    >
      {(product, asked) => (
        <>
          <div class="detail">
            <Gallery product={product} />
            <Facts product={product} />
          </div>
          <Tabs product={product} current={tab} />
          <Tab tab={tab} product={product} route={route} asked={asked} />
        </>
      )}
    </Detail>
  );
}
