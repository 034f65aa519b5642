/** What a name speaks of: its words, and which of them say that a table holds what customers do and not what a shop shows. Pure. */
import type { Column } from "./schema.ts";

/** @example wordsOf("oc_orderProducts") // ["oc", "order", "product"] */
export function wordsOf(name: string): string[] {
  const apart = name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return apart
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "")
    .map(singular);
}

function singular(word: string): string {
  if (word.length <= 3) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** What customers do, and who they are. */
const PERSONS = words("customer client buyer purchaser shopper user member guest");
const DEALS =
  words(`order cart basket invoice quote quotation session payment transaction message checkout purchase
  wishlist booking reservation refund shipment`);
/** In a table's name these say as much; in a column's they may be anything. */
const NAMES_ONLY =
  words(`sale account subscriber visitor person people contact employee staff ticket conversation chat email
  mail login credential token recipient donor lead bill billing receipt rma return subscription loan rental log audit address
  ord cust usr txn trx msg pmt inv so po wish saved basketitem cartitem orderitem orderline orderproduct`);

/** Behind such a word a column says which one it is, or something of it: `order_id`, `invoice_no`, `payment_status`. */
const OF_ONE = words(
  "id no nr num number ref reference key uuid guid token hash fk line item detail product date status state total",
);
/** Before it, too: `id_order`, `fk_customer`. */
const BEFORE_ONE = words("id fk ref uuid guid");
/** Behind a person, or alone, these are somebody's: `customer_email`, `gift_message`. */
const OF_SOMEBODY = words(
  "name first last email mail phone address ip login note comment message text company street city zip",
);
const ALONE =
  words(`customer buyer purchaser shopper user member guest cart basket invoice session payment message checkout
  email phone username`);
/** Who made or sells a product is a user, but no customer: `created_by_user_id`, `seller_id`. */
const STAFF = words("author creator editor vendor seller manager supplier");
const DONE = words("created updated modified edited added changed published approved deleted inserted");
const STAFF_ARE = words("user member");

const GLUED =
  /^(customer|client|buyer|user|member|guest|order|cart|basket|invoice|quote|session|payment|transaction|message)s?(?:id|no|nr|number|ref|uuid|guid|token|email|name)$/;

/** Reviews are written by customers, of what they ordered: that is no reason to leave them out. */
const FINE_IN_REVIEWS = new Set([...PERSONS, "order", "purchase", "visitor", "person"]);

export type Purpose = "products" | "categories" | "reviews";

function said(column: string, word: string): string {
  return `its column ${column} speaks of ${word}s`;
}

function vetoOfColumn({ name, references }: Column, isSensitive: (word: string) => boolean): string | null {
  const all = wordsOf(name);
  const isStaffs = all.some((word, at) => STAFF.has(word) || (DONE.has(word) && all[at + 1] === "by"));
  const counts = (word: string) => isSensitive(word) && !(isStaffs && STAFF_ARE.has(word));
  for (const table of references) {
    const spoken = wordsOf(table).find(counts);
    if (spoken !== undefined) return `its column ${name} refers to ${table}`;
  }
  for (const [at, word] of all.entries()) {
    const [before = "", next = ""] = [all[at - 1], all[at + 1]];
    if (counts(word) && (OF_ONE.has(next) || BEFORE_ONE.has(before))) return said(name, word);
    if (counts(word) && PERSONS.has(word) && OF_SOMEBODY.has(next)) return said(name, word);
    if (word === "gift" && (next === "message" || next === "note") && isSensitive("message"))
      return said(name, "message");
  }
  const [only = "", more] = all;
  // A review's text or its author may be called so.
  if (more === undefined && ALONE.has(only) && isSensitive("customer")) return said(name, only);
  const glued = GLUED.exec(name.toLowerCase())?.[1];
  return glued !== undefined && counts(glued) ? said(name, glued) : null;
}

/**
 * Why a table is never proposed as one of products, categories or reviews, by its name, its columns and its foreign keys;
 * null where nothing speaks against it. Too much is refused rather than too little: a person can still write it by hand.
 * @example vetoOf("order_product", [], "products") // "its name speaks of orders"
 */
export function vetoOf(table: string, columns: readonly Column[], purpose: Purpose): string | null {
  const isSensitive = (word: string) =>
    (PERSONS.has(word) || DEALS.has(word)) && !(purpose === "reviews" && FINE_IN_REVIEWS.has(word));
  const spoken = wordsOf(table).find((word) =>
    purpose === "reviews"
      ? word === "order" || isSensitive(word) || (NAMES_ONLY.has(word) && !FINE_IN_REVIEWS.has(word))
      : isSensitive(word) || NAMES_ONLY.has(word),
  );
  if (spoken !== undefined) return `its name speaks of ${spoken}s`;
  for (const column of columns) {
    const veto = vetoOfColumn(column, isSensitive);
    if (veto !== null) return veto;
  }
  return null;
}
