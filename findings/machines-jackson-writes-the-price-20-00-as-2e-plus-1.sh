#!/usr/bin/env bash
# Java's Jackson writes new ObjectNode.put("price", new BigDecimal("20.00")) as {"price":2E+1}, 1990.00 as 1.99E+3, and 19.90 as 19.9; so does readTree with USE_BIG_DECIMAL_FOR_FLOATS, the setting that is to keep prices as they are written, and asText() of it is "1.99E+3", too.
# One would guess 20.00: writeValueAsString of a Map with the same BigDecimal writes that. A tree's node factory removes zeros at the end, those before the point, too.
# Only whole prices with decimals change, ten, hundred or thousand units of money: a page that shows asText() shows 1.99E+3 for the dearest things, and readers that look for digits find 2. JsonNodeFactory.withExactBigDecimals(true), or WRITE_BIGDECIMAL_AS_PLAIN.
# Version: jackson-databind 2.14.0 (Debian's packages libjackson2-databind-java and default-jdk-headless).
set -euo pipefail
jars=/usr/share/java
[ -f "$jars/jackson-databind.jar" ] && command -v javac > /dev/null || { echo "needs Debian's packages libjackson2-databind-java and default-jdk-headless"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/Prices.java" <<'JAVA'
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.util.Map;

public class Prices {
  public static void main(String[] arguments) throws Exception {
    ObjectMapper exact = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    BigDecimal price = new BigDecimal("20.00");
    System.out.print(new ObjectMapper().createObjectNode().put("price", price) + " ");
    System.out.print(new ObjectMapper().writeValueAsString(Map.of("price", price)) + " ");
    System.out.print(exact.readTree("[19.90,20.00,1990.00]") + " " + exact.readTree("[1990.00]").get(0).asText() + " ");
    System.out.print(exact.setNodeFactory(JsonNodeFactory.withExactBigDecimals(true)).readTree("[19.90,20.00,1990.00]"));
  }
}
JAVA
seen=$(java -cp "$jars/jackson-databind.jar:$jars/jackson-core.jar:$jars/jackson-annotations.jar" "$dir/Prices.java")
echo "jackson-databind $(dpkg-query -W -f '${Version}' libjackson2-databind-java)"
echo "seen: $seen"
[ "$seen" = '{"price":2E+1} {"price":20.00} [19.9,2E+1,1.99E+3] 1.99E+3 [19.90,20.00,1990.00]' ]
