/** The current price of a product, and its regular price during a sale. */

import { hasPrice } from "../../api/money.ts";
import type { Product } from "../../api/types.ts";
import { formatPrice } from "../format.ts";

/** A smaller reduction gets no badge. */
const LEAST_SAVING = 0.05;

/** Whole percents that a sale takes off; 0 if that is too little for a badge. */
function saving({ regular, sale }: Product["pricing"]): number {
  const share = sale === null || regular <= 0 ? 0 : 1 - sale / regular;
  return share < LEAST_SAVING ? 0 : Math.round(share * 100);
}

/** Beside the price, where it covers no picture. */
function Badge({ product: { status, pricing } }: { product: Product }) {
  if (status === "coming_soon") return <span class="tag">Coming soon</span>;
  if (status === "preorder") return <span class="tag">Preorder</span>;
  const percent = saving(pricing);
  return percent === 0 ? null : <span class="tag">−{percent} %</span>;
}

export function Price({ product }: { product: Product }) {
  const { status, pricing } = product;
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
        hasPrice(product) && <span>{formatPrice(current, currency)}</span>
      )}
      <Badge product={product} />
    </p>
  );
}
