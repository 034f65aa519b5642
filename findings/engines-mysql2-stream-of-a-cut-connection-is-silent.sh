#!/usr/bin/env bash
# A stream of mysql2 that is read more slowly than net_write_timeout allows (60 s by default) is cut off by the server. One guesses an
# "error" on the stream. It says nothing at all: no error, no end, no close, after 50 to 150 of 3,000 rows. Only the connection emits
# "error" (ECONNRESET). `for await` over the rows waits for ever; if nothing else keeps Node alive, the program just ends.
# It matters to whoever exports a catalogue row by row to something slow: set net_write_timeout in the session, and end the reading
# on the connection's own "error".
# Version: mysql2@3.24.6, seen on Node 24 and MariaDB 10.11.
set -euo pipefail
dir=$(mktemp -d); server=; trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi; rm -rf "$dir"' EXIT
port=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
chmod 755 "$dir"; mkdir "$dir/my"; as=()
if [ "$(id -u)" = 0 ]; then chown mysql "$dir/my"; as=(--user=mysql); fi
mariadb-install-db --no-defaults "${as[@]}" --datadir="$dir/my/data" --auth-root-authentication-method=normal >/dev/null 2>&1
mariadbd --no-defaults "${as[@]}" --datadir="$dir/my/data" --socket="$dir/my/socket" --port="$port" --bind-address=127.0.0.1 \
  --net-write-timeout=2 --innodb-flush-log-at-trx-commit=0 >"$dir/log" 2>&1 &
server=$!
for _ in $(seq 100); do mariadb -h 127.0.0.1 -P "$port" -uroot -e 'SELECT 1' >/dev/null 2>&1 && break; sleep 0.2; done
mariadb -h 127.0.0.1 -P "$port" -uroot -e "CREATE DATABASE shop; USE shop; CREATE TABLE products (id INT PRIMARY KEY, notes MEDIUMTEXT);
  INSERT INTO products SELECT seq, REPEAT('x', 20000) FROM seq_1_to_3000"
npm install --silent --no-audit --no-fund --prefix "$dir" mysql2@3.24.6 >/dev/null
cat >"$dir/run.cjs" <<'JS'
const mysql = require("mysql2");
const connection = mysql.createConnection({ host: "127.0.0.1", port: Number(process.argv[2]), user: "root", database: "shop" });
const told = [];
let rows = 0;
connection.on("error", (error) => told.push(`connection error ${error.code}`));
const stream = connection.query("SELECT id, notes FROM products").stream();
for (const event of ["end", "error", "close"]) stream.on(event, () => told.push(`stream ${event}`));
stream.on("data", () => {
  rows += 1;
  if (rows > 1) return;
  stream.pause();
  setTimeout(() => stream.resume(), 5000);
});
setTimeout(() => {
  const { version } = JSON.parse(require("node:fs").readFileSync(`${__dirname}/node_modules/mysql2/package.json`));
  console.log(`version: mysql2 ${version}`);
  console.log(`seen: ${rows} of 3000 rows; ${told.join(", ")}; stream.errored ${stream.errored}; stream.closed ${stream.closed}`);
  const isSilent = !told.some((line) => line.startsWith("stream ")) && stream.errored === null && !stream.closed;
  process.exit(rows < 3000 && isSilent && told.includes("connection error ECONNRESET") ? 0 : 1);
}, 10_000);
JS
node "$dir/run.cjs" "$port" || { echo "no longer so"; exit 1; }
