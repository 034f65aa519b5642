#!/usr/bin/env bash
# dkjson, JSON in pure Lua, writes a table of stocks by product id, { [2] = 5, [7] = 3 }, as the list [null,5,null,null,null,null,3], and { [2] = 5, [12] = 3 } as the object {"2":5,"12":3}. One would guess an object for both, or, as lua-cjson does for the
# second, an error. It counts up to the tenth place: gaps below it become null, and beyond it, unless half of the places are filled, the table is an object.
# The stocks of a demo, of a small category or of the first ten products are a list, in which product 2 is at place 1 for most languages; in the whole shop the same field is an object.
# Version: dkjson 2.6, Lua 5.4.4 (Debian's packages lua-dkjson and lua5.4).
set -euo pipefail
command -v lua5.4 > /dev/null && [ -e /usr/share/lua/5.4/dkjson.lua ] || { echo "needs Debian's packages lua-dkjson and lua5.4"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > run.lua <<'LUA'
local json = require("dkjson")
print(json.encode({ [2] = 5, [7] = 3 }))
print(json.encode({ [2] = 5, [12] = 3 }, { keyorder = { 2, 12 } }))
LUA
seen=$(lua5.4 run.lua)
dpkg-query -W -f '${Package} ${Version}\n' lua-dkjson lua5.4
echo "seen: $seen"
[ "$seen" = '[null,5,null,null,null,null,3]
{"2":5,"12":3}' ]
