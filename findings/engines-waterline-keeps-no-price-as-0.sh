#!/usr/bin/env bash
# Waterline, the ORM of Sails, stores a product without a sale price with the sale price 0, and without an excerpt with "": find({ sale: { "<": 20 } }) gives every product that is not on sale. One would guess null or no field, as
# every other ORM has it, unless the model names a default. allowNull has to be said of each attribute; a list (type json) that is missing is null all the same.
# Whoever reads such a shop's table can't tell a free product from one without a price, nor a sale to 0 from none.
# Version: waterline@0.15.2 with sails-disk@2.1.2, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" waterline@0.15.2 sails-disk@2.1.2
cat > "$dir/prices.cjs" << 'END'
const Waterline = require("waterline");
const waterline = new Waterline();
waterline.registerModel(
  Waterline.Collection.extend({
    identity: "product",
    datastore: "default",
    primaryKey: "id",
    attributes: {
      id: { type: "number", autoMigrations: { autoIncrement: true } },
      price: { type: "number" },
      sale: { type: "number" },
      excerpt: { type: "string" },
      tags: { type: "json" },
    },
  }),
);
const settings = {
  adapters: { "sails-disk": require("sails-disk") },
  datastores: { default: { adapter: "sails-disk", inMemoryOnly: true } },
};
waterline.initialize(settings, async (error, { collections } = {}) => {
  if (error) throw error;
  const { product } = collections;
  console.log(JSON.stringify(await product.create({ price: 19.9 }).fetch()));
  console.log("on sale below 20:", (await product.find({ sale: { "<": 20 } })).length);
  process.exit();
});
END
seen="$(node "$dir/prices.cjs")"
echo "waterline $(node -p "require('$dir/node_modules/waterline/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '{"id":1,"price":19.9,"sale":0,"excerpt":"","tags":null}
on sale below 20: 1' ]
