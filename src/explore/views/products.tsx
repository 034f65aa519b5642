/** The store's products: searched, filtered, sorted and paged as the API does it. */
import { dataOf, paginationOf } from "../api.ts";
import { countWords, formatCount } from "../format.ts";
import { Pages } from "../parts/pages.tsx";
import { Badge, Price } from "../parts/price.tsx";
import { Rating } from "../parts/stars.tsx";
import { Skeleton, State } from "../parts/states.tsx";
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

/** What the list is of, where there is nothing in it. */
function Nothing({ page, last }: { page: number; last: number }) {
  if (last > 0 && page > last)
    return (
      <State title={`There is no page ${page}`} text={`The last is ${last}.`}>
        <a class="btn go" href={hrefOf(["products"], { page: last })}>
          Go to page {last}
        </a>
      </State>
    );
  return (
    <State title="Nothing matches these filters" text="Take one away, or show everything.">
      <a class="btn" href={hrefOf(["products"])}>
        Clear filters
      </a>
    </State>
  );
}

export function Products({ route }: { route: Route }) {
  const values = valuesOf(route.query);
  const rest = restOf("products", values);
  const asked = useAnswer(rest);
  const products = dataOf<Product[]>(asked.answer);
  const pagination = paginationOf(asked.answer);
  const total = pagination?.total ?? 0;
  const words =
    pagination === null
      ? ""
      : `Page ${pagination.page} of ${pagination.total_pages}, ${countWords(total, "product", "products")}`;
  return (
    <View
      title="Products"
      {...(pagination === null ? {} : { count: formatCount(total) })}
      rest={rest}
      asked={asked}
      status={words}
      bar={<ProductFilters values={values} products={products ?? []} />}
    >
      {products === null ? (
        <Skeleton count={9} shape="card" />
      ) : products.length === 0 ? (
        <Nothing page={pagination?.page ?? 1} last={pagination?.total_pages ?? 0} />
      ) : (
        <ul class="grid">
          {products.map((product) => (
            <li key={product.id}>
              <Card product={product} />
            </li>
          ))}
        </ul>
      )}
      {pagination !== null && (
        <Pages
          pagination={pagination}
          label="Pages of products"
          hrefOf={(page) => hrefOf(["products"], { ...values, page: page === 1 ? null : page })}
        />
      )}
    </View>
  );
}
