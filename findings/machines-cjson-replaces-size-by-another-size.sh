#!/usr/bin/env bash
# cJSON finds members without looking at their case: in {"Size":"M","size":5}, cJSON_ReplaceItemInObject(product, "size", 9) replaces Size and gives it the name size, {"size":9,"size":5}. cJSON_GetObjectItem(product, "id") of {"ID":5,"id":3000000000} is 5.
# One would guess the member of that very name, as JSON and all other readers have it; functions whose names end in CaseSensitive do it so. And valueint of the id 3000000000 is 2147483647, as of any id above 2^31; valuedouble is right.
# A device that reads a catalog gets another field where two names differ by case only (attributes that shops name, translations of keys), and one that writes it makes two members of one name.
# Version: cJSON 1.7.15 (Debian's packages libcjson-dev and gcc).
set -euo pipefail
command -v gcc > /dev/null && [ -f /usr/include/cjson/cJSON.h ] || { echo "needs Debian's packages libcjson-dev and gcc"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.c" <<'C'
#include <cjson/cJSON.h>
#include <stdio.h>

int main(void) {
  cJSON *product = cJSON_Parse("{\"Size\":\"M\",\"size\":5}");
  cJSON_ReplaceItemInObject(product, "size", cJSON_CreateNumber(9));
  cJSON *ids = cJSON_Parse("{\"ID\":5,\"id\":3000000000}");
  cJSON *id = cJSON_GetObjectItemCaseSensitive(ids, "id");
  printf("%s %d %d %.0f", cJSON_PrintUnformatted(product), cJSON_GetObjectItem(ids, "id")->valueint, id->valueint, id->valuedouble);
  return 0;
}
C
gcc -o "$dir/run" "$dir/run.c" -lcjson
seen=$("$dir/run")
echo "cJSON $(dpkg-query -W -f '${Version}' libcjson-dev)"
echo "seen: $seen"
[ "$seen" = '{"size":9,"size":5} 5 2147483647 3000000000' ]
