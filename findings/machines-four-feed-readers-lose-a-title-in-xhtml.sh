#!/usr/bin/env bash
# An Atom title of type xhtml, "H<sub>2</sub>O cup", is HASH(0x…) in Perl's XML::FeedPP, empty in Emacs's Elfeed, and its source with <div xmlns=…> in ROME (Java) and rsstail, which sets it in seven lines.
# One would guess the words "H2O cup", as XML::Atom gives them, or the markup inside the div, which is no part of the title (RFC 4287, 3.1.1.3): the same title of type html is H<sub>2</sub>O cup in all four.
# A shop's feed that marks a formula or a unit in its titles has entries without a name, or with another one at each run, in what lists it. Write titles as text or html.
# Version: XML::FeedPP 0.95, XML::Atom 0.43, elfeed 3.4.1 on Emacs 28.2, ROME 1.12.2 on Java 17, rsstail 1.8 (Debian's packages libxml-feedpp-perl, libxml-atom-perl, elpa-elfeed, emacs-nox, librome-java and rsstail).
set -euo pipefail
command -v emacs rsstail java > /dev/null && perl -MXML::FeedPP -MXML::Atom -e1 2> /dev/null && [ -e /usr/share/java/rome.jar ] || { echo "needs Debian's packages libxml-feedpp-perl, libxml-atom-perl, elpa-elfeed, emacs-nox, librome-java, rsstail and a JDK"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/feed.atom" <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>tag:shop.example,2026:products</id><title>Shop</title><updated>2026-11-27T10:00:00Z</updated>
<entry><id>tag:shop.example,2026:1</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">H<sub>2</sub>O cup</div></title><link href="https://shop.example/1"/><updated>2026-11-27T10:00:00Z</updated></entry>
</feed>
XML
cat > "$dir/read.el" <<'EL'
(package-initialize)
(require 'elfeed)
(with-temp-buffer
  (insert-file-contents (getenv "FEED"))
  (dolist (entry (elfeed-entries-from-atom "http://shop.example/" (elfeed-xml-parse-region (point-min) (point-max))))
    (princ (format "%S" (elfeed-entry-title entry)))))
EL
cat > "$dir/Read.java" <<'JAVA'
import com.rometools.rome.io.SyndFeedInput;
import com.rometools.rome.io.XmlReader;
import java.io.File;
class Read {
  public static void main(String[] files) throws Exception {
    System.out.println(new SyndFeedInput().build(new XmlReader(new File(files[0]))).getEntries().get(0).getTitle());
  }
}
JAVA
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
python3 -m http.server "$port" --bind 127.0.0.1 -d "$dir" > "$dir/log" 2>&1 & pid=$!
for _ in $(seq 50); do curl -sf -o /dev/null "http://127.0.0.1:$port/feed.atom" && break; sleep 0.1; done
jars=/usr/share/java
seen=$(echo "XML::FeedPP: $(perl -MXML::FeedPP -e 'print XML::FeedPP->new(shift)->get_item(0)->title' "$dir/feed.atom")"
  echo "elfeed: $(HOME=$dir FEED=$dir/feed.atom emacs --batch -l "$dir/read.el" 2> /dev/null)"
  echo "ROME: $(java -cp "$jars/rome.jar:$jars/rome-utils.jar:$jars/jdom2.jar:$jars/slf4j-api.jar:$jars/slf4j-nop.jar" "$dir/Read.java" "$dir/feed.atom" 2> /dev/null)"
  echo "rsstail: $(timeout 30 rsstail -1 -N -n 1 -u "http://127.0.0.1:$port/feed.atom" | tr -s ' \n' ' ')"
  echo "XML::Atom: $(perl -MXML::Atom::Feed -e 'print((XML::Atom::Feed->new(shift)->entries)[0]->title)' "$dir/feed.atom")")
echo "$(dpkg-query -W -f '${Package} ${Version}, ' libxml-feedpp-perl libxml-atom-perl elpa-elfeed librome-java rsstail)"
echo "seen: $seen"
grep -q '^XML::FeedPP: HASH(0x' <<< "$seen" && grep -q '^elfeed: ""$' <<< "$seen" && grep -q '^ROME: <div xmlns=' <<< "$seen" && grep -q '^rsstail: *<div xmlns=' <<< "$seen" && grep -q '^XML::Atom: H2O cup$' <<< "$seen"
