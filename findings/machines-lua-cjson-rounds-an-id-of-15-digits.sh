#!/usr/bin/env bash
# lua-cjson, which nginx's Lua modules and many gateways carry, writes numbers with 14 digits: the id 123456789012345 becomes 1.2345678901234e+14, another number in another form.
# One would guess that whole numbers are exact up to 2^53, as in every language of doubles; Lua 5.3 even has whole numbers of 64 bits. A gateway that
# reads a catalog's answer, adds a field and writes it again changes its ids and its times in microseconds; milliseconds, with 13 digits, pass.
# Version: lua-cjson 2.1.0 with Lua 5.3 (Debian's packages lua-cjson and lua5.3).
set -euo pipefail
command -v lua5.3 > /dev/null && lua5.3 -e 'require "cjson"' 2> /dev/null || { echo "needs Debian's packages lua5.3 and lua-cjson"; exit 1; }
seen=$(lua5.3 -e 'local json = require "cjson"; for _, id in ipairs { "12345678901234", "123456789012345", "1795910400123456" } do print(json.encode(json.decode("[" .. id .. "]"))) end' | tr '\n' ' ')
echo "lua-cjson $(lua5.3 -e 'print(require("cjson")._VERSION, _VERSION)')"
echo "seen: $seen"
[ "$seen" = '[12345678901234] [1.2345678901234e+14] [1.7959104001235e+15] ' ]
