/** The store's products: searched, filtered, sorted and paged as the API does it. */
import { Badge, Price } from "../parts/price.tsx";
import { Rating } from "../parts/stars.tsx";
import { NoMatch, Skeleton } from "../parts/states.tsx";
import { Tile } from "../parts/tile.tsx";
import type { Product } from "../records.ts";
import { hrefOf, type Route } from "../route.ts";
import { ListView } from "./list-view.tsx";
import { ProductFilters } from "./product-filters.tsx";

function Card({ product }: { product: Product }) {
  const { id, title, image, slug, category, rating_summary } = product;
  return (
    <article class="card">
      <Tile id={id} title={title} src={image} />
      <Badge product={product} />
      <div class="in">
        <h2>
          <a href={hrefOf(["product", slug])}>{title}</a>
        </h2>
        <p class="cat">{category.name}</p>
        <Rating average={rating_summary.average} count={rating_summary.count} />
        <Price product={product} />
      </div>
    </article>
  );
}

export function Products({ route }: { route: Route }) {
  return (
    <ListView<Product>
      route={route}
      title="Products"
      nouns={["product", "products"]}
      bar={(values, products) => <ProductFilters values={values} products={products} />}
      skeleton={<Skeleton count={9} shape="card" />}
      nothing={<NoMatch href={hrefOf(["products"])} />}
      class="grid"
    >
      {(product) => <Card product={product} />}
    </ListView>
  );
}
