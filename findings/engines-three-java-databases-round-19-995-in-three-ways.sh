#!/usr/bin/env bash
# A column DECIMAL without digits keeps 19.90 as 19 in Derby and as 20 in H2 and HSQLDB; and 19.995 in a DECIMAL(10, 2) is 19.99 in Derby, which cuts, 20.00 in H2, which rounds half up, and 19.99 in HSQLDB, which rounds half down.
# One would guess that the three databases of Java, all of which say SQL's standard, round alike, and as BigDecimal's users do: half up. PostgreSQL keeps all digits in the first column, MariaDB makes 20 of it.
# A shop's price that goes through one of them, in its tests for example, is another one than in its own database, without a warning.
# Version: Derby 10.14.2, H2 2.1.214 and HSQLDB 2.7.1 with OpenJDK 17 (Debian's packages libderby-java, libh2-java, libhsqldb-java and a JDK).
set -euo pipefail
jars=/usr/share/java/derby.jar:/usr/share/java/h2.jar:/usr/share/java/hsqldb.jar
command -v javac > /dev/null && ls ${jars//:/ } > /dev/null 2>&1 || { echo "needs Debian's packages libderby-java, libh2-java, libhsqldb-java and a JDK"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/Prices.java" << 'END'
import java.math.BigDecimal;
import java.sql.DriverManager;

public class Prices {
  public static void main(String[] none) throws Exception {
    for (var address : new String[] {"jdbc:derby:memory:shop;create=true", "jdbc:h2:mem:shop", "jdbc:hsqldb:mem:shop"}) {
      try (var connection = DriverManager.getConnection(address); var statement = connection.createStatement()) {
        statement.execute("CREATE TABLE product (plain DECIMAL, half DECIMAL(10, 2), more DECIMAL(10, 2))");
        var insert = connection.prepareStatement("INSERT INTO product VALUES (19.90, ?, 19.996)");
        insert.setBigDecimal(1, new BigDecimal("19.995"));
        insert.execute();
        var row = statement.executeQuery("SELECT plain, half, more FROM product");
        row.next();
        var name = connection.getMetaData().getDatabaseProductName().replaceAll("Apache | Database Engine", "");
        System.err.println(name + " " + connection.getMetaData().getDatabaseProductVersion());
        System.out.println(name + " " + row.getString(1) + " " + row.getString(2) + " " + row.getString(3));
      }
    }
  }
}
END
cd "$dir"
seen="$(java -cp "$jars" Prices.java)"
echo "seen: $seen"
[ "$seen" = "Derby 19 19.99 19.99
H2 20 20.00 20.00
HSQL 20 19.99 20.00" ]
