#!/usr/bin/env bash
# TypeORM's findAndCount over seven products, three a page, ordered by the name of their categories: the first page has two products and the count 2, the second says 7, the third 8. The page is cut
# from the joined rows, where a product with two categories is twice, and a page that is not full is taken for the last, so that the count is what came before and what is on it. By id it
# is 7 on each. One would guess that a count has nothing to do with the order; nestjs-paginate makes its pages and links of it.
# A list "by category" ends after its first page: two products, one page, no next.
# Version: typeorm 1.1.1 with sql.js 1.17.0 (the same on PostgreSQL 15).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund typeorm@1.1.1 sql.js@1.17.0 reflect-metadata@0.2.2
cat > run.js <<'JS'
import "reflect-metadata";
import { DataSource, EntitySchema } from "typeorm";

const Category = new EntitySchema({ name: "Category", columns: { id: { type: Number, primary: true }, name: { type: String } } });
const Product = new EntitySchema({
  name: "Product",
  columns: { id: { type: Number, primary: true } },
  relations: { categories: { type: "many-to-many", target: "Category", joinTable: true } },
});
const source = await new DataSource({ type: "sqljs", entities: [Category, Product], synchronize: true }).initialize();
const [books, sale] = await source.getRepository(Category).save([{ id: 1, name: "Books" }, { id: 2, name: "Sale" }]);
const products = source.getRepository(Product);
await products.save([[books, sale], [sale], [books], [], [], [], []].map((categories, n) => ({ id: n + 1, categories })));
for (const [name, order] of [["category", { categories: { name: "DESC" }, id: "ASC" }], ["id", { id: "ASC" }]])
  for (const skip of [0, 3, 6]) {
    const [rows, count] = await products.findAndCount({ relations: { categories: true }, order, take: 3, skip });
    console.log(`by ${name}, from ${skip}:`, rows.map(({ id }) => id).join(","), "count", count);
  }
await source.destroy();
JS
seen=$(node run.js)
echo "typeorm $(node -p 'require("./node_modules/typeorm/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'by category, from 0: 1,2 count 2
by category, from 3: 3,4,5 count 7
by category, from 6: 6,7 count 8
by id, from 0: 1,2,3 count 7
by id, from 3: 4,5,6 count 7
by id, from 6: 7 count 7' ]
