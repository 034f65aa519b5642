#!/usr/bin/env bash
# Seven products come into PostgreSQL by one INSERT, with created_at DEFAULT now(). Read with cursors by created_at and id, two a page, each should come once; that is what
# cursors are for. MikroORM's findByCursor and four cursor libraries, for TypeORM, Kysely, Objection and Sequelize, give the first page again and again in ascending order; in
# descending order the second page is empty and the last. The column has microseconds, the cursor a JavaScript Date with milliseconds, so that it matches no row.
# A reader of a catalog in pages loses all products of one import but the first page of them, with a total that says otherwise, or reads for ever.
# Version: @mikro-orm/postgresql 7.2.5, typeorm-cursor-pagination 0.10.1, kysely-cursor 0.1.0, objection-cursor 1.2.6, sequelize-cursor-pagination 3.5.1, on PostgreSQL 15.
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
npm install --silent --no-audit --no-fund @mikro-orm/core@7.2.5 @mikro-orm/postgresql@7.2.5 typeorm@0.3.31 typeorm-cursor-pagination@0.10.1 kysely@0.28.19 kysely-cursor@0.1.0 objection@3.1.5 \
  objection-cursor@1.2.6 knex@3.3.0 sequelize@6.37.8 sequelize-cursor-pagination@3.5.1 pg@8.23.1 reflect-metadata@0.2.2 --legacy-peer-deps > npm.log 2>&1 || { cat npm.log; exit 2; }
psql -q -h "$dir/socket" -U postgres -c 'CREATE TABLE products (id INT PRIMARY KEY, created_at TIMESTAMPTZ NOT NULL DEFAULT now())' \
  -c 'INSERT INTO products (id) SELECT generate_series(1, 7)'
cat > run.js <<'JS'
import "reflect-metadata";
import { EntitySchema, MikroORM } from "@mikro-orm/postgresql";
import createKnex from "knex";
import { Kysely, PostgresDialect } from "kysely";
import { base64UrlCodec, codecPipe, createPaginator, PostgresPaginationDialect, superJsonCodec } from "kysely-cursor";
import objection from "objection";
import objectionCursor from "objection-cursor";
import pg from "pg";
import sequelizeModule from "sequelize";
import sequelizeCursor from "sequelize-cursor-pagination";
import typeorm from "typeorm";
import typeormCursor from "typeorm-cursor-pagination";

const host = process.argv[2];
const pool = new pg.Pool({ host, user: "postgres", database: "postgres" });

const mikroProduct = new EntitySchema({
  name: "Product", tableName: "products",
  properties: { id: { type: "number", primary: true }, createdAt: { type: "Date", fieldName: "created_at", columnType: "timestamptz" } },
});
const mikro = await MikroORM.init({ dbName: "postgres", user: "postgres", host, entities: [mikroProduct] });

class TypeormProduct {}
for (const [name, type, decorate] of [["id", Number, typeorm.PrimaryColumn({ type: "int" })], ["created_at", Date, typeorm.Column({ type: "timestamptz" })]]) {
  Reflect.defineMetadata("design:type", type, TypeormProduct.prototype, name);
  decorate(TypeormProduct.prototype, name);
}
typeorm.Entity("products")(TypeormProduct);
const source = await new typeorm.DataSource({ type: "postgres", host, username: "postgres", database: "postgres", entities: [TypeormProduct] }).initialize();

const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
const paginator = createPaginator({ dialect: PostgresPaginationDialect, cursorCodec: codecPipe(superJsonCodec, base64UrlCodec) });

class ObjectionProduct extends objectionCursor({ limit: 2 })(objection.Model) { static tableName = "products"; }
const knex = createKnex({ client: "pg", connection: { host, user: "postgres", database: "postgres" } });
ObjectionProduct.knex(knex);

const { DataTypes, Sequelize } = sequelizeModule;
const sequelize = new Sequelize("postgres", "postgres", "", { dialect: "postgres", host, logging: false });
const SequelizeProduct = sequelize.define("product", { id: { type: DataTypes.INTEGER, primaryKey: true }, created_at: DataTypes.DATE }, { timestamps: false, tableName: "products" });
const paginate = sequelizeCursor.makePaginate(SequelizeProduct);

const ids = (rows) => rows.map(({ id }) => id);
const libraries = {
  MikroORM: async (order, after) => {
    const page = await mikro.em.fork().findByCursor(mikroProduct, { first: 2, after, orderBy: [{ createdAt: order }, { id: order }] });
    return [ids(page.items), page.hasNextPage ? page.endCursor : undefined];
  },
  "typeorm-cursor-pagination": async (order, afterCursor) => {
    const query = { limit: 2, order: order.toUpperCase(), afterCursor };
    const page = await typeormCursor.buildPaginator({ entity: TypeormProduct, alias: "p", paginationKeys: ["created_at", "id"], query })
      .paginate(source.getRepository(TypeormProduct).createQueryBuilder("p"));
    return [ids(page.data), page.cursor.afterCursor ?? undefined];
  },
  "kysely-cursor": async (dir, nextPage) => {
    const sorts = [{ col: "products.created_at", dir, output: "created_at" }, { col: "products.id", dir, output: "id" }];
    const page = await paginator.paginate({ query: kysely.selectFrom("products").selectAll(), sorts, limit: 2, cursor: nextPage && { nextPage } });
    return [ids(page.items), page.nextPage];
  },
  "objection-cursor": async (order, after) => {
    const page = await ObjectionProduct.query().orderBy("created_at", order).orderBy("id", order).limit(2).cursorPage(after);
    return [ids(page.results), page.results.length > 0 ? page.pageInfo.next : undefined];
  },
  "sequelize-cursor-pagination": async (order, after) => {
    const page = await paginate({ limit: 2, after, order: [["created_at", order], ["id", order]] });
    return [ids(page.edges.map(({ node }) => node)), page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined];
  },
};
for (const [name, ask] of Object.entries(libraries))
  for (const order of ["asc", "desc"]) {
    const pages = [];
    for (let after; pages.length < 4; ) {
      const [items, next] = await ask(order, after);
      pages.push(items.join(",") || "(empty)");
      if (next === undefined) break;
      after = next;
    }
    console.log(name, order, pages.join(" | "));
  }
await Promise.all([mikro.close(), source.destroy(), pool.end(), knex.destroy(), sequelize.close()]);
JS
seen=$(node run.js "$dir/socket")
echo "@mikro-orm/postgresql $(node -p 'require("./node_modules/@mikro-orm/postgresql/package.json").version'), PostgreSQL $(psql -h "$dir/socket" -U postgres -Atc 'SHOW server_version')"
echo "seen: $seen"
for name in MikroORM typeorm-cursor-pagination kysely-cursor objection-cursor sequelize-cursor-pagination; do
  grep -qx "$name asc 1,2 | 1,2 | 1,2 | 1,2" <<< "$seen"
  grep -qx "$name desc 7,6 | (empty)" <<< "$seen"
done
