#!/usr/bin/env bash
# geojson makes a point at 0, 0 (in the Gulf of Guinea) of a row whose latitude and longitude are null or empty texts. csv2geojson reports such a row and leaves it out; GeoJSON itself has "geometry": null for it, and one would guess one of these two.
# The columns of shops, stockists or events that were not geocoded yet are null in a JSON API: the map shows them in the sea, and zooms out to hold them.
# Version: geojson 0.5.0, csv2geojson 5.1.2, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund geojson@0.5.0 csv2geojson@5.1.2
cat > run.js <<'JS'
import geojson from "geojson";
import csv2geojson from "csv2geojson";

const shops = [{ name: "Berlin", lat: 52.5, lng: 13.4 }, { name: "Opening soon", lat: null, lng: null }, { name: "By post", lat: "", lng: "" }];
for (const { properties, geometry } of geojson.parse(shops, { Point: ["lat", "lng"] }).features) console.log(properties.name, JSON.stringify(geometry.coordinates));
csv2geojson.csv2geojson("name,lat,lng\nBerlin,52.5,13.4\nOpening soon,,\n", (errors, { features }) => console.log("csv2geojson:", errors.length, features.length));
JS
seen=$(node run.js)
echo "geojson 0.5.0"
echo "seen: $seen"
[ "$seen" = 'Berlin [13.4,52.5]
Opening soon [0,0]
By post [0,0]
csv2geojson: 1 1' ]
