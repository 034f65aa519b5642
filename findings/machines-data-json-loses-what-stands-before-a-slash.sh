#!/usr/bin/env bash
# Clojure's data.json reads {"image/webp":"a.webp","image/png":"a.png"} with :key-fn keyword, as it is usually called, and writes it again as {"webp":"a.webp","png":"a.png"}; {:shop/id 1, :product/id 2} is written as {"id":1,"id":2}. One would guess the
# keys that were read, and for the second "shop/id", as the other usual library, Cheshire, writes both. A keyword with a slash has a namespace, and the writer takes the name only.
# Keys of a catalog with a slash (media types, sizes such as 1/2, "USB-A/USB-C") lose their first half, or become two members of one name. :key-fn #(subs (str %) 1) when writing keeps them.
# Version: data.json 2.4.0, Cheshire 5.11.0, Clojure 1.11.1 (Debian's packages libdata-json-clojure, libcheshire-clojure, clojure and default-jre-headless).
set -euo pipefail
jars=/usr/share/java
[ -f "$jars/data.json.jar" ] && [ -f "$jars/cheshire.jar" ] && [ -f "$jars/clojure.jar" ] && command -v java > /dev/null ||
  { echo "needs Debian's packages libdata-json-clojure, libcheshire-clojure, clojure and default-jre-headless"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.clj" <<'CLJ'
(require '[clojure.data.json :as json] '[cheshire.core :as cheshire])
(def text "{\"image/webp\":\"a.webp\",\"image/png\":\"a.png\",\"1/2\":3}")
(def product (json/read-str text :key-fn keyword))
(print (json/write-str product) (json/write-str {:shop/id 1 :product/id 2}) (json/write-str product :key-fn #(subs (str %) 1)) (cheshire/generate-string (cheshire/parse-string text true)))
CLJ
seen=$(java -cp "$(printf "$jars/%s.jar:" clojure spec.alpha core.specs.alpha data.json cheshire tigris jackson-core jackson-databind jackson-annotations jackson-dataformat-cbor jackson-dataformat-smile)" clojure.main "$dir/run.clj")
echo "data.json $(dpkg-query -W -f '${Version}' libdata-json-clojure), Cheshire $(dpkg-query -W -f '${Version}' libcheshire-clojure)"
echo "seen: $seen"
[ "$seen" = '{"webp":"a.webp","png":"a.png","2":3} {"id":1,"id":2} {"image\/webp":"a.webp","image\/png":"a.png","1\/2":3} {"image/webp":"a.webp","image/png":"a.png","1/2":3}' ]
