/** Ratings as stars, always with the number next to them. */
import { formatCount, formatRating } from "../format.ts";

/** Filled to the nearest half. A width of SVG: the page's policy refuses inline styles. */
export function Stars({ average }: { average: number }) {
  const halves = Math.round(Math.min(5, Math.max(0, average)) * 2);
  return (
    <svg
      class="stars"
      viewBox="0 0 10 1"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${formatRating(average)} out of 5 stars`}
    >
      <rect width={halves} height="1" />
    </svg>
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
