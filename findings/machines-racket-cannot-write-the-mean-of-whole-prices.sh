#!/usr/bin/env bash
# Racket's json reads the prices [20, 25, 30, 0], and writing their mean raises an error: "expected argument of type <legal JSON value>; given: 75/4". With [19.90, 25, 30, 0] it writes 18.725.
# One would guess 18.75: Guile's and Common Lisp's JSON write it, and their numbers are exact, too. Whole numbers of JSON are read as exact ones, whose quotient is a fraction, which the writer refuses; 19.90 and 20.0 are read as floats.
# A report over a catalog runs until a category has whole prices only, whose mean is not whole: JavaScript writes 20.00 as 20. (exact->inexact n) before writing.
# Version: Racket 8.7, guile-json 4.7.3, yason 0.7.6 (Debian's packages racket, guile-json, sbcl, cl-yason, cl-alexandria and cl-trivial-gray-streams).
set -euo pipefail
command -v racket guile sbcl > /dev/null && [ -d /usr/share/common-lisp/source/yason ] \
  || { echo "needs Debian's packages racket, guile-json, sbcl, cl-yason, cl-alexandria and cl-trivial-gray-streams"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
export HOME="$dir" XDG_CACHE_HOME="$dir/cache"
cd "$dir"
cat > mean.rkt <<'RKT'
#lang racket/base
(require json)
(define prices (string->jsexpr (vector-ref (current-command-line-arguments) 0)))
(display (with-handlers ([exn:fail? (lambda (failure) (cadr (regexp-match #rx"(given: .*)" (exn-message failure))))])
  (jsexpr->string (/ (apply + prices) (length prices)))))
RKT
cat > mean.scm <<'SCM'
(use-modules (json))
(define prices (vector->list (json-string->scm (cadr (command-line)))))
(display (scm->json-string (/ (apply + prices) (length prices))))
SCM
cat > mean.lisp <<'LISP'
(require :asdf)
(push #p"/usr/share/common-lisp/source/" asdf:*central-registry*)
(let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream))) (asdf:load-system :yason))
(let ((prices (funcall (intern "PARSE" :yason) (second sb-ext:*posix-argv*))))
  (funcall (intern "ENCODE" :yason) (/ (reduce #'+ prices) (length prices))))
LISP
seen="racket $(racket mean.rkt '[20,25,30,0]'), guile $(guile --no-auto-compile -s mean.scm '[20,25,30,0]'), lisp $(sbcl --script mean.lisp '[20,25,30,0]'), racket $(racket mean.rkt '[19.90,25,30,0]')"
dpkg-query -W -f '${Package} ${Version}, ' racket guile-json cl-yason; echo
echo "seen: $seen"
[ "$seen" = "racket given: 75/4, guile 18.75, lisp 18.75, racket 18.725" ]
