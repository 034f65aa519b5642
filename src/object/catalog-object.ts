/**
 * A shop's fallback as a Durable Object: it answers from its own storage, and follows the releases of the place that its Worker
 * serves. It is asked by that Worker alone. Following is due at a query, when the last look is too old; when a publish says so; and
 * by an alarm, which also does the work that takes longer than one event.
 */
import { ERROR_STATUS } from "../api/errors.ts";
import {
  errorResponse,
  type FixedResponse,
  JSON_TYPE,
  standardError,
  TARGET_HEADER,
} from "../api/responses.ts";
import { CLOCK, secondsSince, within } from "../base/clock.ts";
import { messageOf, systemCodeOf } from "../base/error.ts";
import type { Notes } from "../base/log.ts";
import { counter, formatMetrics, gauge, METRICS_TYPES } from "../base/metrics.ts";
import type { CatalogView } from "../catalog/view.ts";
import { isAgentTarget, splitTarget } from "../key/query.ts";
import { releaseSource } from "../publish/release-source.ts";
import { type ApiResponse, answerMiss, withoutSource } from "../serve/answer.ts";
import { answerAgent, mcpPorts } from "../serve/mcp.ts";
import { MOST_BYTES } from "./bounds.ts";
import { Follower } from "./follower.ts";
import { placeIn } from "./place.ts";
import type { ObjectState, R2 } from "./platform.ts";
import { StorageSql } from "./storage.ts";

/** At a query, an older look is repeated, and the query is answered meanwhile. */
const POLL_MILLISECONDS = 5000;
/** A query waits for the next look if the last one is older than this: nothing withdrawn is answered for longer. */
const MOST_AGE_MILLISECONDS = 15_000;
/** A query waits at most so long for a look. */
const WAIT_MILLISECONDS = 1000;
/** Without queries, a look is due after this. */
const ALARM_MILLISECONDS = 60_000;
/** So long after a request others are expected, and the work of following is cut finer. */
const READERS_MILLISECONDS = 1000;
/** `/readyz` fails if the last successful look is older than this. */
const MOST_POLL_AGE_SECONDS = 300;
/** Objects that one event fetches: the runtime allows 1,000 requests an event, and 30 s of processor time. */
const OBJECTS_AN_EVENT = 300;

/** Requests of the Worker to its object that no client can send. */
export const LOOK_PATH = "/look";
export const READY_PATH = "/readyz";
export const METRICS_PATH = "/metrics";

interface ObjectEnv {
  readonly SITE: R2;
}

/** Vitrine's version, which the bundler inserts. */
declare const VERSION: string;

const LOG: Notes = { info: (message) => console.log(message), warn: (message) => console.warn(message) };

export class CatalogObject {
  readonly #state: ObjectState;
  readonly #sql: StorageSql;
  readonly #follower: Follower;
  readonly #answers = new Map<number, number>();
  /** The look, or the work of an alarm, that is running. */
  #following: Promise<void> | null = null;
  /** When a look last succeeded, and when one was last begun. */
  #looked = Number.NEGATIVE_INFINITY;
  #begun = Number.NEGATIVE_INFINITY;
  #failure: unknown = null;
  /** When a request was last answered. */
  #answered = Number.NEGATIVE_INFINITY;
  /** Answers agents; loaded when the first one asks. */
  #agents: Promise<(request: Request) => Promise<Response>> | null = null;
  /** The alarm as this instance set it, by the wall clock: an earlier one may be set. */
  #alarmAt = 0;

