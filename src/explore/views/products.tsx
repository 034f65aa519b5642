/** The store's products, with the API's search, filters, sorts and pages. */
import type { Product } from "../../api/types.ts";
import { Price } from "../parts/price.tsx";
import { Rating } from "../parts/stars.tsx";
import { Tile } from "../parts/tile.tsx";
import { hrefOf, type Route, valuesOf } from "../route.ts";
import { restOf } from "../target.ts";
import { isWhole, List, Nothing } from "../view.tsx";
import { ProductFilters } from "./product-filters.tsx";

interface CardProps {
  readonly product: Product;
  readonly heading?: "h2" | "h3";
  /** True on the first screen. */
  readonly isFirst?: boolean;
}

/** The level of the heading is h2 below the page's heading, and h3 within a section. */
export function ProductCard({ product, heading: H = "h2", isFirst = false }: CardProps) {
  return (
    <article class="card">
      <Tile id={product.id} title={product.title} src={product.image} isFirst={isFirst} />
      <div class="in">
        <H dir="auto">
          <a href={hrefOf(["product", product.slug])}>{product.title}</a>
        </H>
        <p class="cat" dir="auto">
          {product.category.name}
        </p>
        <Rating average={product.rating_summary.average} count={product.rating_summary.count} />
        <Price product={product} />
      </div>
    </article>
  );
}

export function Products({ route }: { route: Route }) {
  const values = valuesOf(route.query);
  return (
    <List<Product>
      rest={restOf("products", values)}
      title="Products"
      nouns={["product", "products"]}
      bar={(products) => <ProductFilters values={values} products={products} />}
      isWhole={isWhole(values)}
      nothing={<Nothing path="products" values={values} many="products" />}
      class="grid"
      hrefOf={(page) => hrefOf(["products"], { ...values, page })}
    >
      {(product) => <ProductCard product={product} />}
    </List>
  );
}
