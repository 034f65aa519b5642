#!/usr/bin/env bash
# Seven products in PostgreSQL, two of them without a price, read with cursors by price and id, two a page. One would guess each once, those without a price at the end that
# the database gives them. The cursor libraries for Objection and Sequelize never give those two in ascending order; in descending order, where PostgreSQL has them first, they give only
# those two and call it the end. The one for TypeORM loses the two, and fails in descending order. MikroORM's own findByCursor gives all seven both ways.
# One product "on request" empties a catalog's list by price, though the total still counts all.
# Version: objection-cursor 1.2.6, sequelize-cursor-pagination 3.5.1, typeorm-cursor-pagination 0.10.1, @mikro-orm/postgresql 7.2.5, on PostgreSQL 15.
set -euo pipefail
dir=$(mktemp -d)
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$*"; else sh -c "$*"; fi; }
end() {
  [ ! -f "$dir/pg/postmaster.pid" ] || as "$bin/pg_ctl -D $dir/pg -m immediate stop" > /dev/null 2>&1 || true
  rm -rf "$dir"
}
trap end EXIT
chmod 755 "$dir"; mkdir "$dir/pg" "$dir/socket"
[ "$(id -u)" != 0 ] || chown postgres "$dir/pg" "$dir/socket"
as "$bin/initdb -D $dir/pg -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg -w -l $dir/pg/log -o \"-c listen_addresses= -c unix_socket_directories=$dir/socket -c fsync=off\" start" > /dev/null
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @mikro-orm/core@7.2.5 @mikro-orm/postgresql@7.2.5 typeorm@0.3.31 typeorm-cursor-pagination@0.10.1 objection@3.1.5 objection-cursor@1.2.6 \
  knex@3.3.0 sequelize@6.37.8 sequelize-cursor-pagination@3.5.1 pg@8.23.1 reflect-metadata@0.2.2 --legacy-peer-deps > npm.log 2>&1 || { cat npm.log; exit 2; }
psql -q -h "$dir/socket" -U postgres -c 'CREATE TABLE products (id INT PRIMARY KEY, price NUMERIC)' \
  -c 'INSERT INTO products VALUES (1, 11), (2, 12), (3, NULL), (4, 14), (5, 15), (6, NULL), (7, 17)'
cat > run.js <<'JS'
import "reflect-metadata";
import { EntitySchema, MikroORM } from "@mikro-orm/postgresql";
import createKnex from "knex";
import objection from "objection";
import objectionCursor from "objection-cursor";
import sequelizeModule from "sequelize";
import sequelizeCursor from "sequelize-cursor-pagination";
import typeorm from "typeorm";
import typeormCursor from "typeorm-cursor-pagination";

const host = process.argv[2];

class ObjectionProduct extends objectionCursor({ limit: 2 })(objection.Model) { static tableName = "products"; }
const knex = createKnex({ client: "pg", connection: { host, user: "postgres", database: "postgres" } });
ObjectionProduct.knex(knex);

const { DataTypes, Sequelize } = sequelizeModule;
const sequelize = new Sequelize("postgres", "postgres", "", { dialect: "postgres", host, logging: false });
const SequelizeProduct = sequelize.define("product", { id: { type: DataTypes.INTEGER, primaryKey: true }, price: DataTypes.DECIMAL }, { timestamps: false, tableName: "products" });
const paginate = sequelizeCursor.makePaginate(SequelizeProduct);

class TypeormProduct {}
for (const [name, type, decorate] of [["id", Number, typeorm.PrimaryColumn({ type: "int" })], ["price", String, typeorm.Column({ type: "numeric", nullable: true })]]) {
  Reflect.defineMetadata("design:type", type, TypeormProduct.prototype, name);
  decorate(TypeormProduct.prototype, name);
}
typeorm.Entity("products")(TypeormProduct);
const source = await new typeorm.DataSource({ type: "postgres", host, username: "postgres", database: "postgres", entities: [TypeormProduct] }).initialize();

const mikroProduct = new EntitySchema({
  name: "Product", tableName: "products",
  properties: { id: { type: "number", primary: true }, price: { type: "decimal", nullable: true } },
});
const mikro = await MikroORM.init({ dbName: "postgres", user: "postgres", host, entities: [mikroProduct] });

const ids = (rows) => rows.map(({ id }) => id);
const libraries = {
  "objection-cursor": async (order, after) => {
    const page = await ObjectionProduct.query().orderBy("price", order).orderBy("id", order).limit(2).cursorPage(after);
    return [ids(page.results), page.results.length > 0 ? page.pageInfo.next : undefined];
  },
  "sequelize-cursor-pagination": async (order, after) => {
    const page = await paginate({ limit: 2, after, order: [["price", order], ["id", order]] });
    return [ids(page.edges.map(({ node }) => node)), page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined];
  },
  "typeorm-cursor-pagination": async (order, afterCursor) => {
    const query = { limit: 2, order: order.toUpperCase(), afterCursor };
    const page = await typeormCursor.buildPaginator({ entity: TypeormProduct, alias: "p", paginationKeys: ["price", "id"], query })
      .paginate(source.getRepository(TypeormProduct).createQueryBuilder("p"));
    return [ids(page.data), page.cursor.afterCursor ?? undefined];
  },
  MikroORM: async (order, after) => {
    const page = await mikro.em.fork().findByCursor(mikroProduct, { first: 2, after, orderBy: [{ price: order }, { id: order }] });
    return [ids(page.items), page.hasNextPage ? page.endCursor : undefined];
  },
};
for (const [name, ask] of Object.entries(libraries))
  for (const order of ["asc", "desc"]) {
    const all = [];
    for (let page = 1, after; page <= 9; page++) {
      const [items, next] = await ask(order, after).catch((error) => [[error.message]]);
      all.push(...items);
      if (next === undefined) break;
      after = next;
    }
    console.log(name, order, all.join(","));
  }
await Promise.all([mikro.close(), source.destroy(), knex.destroy(), sequelize.close()]);
JS
seen=$(node run.js "$dir/socket")
echo "objection-cursor $(node -p 'require("./node_modules/objection-cursor/package.json").version'), PostgreSQL $(psql -h "$dir/socket" -U postgres -Atc 'SHOW server_version')"
echo "seen: $seen"
[ "$seen" = 'objection-cursor asc 1,2,4,5,7
objection-cursor desc 6,3
sequelize-cursor-pagination asc 1,2,4,5,7
sequelize-cursor-pagination desc 6,3
typeorm-cursor-pagination asc 1,2,4,5,7
typeorm-cursor-pagination desc 6,3,invalid input syntax for type numeric: "null"
MikroORM asc 1,2,4,5,7,3,6
MikroORM desc 6,3,7,5,4,2,1' ]
