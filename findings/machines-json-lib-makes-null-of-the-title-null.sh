#!/usr/bin/env bash
# Java's json-lib, JSONObject.fromObject of a Map, writes the text "null" as null, and in a list the text "{}" as an object; put("tags", "[1,2]") makes a list of the text. Read from JSON, the title "null" is a text with quotes, "\"null\"".
# One would guess that a text is a text: each of these has a type of its own in Java. It looks at a text's first and last signs and parses what looks like JSON; what fails to parse, "[new] Mug", stays.
# The product Null, the brand of a list of sizes or a title in braces is another kind of value than that of all others, in what a shop writes and in what it reads.
# Version: json-lib 2.4 (Debian's packages libjson-java and default-jdk-headless).
set -euo pipefail
jars=/usr/share/java
[ -f "$jars/json-lib.jar" ] && command -v javac > /dev/null || { echo "needs Debian's packages libjson-java and default-jdk-headless"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/Texts.java" <<'JAVA'
import java.util.*;
import net.sf.json.*;

public class Texts {
  public static void main(String[] arguments) {
    System.out.print(JSONObject.fromObject(Collections.singletonMap("title", "null")) + " ");
    System.out.print(JSONArray.fromObject(Arrays.asList("null", "{}", "Mug")) + " ");
    JSONObject product = new JSONObject();
    product.put("tags", "[1,2]");
    product.put("title", "[new] Mug");
    System.out.print(product + " " + JSONObject.fromObject("{\"title\":\"null\"}"));
  }
}
JAVA
path=$(printf "$jars/%s.jar:" json-lib ezmorph commons-beanutils commons-collections3 commons-lang commons-logging)
seen=$(java -cp "$path" "$dir/Texts.java")
echo "json-lib $(dpkg-query -W -f '${Version}' libjson-java)"
echo "seen: $seen"
[ "$seen" = '{"title":null} [null,{},"Mug"] {"tags":[1,2],"title":"[new] Mug"} {"title":"\"null\""}' ]
