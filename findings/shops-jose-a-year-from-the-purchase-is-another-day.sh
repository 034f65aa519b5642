#!/usr/bin/env bash
# jose: new SignJWT().setIssuedAt(purchase).setExpirationTime("1 year") makes a licence that ends one year after the moment of signing, not after the purchase that stands in "iat" of the same token, and that year
# is 365.25 days: it ends six hours later in the day. One would guess the purchase's day of next year. "12 months" throws, though "52 weeks" and "1 year" do not.
# A shop that signs its licences again, for a new download or device, gives each of them a whole new year of updates.
# Version: jose@6.2.18, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" jose@6.2.18
cat > "$dir/licence.mjs" << 'END'
import { decodeJwt, SignJWT } from "jose";
const key = new TextEncoder().encode("0123456789abcdef0123456789abcdef");
const purchase = new Date("2026-01-31T12:00:00Z");
const sign = async (end) => new SignJWT({ product: "mug" }).setProtectedHeader({ alg: "HS256" }).setIssuedAt(purchase).setExpirationTime(end).sign(key);
const before = Date.now() / 1000;
const { iat, exp } = decodeJwt(await sign("1 year"));
console.log("iat is the purchase:", iat === purchase.getTime() / 1000);
console.log("a year after the purchase:", Math.abs(exp - iat - 365.25 * 86400) < 60 || exp - iat === 365 * 86400);
console.log("days after the signing:", Math.round(((exp - before) / 86400) * 100) / 100);
console.log("12 months:", await sign("12 months").then(() => "taken", (error) => error.message));
END
seen="$(node "$dir/licence.mjs")"
echo "jose $(node -p "require('$dir/node_modules/jose/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "iat is the purchase: true
a year after the purchase: false
days after the signing: 365.25
12 months: Invalid time period format" ]
