/** Reviews, questions and releases of a product, each with its request. */
import type { SortName } from "../../api/endpoints.ts";
import type { Faq, ProductDetail, Release, Review } from "../../api/types.ts";
import { BASE, paginationOf } from "../api.ts";
import { countWords, formatCount, formatRating } from "../format.ts";
import { CopyButton } from "../parts/copy.tsx";
import { ChoiceField, choicesOf } from "../parts/fields.tsx";
import { Stars } from "../parts/stars.tsx";
import { hrefOf, type Route } from "../route.ts";
import { SafeHtml } from "../safe-html.tsx";
import { widgetTag } from "../samples.ts";
import { restOf } from "../target.ts";
import { useAnswer } from "../use-answer.ts";
import { By, List } from "../view.tsx";

type Summary = ProductDetail["rating_summary"];

const RATINGS = [5, 4, 3, 2, 1] as const;

const SORTS: Readonly<Record<SortName<"reviews">, string>> = {
  newest: "Newest",
  oldest: "Oldest",
  highest: "Highest first",
  lowest: "Lowest first",
};

interface BarProps {
  readonly slug: string;
  readonly rating: number;
  readonly all: number;
  readonly isCurrent: boolean;
}

/** A link to the reviews with one rating; the chosen rating links back to all. The rating's list has the number. */
function Bar({ slug, rating, all, isCurrent }: BarProps) {
  const { answer } = useAnswer(restOf("reviews", { product_slug: slug, rating }));
  const total = paginationOf(answer)?.total ?? null;
  const href = hrefOf(["product", slug], { tab: "reviews", rating: isCurrent ? null : rating });
  return (
    <a class="ratio" href={href} aria-current={isCurrent ? "true" : undefined}>
      <span class="num">{rating}</span>
      <span class="vh">{rating === 1 ? "star" : "stars"}</span>
      <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.round((100 * (total ?? 0)) / all)} height="1" />
      </svg>
      <span class="num count">{total === null ? "" : formatCount(total)}</span>
    </a>
  );
}

function Overview({ slug, summary, rating }: { slug: string; summary: Summary; rating: string }) {
  return (
    <section class="overview" aria-label="Ratings">
      <div class="average">
        <b class="num">{formatRating(summary.average)}</b>
        <Stars average={summary.average} />
        <span>{countWords(summary.count, "review", "reviews")}</span>
      </div>
      <div class="ratios">
        {RATINGS.map((each) => (
          <Bar key={each} slug={slug} rating={each} all={summary.count} isCurrent={rating === String(each)} />
        ))}
      </div>
    </section>
  );
}

interface ListsProps {
  readonly product: ProductDetail;
  readonly route: Route;
}

export function Reviews({ product: { slug, rating_summary: summary }, route }: ListsProps) {
  const { rating = "", sort = "", page = "" } = Object.fromEntries(route.query);
  const link = (change: Readonly<Record<string, string | number | null>>) =>
    hrefOf(["product", slug], { tab: "reviews", rating, sort, page, ...change });
  const sortBy = (value: string) => {
    location.hash = link({ sort: value, page: null });
  };
  return (
    <List<Review>
      rest={restOf("reviews", { product_slug: slug, rating, page, sort })}
      label="The request behind the reviews"
      nouns={["review", "reviews"]}
      bar={() =>
        summary.count > 0 && (
          <>
            <Overview slug={slug} summary={summary} rating={rating} />
            <div class="bar">
              <ChoiceField label="Sort" value={sort} choices={choicesOf(SORTS, "newest")} onChange={sortBy} />
              <CopyButton
                class="btn tall"
                words="Copy as widget"
                label="Copy as widget: a tag that shows these reviews in any page"
                text={widgetTag(new URL("../widgets/reviews.js", BASE).href, slug)}
              />
              {rating !== "" && (
                <a class="btn tall" href={link({ rating: null, page: null })}>
                  Show all ratings
                </a>
              )}
            </div>
          </>
        )
      }
      nothing={<p class="none">{summary.count === 0 ? "No reviews yet." : "No review has this rating."}</p>}
      class="stack"
      hrefOf={(next) => link({ page: next })}
    >
      {(review) => (
        <div class="entry">
          <div class="top-line">
            <Stars average={review.rating} />
            {review.verified_purchase && <span class="chip ok">Verified purchase</span>}
          </div>
          {review.title !== "" && <h2 dir="auto">{review.title}</h2>}
          <p class="text" dir="auto">
            {review.body}
          </p>
          <By who={review.customer_display_name || "A customer"} when={review.created_at} />
        </div>
      )}
    </List>
  );
}

export function Questions({ product: { slug, public_url } }: ListsProps) {
  return (
    <List<Faq>
      rest={restOf("faqs", { product_slug: slug })}
      label="The request behind the questions"
      nouns={["question", "questions"]}
      nothing={<p class="none">No questions about this product yet.</p>}
      class="stack"
      hrefOf={() => hrefOf(["product", slug], { tab: "questions" })}
    >
      {(faq) => (
        <details class="faq">
          <summary dir="auto">{faq.question}</summary>
          <SafeHtml html={faq.answer_html} base={public_url} />
        </details>
      )}
    </List>
  );
}

export function Releases({ product: { slug }, route }: ListsProps) {
  return (
    <List<Release>
      rest={restOf("releases", { product_slug: slug, page: route.query.get("page") })}
      label="The request behind the releases"
      nouns={["release", "releases"]}
      nothing={<p class="none">This product has no releases yet.</p>}
      class="stack"
      hrefOf={(page) => hrefOf(["product", slug], { tab: "releases", page })}
    >
      {(release) => (
        <div class="entry">
          <h2 dir="auto">
            {release.version} <span>{release.title}</span>
          </h2>
          <By when={release.release_date} />
          <p class="text" dir="auto">
            {release.notes.replace(/^ *\* /gm, "• ")}
          </p>
        </div>
      )}
    </List>
  );
}
