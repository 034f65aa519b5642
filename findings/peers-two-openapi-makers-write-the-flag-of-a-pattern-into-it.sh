#!/usr/bin/env bash
# Of /^sku-[a-z]+$/i two programs that make an OpenAPI document of a server's own checks write a pattern that nothing matches: zod-to-openapi (and so @hono/zod-openapi) "^sku-[a-z]+$/i", joi-to-swagger "^sku-[a-z]+$/". They take the
# regular expression as a text and cut off the slashes at its ends, or its first and last letter. Without a flag both are right, and no error says that the flag is not.
# One would guess the pattern without its flag at worst, which takes half of the skus: here each is refused, "sku-mug" and "SKU-MUG", by all that is made from the document, while the server and its tests go on.
# Version: @asteasolutions/zod-to-openapi 9.1.0 with zod 4.6.7, joi-to-swagger 6.2.0 with joi 18.3.2, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @asteasolutions/zod-to-openapi@9.1.0 zod@4.6.7 joi-to-swagger@6.2.0 joi@18.3.2
cat > run.js <<'JS'
import { extendZodWithOpenApi, OpenApiGeneratorV31, OpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import Joi from "joi";
import convert from "joi-to-swagger";
import { z } from "zod";

extendZodWithOpenApi(z);
const patternOfZod = (sku) => {
  const registry = new OpenAPIRegistry();
  registry.register("Sku", z.string().regex(sku));
  return new OpenApiGeneratorV31(registry.definitions).generateComponents().components.schemas.Sku.pattern;
};
for (const sku of [/^sku-[a-z]+$/, /^sku-[a-z]+$/i]) {
  const patterns = [patternOfZod(sku), convert(Joi.string().pattern(sku)).swagger.pattern];
  console.log(`${sku}: ${patterns.map((pattern) => `${pattern} ${new RegExp(pattern, "u").test("sku-mug")}`).join(", ")}`);
}
JS
seen=$(node run.js)
echo "@asteasolutions/zod-to-openapi 9.1.0, joi-to-swagger 6.2.0"
echo "seen: $seen"
[ "$seen" = '/^sku-[a-z]+$/: ^sku-[a-z]+$ true, ^sku-[a-z]+$ true
/^sku-[a-z]+$/i: ^sku-[a-z]+$/i false, ^sku-[a-z]+$/ false' ]
