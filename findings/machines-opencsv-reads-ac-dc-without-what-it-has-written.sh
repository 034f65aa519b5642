#!/usr/bin/env bash
# Java's opencsv writes the title AC\DC as "AC\DC" and reads it again as ACDC; C:\new\x is C:newx. A title that ends in a backslash, written "15\", is an error.
# One would guess that a writer and a reader of one library understand each other. The writer follows RFC 4180, in which a backslash is a character like others, and the reader takes it for an escape; CSVReaderBuilder with an RFC4180Parser reads what was written.
# Of a catalog's table only titles with a backslash lose a character, by a round trip that nobody looks at; Groovy's GroovyCSV is the same reader.
# Version: opencsv 5.2 (Debian's packages libopencsv-java, libcommons-text-java, libcommons-beanutils-java and default-jdk-headless).
set -euo pipefail
jars=/usr/share/java
[ -f "$jars/opencsv.jar" ] && [ -f "$jars/commons-text.jar" ] && [ -f "$jars/commons-beanutils.jar" ] && command -v javac > /dev/null ||
  { echo "needs Debian's packages libopencsv-java, libcommons-text-java, libcommons-beanutils-java and default-jdk-headless"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/Titles.java" <<'JAVA'
import com.opencsv.*;
import java.io.*;
import java.util.Arrays;

public class Titles {
  public static void main(String[] arguments) throws Exception {
    StringWriter table = new StringWriter();
    CSVWriter writer = new CSVWriter(table);
    writer.writeNext(new String[] {"AC\\DC", "C:\\new\\x", "15\""});
    writer.close();
    System.out.print(table.toString().trim() + " ");
    System.out.print(Arrays.asList(new CSVReader(new StringReader(table.toString())).readNext()) + " ");
    System.out.print(Arrays.asList(new CSVReaderBuilder(new StringReader(table.toString())).withCSVParser(new RFC4180ParserBuilder().build()).build().readNext()));
  }
}
JAVA
path=$(printf "$jars/%s.jar:" opencsv commons-lang3 commons-text commons-beanutils commons-collections4 commons-logging)
seen=$(java -cp "$path" "$dir/Titles.java")
echo "opencsv $(dpkg-query -W -f '${Version}' libopencsv-java)"
echo "seen: $seen"
[ "$seen" = '"AC\DC","C:\new\x","15""" [ACDC, C:newx, 15"] [AC\DC, C:\new\x, 15"]' ]
