#!/usr/bin/env bash
# Prisma's pages by a cursor, as its guide writes them: take: 2, skip: 1, cursor: { id: the last one shown }, where: published. If product 4, the last of a page, is hidden before the next page is asked for, the page holds 6 and 7: 5 is on no
# page. If it was deleted, the page is empty and the list has ended, with 4 more products. One would guess 5 and 6 in both cases, as WHERE id > 4 gives them, or an error for a cursor that does not exist.
# (skip: 1 is meant to leave out the cursor's own row; where has left it out already, so it takes the next one. The place of a deleted row is looked up in the table and is nothing.)
# An export, a mirror or a feed that pages through a catalog while editors work loses products without an error, and a reader takes an empty page for the end: ask with where: { id: { gt: last } } and no skip.
# Version: prisma and @prisma/client 6.19.0 with @prisma/adapter-libsql 6.19.0 (engineType client, SQLite), seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts prisma@6.19.0 @prisma/client@6.19.0 @prisma/adapter-libsql@6.19.0
cat > schema.prisma <<'PRISMA'
generator client {
  provider   = "prisma-client"
  output     = "./generated"
  engineType = "client"
}
datasource db {
  provider = "sqlite"
  url      = "file:./shop.sqlite"
}
model Product {
  id        Int     @id
  published Boolean
}
PRISMA
# The client runs in WebAssembly: nothing native is needed, and generating it must not download any.
touch none; chmod 755 none
CHECKPOINT_DISABLE=1 PRISMA_QUERY_ENGINE_LIBRARY=$dir/none PRISMA_SCHEMA_ENGINE_BINARY=$dir/none node_modules/.bin/prisma generate --schema schema.prisma > log 2>&1 || { tail log; exit 2; }
cat > run.ts <<'TS'
import { readFileSync } from "node:fs";
import { PrismaLibSQL } from "@prisma/adapter-libsql";
import { PrismaClient } from "./generated/client.ts";

const prisma = new PrismaClient({ adapter: new PrismaLibSQL({ url: "file:./shop.sqlite" }) });
await prisma.$executeRawUnsafe('CREATE TABLE "Product" ("id" INTEGER NOT NULL PRIMARY KEY, "published" BOOLEAN NOT NULL)');
await prisma.product.createMany({ data: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, published: true })) });
console.log(`prisma ${JSON.parse(readFileSync("node_modules/@prisma/client/package.json", "utf8")).version}`);
const where = { published: true };
const byCursor = () => prisma.product.findMany({ take: 2, skip: 1, cursor: { id: 4 }, where, orderBy: { id: "asc" } });
const byId = () => prisma.product.findMany({ take: 2, where: { ...where, id: { gt: 4 } }, orderBy: { id: "asc" } });
const seen: string[] = [];
const look = async (what: string) => {
  const pages = [await byCursor(), await byId()].map((page) => page.map(({ id }) => id).join(" and ") || "nothing");
  seen.push(pages.join("; "));
  console.log(`${what}: after product 4, the cursor gives ${pages[0]}; id > 4 gives ${pages[1]}`);
};
await look("as it was");
await prisma.product.update({ where: { id: 4 }, data: { published: false } });
await look("4 is hidden");
await prisma.product.delete({ where: { id: 4 } });
await look("4 is deleted");
process.exit(JSON.stringify(seen) === '["5 and 6; 5 and 6","6 and 7; 5 and 6","nothing; 5 and 6"]' ? 0 : 1);
TS
node --disable-warning=ExperimentalWarning run.ts
