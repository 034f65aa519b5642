#!/usr/bin/env bash
# Emacs's Elfeed and rsstail (libmrss) read <updated>2026-11-27T10:00:00+02:00</updated> as ten o'clock in UTC, and 10:00:00-05:00 as the same moment: the offset is not looked at. One would guess 08:00 and 15:00 in UTC; Atom's times
# always have an offset, and the example in its standard ends in +01:00. rsstail names the wrong day of the week besides: Friday is "Sun".
# Entries of shops in several zones come in the wrong order, and a reader that asks for what is new since its last look leaves out what an American shop published meanwhile. Times in UTC, with Z, are read as meant.
# Version: elfeed 3.4.1 on Emacs 28.2, rsstail 1.8 (Debian's packages elpa-elfeed, emacs-nox and rsstail).
set -euo pipefail
command -v emacs rsstail > /dev/null || { echo "needs Debian's packages elpa-elfeed, emacs-nox and rsstail"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/feed.atom" <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>tag:shop.example,2026:products</id><title>Shop</title><updated>2026-11-27T10:00:00Z</updated>
<entry><id>tag:shop.example,2026:1</id><title>Berlin</title><link href="https://shop.example/1"/><updated>2026-11-27T10:00:00+02:00</updated></entry>
<entry><id>tag:shop.example,2026:2</id><title>Lima</title><link href="https://shop.example/2"/><updated>2026-11-27T10:00:00-05:00</updated></entry>
<entry><id>tag:shop.example,2026:3</id><title>UTC</title><link href="https://shop.example/3"/><updated>2026-11-27T10:00:00Z</updated></entry>
</feed>
XML
cat > "$dir/read.el" <<'EL'
(package-initialize)
(require 'elfeed)
(with-temp-buffer
  (insert-file-contents (getenv "FEED"))
  (dolist (entry (elfeed-entries-from-atom "http://shop.example/" (elfeed-xml-parse-region (point-min) (point-max))))
    (princ (format "%s %s " (elfeed-entry-title entry) (format-time-string "%H:%M" (elfeed-entry-date entry) t)))))
EL
elfeed=$(HOME=$dir FEED=$dir/feed.atom TZ=UTC emacs --batch -l "$dir/read.el" 2> /dev/null)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
python3 -m http.server "$port" --bind 127.0.0.1 -d "$dir" > "$dir/log" 2>&1 & pid=$!
for _ in $(seq 50); do curl -sf -o /dev/null "http://127.0.0.1:$port/feed.atom" && break; sleep 0.1; done
rsstail=$(TZ=UTC timeout 30 rsstail -1 -N -p -n 3 -u "http://127.0.0.1:$port/feed.atom" | tr -s ' \n' ' ')
echo "elfeed $(dpkg-query -W -f '${Version}' elpa-elfeed), rsstail $(dpkg-query -W -f '${Version}' rsstail)"
echo "seen: elfeed $elfeed/ rsstail $rsstail"
[ "$elfeed" = 'Berlin 10:00 Lima 10:00 UTC 10:00 ' ] && [ "$(grep -o 'Sun, 27 Nov 2026 10:00:00' <<< "$rsstail" | wc -l)" = 3 ]
