#!/usr/bin/env bash
# Laravel's Eloquent: a column numeric(12, 4) holds the net price 16.8067, and the model has the documented cast decimal:2. Setting the price to 16.81 and calling save() gives true and writes nothing: the row keeps 16.8067, and
# updated_at its old time. 16.82 is written. One would guess that a value other than the stored one is a change; Eloquent compares both after the cast, where they are the same text.
# So prices that were imported with more digits, or stored before a change of rounding, can't be corrected through the shop, and SQL, sums and feeds that read the column differ from what the shop shows by cents
# for each hundred pieces. Update such rows with the query builder, or give the cast the column's digits. (The model shows 16.81 before and after, so nobody sees it there.)
# Version: Debian's php-illuminate-database 8.83, PHP 8.2, PostgreSQL 15 (Debian's packages postgresql and php-pgsql).
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1) || { echo "needs Debian's package postgresql"; exit 2; }
for package in php-illuminate-database php-pgsql; do dpkg-query -W "$package" > /dev/null 2>&1 || { echo "needs Debian's package $package"; exit 2; }; done
dir=$(mktemp -d); chmod 755 "$dir"
as() { if [ "$(id -u)" = 0 ]; then su postgres -c "$1"; else bash -c "$1"; fi; }
trap 'as "$bin/pg_ctl -D $dir/pg/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$dir"' EXIT
mkdir "$dir/pg"; [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
as "$bin/initdb -D $dir/pg/data -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg/data -o \"-c listen_addresses= -c unix_socket_directories=$dir/pg -c fsync=off\" -l $dir/pg/log -w start" > /dev/null
cat > "$dir/run.php" <<'PHP'
<?php
error_reporting(E_ALL & ~E_DEPRECATED);
require 'Illuminate/Database/autoload.php';
use Illuminate\Database\Capsule\Manager as Store;
use Illuminate\Database\Eloquent\Model;
class Product extends Model
{
    protected $guarded = [];
    protected $casts = ['price' => 'decimal:2'];
}
$store = new Store();
$store->addConnection(['driver' => 'pgsql', 'host' => $argv[1], 'database' => 'postgres', 'username' => 'postgres', 'charset' => 'utf8']);
$store->setAsGlobal();
$store->bootEloquent();
Store::schema()->create('products', function ($table) {
    $table->increments('id');
    $table->decimal('price', 12, 4);
    $table->timestamps();
});
$seen = [];
foreach (['16.8100', '16.81', '16.8149', '16.82'] as $price) {
    Store::table('products')->delete();
    Store::table('products')->insert(['id' => 1, 'price' => '16.8067', 'updated_at' => '2026-01-01 00:00:00']);
    $product = Product::find(1);
    $product->price = $price;
    $saved = $product->save();
    $row = Store::table('products')->first();
    $new = $row->updated_at > '2026-01-02';
    $seen[] = [$saved, $row->price, $new];
    echo "set $price: save() ", json_encode($saved), ", the row has $row->price, updated_at ", $new ? 'new' : 'old', ', the model shows ', Product::find(1)->price, "\n";
}
$nothing = [true, '16.8067', false];
exit($seen === [$nothing, $nothing, $nothing, [true, '16.8200', true]] ? 0 : 1);
PHP
echo "illuminate/database $(dpkg-query -W -f '${Version}' php-illuminate-database), $(php -r 'echo "PHP ", PHP_VERSION;')"
php "$dir/run.php" "$dir/pg"
