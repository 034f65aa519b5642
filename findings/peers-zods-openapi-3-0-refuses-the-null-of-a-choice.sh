#!/usr/bin/env bash
# z.toJSONSchema with target "openapi-3.0" writes a choice that may be null as { nullable: true, type: "string", enum: ["new", "used"] }. OpenAPI 3.0.3 says that null must then be among the values of enum, and validators refuse null, while
# Zod takes it. A literal null becomes type: "null", which 3.0 has not, so the document is no longer valid. Nothing is thrown. A number that may be null is right.
# One would guess that a target of its own knows the two things in which null differs in 3.0: for dates and transforms, which it cannot write, the same function throws.
# A product whose condition is not known is then refused by the gateway that checks answers by the document, or shown as an error in the client that is made from it.
# Version: zod 4.6.7, ajv 8.20.0, @seriousme/openapi-schema-validator 2.11.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund zod@4.6.7 ajv@8.20.0 @seriousme/openapi-schema-validator@2.11.0
cat > run.js <<'JS'
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv } from "ajv";
import * as z from "zod";

const documentOf = (schema) => ({
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  paths: { "/product": { get: { responses: { 200: { description: "A product.", content: { "application/json": { schema } } } } } } },
});
for (const [name, value] of Object.entries({ price: z.number().nullable(), condition: z.enum(["new", "used"]).nullable(), sale: z.literal(null) })) {
  const schema = z.toJSONSchema(value, { target: "openapi-3.0" });
  const { valid } = await new Validator().validate(documentOf(schema));
  console.log(`${name} null: zod ${value.safeParse(null).success}, schema ${new Ajv().validate(schema, null)}, document ${valid}`);
}
JS
seen=$(node run.js)
echo "zod $(node -p 'require("zod/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'price null: zod true, schema true, document true
condition null: zod true, schema false, document true
sale null: zod true, schema true, document false' ]
