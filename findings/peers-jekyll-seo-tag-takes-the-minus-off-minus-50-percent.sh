#!/usr/bin/env bash
# jekyll-seo-tag, which writes <title>, og:title and JSON-LD in Jekyll's default theme, reads a title as Markdown and then takes the tags away: "- 50 % mug" is "50 % mug", "2026. A good year" is "A good year", "1. FC mug" is "FC mug", and "10 | 20 | 30 cm" loses its
# bars. "Salt & Pepper" is "Salt &amp; Pepper" in the JSON, too, where it should be plain, and 3.5" has a curly quote. The page's own {{ page.title }} is right. One would guess that a title in front matter is text.
# Search engines, and programs that read a product's name from JSON-LD, see another name than the catalog has.
# Version: jekyll-seo-tag 2.8.0 with Jekyll 4.3.1 (Debian's packages jekyll and ruby-jekyll-seo-tag).
set -euo pipefail
command -v jekyll > /dev/null && ruby -e 'require "jekyll-seo-tag"' 2> /dev/null || { echo "needs Debian's packages jekyll and ruby-jekyll-seo-tag"; exit 1; }
export LC_ALL=C.UTF-8
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; mkdir _layouts
printf 'plugins: [jekyll-seo-tag]\nurl: https://shop.example\ntitle: Shop\n' > _config.yml
printf '<html><head>{%% seo title=false %%}</head><h1>{{ page.title | escape }}</h1></html>' > _layouts/product.html
page() { printf -- "---\nlayout: product\ntitle: '%s'\n---\n" "$2" > "$1.md"; }
page a '- 50 % mug'; page b '2026. A good year'; page c '1. FC mug'; page d '10 | 20 | 30 cm'; page e 'Salt & Pepper'; page f 'Cable 3.5"'
jekyll build > build.log 2>&1 || { cat build.log; exit 2; }
seen=$(for page in a b c d e f; do echo "$(grep -oE '<h1>[^<]*' "_site/$page.html"), $(grep -oE '"headline":"[^"]*"' "_site/$page.html")"; done)
echo "Jekyll $(jekyll --version | cut -d ' ' -f 2), jekyll-seo-tag $(ruby -e 'require "jekyll-seo-tag"; puts Jekyll::SeoTag::VERSION')"
echo "seen: $seen"
[ "$seen" = '<h1>- 50 % mug, "headline":"50 % mug"
<h1>2026. A good year, "headline":"A good year"
<h1>1. FC mug, "headline":"FC mug"
<h1>10 | 20 | 30 cm, "headline":"10 20 30 cm"
<h1>Salt &amp; Pepper, "headline":"Salt &amp; Pepper"
<h1>Cable 3.5&quot;, "headline":"Cable 3.5”"' ]
