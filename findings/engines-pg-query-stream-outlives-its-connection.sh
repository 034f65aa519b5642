#!/usr/bin/env bash
# A stream of pg-query-stream neither fails, ends nor closes if the server ends its session while the query runs (a restart, a failover,
# pg_terminate_backend). One guesses that it emits "error" with 57P01, as client.query() rejects. It is destroyed with that error
# (stream.errored) and then waits for an answer of the closed connection before it tells anybody: `for await` waits for ever.
# Once nothing else keeps Node alive, the program ends with exit code 13, or 0 behind a callback, in the middle of an export.
# It matters to whoever reads a shop's catalogue row by row: listen to "end" of the client and look at stream.errored.
# Version: pg@8.23.1, pg-query-stream@4.17.0, pg-cursor@2.22.0, seen on Node 24 and PostgreSQL 15.
set -euo pipefail
dir=$(mktemp -d); server=; trap 'if [ -n "$server" ]; then kill -QUIT "$server" 2>/dev/null || true; fi; sleep 1; rm -rf "$dir"' EXIT
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
port=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
chmod 755 "$dir"; mkdir "$dir/pg"; as=()
if [ "$(id -u)" = 0 ]; then chown postgres "$dir/pg"; as=(setpriv --reuid postgres --regid postgres --clear-groups); fi
cd /
"${as[@]}" "$bin/initdb" -D "$dir/pg/data" -A trust -U postgres --no-sync >"$dir/initdb.log"
"${as[@]}" "$bin/postgres" -D "$dir/pg/data" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off >"$dir/log" 2>&1 &
server=$!
for _ in $(seq 100); do "$bin/pg_isready" -q -h 127.0.0.1 -p "$port" && break; sleep 0.2; done
npm install --silent --no-audit --no-fund --prefix "$dir" pg@8.23.1 pg-query-stream@4.17.0 pg-cursor@2.22.0 >/dev/null
cat >"$dir/run.cjs" <<'JS'
const { Client } = require("pg");
const QueryStream = require("pg-query-stream");
const at = { host: "127.0.0.1", port: Number(process.argv[2]), user: "postgres", database: "postgres" };
(async () => {
  const [reader, admin] = [new Client(at), new Client(at)];
  const told = [];
  reader.on("error", (error) => told.push(`client error: ${error.message}`));
  reader.on("end", () => told.push("client end"));
  admin.on("error", () => undefined);
  await Promise.all([reader.connect(), admin.connect()]);
  const stream = reader.query(new QueryStream("SELECT g AS id, pg_sleep(g) FROM generate_series(60, 61) AS g"));
  for (const event of ["data", "end", "error", "close"]) stream.on(event, () => told.push(`stream ${event}`));
  const sleeping = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
  for (let n = 0; n < 100 && (await admin.query(sleeping)).rows.length === 0; n++) await new Promise((r) => setTimeout(r, 50));
  await admin.query(`SELECT pg_terminate_backend(pid) FROM (${sleeping}) AS s`);
  for (let n = 0; n < 100 && !told.includes("client end"); n++) await new Promise((r) => setTimeout(r, 50));
  await new Promise((r) => setTimeout(r, 2000));
  const version = (name) => JSON.parse(require("node:fs").readFileSync(`${__dirname}/node_modules/${name}/package.json`)).version;
  console.log(`versions: pg ${version("pg")}, pg-query-stream ${version("pg-query-stream")}, pg-cursor ${version("pg-cursor")}`);
  console.log(`seen: ${told.join(", ")}; stream.errored ${stream.errored?.code}; stream.closed ${stream.closed}`);
  const again = new Client(at);
  again.on("error", () => undefined);
  await again.connect();
  const query = again.query("SELECT pg_sleep(60)").then(() => "resolved", (error) => `rejected with ${error.code}`);
  for (let n = 0; n < 100 && (await admin.query(sleeping)).rows.length === 0; n++) await new Promise((r) => setTimeout(r, 50));
  await admin.query(`SELECT pg_terminate_backend(pid) FROM (${sleeping}) AS s`);
  const other = await query;
  console.log(`seen: client.query() in the same place: ${other}`);
  await admin.end();
  const silent = !told.some((line) => line.startsWith("stream "));
  process.exit(silent && stream.errored?.code === "57P01" && !stream.closed && other === "rejected with 57P01" ? 0 : 1);
})();
JS
node "$dir/run.cjs" "$port" || { echo "no longer so"; exit 1; }
