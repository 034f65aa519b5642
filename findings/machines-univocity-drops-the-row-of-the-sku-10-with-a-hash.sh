#!/usr/bin/env bash
# Java's univocity-parsers reads a CSV file of three products as two: the row #10,Brush,5 is a comment by default, and left out without a word. One would guess RFC 4180, which knows no comments: the classes are called Csv,
# and commons-csv, opencsv and Super CSV read the row.
# Article numbers and titles that begin with # (#10 Brush, #1 Dad Mug, colour codes such as #FF0000 in the first column) are missing from an import. Its own writer puts such a cell into quotes, so that its own round trip is right.
# Version: univocity-parsers 2.9.1, commons-csv 1.9.0 (Debian's packages libunivocity-parsers-java, libcommons-csv-java and default-jdk-headless).
set -euo pipefail
jars=/usr/share/java
[ -f "$jars/univocity-parsers.jar" ] && [ -f "$jars/commons-csv.jar" ] && command -v javac > /dev/null ||
  { echo "needs Debian's packages libunivocity-parsers-java, libcommons-csv-java and default-jdk-headless"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/Rows.java" <<'JAVA'
import com.univocity.parsers.csv.*;
import java.io.*;
import java.util.Arrays;
import org.apache.commons.csv.*;

public class Rows {
  public static void main(String[] arguments) throws Exception {
    String table = "00123,Mug,19.90\n#10,Brush,5\n7,Cup,8\n";
    for (String[] row : new CsvParser(new CsvParserSettings()).parseAll(new StringReader(table))) System.out.print(Arrays.asList(row));
    System.out.print(" ");
    for (CSVRecord row : CSVFormat.DEFAULT.parse(new StringReader(table))) System.out.print(row.toList());
    StringWriter written = new StringWriter();
    com.univocity.parsers.csv.CsvWriter writer = new com.univocity.parsers.csv.CsvWriter(written, new CsvWriterSettings());
    writer.writeRow("#10", "Brush");
    writer.close();
    System.out.print(" " + written);
  }
}
JAVA
seen=$(java -cp "$jars/univocity-parsers.jar:$jars/commons-csv.jar" "$dir/Rows.java")
echo "univocity-parsers $(dpkg-query -W -f '${Version}' libunivocity-parsers-java), commons-csv $(dpkg-query -W -f '${Version}' libcommons-csv-java)"
echo "seen: $seen"
[ "$seen" = '[00123, Mug, 19.90][7, Cup, 8] [00123, Mug, 19.90][#10, Brush, 5][7, Cup, 8] "#10",Brush' ]
