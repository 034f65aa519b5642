/** Any request that somebody typed, and its answer. */
import type { Route } from "../route.ts";
import { useAnswer } from "../use-answer.ts";
import { View } from "../view.tsx";

export function RequestView({ route }: { route: Route }) {
  const rest = route.query.get("path") ?? "";
  const asked = useAnswer(rest);
  return (
    <View title={`/${rest.split("?", 1)[0]}`} rest={rest} asked={asked}>
      <p class="lead">
        Any path of this API can be asked here: change the request above and press Enter. The{" "}
        <a href="../docs/">API reference</a> has every endpoint, parameter and error.
      </p>
    </View>
  );
}
