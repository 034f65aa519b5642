#!/usr/bin/env bash
# The id 3000000000 and the time 1780308000000 in milliseconds are both 2147483647 for json_object_get_int of json-c, and both 0 for toInt() of Qt's QJsonValue, which also gives 0 for the price 19.90 where toVariant().toInt() gives 20. Ids above 2^63 are all 9223372036854775807 in newLISP.
# One would guess an error (jsoncpp's asInt raises one), or the lower bits as of a cast in C. None of the three reports it; errno stays 0.
# All products of a shop with large ids are one product, and all times in milliseconds the same moment of January 2038. json_object_get_int64, toDouble() or toInteger() of Qt 6.
# Version: json-c 0.16, Qt 5.15.8, newLISP 10.7.5 (Debian's packages libjson-c-dev, qtbase5-dev, newlisp, g++ and pkg-config).
set -euo pipefail
command -v g++ pkg-config newlisp > /dev/null && pkg-config --exists json-c Qt5Core ||
  { echo "needs Debian's packages libjson-c-dev, qtbase5-dev, newlisp, g++ and pkg-config"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > c.c <<'C'
#include <json-c/json.h>
#include <stdio.h>

int main(void) {
  struct json_object *values = json_tokener_parse("[3000000000,1780308000000]");
  printf("%d %d", json_object_get_int(json_object_array_get_idx(values, 0)), json_object_get_int(json_object_array_get_idx(values, 1)));
  return 0;
}
C
cat > qt.cpp <<'CPP'
#include <QtCore>

int main() {
  QJsonArray values = QJsonDocument::fromJson("[3000000000,1780308000000,19.90]").array();
  QTextStream(stdout) << values[0].toInt() << " " << values[1].toInt() << " " << values[2].toInt() << " " << values[2].toVariant().toInt();
}
CPP
gcc -o c c.c $(pkg-config --cflags --libs json-c)
g++ -fPIC -o qt qt.cpp $(pkg-config --cflags --libs Qt5Core)
seen="$(./c); $(./qt); $(newlisp -e '(json-parse "[12345678901234567890,9999999999999999999]")' < /dev/null | head -n 1)"
echo "json-c $(pkg-config --modversion json-c), Qt $(pkg-config --modversion Qt5Core), newLISP $(dpkg-query -W -f '${Version}' newlisp)"
echo "seen: $seen"
[ "$seen" = '2147483647 2147483647; 0 0 0 20; (9223372036854775807 9223372036854775807)' ]
