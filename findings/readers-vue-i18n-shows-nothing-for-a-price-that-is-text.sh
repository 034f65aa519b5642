#!/usr/bin/env bash
# vue-i18n's n("19.90", "currency") is "", in production without a word. d("2026-11-29T23:30:00Z", "long") takes a text, and formats it. One would guess that a formatter around Intl.NumberFormat takes what that takes, as FormatJS,
# i18next and Lingui do, or fails aloud.
# An API that sends prices as decimal texts, so that no digit is lost, has a shop window without prices: all else of the page is there. TypeScript would object, but what fetch gives is any.
# Version: vue-i18n 11.4.18 with vue 3.5.45, @formatjs/intl 6.1.4, i18next 27.1.5, @lingui/core 6.11.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
versions="vue-i18n@11.4.18 vue@3.5.45 @formatjs/intl@6.1.4 i18next@27.1.5 @lingui/core@6.11.0"
npm install --silent --no-audit --no-fund --legacy-peer-deps $versions
cat > run.js <<'JS'
import { createIntl } from "@formatjs/intl";
import { i18n as lingui } from "@lingui/core";
import i18next from "i18next";
import { createI18n } from "vue-i18n";

const price = "19.90";
const currency = { style: "currency", currency: "EUR" };
const { global: vue } = createI18n({
  legacy: false,
  locale: "en",
  numberFormats: { en: { currency } },
  datetimeFormats: { en: { long: { dateStyle: "long", timeZone: "UTC" } } },
});
await i18next.init({ lng: "en", resources: { en: { translation: { price: "{{price, currency(EUR)}}" } } } });
lingui.loadAndActivate({ locale: "en", messages: {} });
const show = (name, text) => console.log(`${name}: "${text}"`);
show("Intl", new Intl.NumberFormat("en", currency).format(price));
show("FormatJS", createIntl({ locale: "en" }).formatNumber(price, currency));
show("i18next", i18next.t("price", { price }));
show("Lingui", lingui.number(price, currency));
show("vue-i18n", vue.n(price, "currency"));
show("vue-i18n, a number", vue.n(Number(price), "currency"));
show("vue-i18n, a day", vue.d("2026-11-29T23:30:00Z", "long"));
JS
seen=$(NODE_ENV=production node run.js 2>&1)
echo "$versions"
echo "seen: $seen"
[ "$seen" = 'Intl: "€19.90"
FormatJS: "€19.90"
i18next: "€19.90"
Lingui: "€19.90"
vue-i18n: ""
vue-i18n, a number: "€19.90"
vue-i18n, a day: "November 29, 2026"' ]
