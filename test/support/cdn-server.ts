/** The purge interfaces of CloudFront, Cloudflare and Fastly, and a webhook, with the limits that each one documents. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface CdnServer {
  readonly url: string;
  /** What was purged: paths, addresses, tags (`#tag`), or `*` for everything. */
  readonly purged: string[];
  /** Requests that were refused, with the reason. */
  readonly refused: string[];
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }[];
  /** How many of the next requests are answered 429, or CloudFront's "too many in progress". */
  busy: number;
  /** How many of the next requests are done, but their responses are lost. */
  lost: number;
  /** What the next requests are answered, and not done. */
  readonly answers: Answer[];
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

const json = (status: number, value: object): Answer => ({
  status,
  body: JSON.stringify(value),
  headers: { "content-type": "application/json" },
});

async function readBody(message: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of message) body += String(part);
  return body;
}

interface Invalidation {
  readonly id: string;
  readonly paths: string;
  polls: number;
}

/** Developer guide, "Quotas": 3,000 paths and 15 wildcards in progress; a caller reference names one batch for good. */
function cloudFront(server: CdnServer, known: Map<string, Invalidation>) {
  const error = (code: string): Answer => ({
    status: 400,
    body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${code}</Message></Error></ErrorResponse>`,
    headers: { "content-type": "text/xml" },
  });
  const answer = ({ id, polls }: Invalidation, status: number): Answer => ({
    status,
    body:
      `<Invalidation><Id>${id}</Id><Status>${polls > 1 ? "Completed" : "InProgress"}</Status>` +
      "<CreateTime>2026-01-01T00:00:00Z</CreateTime><InvalidationBatch><Paths><Quantity>0</Quantity></Paths>" +
      "<CallerReference>x</CallerReference></InvalidationBatch></Invalidation>",
    headers: { "content-type": "text/xml" },
  });
  return (method: string, path: string, body: string): Answer => {
    if (method === "GET") {
      const found = [...known.values()].find(({ id }) => path.endsWith(`/${id}`));
      if (found === undefined) return { status: 404 };
      found.polls += 1;
      return answer(found, 200);
    }
    const reference = /<CallerReference>(.*?)<\/CallerReference>/.exec(body)?.[1] ?? "";
    const paths = [...body.matchAll(/<Path>(.*?)<\/Path>/g)].map((match) =>
      (match[1] ?? "").replaceAll("&amp;", "&"),
    );
    const same = known.get(reference);
    if (same !== undefined) return same.paths === paths.join() ? answer(same, 201) : error("InvalidArgument");
    const wild = paths.filter((one) => one.endsWith("*")).length;
    if (paths.length > 3000 || wild > 15) return error("TooManyInvalidationsInProgress");
    if (paths.some((one) => !/^[/#]/.test(one) || /\*./.test(one) || one.length > 4000))
      return error("InvalidArgument");
    const made = { id: `I${known.size}`, paths: paths.join(), polls: 0 };
    known.set(reference, made);
    server.purged.push(...paths);
    return answer(made, 201);
  };
}

/** API reference, "Purge Cached Content": 100 files or tags a request, of one kind. */
function cloudflare(server: CdnServer, body: string): Answer {
  const {
    files = [],
    prefixes = [],
    tags = [],
    purge_everything,
  } = JSON.parse(body) as {
    files?: string[];
    prefixes?: string[];
    tags?: string[];
    purge_everything?: boolean;
  };
  if (files.length > 100 || tags.length > 100) return json(400, { success: false, errors: [{ code: 1094 }] });
  if (files.some((file) => !file.startsWith("https://")))
    return json(400, { success: false, errors: [{ code: 1012 }] });
  // "Purge cache by prefix": 30 a request, without scheme, query and fragment.
  if (prefixes.length > 30 || prefixes.some((prefix) => !/^[a-z0-9.-]+(\/[^/?#]+)*$/.test(prefix)))
    return json(400, { success: false, errors: [{ code: 1013 }] });
  server.purged.push(
    ...files,
    ...prefixes.map((prefix) => `${prefix}*`),
    ...tags.map((tag) => `#${tag}`),
    ...(purge_everything ? ["*"] : []),
  );
  return json(200, { success: true, errors: [], result: { id: "x" } });
}

/** API reference, "Purging": one URL, 256 keys, or all. */
function fastly(server: CdnServer, path: string, body: string): Answer {
  if (path.endsWith("/purge_all")) server.purged.push("*");
  else if (path.endsWith("/purge")) {
    const { surrogate_keys: keys } = JSON.parse(body) as { surrogate_keys: string[] };
    if (keys.length > 256) return json(400, { msg: "too many surrogate keys" });
    server.purged.push(...keys.map((key) => `#${key}`));
  } else server.purged.push(path.slice("/purge/".length));
  return json(200, { status: "ok" });
}

export async function startCdnServer(): Promise<CdnServer> {
  const known = new Map<string, Invalidation>();
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(message);
    const path = message.url ?? "";
    server.requests.push({ path, headers: message.headers, body });
    const front = path.startsWith("/2020-05-31/");
    let answer: Answer;
    const given = server.answers.shift();
    if (given !== undefined) {
      response.writeHead(given.status, given.headers).end(given.body);
      return;
    }
    const wasBusy = server.busy > 0;
    if (wasBusy && !(front && message.method === "GET")) {
      server.busy -= 1;
      answer = front
        ? {
            status: 400,
            body: "<ErrorResponse><Error><Code>TooManyInvalidationsInProgress</Code></Error></ErrorResponse>",
          }
        : json(429, { success: false });
    } else if (front) answer = cloudFront(server, known)(message.method ?? "", path, body);
    else if (path.startsWith("/zones/")) answer = cloudflare(server, body);
    else if (path === "/hook") {
      server.purged.push(body);
      answer = { status: 204 };
    } else answer = fastly(server, path, body);
    if (answer.status >= 400 && !wasBusy) server.refused.push(`${path} ${answer.status} ${answer.body}`);
    if (server.lost > 0) {
      server.lost -= 1;
      response.destroy();
    } else response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const http = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const server: CdnServer = {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    purged: [],
    refused: [],
    requests: [],
    busy: 0,
    lost: 0,
    answers: [],
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
