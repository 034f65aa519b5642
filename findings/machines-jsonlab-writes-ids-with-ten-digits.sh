#!/usr/bin/env bash
# savejson of Octave's jsonlab writes the id 12345678901, which loadjson has read, as 1.23456789e+10, another number; the id 7654321098765 becomes 7654321099000 and 1780308000500 milliseconds lose their half second. Ten digits are written by default. Octave's own jsonencode
# writes the id as 12345678901.0, right but no whole number for a reader that asks for one.
# One would guess 12345678901: it is far below 2^53, and Octave shows it so. Ids up to ten digits pass, as in tests; those of many shops have thirteen.
# A catalog that was read, evaluated and written back links to other products, or to none. savejson(…, "FloatFormat", "%.15g") writes them whole.
# Version: jsonlab 2.0 with Octave 7.3.0 (Debian's packages octave-jsonlab and octave).
set -euo pipefail
command -v octave-cli > /dev/null && [ -n "$(dpkg-query -W -f '${Version}' octave-jsonlab 2> /dev/null)" ] || { echo "needs Debian's packages octave-jsonlab and octave"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.m" <<'M'
pkg load jsonlab
text = '{"id":12345678901,"other":7654321098765,"at":1780308000500}';
puts(strtrim(savejson('', loadjson(text), 'compact', 1))); puts(' ');
puts(strtrim(savejson('', loadjson(text), 'compact', 1, 'FloatFormat', '%.15g'))); puts(' ');
puts(jsonencode(jsondecode(text)));
M
seen=$(HOME="$dir" octave-cli -q --norc "$dir/run.m" 2> /dev/null)
echo "jsonlab $(dpkg-query -W -f '${Version}' octave-jsonlab), Octave $(dpkg-query -W -f '${Version}' octave)"
echo "seen: $seen"
[ "$seen" = '{"id":1.23456789e+10,"other":7.654321099e+12,"at":1.780308e+12} {"id":12345678901,"other":7654321098765,"at":1780308000500} {"id":12345678901.0,"other":7654321098765.0,"at":1780308000500.0}' ]