  constructor(state: ObjectState, env: ObjectEnv) {
    this.#state = state;
    this.#sql = new StorageSql(state.storage);
    const source = releaseSource(placeIn(env.SITE), POLL_MILLISECONDS, MOST_BYTES);
    this.#follower = new Follower(this.#sql, source, {
      log: LOG,
      pause: () => CLOCK.sleep(0),
      hasReaders: () => CLOCK.elapsed() - this.#answered < READERS_MILLISECONDS,
    });
  }

  async fetch(request: Request): Promise<Response> {
    const asked = request.headers.get(TARGET_HEADER) ?? splitTarget(request.url).path;
    if (request.method === "POST" && asked === LOOK_PATH) {
      await this.#look();
      return this.#failure === null
        ? new Response(null, { status: 204 })
        : textResponse(502, messageOf(this.#failure));
    }
    const isAgent = isAgentTarget(asked);
    if (!isAgent && request.method !== "GET" && request.method !== "HEAD")
      return responseOf(withoutSource(standardError("not_found", "no-store")));
    const response = isAgent ? await this.#answerAgent(request) : await this.#answer(asked);
    this.#answers.set(response.status, (this.#answers.get(response.status) ?? 0) + 1);
    this.#answered = CLOCK.elapsed();
    return responseOf(response);
  }

  /** Follows. It sets the next alarm first, since one that fails after that is not run again before. */
  async alarm(): Promise<void> {
    await this.#schedule(ALARM_MILLISECONDS);
    let isBehind = false;
    await this.#follow(async () => {
      isBehind = (await this.#follower.look()) && (await this.#follower.proceed(OBJECTS_AN_EVENT));
    });
    if (isBehind) await this.#schedule(0);
  }

  async #schedule(milliseconds: number): Promise<void> {
    this.#alarmAt = CLOCK.now().getTime() + milliseconds;
    await this.#state.storage.setAlarm(this.#alarmAt);
  }

  async #answer(target: string): Promise<ApiResponse> {
    if (target === METRICS_PATH) return this.#metrics();
    await this.#lookIfDue();
    if (target === READY_PATH) return this.#ready();
    const catalog = this.#current();
    return "status" in catalog ? withoutSource(catalog) : answerMiss(catalog, target);
  }

  /** The catalog to answer from, or why there is none. Nothing may be awaited before it is used: a switch would make it another release's. */
  #current(): CatalogView | FixedResponse {
    if (this.#follower.isTooLarge)
      return errorResponse("service_unavailable", "The catalog is too large for this server.", "no-store");
    return this.#follower.view ?? standardError("service_unavailable", "no-store");
  }

  /** Begins a look if the last one is too old, and waits for it if that is far too old. */
  async #lookIfDue(): Promise<void> {
    const now = CLOCK.elapsed();
    if (now - this.#begun <= POLL_MILLISECONDS || this.#following !== null) return;
    const look = this.#look();
    if (now - this.#looked > MOST_AGE_MILLISECONDS) await within(WAIT_MILLISECONDS, look, () => undefined);
  }

  /** Answers the Model Context Protocol. */
  async #answerAgent(request: Request): Promise<ApiResponse> {
    try {
      return await answerAgent(
        request.method,
        (signal) => new Request(request, { signal }),
        async (asked) => {
          await this.#lookIfDue();
          const catalog = this.#current();
          if ("status" in catalog) return responseOf(withoutSource(catalog));
          this.#agents ??= this.#loadAgents();
          return (await this.#agents)(asked);
        },
      );
    } catch (error) {
      LOG.warn(messageOf(error));
      return withoutSource(standardError("internal_error", "no-store"));
    }
  }

  /** The protocol's library takes time to start, so only a shop that agents ask has it. */
  async #loadAgents(): Promise<(request: Request) => Promise<Response>> {
    const { createMcpFetch } = await import("../mcp/server.ts");
    const view = () => {
      const { view } = this.#follower;
      if (view === null) throw new Error("There is no catalog.");
      return view;
    };
    return createMcpFetch(mcpPorts(view, VERSION, (error) => LOG.warn(messageOf(error))));
  }

  /** Looks for a new release. A large change is left to the alarm. */
  async #look(): Promise<void> {
    await this.#follow(async () => {
      if (await this.#follower.look()) await this.#schedule(0);
      else if (this.#alarmAt < CLOCK.now().getTime()) await this.#schedule(ALARM_MILLISECONDS);
    });
  }

  async #follow(work: () => Promise<void>): Promise<void> {
    while (this.#following !== null) await this.#following;
    this.#begun = CLOCK.elapsed();
    const following = work().then(
      () => {
        this.#looked = CLOCK.elapsed();
        this.#failure = null;
      },
      (error: unknown) => {
        this.#failure = error;
        LOG.warn(messageOf(error));
      },
    );
    this.#following = following;
    await following;
    this.#following = null;
  }

  /** 200 if it answers from a release, and knows that this is the live one or the one before it. */
  #ready(): ApiResponse {
    const pollAgeSeconds = Math.round(secondsSince(this.#looked));
    const { release, isTooLarge, done } = this.#follower;
    const isOld = pollAgeSeconds > MOST_POLL_AGE_SECONDS;
    const status = isTooLarge
      ? "release_too_large"
      : release === null
        ? "no_release"
        : isOld
          ? "poll_too_old"
          : "ok";
    const said = {
      status,
      release,
      catalog_generated_at: this.#follower.view?.generatedAt ?? null,
      poll_age_seconds: Number.isFinite(pollAgeSeconds) ? pollAgeSeconds : null,
      reason: this.#failure === null ? null : systemCodeOf(this.#failure) || "internal_error",
      partitions_of_next: done,
    };
    return withoutSource({
      status: status === "ok" ? 200 : ERROR_STATUS.service_unavailable,
      headers: { "Content-Type": JSON_TYPE, "Cache-Control": "no-store" },
      body: JSON.stringify(said),
    });
  }

  #metrics(): ApiResponse {
    const answers = [...this.#answers].map(([code, value]) => ({ labels: { code: `${code}` }, value }));
    const { rowsRead, rowsWritten } = this.#sql;
    const age = Math.round(secondsSince(this.#looked));
    const families = [
      counter("vitrine_requests", "Requests answered since this object was started.", ...answers),
      counter("vitrine_object_rows_read", "Rows read, as they are billed.", { value: rowsRead }),
      counter("vitrine_object_rows_written", "Rows written, as they are billed.", { value: rowsWritten }),
      gauge(
        "vitrine_object_storage_bytes",
        "Size of the storage.",
        this.#state.storage.sql.databaseSize,
        "bytes",
      ),
      gauge(
        "vitrine_poll_age_seconds",
        "Since the last successful look at the place.",
        Number.isFinite(age) ? age : -1,
        "seconds",
      ),
    ];
    return withoutSource({
      status: 200,
      headers: { "Content-Type": METRICS_TYPES.text, "Cache-Control": "no-store" },
      body: formatMetrics(families, "text"),
    });
  }
}

/** A text for the shop's own programs and people. */
export function textResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}

function responseOf({ status, headers, body }: Pick<ApiResponse, "status" | "headers" | "body">): Response {
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
}
