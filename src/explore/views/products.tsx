/** The store's products: searched, filtered, sorted and paged as the API does it. */
import type { Product } from "../../api/types.ts";
import { Badge, Price } from "../parts/price.tsx";
import { Rating } from "../parts/stars.tsx";
import { Tile } from "../parts/tile.tsx";
import { hrefOf, type Route, valuesOf } from "../route.ts";
import { restOf } from "../target.ts";
import { List, Nothing } from "../view.tsx";
import { ProductFilters } from "./product-filters.tsx";

export function Products({ route }: { route: Route }) {
  const values = valuesOf(route.query);
  return (
    <List<Product>
      rest={restOf("products", values)}
      title="Products"
      nouns={["product", "products"]}
      bar={(products) => <ProductFilters values={values} products={products} />}
      nothing={<Nothing path="products" values={values} many="products" />}
      class="grid"
      hrefOf={(page) => hrefOf(["products"], { ...values, page })}
    >
      {(product) => (
        <article class="card">
          <Tile id={product.id} title={product.title} src={product.image} />
          <Badge product={product} />
          <div class="in">
            <h2 dir="auto">
              <a href={hrefOf(["product", product.slug])}>{product.title}</a>
            </h2>
            <p class="cat">{product.category.name}</p>
            <Rating average={product.rating_summary.average} count={product.rating_summary.count} />
            <Price product={product} />
          </div>
        </article>
      )}
    </List>
  );
}
