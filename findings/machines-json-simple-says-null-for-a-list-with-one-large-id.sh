#!/usr/bin/env bash
# JSONValue.parse of Java's json-simple gives null for [{"id":1},{"id":12345678901234567890}]: the whole list, without an exception, as for the text null. One would guess that id as a double or a BigInteger, or an error: it swallows every exception, here that of Long's parser.
# JSONParser.parse throws the NumberFormatException, which is no ParseException, so a handler for broken JSON lets it through.
# The day a shop's first id is above 2^63 (unsigned keys, Snowflakes with the top bit), its whole catalog is empty to such a reader.
# Version: json-simple 2.3.0 (Debian's packages libjson-simple-java and default-jdk-headless).
set -euo pipefail
jars=/usr/share/java
[ -f "$jars/json-simple.jar" ] && command -v javac > /dev/null || { echo "needs Debian's packages libjson-simple-java and default-jdk-headless"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/Ids.java" <<'JAVA'
import org.json.simple.JSONValue;
import org.json.simple.parser.*;

public class Ids {
  public static void main(String[] arguments) {
    String text = "[{\"id\":1},{\"id\":12345678901234567890}]";
    System.out.print(JSONValue.parse("[{\"id\":1}]") + " " + JSONValue.parse(text) + " ");
    try {
      System.out.print(new JSONParser().parse(text));
    } catch (ParseException error) {
      System.out.print("ParseException");
    } catch (RuntimeException error) {
      System.out.print(error.getClass().getSimpleName());
    }
  }
}
JAVA
seen=$(java -cp "$jars/json-simple.jar" "$dir/Ids.java" 2> /dev/null)
echo "json-simple $(dpkg-query -W -f '${Version}' libjson-simple-java)"
echo "seen: $seen"
[ "$seen" = '[{"id":1}] null NumberFormatException' ]
