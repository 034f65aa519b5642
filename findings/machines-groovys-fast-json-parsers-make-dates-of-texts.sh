#!/usr/bin/env bash
# Groovy's JsonSlurper with the type INDEX_OVERLAY (the fast one) or LAX (the one that allows comments) reads the text "2026-06-01T10:00:00.500Z" as a Date without its half second, and writes it again as "2026-06-01T10:00:00+0000"; "2026-01-02" stays a text. The types CHAR_BUFFER,
# the default, and CHARACTER_SOURCE leave both. The id 12345678901234567890 is -6101065172474983726 in three of the four, and null in CHARACTER_SOURCE, which is for large files.
# One would guess four speeds and one result, and a text for a text: the documentation speaks of speed, memory and comments.
# Who changes the parser has other types, another time in each record and another answer to "changed since"; a title that is a time becomes one, too.
# Version: Groovy 2.4.21 (Debian's packages groovy and default-jre-headless).
set -euo pipefail
[ -f /usr/share/java/groovy-all.jar ] && command -v java > /dev/null || { echo "needs Debian's packages groovy and default-jre-headless"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.groovy" <<'GROOVY'
import groovy.json.*
JsonParserType.values().sort { it.name() }.each {
  def value = new JsonSlurper(type: it).parseText('{"at":"2026-06-01T10:00:00.500Z","id":12345678901234567890}')
  print "$it ${value.at.class.simpleName} ${JsonOutput.toJson(value.at)} ${value.id}; "
}
GROOVY
seen=$(java --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED -cp "$(printf '/usr/share/java/%s.jar:' groovy-all asm-all commons-cli)" groovy.ui.GroovyMain "$dir/run.groovy" 2> /dev/null)
echo "Groovy $(dpkg-query -W -f '${Version}' groovy)"
echo "seen: $seen"
[ "$seen" = 'CHARACTER_SOURCE String "2026-06-01T10:00:00.500Z" null; CHAR_BUFFER String "2026-06-01T10:00:00.500Z" -6101065172474983726; INDEX_OVERLAY Date "2026-06-01T10:00:00+0000" -6101065172474983726; LAX Date "2026-06-01T10:00:00+0000" -6101065172474983726; ' ]
