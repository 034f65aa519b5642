/** Any request that somebody typed, and its answer. */
import { RequestBar } from "../request-bar.tsx";
import type { Route } from "../route.ts";
import { useAnswer } from "../use-answer.ts";
import { Heading, Split } from "../view.tsx";

export function RequestView({ route }: { route: Route }) {
  const rest = route.query.get("path") ?? "";
  const asked = useAnswer(rest);
  return (
    <>
      <Heading title={`/${rest.split("?", 1)[0]}`} />
      <RequestBar rest={rest} asked={asked} />
      <Split asked={asked}>
        <p class="lead">
          Any path of this API can be asked here: change the request above and press Enter. The{" "}
          <a href="../docs/">API reference</a> has every endpoint, parameter and error.
        </p>
      </Split>
    </>
  );
}
