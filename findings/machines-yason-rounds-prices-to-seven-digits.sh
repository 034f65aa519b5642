#!/usr/bin/env bash
# yason, a JSON library of Common Lisp, reads 1234567.89 and writes 1234567.875, and 19.90 as 19.899999618530273. What was false or an empty list is written as null.
# One would guess 1234567.89: JSON's numbers are read as doubles nearly everywhere, and so are those with an exponent. yason reads by the language's default, a float of 32 bits, if nobody has changed *read-default-float-format*.
# A price of a million is one and a half cents lower; featured: false, tags: [] and sale_price: null are one value. Bind the format to double-float, and parse with :json-booleans-as-symbols, :json-arrays-as-vectors and :json-nulls-as-keyword.
# Version: yason 0.7.6 (Debian's packages sbcl, cl-yason, cl-alexandria and cl-trivial-gray-streams).
set -euo pipefail
command -v sbcl > /dev/null && [ -d /usr/share/common-lisp/source/yason ] \
  || { echo "needs Debian's packages sbcl, cl-yason, cl-alexandria and cl-trivial-gray-streams"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
export HOME="$dir" XDG_CACHE_HOME="$dir/cache"
cat > "$dir/copy.lisp" <<'LISP'
(require :asdf)
(push #p"/usr/share/common-lisp/source/" asdf:*central-registry*)
(let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream))) (asdf:load-system :yason))
(flet ((copy (text) (funcall (intern "ENCODE" :yason) (funcall (intern "PARSE" :yason) text))))
  (copy "[1234567.89,19.90,20]")
  (princ " ")
  (copy "{\"featured\":false,\"tags\":[],\"sale_price\":null}")
  (princ " ")
  (let ((*read-default-float-format* 'double-float)) (copy "[1234567.89]")))
LISP
seen=$(sbcl --script "$dir/copy.lisp")
echo "yason $(dpkg-query -W -f '${Version}' cl-yason), $(sbcl --version)"
echo "seen: $seen"
[ "$seen" = '[1234567.875,19.899999618530273,20] {"featured":null,"tags":null,"sale_price":null} [1234567.89]' ]
