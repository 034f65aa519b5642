/** One parameter of an endpoint as a row of a form. */
import { dataOf } from "../api.ts";
import type { Parameter } from "../openapi-document.ts";
import type { Category, Product } from "../records.ts";
import { useAnswer } from "../use-answer.ts";

const FLAGS = ["yes", "no"];

/** Slugs to choose from, by the name of the parameter: asked for only where one of an endpoint's takes them. */
export function useSlugs(parameters: readonly Parameter[]): (name: string) => readonly string[] {
  const has = (...names: string[]) =>
    parameters.some(({ name, kind }) => kind === "slug" && names.includes(name));
  const categories = dataOf<Category[]>(useAnswer(has("category") ? "categories" : null).answer) ?? [];
  const products = dataOf<Product[]>(useAnswer(has("product_slug", "slug") ? "products" : null).answer) ?? [];
  return (name) => (name === "category" ? categories : products).map(({ slug }) => slug);
}

interface FieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly error: string;
  readonly slugs: readonly string[];
  readonly onType: (value: string) => void;
  readonly onLeave: () => void;
}

function Control({ parameter, value, error, slugs, onType, onLeave }: FieldProps) {
  const { name, kind, values, example } = parameter;
  const id = `param-${name}`;
  const described = error === "" ? `${id}-help` : `${id}-error ${id}-help`;
  const common = { id, name, "aria-describedby": described, "aria-invalid": error !== "" };
  if (kind === "choice" || kind === "flag") {
    const choices = kind === "flag" ? FLAGS : values;
    return (
      <select {...common} value={value} onChange={(event) => onType(event.currentTarget.value)}>
        <option value="">any</option>
        {value !== "" && !choices.includes(value) && <option>{value}</option>}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  const list = kind === "slug" && slugs.length > 0 ? `${id}-list` : undefined;
  return (
    <>
      <input
        {...common}
        value={value}
        list={list}
        inputMode={kind === "integer" ? "numeric" : undefined}
        placeholder={example === "" ? parameter.default : example}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => onType(event.currentTarget.value)}
        onBlur={() => value !== "" && onLeave()}
      />
      {list !== undefined && (
        <datalist id={list}>
          {slugs.map((slug) => (
            <option key={slug} value={slug} />
          ))}
        </datalist>
      )}
    </>
  );
}

export function ParameterField(props: FieldProps) {
  const { parameter, error } = props;
  const { name, description, required, default: standard } = parameter;
  const id = `param-${name}`;
  const help = [description.replaceAll("`", ""), standard === "" ? "" : `Default: ${standard}.`]
    .join(" ")
    .trim();
  return (
    <div class="param">
      <label for={id}>
        <code>{name}</code>
        {required && <span class="chip">required</span>}
      </label>
      <Control {...props} />
      {error !== "" && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <p class="help" id={`${id}-help`}>
        {help}
      </p>
    </div>
  );
}
