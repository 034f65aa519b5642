#!/usr/bin/env bash
# BEGIN EXCLUSIVE in SQLite is guessed to take the exclusive lock or to fail. On a file that the process may not write (another user's,
# a read-only mount), the file is opened read-only without an error, and BEGIN EXCLUSIVE succeeds with a shared lock: two processes have "it".
# It matters to a catalog API because builds and caches use such a lock to have a folder for themselves, also in folders of other users.
# Version: better-sqlite3@13.2.0, seen on Node 24.21.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" better-sqlite3@13.2.0 node@24.21.0 > /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
cat > "$dir/lock.cjs" <<'JS'
const Database = require("better-sqlite3");
const take = () => {
  const db = new Database(process.argv[2], { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
    return "taken";
  } catch (error) {
    return error.code;
  }
};
// Connections stay open: the first one holds its lock while the second tries.
console.log(`${take()} ${take()}`);
JS
cat > "$dir/make.cjs" <<'JS'
const db = new (require("better-sqlite3"))(process.argv[2]);
db.exec("CREATE TABLE product (id INTEGER PRIMARY KEY)");
JS
chmod -R a+rX "$dir"
node "$dir/make.cjs" "$dir/lock.sqlite"
own=$(node "$dir/lock.cjs" "$dir/lock.sqlite")
chmod 444 "$dir/lock.sqlite"
node=$(readlink -f "$(command -v node)")
# Root may write everything, so it asks as another user.
if [ "$(id -u)" = 0 ]; then foreign=$(setpriv --reuid=65534 --regid=65534 --clear-groups "$node" "$dir/lock.cjs" "$dir/lock.sqlite"); else foreign=$("$node" "$dir/lock.cjs" "$dir/lock.sqlite"); fi
echo "better-sqlite3 13.2.0, Node $(node --version)"
echo "seen: writable: $own; read-only: $foreign"
[ "$own" = "taken SQLITE_BUSY" ] && [ "$foreign" = "taken taken" ]
