/** All endpoints, and a page for each with a form made from the OpenAPI document. */
import { useEffect, useState } from "preact/hooks";
import { AnswerPanel } from "../answer-panel.tsx";
import { BASE, errorOf } from "../api.ts";
import { hasFailed } from "../failure.ts";
import { type DocumentedEndpoint, endpointsOf, type Parameter } from "../openapi-document.ts";
import { Failure, Skeleton } from "../parts/states.tsx";
import { RequestBar } from "../request-bar.tsx";
import { hrefOf, type Route, valuesOf } from "../route.ts";
import { restOf } from "../target.ts";
import { type Asked, useAnswer } from "../use-answer.ts";
import { Heading, View } from "../view.tsx";
import { ParameterField, useSlugs } from "./parameter-field.tsx";

type Values = Readonly<Record<string, string>>;

/** The status has no name of its own. */
const STATUS = "status";

function nameOf(path: string): string {
  return path === "" ? STATUS : path;
}

function Group({ tag, endpoints }: { tag: string; endpoints: readonly DocumentedEndpoint[] }) {
  return (
    <section class="group">
      <h2 class="section">{tag}</h2>
      <ul class="stack tight">
        {endpoints.map(({ path, summary, parameters }) => (
          <li key={path}>
            <article class="card item">
              <div class="in">
                <h3>
                  <a href={hrefOf(["endpoints", nameOf(path)])}>
                    <code>/{path}</code>
                  </a>
                </h3>
                <p>{summary}</p>
                <p class="by">
                  {parameters.length === 0 ? "No parameters" : parameters.map(({ name }) => name).join(", ")}
                </p>
              </div>
            </article>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Endpoints() {
  const asked = useAnswer("openapi.json");
  const endpoints = endpointsOf(asked.answer?.json);
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  return (
    <View
      title="Endpoints"
      count={endpoints.length === 0 ? "" : String(endpoints.length)}
      rest="openapi.json"
      asked={asked}
    >
      <div class="intro">
        <p>
          Each endpoint has a form to try it. The <a href="../docs/">API reference</a> has every field and
          error.
        </p>
      </div>
      {endpoints.length === 0 && <Skeleton count={6} shape="line" />}
      {tags.map((tag) => (
        <Group key={tag} tag={tag} endpoints={endpoints.filter((endpoint) => endpoint.tag === tag)} />
      ))}
    </View>
  );
}

interface FormProps {
  readonly endpoint: DocumentedEndpoint;
  readonly values: Values;
  readonly asked: Asked;
  readonly onType: (values: Values) => void;
  readonly onSend: () => void;
}

/** What the API says is wrong, of one parameter: the sentences that begin with its name. */
function errorFor(parameter: Parameter, asked: Asked): string {
  const message = asked.isCurrent ? (errorOf(asked.answer)?.message ?? "") : "";
  const sentences = message.split(/(?<=[.?]) (?=[a-zA-Z])/);
  return sentences.filter((sentence) => sentence.split(" ", 1)[0] === parameter.name).join(" ");
}

function Form({ endpoint, values, asked, onType, onSend }: FormProps) {
  const slugs = useSlugs(endpoint.parameters);
  return (
    <form
      class="params"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {endpoint.parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ""}
          error={errorFor(parameter, asked)}
          slugs={slugs(parameter.name)}
          onType={(value) => onType({ ...values, [parameter.name]: value })}
          onLeave={onSend}
        />
      ))}
      <div class="buttons">
        <button type="submit" class="btn go tall">
          Send
        </button>
        <button type="button" class="btn tall" onClick={() => onType({})}>
          Clear
        </button>
      </div>
    </form>
  );
}

function EndpointForm({ endpoint, route }: { endpoint: DocumentedEndpoint; route: Route }) {
  const sent = valuesOf(route.query);
  const [values, setValues] = useState<Values>(sent);
  const text = JSON.stringify(sent);
  useEffect(() => setValues(JSON.parse(text) as Values), [text]);
  // What needs a parameter is not asked without: its examples stand in the fields.
  const rest = restOf(endpoint.path, sent);
  const asked = useAnswer(rest);
  const send = (next: Values) => {
    location.hash = hrefOf(["endpoints", nameOf(endpoint.path)], next);
  };
  return (
    <>
      <p class="lead">{endpoint.description.replaceAll("`", "")}</p>
      <RequestBar rest={restOf(endpoint.path, values)} asked={asked} />
      <div class="split even">
        <div class="content">
          {endpoint.parameters.length === 0 ? (
            <p class="none">This endpoint takes no parameters.</p>
          ) : (
            <Form
              endpoint={endpoint}
              values={values}
              asked={asked}
              onType={setValues}
              onSend={() => send(values)}
            />
          )}
          <Failure asked={asked} />
        </div>
        <AnswerPanel answer={asked.answer} />
      </div>
    </>
  );
}

export function EndpointView({ route }: { route: Route }) {
  const [, name = ""] = route.path;
  const document = useAnswer("openapi.json");
  const endpoint = endpointsOf(document.answer?.json).find(({ path }) => nameOf(path) === name);
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={hrefOf(["endpoints"])}>Endpoints</a>
      </nav>
      <Heading title={name === STATUS ? "/" : `/${name}`} />
      {endpoint !== undefined ? (
        <EndpointForm key={name} endpoint={endpoint} route={route} />
      ) : document.answer === null && !hasFailed(document) ? (
        <Skeleton count={3} shape="line" />
      ) : (
        <>
          <Failure asked={document} />
          <p class="none">The document at {BASE}/openapi.json does not describe this endpoint.</p>
        </>
      )}
    </>
  );
}
