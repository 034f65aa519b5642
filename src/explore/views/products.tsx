/** The store's products: searched, filtered, sorted and paged as the API does it. */
import { dataOf, paginationOf } from "../api.ts";
import { formatCount, pageWords } from "../format.ts";
import { PagedList } from "../parts/paged-list.tsx";
import { Badge, Price } from "../parts/price.tsx";
import { Rating } from "../parts/stars.tsx";
import { NoMatch, Skeleton } from "../parts/states.tsx";
import { Tile } from "../parts/tile.tsx";
import type { Product } from "../records.ts";
import { hrefOf, type Route, valuesOf } from "../route.ts";
import { restOf } from "../target.ts";
import { useAnswer } from "../use-answer.ts";
import { View } from "../view.tsx";
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
  const values = valuesOf(route.query);
  const rest = restOf("products", values);
  const asked = useAnswer(rest);
  const products = dataOf<Product[]>(asked.answer);
  const pagination = paginationOf(asked.answer);
  return (
    <View
      title="Products"
      {...(pagination === null ? {} : { count: formatCount(pagination.total) })}
      rest={rest}
      asked={asked}
      status={pageWords(pagination, "product", "products")}
      bar={<ProductFilters values={values} products={products ?? []} />}
    >
      <PagedList<Product>
        answer={asked.answer}
        skeleton={<Skeleton count={9} shape="card" />}
        nothing={<NoMatch href={hrefOf(["products"])} />}
        label="Pages of products"
        hrefOf={(page) => hrefOf(["products"], { ...values, page })}
      >
        {(shown) => (
          <ul class="grid">
            {shown.map((product) => (
              <li key={product.id}>
                <Card product={product} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </View>
  );
}
