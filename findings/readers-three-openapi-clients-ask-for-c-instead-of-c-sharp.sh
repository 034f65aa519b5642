#!/usr/bin/env bash
# Clients that swagger-typescript-api, openapi-typescript-codegen and RTK Query's generator make of one OpenAPI document put a path parameter into the address as it is: asked for the product C# they ask for /products/C, since # begins
# what is not sent, and "1/2" asks for a folder. One would guess encodeURIComponent, as they do in the query (OpenAPI: "simple" style); RTK has it as an option, the second as a setting, both off.
# A category or product whose key has such a sign is another one or a 404. An API that promises plain slugs only is safe with them; one with names as keys is not.
# Version: swagger-typescript-api 13.13.0, openapi-typescript-codegen 0.31.0, @rtk-query/codegen-openapi 2.2.0 with @reduxjs/toolkit 2.9.0, esbuild 0.25.10, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund swagger-typescript-api@13.13.0 openapi-typescript-codegen@0.31.0 @rtk-query/codegen-openapi@2.2.0 @reduxjs/toolkit@2.9.0 esbuild@0.25.10
cat > shop.json <<'JSON'
{"openapi":"3.0.3","info":{"title":"Shop","version":"1"},"paths":{"/products/{slug}":{"get":{"operationId":"getProduct","tags":["shop"],
  "parameters":[{"name":"slug","in":"path","required":true,"schema":{"type":"string"}}],
  "responses":{"200":{"description":"A product","content":{"application/json":{"schema":{"type":"object"}}}}}}}}}
JSON
cat > empty.ts <<'TS'
import { createApi, fetchBaseQuery } from "@reduxjs/toolkit/query";
export const empty = createApi({ baseQuery: fetchBaseQuery({ baseUrl: "" }), endpoints: () => ({}) });
export const settings = { base: "" };
TS
sed -i 's/fetchBaseQuery({ baseUrl: "" })/(args, api, extra) => fetchBaseQuery({ baseUrl: settings.base })(args, api, extra)/' empty.ts
echo "module.exports = { schemaFile: '$dir/shop.json', apiFile: './empty.ts', apiImport: 'empty', outputFile: '$dir/rtk.ts', exportName: 'shop' };" > rtk.cjs
npx swagger-typescript-api generate -p shop.json -o swagger -n api.ts > log 2>&1
npx openapi --input shop.json --output codegen >> log 2>&1
npx rtk-query-codegen-openapi rtk.cjs >> log 2>&1
cat > run.ts <<'TS'
import { createServer } from "node:http";
import { configureStore } from "@reduxjs/toolkit";
import { OpenAPI, ShopService } from "./codegen/index.ts";
import { empty, settings } from "./empty.ts";
import { shop } from "./rtk.ts";
import { Api } from "./swagger/api.ts";

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});
server.listen(0, "127.0.0.1", async () => {
  const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  OpenAPI.BASE = base;
  settings.base = base;
  const store = configureStore({ reducer: { [empty.reducerPath]: empty.reducer }, middleware: (all) => all().concat(empty.middleware) });
  for (const slug of ["C#", "1/2"]) {
    await new Api({ baseUrl: base }).products.getProduct(slug);
    await ShopService.getProduct(slug);
    await store.dispatch(shop.endpoints.getProduct.initiate({ slug }));
  }
  console.log(asked.join(" "));
  process.exit(0);
});
TS
npx esbuild run.ts --bundle --platform=node --format=cjs --outfile=run.cjs --log-level=error
seen=$(node run.cjs)
echo "swagger-typescript-api@13.13.0 openapi-typescript-codegen@0.31.0 @rtk-query/codegen-openapi@2.2.0"
echo "seen: $seen"
[ "$seen" = "/products/C /products/C /products/C /products/1/2 /products/1/2 /products/1/2" ]
