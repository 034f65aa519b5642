#!/usr/bin/env bash
# @asteasolutions/zod-to-openapi, which @hono/zod-openapi uses, writes a registered schema that may be null, Category.nullable(), as allOf of the reference and { type: ["object", "null"] } in OpenAPI 3.1. Both must hold, and the first says
# type: object, so null, which Zod takes, is refused by the document. The same object without a name is written rightly, type: ["object", "null"], and a name is what one gives to have readable types.
# One would guess anyOf, as it writes any other union.
# A product without a category is refused by the gateway or the client that believes the document, and generated types say that there is always one, so the page fails on the first that has none.
# Version: @asteasolutions/zod-to-openapi 9.1.0 with zod 4.6.7, ajv 8.20.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @asteasolutions/zod-to-openapi@9.1.0 zod@4.6.7 ajv@8.20.0
cat > run.js <<'JS'
import { extendZodWithOpenApi, OpenApiGeneratorV31, OpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";

extendZodWithOpenApi(z);
const registry = new OpenAPIRegistry();
const shape = { slug: z.string() };
const category = registry.register("Category", z.object(shape));
const product = registry.register("Product", z.object({ named: category.nullable(), unnamed: z.object(shape).nullable() }));
console.log(`zod ${product.safeParse({ named: null, unnamed: null }).success}`);
const document = new OpenApiGeneratorV31(registry.definitions).generateComponents();
const { named, unnamed } = document.components.schemas.Product.properties;
for (const schema of [named, unnamed]) {
  const taken = new Ajv2020({ strict: false }).validate({ ...document, ...schema }, null);
  console.log(`${JSON.stringify(schema.allOf ?? schema.type)} ${taken}`);
}
JS
seen=$(node run.js)
echo "@asteasolutions/zod-to-openapi 9.1.0"
echo "seen: $seen"
[ "$seen" = 'zod true
[{"$ref":"#/components/schemas/Category"},{"type":["object","null"]}] false
["object","null"] true' ]
