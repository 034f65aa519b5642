#!/usr/bin/env bash
# Java's ROME reads the <updated> 2026-06-01T10:00:00.123456Z of an Atom entry as 10:02:03.456, and 10:00:00.5Z as 10:00:00.005: it takes the digits behind the point for a number of milliseconds, 123456 of them. Three digits, .500Z, are right. One would guess the moment,
# with or without what is below a millisecond: a fraction of a second is part of RFC 3339, which Atom names, and its reader is for feeds.
# Python and PostgreSQL write six digits. Entries move up to a quarter of an hour into the future, each by another amount, and their order changes.
# Version: ROME 1.12.2 (Debian's packages librome-java, libjdom2-java, libslf4j-java and default-jdk-headless).
set -euo pipefail
jars=/usr/share/java
[ -f "$jars/rome.jar" ] && [ -f "$jars/jdom2.jar" ] && [ -f "$jars/slf4j-nop.jar" ] && command -v javac > /dev/null ||
  { echo "needs Debian's packages librome-java, libjdom2-java, libslf4j-java and default-jdk-headless"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/Times.java" <<'JAVA'
import com.rometools.rome.feed.synd.*;
import com.rometools.rome.io.SyndFeedInput;
import java.io.StringReader;

public class Times {
  public static void main(String[] arguments) throws Exception {
    for (String fraction : new String[] {"", ".500", ".5", ".123456", ".999999"}) {
      String time = "<updated>2026-06-01T10:00:00" + fraction + "Z</updated>";
      String feed = "<feed xmlns='http://www.w3.org/2005/Atom'><title>Shop</title><id>tag:shop.example,2026:1</id><updated>2026-06-01T10:00:00Z</updated>"
          + "<entry><title>Mug</title><id>tag:shop.example,2026:2</id>" + time + "</entry></feed>";
      for (SyndEntry entry : new SyndFeedInput().build(new StringReader(feed)).getEntries()) System.out.print(entry.getUpdatedDate().toInstant() + " ");
    }
  }
}
JAVA
seen=$(java -cp "$(printf "$jars/%s.jar:" rome rome-utils jdom2 slf4j-api slf4j-nop)" "$dir/Times.java")
echo "ROME $(dpkg-query -W -f '${Version}' librome-java)"
echo "seen: $seen"
[ "$seen" = '2026-06-01T10:00:00Z 2026-06-01T10:00:00.500Z 2026-06-01T10:00:00.005Z 2026-06-01T10:02:03.456Z 2026-06-01T10:16:39.999Z ' ]
