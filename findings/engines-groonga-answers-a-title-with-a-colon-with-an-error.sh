#!/usr/bin/env bash
# Groonga, asked by --query with --match_columns title for "Notebook: A5 kit", the very title of a product, answers "column lookup failed"; "mug -" and "(blue" are syntax errors, and price:<20 compares the price, also of a product that has none,
# which counts as 0. One would guess that match_columns says where to look, and that a visitor's text finds something or nothing.
# A search box that hands on what is typed fails for titles with a colon, and lets anybody ask for columns that no answer shows. --query_flags ALLOW_PRAGMA turns columns off, then such a title is found; the brackets still must be escaped.
# Version: Groonga 13.0.0 (Debian's package groonga-bin).
set -euo pipefail
command -v groonga > /dev/null || { echo "needs Debian's package groonga-bin"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/load" <<'GROONGA'
table_create Products TABLE_HASH_KEY ShortText
column_create Products title COLUMN_SCALAR ShortText
column_create Products price COLUMN_SCALAR Float
table_create Terms TABLE_PAT_KEY ShortText --default_tokenizer TokenBigram --normalizer NormalizerAuto
column_create Terms title COLUMN_INDEX|WITH_POSITION Products title
load --table Products
[{"_key":"kit","title":"Notebook: A5 kit","price":19.9},{"_key":"mug","title":"Blue mug"},{"_key":"lamp","title":"Lamp","price":50}]
GROONGA
groonga -n "$dir/db" < "$dir/load" > "$dir/out"
ask() {
  printf 'select Products --match_columns title --output_columns _key %s --query %s\n' "${2:-}" "'$1'" | groonga "$dir/db" > "$dir/answer" 2>/dev/null || true
  python3 - "$1" "$dir/answer" <<'PY'
import json, sys
answer = json.load(open(sys.argv[2]))
print(sys.argv[1], "=", sorted(row[0] for row in answer[1][0][2:]) if answer[0][0] == 0 else answer[0][3].split(":")[0] + ": " + answer[0][3].split(":")[-1].strip())
PY
}
seen=$(for text in 'notebook kit' 'Notebook: A5 kit' 'mug -' '(blue' 'price:<20'; do ask "$text"; done; echo "without columns:"; ask 'Notebook: A5 kit' '--query_flags ALLOW_PRAGMA')
groonga --version | sed -n 1p | cut -d' ' -f1-2
echo "seen: $seen"
[[ $seen == *"notebook kit = ['kit']"*'Notebook: A5 kit = Syntax error: column lookup failed'*'mug - = Syntax error'*'(blue = Syntax error'*"price:<20 = ['kit', 'mug']"*"without columns:"*"Notebook: A5 kit = ['kit']"* ]]
