/** What a product costs now, and what it costs else. */

import type { Product } from "../../api/types.ts";
import { formatPrice } from "../format.ts";

/** Whole percents that a sale takes off; 0 where there is none. */
function saving({ regular, sale }: Product["pricing"]): number {
  return sale === null || regular <= 0 || sale >= regular ? 0 : Math.round((1 - sale / regular) * 100);
}

/** The badge at a picture's corner. */
export function Badge({ product: { status, pricing } }: { product: Product }) {
  if (status === "coming_soon") return <span class="tag">Coming soon</span>;
  if (status === "preorder") return <span class="tag">Preorder</span>;
  const percent = saving(pricing);
  return percent === 0 ? null : <span class="tag">−{percent} %</span>;
}

export function Price({ product: { status, pricing } }: { product: Product }) {
  const { current, regular, currency } = pricing;
  const isLess = current < regular;
  const word = status === "preorder" ? "Preorder price" : "Sale price";
  return (
    <p class="price num">
      {isLess ? (
        <>
          <em>
            <span class="vh">{word} </span>
            {formatPrice(current, currency)}
          </em>
          <s>
            <span class="vh">Regular price </span>
            {formatPrice(regular, currency)}
          </s>
        </>
      ) : (
        <span>{formatPrice(current, currency)}</span>
      )}
    </p>
  );
}
