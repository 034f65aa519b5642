/** One product: pictures, facts, and what customers and the shop say of it, each with the request that it comes from. */
import { useState } from "preact/hooks";
import { AnswerPanel } from "../answer-panel.tsx";
import { dataOf } from "../api.ts";
import { hasFailed } from "../failure.ts";
import { countWords, formatDay } from "../format.ts";
import { Badge, Price } from "../parts/price.tsx";
import { Rating } from "../parts/stars.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { Tile } from "../parts/tile.tsx";
import type { ProductDetail } from "../records.ts";
import { RequestBar } from "../request-bar.tsx";
import { hrefOf, type Route } from "../route.ts";
import { SafeHtml } from "../safe-html.tsx";
import { restOf } from "../target.ts";
import { type Asked, useAnswer } from "../use-answer.ts";
import { Heading } from "../view.tsx";
import { Questions, Releases } from "./product-lists.tsx";
import { Reviews } from "./reviews.tsx";

const TABS = [
  ["description", "Description"],
  ["reviews", "Reviews"],
  ["questions", "Questions"],
  ["releases", "Releases"],
] as const;

function Gallery({ product }: { product: ProductDetail }) {
  const images = [...new Set([product.image, ...product.gallery])].filter((url) => url !== "");
  const [chosen, setChosen] = useState(0);
  return (
    <div class="gallery">
      <div class="card plain">
        <Tile id={product.id} title={product.title} src={images[chosen] ?? ""} class="big" />
        <Badge product={product} />
      </div>
      {images.length > 1 && (
        <div class="thumbs" role="group" aria-label="Pictures">
          {images.map((url, at) => (
            <button
              key={url}
              type="button"
              aria-label={`Picture ${at + 1} of ${images.length}`}
              aria-pressed={at === chosen}
              onClick={() => setChosen(at)}
            >
              <Tile id={product.id} title={product.title} src={url} class="small" />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function ExternalLink({ url, words, class: className }: { url: string; words: string; class: string }) {
  if (url === "") return null;
  return (
    <a class={className} href={url} rel="noopener noreferrer">
      {words}
    </a>
  );
}

function Facts({ product }: { product: ProductDetail }) {
  const { category, type, rating_summary, latest_release: release, updated_at } = product;
  return (
    <div class="facts">
      <Rating average={rating_summary.average} count={rating_summary.count} />
      <Price product={product} />
      <p class="lead">{product.excerpt || product.description_short}</p>
      <div class="buttons">
        <ExternalLink class="btn go tall" url={product.public_url} words="View in the store" />
        <ExternalLink class="btn tall" url={product.demo_url} words="Demo" />
        <ExternalLink class="btn tall" url={product.docs_url} words="Documentation" />
      </div>
      <dl class="list">
        <div>
          <dt>Category</dt>
          <dd>
            <a href={hrefOf(["products"], { category: category.slug })}>{category.name}</a>
          </dd>
        </div>
        <div>
          <dt>Kind</dt>
          <dd>
            <a href={hrefOf(["products"], { type })}>{type}</a>
          </dd>
        </div>
        {release !== null && (
          <div>
            <dt>Latest release</dt>
            <dd>
              {release.version}, {formatDay(release.release_date)}
            </dd>
          </div>
        )}
        <div>
          <dt>Updated</dt>
          <dd>{formatDay(updated_at)}</dd>
        </div>
      </dl>
    </div>
  );
}

function tabCount(tab: string, product: ProductDetail): number | null {
  if (tab === "reviews") return product.review_count;
  return tab === "questions" ? product.faqs.length : null;
}

function Tabs({ product, current }: { product: ProductDetail; current: string }) {
  return (
    <nav class="tabs" aria-label="About this product">
      {TABS.map(([tab, words]) => {
        const count = tabCount(tab, product);
        return (
          <a
            key={tab}
            href={hrefOf(["product", product.slug], { tab: tab === "description" ? null : tab })}
            aria-current={tab === current ? "page" : undefined}
          >
            {words}
            {count !== null && <span class="num"> {count}</span>}
          </a>
        );
      })}
    </nav>
  );
}

function Tab({
  tab,
  product,
  route,
  asked,
}: {
  tab: string;
  product: ProductDetail;
  route: Route;
  asked: Asked;
}) {
  if (tab === "reviews")
    return <Reviews slug={product.slug} summary={product.rating_summary} route={route} />;
  if (tab === "questions") return <Questions slug={product.slug} base={product.public_url} />;
  if (tab === "releases") return <Releases slug={product.slug} route={route} />;
  return (
    <div class="split">
      <div class="content">
        {product.description === "" ? (
          <p class="none">This product has no description yet.</p>
        ) : (
          <SafeHtml html={product.description_html} base={product.public_url} />
        )}
      </div>
      <AnswerPanel answer={asked.answer} />
    </div>
  );
}

/** Said beside the title: how much there is to read. */
function About({ product }: { product: ProductDetail }) {
  return (
    <p class="vh" role="status">
      {product.title}, {countWords(product.review_count, "review", "reviews")}
    </p>
  );
}

export function ProductView({ route }: { route: Route }) {
  const [, slug = ""] = route.path;
  const rest = restOf("product", { slug });
  const asked = useAnswer(rest);
  const product = asked.isCurrent ? dataOf<ProductDetail>(asked.answer) : null;
  const tab = route.query.get("tab") ?? "description";
  const category = product?.category;
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={hrefOf(["products"])}>Products</a>
        {category !== undefined && (
          <a href={hrefOf(["products"], { category: category.slug })}>{category.name}</a>
        )}
      </nav>
      <Heading title={product?.title ?? slug} />
      <RequestBar rest={rest} asked={asked} />
      {hasFailed(asked) && (
        <div class="alone">
          <Failure asked={asked} />
        </div>
      )}
      {product === null && !hasFailed(asked) && <Skeleton count={2} shape="card" />}
      {product !== null && (
        <>
          <About product={product} />
          <div class="detail">
            <Gallery key={product.id} product={product} />
            <Facts product={product} />
          </div>
          <Tabs product={product} current={tab} />
          <Tab tab={tab} product={product} route={route} asked={asked} />
        </>
      )}
    </>
  );
}
