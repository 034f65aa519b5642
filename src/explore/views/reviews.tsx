/** Reviews of a product: the average, how many of each rating, and each of them with its words as text. */
import { paginationOf } from "../api.ts";
import { countWords, formatCount, formatDay, formatRating, pageWords } from "../format.ts";
import { ChoiceField } from "../parts/fields.tsx";
import { PagedList } from "../parts/paged-list.tsx";
import { Stars } from "../parts/stars.tsx";
import { Skeleton } from "../parts/states.tsx";
import type { ProductDetail, Review } from "../records.ts";
import { RequestBar } from "../request-bar.tsx";
import { hrefOf, type Route } from "../route.ts";
import { restOf } from "../target.ts";
import { useAnswer } from "../use-answer.ts";
import { Split } from "../view.tsx";

type Summary = ProductDetail["rating_summary"];

const RATINGS = [5, 4, 3, 2, 1] as const;

const SORTS = [
  { value: "", words: "Newest" },
  { value: "oldest", words: "Oldest" },
  { value: "highest", words: "Highest first" },
  { value: "lowest", words: "Lowest first" },
];

/** How many reviews have a rating; null until that is known. The list of that rating says it, which is a file. */
function useTotal(slug: string, rating: number, isKnown: boolean): number | null {
  const rest = restOf("reviews", { product_slug: slug, rating });
  const { answer } = useAnswer(isKnown ? rest : null);
  return paginationOf(answer)?.total ?? null;
}

interface BarProps {
  readonly slug: string;
  readonly rating: number;
  readonly all: number;
  readonly isCurrent: boolean;
}

/** A link to the reviews of one rating; of the chosen one back to all. */
function Bar({ slug, rating, all, isCurrent }: BarProps) {
  const total = useTotal(slug, rating, all > 0);
  const percent = total === null || all === 0 ? 0 : Math.round((total / all) * 100);
  const href = hrefOf(["product", slug], { tab: "reviews", rating: isCurrent ? null : rating });
  return (
    <a class="ratio" href={href} aria-current={isCurrent ? "true" : undefined}>
      <span class="num">{rating}</span>
      <span class="vh">{rating === 1 ? "star" : "stars"}</span>
      <span class="star" aria-hidden="true" />
      <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={percent} height="1" />
      </svg>
      <span class="num count">{total === null ? "" : formatCount(total)}</span>
    </a>
  );
}

function Overview({ slug, summary, rating }: { slug: string; summary: Summary; rating: string }) {
  if (summary.count === 0) return null;
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

function Entry({ review }: { review: Review }) {
  return (
    <li class="entry">
      <div class="top-line">
        <Stars average={review.rating} />
        {review.verified_purchase && <span class="chip ok">Verified purchase</span>}
      </div>
      {review.title !== "" && (
        <h2>
          <bdi>{review.title}</bdi>
        </h2>
      )}
      <p class="text" dir="auto">
        {review.body}
      </p>
      <p class="by">
        <bdi>{review.customer_display_name || "A customer"}</bdi>,{" "}
        <time dateTime={review.created_at}>{formatDay(review.created_at)}</time>
      </p>
    </li>
  );
}

export function Reviews({ slug, summary, route }: { slug: string; summary: Summary; route: Route }) {
  const { rating = "", sort = "", page = "" } = Object.fromEntries(route.query);
  const rest = restOf("reviews", { product_slug: slug, rating, page, sort });
  const asked = useAnswer(rest);
  const link = (change: Readonly<Record<string, string | number | null>>) =>
    hrefOf(["product", slug], { tab: "reviews", rating, sort, page, ...change });
  return (
    <>
      <RequestBar rest={rest} asked={asked} label="The request behind the reviews" />
      <Overview slug={slug} summary={summary} rating={rating} />
      {summary.count > 1 && (
        <div class="bar">
          <ChoiceField
            label="Sort"
            value={sort}
            choices={SORTS}
            onChange={(value) => {
              location.hash = link({ sort: value, page: null });
            }}
          />
          {rating !== "" && (
            <a class="btn tall" href={link({ rating: null, page: null })}>
              Show all ratings
            </a>
          )}
        </div>
      )}
      <Split asked={asked} status={pageWords(paginationOf(asked.answer), "review", "reviews")}>
        <PagedList<Review>
          answer={asked.answer}
          skeleton={<Skeleton count={4} shape="line" />}
          nothing={
            <p class="none">{summary.count === 0 ? "No reviews yet." : "No review has this rating."}</p>
          }
          label="Pages of reviews"
          hrefOf={(next) => link({ page: next })}
        >
          {(reviews) => (
            <ul class="stack">
              {reviews.map((review) => (
                <Entry key={review.id} review={review} />
              ))}
            </ul>
          )}
        </PagedList>
      </Split>
    </>
  );
}
