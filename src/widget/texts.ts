/** The widget's words, in the languages that it speaks. Nobody who grew up with pl, ja or ar has read theirs yet. */

/** By plural category (CLDR), `other` for those that are not named; `{n}`: the number of reviews. */
type Counts = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** A tuple, not an object: names would be sent ten times. In `average`, `{n}` is the average rating. */
export type Texts = readonly [
  heading: string,
  average: string,
  count: Counts,
  verified: string,
  more: string,
  none: string,
  failed: string,
];

/** By primary language subtag. */
export const TEXTS: Readonly<Record<string, Texts>> = {
  en: [
    "Customer reviews",
    "{n} out of 5",
    { one: "{n} review", other: "{n} reviews" },
    "Verified purchase",
    "Read all reviews",
    "No reviews yet.",
    "Reviews could not be loaded.",
  ],
  de: [
    "Kundenbewertungen",
    "{n} von 5",
    { one: "{n} Bewertung", other: "{n} Bewertungen" },
    "Verifizierter Kauf",
    "Alle Bewertungen lesen",
    "Noch keine Bewertungen.",
    "Bewertungen konnten nicht geladen werden.",
  ],
  fr: [
    "Avis clients",
    "{n} sur 5",
    { other: "{n} avis" },
    "Achat vérifié",
    "Lire tous les avis",
    "Aucun avis pour le moment.",
    "Impossible de charger les avis.",
  ],
  es: [
    "Opiniones de clientes",
    "{n} de 5",
    { one: "{n} opinión", other: "{n} opiniones" },
    "Compra verificada",
    "Leer todas las opiniones",
    "Aún no hay opiniones.",
    "No se pudieron cargar las opiniones.",
  ],
  it: [
    "Recensioni dei clienti",
    "{n} su 5",
    { one: "{n} recensione", other: "{n} recensioni" },
    "Acquisto verificato",
    "Leggi tutte le recensioni",
    "Ancora nessuna recensione.",
    "Impossibile caricare le recensioni.",
  ],
  pt: [
    "Avaliações de clientes",
    "{n} de 5",
    { one: "{n} avaliação", other: "{n} avaliações" },
    "Compra verificada",
    "Ler todas as avaliações",
    "Ainda não há avaliações.",
    "Não foi possível carregar as avaliações.",
  ],
  nl: [
    "Klantbeoordelingen",
    "{n} van 5",
    { one: "{n} beoordeling", other: "{n} beoordelingen" },
    "Geverifieerde aankoop",
    "Alle beoordelingen lezen",
    "Nog geen beoordelingen.",
    "Beoordelingen konden niet worden geladen.",
  ],
  pl: [
    "Opinie klientów",
    "{n} na 5",
    { one: "{n} opinia", few: "{n} opinie", other: "{n} opinii" },
    "Zakup potwierdzony",
    "Przeczytaj wszystkie opinie",
    "Nie ma jeszcze opinii.",
    "Nie udało się wczytać opinii.",
  ],
  ja: [
    "カスタマーレビュー",
    "5つ星のうち{n}",
    { other: "{n}件のレビュー" },
    "購入確認済み",
    "すべてのレビューを見る",
    "レビューはまだありません。",
    "レビューを読み込めませんでした。",
  ],
  ar: [
    "آراء العملاء",
    "{n} من 5",
    { one: "تقييم واحد", two: "تقييمان", few: "{n} تقييمات", many: "{n} تقييمًا", other: "{n} تقييم" },
    "عملية شراء موثّقة",
    "قراءة جميع التقييمات",
    "لا توجد تقييمات بعد.",
    "تعذّر تحميل التقييمات.",
  ],
};
