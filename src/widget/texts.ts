/** The widgets' texts by language. Polish, Japanese and Arabic await review by native speakers. */

/** By plural category (CLDR); `other` is for all that are missing. `{n}` is the number of reviews. */
type Counts = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Texts of all widgets, by primary language subtag. In `average`, `{n}` is a rating. */
export const RATING_TEXTS: Readonly<
  Record<string, readonly [average: string, count: Counts, again: string]>
> = {
  en: ["{n} out of 5", { one: "{n} review", other: "{n} reviews" }, "Try again"],
  de: ["{n} von 5", { one: "{n} Bewertung", other: "{n} Bewertungen" }, "Erneut versuchen"],
  fr: ["{n} sur 5", { other: "{n} avis" }, "Réessayer"],
  es: ["{n} de 5", { one: "{n} opinión", other: "{n} opiniones" }, "Reintentar"],
  it: ["{n} su 5", { one: "{n} recensione", other: "{n} recensioni" }, "Riprova"],
  pt: ["{n} de 5", { one: "{n} avaliação", other: "{n} avaliações" }, "Tentar novamente"],
  nl: ["{n} van 5", { one: "{n} beoordeling", other: "{n} beoordelingen" }, "Opnieuw proberen"],
  pl: ["{n} na 5", { one: "{n} opinia", few: "{n} opinie", other: "{n} opinii" }, "Spróbuj ponownie"],
  ja: ["5つ星のうち{n}", { other: "{n}件のレビュー" }, "再試行"],
  ar: [
    "{n} من 5",
    { one: "تقييم واحد", two: "تقييمان", few: "{n} تقييمات", many: "{n} تقييمًا", other: "{n} تقييم" },
    "إعادة المحاولة",
  ],
};

/** Words of products, beside the price: a price of 0, and states in which a product cannot be bought as usual. */
export const PRODUCT_TEXTS: Readonly<
  Record<string, readonly [free: string, preorder: string, comingSoon: string]>
> = {
  en: ["Free", "Preorder", "Coming soon"],
  de: ["Kostenlos", "Vorbestellung", "Demnächst"],
  fr: ["Gratuit", "Précommande", "Bientôt disponible"],
  es: ["Gratis", "Preventa", "Próximamente"],
  it: ["Gratis", "Preordine", "In arrivo"],
  pt: ["Grátis", "Pré-venda", "Em breve"],
  nl: ["Gratis", "Pre-order", "Binnenkort"],
  pl: ["Za darmo", "Przedsprzedaż", "Wkrótce"],
  ja: ["無料", "予約受付中", "近日発売"],
  ar: ["مجانًا", "طلب مسبق", "قريبًا"],
};

/** A tuple, not an object, which would send the names ten times. */
export type Texts = readonly [
  heading: string,
  verified: string,
  more: string,
  none: string,
  failed: string,
  next: string,
  write: string,
];

/** Texts of reviews. */
export const TEXTS: Readonly<Record<string, Texts>> = {
  en: [
    "Customer reviews",
    "Verified purchase",
    "Read all reviews",
    "No reviews yet.",
    "Reviews could not be loaded.",
    "Show more reviews",
    "Write a review",
  ],
  de: [
    "Kundenbewertungen",
    "Verifizierter Kauf",
    "Alle Bewertungen lesen",
    "Noch keine Bewertungen.",
    "Bewertungen konnten nicht geladen werden.",
    "Mehr Bewertungen zeigen",
    "Bewertung schreiben",
  ],
  fr: [
    "Avis clients",
    "Achat vérifié",
    "Lire tous les avis",
    "Aucun avis pour le moment.",
    "Impossible de charger les avis.",
    "Afficher plus d’avis",
    "Écrire un avis",
  ],
  es: [
    "Opiniones de clientes",
    "Compra verificada",
    "Leer todas las opiniones",
    "Aún no hay opiniones.",
    "No se pudieron cargar las opiniones.",
    "Ver más opiniones",
    "Escribir una opinión",
  ],
  it: [
    "Recensioni dei clienti",
    "Acquisto verificato",
    "Leggi tutte le recensioni",
    "Ancora nessuna recensione.",
    "Impossibile caricare le recensioni.",
    "Mostra altre recensioni",
    "Scrivi una recensione",
  ],
  pt: [
    "Avaliações de clientes",
    "Compra verificada",
    "Ler todas as avaliações",
    "Ainda não há avaliações.",
    "Não foi possível carregar as avaliações.",
    "Mostrar mais avaliações",
    "Escrever uma avaliação",
  ],
  nl: [
    "Klantbeoordelingen",
    "Geverifieerde aankoop",
    "Alle beoordelingen lezen",
    "Nog geen beoordelingen.",
    "Beoordelingen konden niet worden geladen.",
    "Meer beoordelingen tonen",
    "Schrijf een beoordeling",
  ],
  pl: [
    "Opinie klientów",
    "Zakup potwierdzony",
    "Przeczytaj wszystkie opinie",
    "Nie ma jeszcze opinii.",
    "Nie udało się wczytać opinii.",
    "Pokaż więcej opinii",
    "Napisz opinię",
  ],
  ja: [
    "カスタマーレビュー",
    "購入確認済み",
    "すべてのレビューを見る",
    "レビューはまだありません。",
    "レビューを読み込めませんでした。",
    "レビューをもっと見る",
    "レビューを書く",
  ],
  ar: [
    "آراء العملاء",
    "عملية شراء موثّقة",
    "قراءة جميع التقييمات",
    "لا توجد تقييمات بعد.",
    "تعذّر تحميل التقييمات.",
    "عرض المزيد من التقييمات",
    "اكتب تقييمًا",
  ],
};
