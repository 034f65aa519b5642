/** A typed request, and its answer. */
import { ENDPOINTS } from "../../api/endpoints.ts";
import { RequestBar } from "../request-bar.tsx";
import { hrefOf, type Route } from "../route.ts";
import { has } from "../shop.ts";
import { fileOf } from "../target.ts";
import { useAnswer } from "../use-answer.ts";
import { Heading, Split } from "../view.tsx";

/** Example requests: one for each endpoint, with a text if it requires one. Single records have their own view. */
const FIRSTS = ENDPOINTS.filter(
  ({ path, needs }) => path !== "" && (needs === undefined || path === "search"),
).map(({ path, needs }) => (needs === undefined ? path : `${path}?${needs[0]}=a`));

function Endpoints() {
  return (
    <ul class="categories">
      {FIRSTS.filter((rest) => has(rest.split("?", 1)[0] ?? "")).map((rest) => (
        <li key={rest}>
          <a class="btn tall" href={hrefOf(["request"], { path: rest })}>
            /{rest}
            {fileOf(rest).key === null && <span class="chip">needs a server</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function RequestView({ route }: { route: Route }) {
  const rest = route.query.get("path") ?? "";
  const asked = useAnswer(rest);
  return (
    <>
      <Heading title={rest === "" ? "Requests" : `/${rest.split("?", 1)[0]}`} />
      <RequestBar rest={rest} asked={asked} isOpen />
      <Split asked={asked} isWhole>
        <p class="lead">
          Any path of this API can be asked here: change the request above and send it. The{" "}
          <a href="../docs/">API reference</a> has every endpoint, parameter and error.
        </p>
        {rest === "" && <Endpoints />}
      </Split>
    </>
  );
}
