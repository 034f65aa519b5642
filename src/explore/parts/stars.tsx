/** Ratings, as shapes and as the number that always stands beside them. */
import { formatCount, formatRating } from "../format.ts";

/** Filled to the nearest half: `p35`. */
function fillOf(average: number): string {
  return `p${Math.round(Math.min(5, Math.max(0, average)) * 2) * 5}`;
}

export function Stars({ average }: { average: number }) {
  return (
    <span
      class={`stars ${fillOf(average)}`}
      role="img"
      aria-label={`${formatRating(average)} out of 5 stars`}
    />
  );
}

export function Rating({ average, count }: { average: number; count: number }) {
  if (count === 0) return <p class="rate">No reviews yet</p>;
  return (
    <p class="rate">
      <Stars average={average} />
      <b class="num">{formatRating(average)}</b>
      <span class="num">({formatCount(count)})</span>
    </p>
  );
}
