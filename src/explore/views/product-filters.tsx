/** The filters of products: the usual ones in a bar, all others behind one button. */
import { useRef } from "preact/hooks";
import type { SortName } from "../../api/endpoints.ts";
import type { Category, Product } from "../../api/types.ts";
import { dataOf } from "../api.ts";
import { kindName } from "../format.ts";
import { type Choice, ChoiceField, choicesOf, filterSetter, YES_NO } from "../parts/fields.tsx";
import { hrefOf } from "../route.ts";
import { has } from "../shop.ts";
import { useAnswer } from "../use-answer.ts";

type Values = Readonly<Record<string, string>>;

const STATUSES: Readonly<Record<Product["status"], string>> = {
  published: "Published",
  coming_soon: "Coming soon",
  preorder: "On preorder",
};

const SORTS: Readonly<Record<SortName<"products">, string>> = {
  newest: "Newest",
  oldest: "Oldest",
  updated: "Last updated",
  price_asc: "Price, low to high",
  price_desc: "Price, high to low",
  title_asc: "Title, A to Z",
  title_desc: "Title, Z to A",
  rating: "Best rated",
};

/** The orders that this shop's products can have. */
function sortsOf(without: string): readonly Choice[] {
  return choicesOf(SORTS, without).filter(({ value }) => value !== "rating" || has("reviews"));
}

const ALL = { value: "", words: "All" };
const FILTERS = ["category", "status", "type", "min_price", "max_price", "featured"];

function useCategories(): readonly Choice[] {
  const categories = dataOf<Category[]>(useAnswer("categories").answer) ?? [];
  return [
    ALL,
    ...categories.map((one) => ({ value: one.slug, words: `${one.name} (${one.product_count})` })),
  ];
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

function PriceField({ label, value, set }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        inputMode="decimal"
        placeholder="any"
        value={value}
        onChange={(event) => set(event.currentTarget.value.trim().replace(",", "."))}
      />
    </label>
  );
}

export function ProductFilters({ values, products }: { values: Values; products: readonly Product[] }) {
  const set = filterSetter("products", values);
  const dialog = useRef<HTMLDialogElement>(null);
  const categories = useCategories();
  const used = FILTERS.filter((name) => (values[name] ?? "") !== "").length;
  const types = [...new Set(products.map(({ type }) => type))].sort();
  // A search has another default order.
  const sorts = sortsOf((values["search"] ?? "") === "" ? "newest" : "Best match");
  const choice = (name: string, label: string, choices: readonly Choice[], className = "") => (
    <ChoiceField
      label={label}
      value={values[name] ?? ""}
      choices={choices}
      onChange={set(name)}
      class={className}
    />
  );
  return (
    <div class="bar">
      {choice("category", "Category", categories, "opt")}
      {choice("status", "Status", choicesOf(STATUSES, "All"), "opt")}
      <button
        type="button"
        class="btn tall"
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        Filters{used > 0 && ` (${used})`}
      </button>
      {choice("sort", "Sort", sorts)}
      <dialog ref={dialog} aria-labelledby="filters-title">
        <form method="dialog">
          <h2 id="filters-title">Filters</h2>
          {choice("category", "Category", categories)}
          {choice("status", "Status", choicesOf(STATUSES, "All"))}
          {choice("type", "Kind", [ALL, ...types.map((type) => ({ value: type, words: kindName(type) }))])}
          {choice("featured", "Featured", YES_NO)}
          <PriceField label="Price from" value={values["min_price"] ?? ""} set={set("min_price")} />
          <PriceField label="Price to" value={values["max_price"] ?? ""} set={set("max_price")} />
          <div class="buttons">
            <a class="btn" href={hrefOf(["products"], { search: values["search"], sort: values["sort"] })}>
              Clear filters
            </a>
            <button type="submit" class="btn go">
              Show products
            </button>
          </div>
        </form>
      </dialog>
    </div>
  );
}
