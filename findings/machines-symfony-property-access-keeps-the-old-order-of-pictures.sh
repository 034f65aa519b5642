#!/usr/bin/env bash
# Symfony's PropertyAccessor writes a list through addImage() and removeImage() if the class has both, and calls only these for what differs as a set: [a, b, c] set to [c, a, b] changes nothing, and [c, b] gives [b, c]. One would
# guess that a value which was set is the value that is read. In a public property it is.
# The serializer and forms write objects by it: an import that puts another picture first, or sizes into their order, says it went well and leaves the old order.
# Version: symfony/property-access 5.4.53 with PHP 8.2 (Debian's packages php-symfony-property-access and php8.2-cli).
set -euo pipefail
autoload=/usr/share/php/Symfony/Component/PropertyAccess/autoload.php
[ -f "$autoload" ] && command -v php > /dev/null || { echo "needs Debian's packages php-symfony-property-access and php8.2-cli"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.php" <<'PHP'
<?php
error_reporting(E_ERROR);
require $argv[1];
class Product {
    private array $images = ['a', 'b', 'c'];
    public array $sizes = ['a', 'b', 'c'];
    public function getImages(): array { return $this->images; }
    public function addImage(string $image): void { $this->images[] = $image; }
    public function removeImage(string $image): void { $this->images = array_values(array_diff($this->images, [$image])); }
}
$accessor = Symfony\Component\PropertyAccess\PropertyAccess::createPropertyAccessor();
foreach ([['c', 'a', 'b'], ['c', 'b']] as $list) {
    foreach (['images', 'sizes'] as $name) {
        $product = new Product();
        $accessor->setValue($product, $name, $list);
        echo $name, ' ', implode($list), ': ', implode($accessor->getValue($product, $name)), "\n";
    }
}
PHP
seen=$(php "$dir/run.php" "$autoload")
echo "symfony/property-access $(dpkg-query -W -f '${Version}' php-symfony-property-access), PHP $(php -r 'echo PHP_VERSION;')"
echo "seen: $seen"
[ "$seen" = 'images cab: abc
sizes cab: cab
images cb: bc
sizes cb: cb' ]
