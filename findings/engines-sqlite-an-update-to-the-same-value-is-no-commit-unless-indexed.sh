#!/usr/bin/env bash
# An UPDATE that gives every row the value that it has reports the rows as changed, and moves no mark of a change: not
# data_version, not the counter in the file's header, not the file's time. One would guess that each commit moves them; with an
# index on that column it does (in WAL mode: data_version, and the log grows).
# A shop's plugin that "touches" a product so that a watcher or a cache of its catalog notices is not noticed, until somebody
# adds an index. Nothing is lost, because nothing differs.
# Version: SQLite 3.53.4 of node:sqlite, seen on Node 24.21.0, with a rollback journal and in WAL mode.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" node@24.21.0 > /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
cat > "$dir/touch.mjs" <<'JS'
import { readFileSync, statSync, existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
let isSo = true;
for (const mode of ["delete", "wal"]) {
  const file = `${process.argv[2]}/shop-${mode}.sqlite`;
  const shop = new DatabaseSync(file);
  shop.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE product (id INTEGER PRIMARY KEY, price INTEGER, slug TEXT);
    CREATE INDEX by_slug ON product (slug); INSERT INTO product VALUES (1, 500, 'kit'), (2, 900, 'theme')`);
  const watcher = new DatabaseSync(file, { readOnly: true });
  const marks = () =>
    [
      watcher.prepare("PRAGMA data_version").get().data_version,
      readFileSync(file).readUInt32BE(24),
      statSync(file, { bigint: true }).mtimeNs,
      existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0,
    ].join(" ");
  for (const [sql, moves] of [
    ["UPDATE product SET price = price", false],
    ["UPDATE product SET slug = slug", true],
    ["UPDATE product SET price = price + 1", true],
  ]) {
    const before = marks();
    const { changes } = shop.prepare(sql).run();
    const moved = marks() !== before;
    console.log(`seen: ${mode}: ${sql}: ${changes} rows changed, marks ${moved ? "moved" : "did not move"}`);
    isSo &&= Number(changes) === 2 && moved === moves;
  }
  watcher.close();
  shop.close();
}
console.log(`Node ${process.version}, SQLite ${process.versions.sqlite}`);
process.exit(isSo ? 0 : 1);
JS
node --disable-warning=ExperimentalWarning "$dir/touch.mjs" "$dir"
