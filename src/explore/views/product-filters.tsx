/** The filters of products: the usual ones in a bar, all of them behind one button. */
import { useRef } from "preact/hooks";
import { dataOf } from "../api.ts";
import { type Choice, ChoiceField, SearchField } from "../parts/fields.tsx";
import type { Category, Product } from "../records.ts";
import { hrefOf } from "../route.ts";
import { useAnswer } from "../use-answer.ts";

type Values = Readonly<Record<string, string>>;

const STATUSES: readonly Choice[] = [
  { value: "", words: "All" },
  { value: "published", words: "Published" },
  { value: "coming_soon", words: "Coming soon" },
  { value: "preorder", words: "On preorder" },
];

const SORTS: readonly Choice[] = [
  { value: "", words: "Newest" },
  { value: "oldest", words: "Oldest" },
  { value: "updated", words: "Last updated" },
  { value: "price_asc", words: "Price, low to high" },
  { value: "price_desc", words: "Price, high to low" },
  { value: "title_asc", words: "Title, A to Z" },
  { value: "title_desc", words: "Title, Z to A" },
  { value: "rating", words: "Best rated" },
];

/** With a search text the default is another one. */
function sortsFor({ search = "" }: Values): readonly Choice[] {
  if (search === "") return SORTS;
  const others = SORTS.filter(({ value }) => value !== "");
  return [{ value: "", words: "Best match" }, { value: "newest", words: "Newest" }, ...others];
}

const FLAGS: readonly Choice[] = [
  { value: "", words: "All" },
  { value: "1", words: "Yes" },
  { value: "0", words: "No" },
];

const HIDDEN: readonly string[] = ["type", "min_price", "max_price", "featured"];
const FILTERS: readonly string[] = ["category", "status", ...HIDDEN];

/** Another list begins at its first page. */
function go(values: Values, change: Values): void {
  const { page: _, ...others } = values;
  location.hash = hrefOf(["products"], { ...others, ...change });
}

function useCategories(): readonly Choice[] {
  const { answer } = useAnswer("categories");
  const categories = dataOf<Category[]>(answer) ?? [];
  return [
    { value: "", words: "All" },
    ...categories.map(({ slug, name, product_count: count }) => ({
      value: slug,
      words: `${name} (${count})`,
    })),
  ];
}

function PriceField({ name, label, values }: { name: string; label: string; values: Values }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        inputMode="decimal"
        placeholder="any"
        value={values[name] ?? ""}
        onChange={(event) => go(values, { [name]: event.currentTarget.value.trim().replace(",", ".") })}
      />
    </label>
  );
}

interface FiltersProps {
  readonly values: Values;
  readonly products: readonly Product[];
}

export function ProductFilters({ values, products }: FiltersProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const categories = useCategories();
  const set = (name: string) => (value: string) => go(values, { [name]: value });
  const used = FILTERS.filter((name) => (values[name] ?? "") !== "").length;
  const types = [...new Set(products.map(({ type }) => type))].sort();
  const kinds = [{ value: "", words: "All" }, ...types.map((type) => ({ value: type, words: type }))];
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
      <SearchField label="Search products" value={values["search"] ?? ""} onSearch={set("search")} />
      {choice("category", "Category", categories, "opt")}
      {choice("status", "Status", STATUSES, "opt")}
      <button
        type="button"
        class="btn tall"
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        Filters{used > 0 && ` (${used})`}
      </button>
      {choice("sort", "Sort", sortsFor(values), "sort")}
      <dialog ref={dialog} aria-labelledby="filters-title">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            dialog.current?.close();
          }}
        >
          <h2 id="filters-title">Filters</h2>
          {choice("category", "Category", categories)}
          {choice("status", "Status", STATUSES)}
          {choice("type", "Kind", kinds)}
          {choice("featured", "Featured", FLAGS)}
          <PriceField name="min_price" label="Price from" values={values} />
          <PriceField name="max_price" label="Price to" values={values} />
          <div class="buttons">
            <button
              type="button"
              class="btn"
              onClick={() => go(values, Object.fromEntries(FILTERS.map((name) => [name, ""])))}
            >
              Clear filters
            </button>
            <button type="submit" class="btn go">
              Show products
            </button>
          </div>
        </form>
      </dialog>
    </div>
  );
}
