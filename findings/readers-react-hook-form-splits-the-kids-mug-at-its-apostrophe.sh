#!/usr/bin/env bash
# A form of React Hook Form with a quantity for each product, named by its title: for kid's mug, setValue writes to { kid: { "s mug": 2 } } and getValues("kid's mug") goes on saying 1; the form hands over both, the old
# quantity under the title and the new one beside it. So it is with 3/4" pipe and Size [S]. One would guess this of a dot, which its documentation names, not of an apostrophe or an inch sign; a comma, | and C# work.
# It reads a value under the whole name first, and writes by a path that is cut at dots, brackets and quotes. A cart that is keyed by titles, sizes or options keeps the first quantity. Ids as names are safe.
# Version: react-hook-form 7.92.0 with react 19.3.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund react-hook-form@7.92.0 react@19.3.1 react-dom@19.3.1
cat > run.js <<'JS'
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { useForm } from "react-hook-form";

for (const name of ["kid's mug", '3/4" pipe', "Size [S]", "4,5 l", "C#"]) {
  let form;
  function Cart() {
    form = useForm({ defaultValues: { [name]: 1 } });
    return createElement("input", form.register(name));
  }
  renderToString(createElement(Cart));
  form.setValue(name, 2);
  let sent;
  await form.handleSubmit((values) => {
    sent = JSON.stringify(values);
  })();
  console.log(`${form.getValues(name)} ${sent}`);
}
JS
seen=$(node run.js | paste -sd';')
echo "react-hook-form@7.92.0"
echo "seen: $seen"
[ "$seen" = '1 {"kid'"'"'s mug":1,"kid":{"s mug":2}};1 {"3/4\" pipe":1,"3/4":{" pipe":2}};1 {"Size [S]":1,"Size ":{"S":2}};1 {"4,5 l":2};1 {"C#":2}' ]
