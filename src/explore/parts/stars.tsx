/** Ratings as stars, always with the number next to them. */
import { formatCount, formatRating } from "../format.ts";
import { has } from "../shop.ts";

/** Five stars in a box of 75 by 15. Shapes, not a mask: browsers print no masks. */
const FIVE = [0, 15, 30, 45, 60]
  .map((x) => `M${x + 7.5} 1l1.9 4.2 4.6.5-3.4 3.1.9 4.5-4-2.3-4 2.3.9-4.5L${x + 1} 5.7l4.6-.5z`)
  .join("");

/** Filled to the nearest half. A nested box cuts them: the page's policy refuses inline styles. */
export function Stars({ average }: { average: number }) {
  const halves = Math.round(Math.min(5, Math.max(0, average)) * 2);
  return (
    <svg class="stars" viewBox="0 0 75 15" role="img" aria-label={`${formatRating(average)} out of 5 stars`}>
      <path d={FIVE} />
      <svg width={halves * 7.5} height="15" aria-hidden="true">
        <path d={FIVE} />
      </svg>
    </svg>
  );
}

export function Rating({ average, count }: { average: number; count: number }) {
  if (count === 0) return has("reviews") ? <p class="rate">No reviews yet</p> : null;
  return (
    <p class="rate">
      <Stars average={average} />
      <b class="num">{formatRating(average)}</b>
      <span class="num">({formatCount(count)})</span>
    </p>
  );
}
