/**
 * A proxy in front of a store that counts requests and spoils chosen ones as networks and stores do: failed and not
 * done, failed but done, never answered. It keeps a shadow of what the store holds and shows it after each change, so that
 * a test sees what a reader could see.
 */
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { Handler } from "../../src/publish/buckets/s3.ts";

export type Fault =
  /** The store does it and says 500. */
  | "500-after"
  /** The store does it and the connection breaks. */
  | "drop-after"
  /** The connection breaks before the store saw it: after all of it was sent, or in the middle of its body. */
  | "drop-before"
  | "drop-midway"
  /** Nothing is answered, and the connection stays: before the store saw it, after it did it, after half a response. */
  | "hang-before"
  | "hang-after"
  | "hang-midway"
  | "slow-down"
  /** The store refuses it for good: 403. */
  | "forbidden"
  /** Of a DeleteObjects, half is done; the response is 200 and names the others. Other requests go through. */
  | "partial-delete"
  /** The publisher's machine dies: this request and all that follow never arrive. */
  | "dead";

/** Every way in which a request fails without its sender's death. */
export const FAULTS: readonly Fault[] = [
  "500-after",
  "drop-after",
  "drop-before",
  "drop-midway",
  "slow-down",
  "partial-delete",
  "hang-before",
  "hang-after",
  "hang-midway",
];

export interface UpstreamRequest {
  readonly method: string;
  /** `/bucket/key?query`, as it is sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** A store that holds one bucket's objects. */
export interface Upstream {
  readonly bucket: string;
  ask(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Deletes keys past all that is counted. */
  remove(keys: readonly string[]): Promise<void>;
}

interface SeenRequest {
  readonly method: string;
  /** Below the bucket; `?delete` for DeleteObjects. */
  readonly key: string;
}

/** What becomes of a request. */
type Fate =
  | { readonly kind: "answered"; readonly response: UpstreamResponse }
  /** The connection breaks. */
  | { readonly kind: "broken" }
  /** Nothing comes, or half of the response. */
  | { readonly kind: "silent"; readonly half?: UpstreamResponse };

export interface FaultyStore {
  readonly upstream: Upstream;
  readonly seen: SeenRequest[];
  /** What to do to the n-th request (from 0) since the last reset. */
  fault: (n: number, request: SeenRequest) => Fault | null;
  /** Called with the shadow after each change. */
  changed: (shadow: ReadonlyMap<string, Buffer>) => void;
  /** Called when nothing more will come of a request whose sender waits. */
  hung: () => void;
  readonly shadow: Map<string, Buffer>;
  reset(): void;
  count(method: string): number;
  /** Counts a request and says how it is spoiled; to be asked before its body is read. */
  begin(method: string, path: string): { readonly seen: SeenRequest; readonly fault: Fault | null };
  finish(begun: ReturnType<FaultyStore["begin"]>, request: UpstreamRequest): Promise<Fate>;
}

/** Keys of a DeleteObjects. */
export function keysOfDelete(body: Buffer): string[] {
  return [...body.toString("utf8").matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1] ?? "");
}

const errorOf = (status: number, code: string): UpstreamResponse => ({
  status,
  headers: { "content-type": "application/xml" },
  body: Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`),
});

async function deleteHalf(upstream: Upstream, keys: readonly string[]): Promise<UpstreamResponse> {
  const left = Math.ceil(keys.length / 2);
  await upstream.remove(keys.slice(left));
  const errors = keys
    .slice(0, left)
    .map((key) => `<Error><Key>${key}</Key><Code>InternalError</Code><Message>try again</Message></Error>`);
  const gone = keys.slice(left).map((key) => `<Deleted><Key>${key}</Key></Deleted>`);
  const xml = `<?xml version="1.0"?><DeleteResult>${errors.join("")}${gone.join("")}</DeleteResult>`;
  const body = Buffer.from(xml);
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}

const isDelete = ({ key }: SeenRequest) => key === "?delete";

export function isChange({ method }: SeenRequest): boolean {
  return method !== "GET" && method !== "HEAD";
}

/**
 * The publisher's machine dies when so many changes are done, and it never hears of the last one. A death at a request that
 * reads leaves the store as one right after the change before it.
 */
export function dyingAfter(changes: number): FaultyStore["fault"] {
  let begun = 0;
  return (_, request) => {
    begun += Number(isChange(request));
    if (begun < changes) return null;
    return begun === changes && isChange(request) ? "drop-after" : "dead";
  };
}

export function createFaultyStore(upstream: Upstream): FaultyStore {
  let n = 0;
  let dead = false;
  const store: FaultyStore = {
    upstream,
    seen: [],
    fault: () => null,
    changed: () => undefined,
    hung: () => undefined,
    shadow: new Map(),
    reset() {
      n = 0;
      dead = false;
      store.seen.length = 0;
      store.fault = () => null;
    },
    count: (method) => store.seen.filter((one) => one.method === method).length,
    begin(method, path) {
      const [address = "", query = ""] = path.split("?");
      const deletes = method === "POST" && /(^|&)delete/.test(query);
      const seen = {
        method,
        key: deletes ? "?delete" : decodeURIComponent(address.slice(upstream.bucket.length + 2)),
      };
      const fault = dead ? "dead" : store.fault(n, seen);
      n += 1;
      store.seen.push(seen);
      if (fault === "dead") dead = true;
      return { seen, fault };
    },
    async finish({ seen, fault }, request) {
      if (fault === "dead" || fault === "drop-before" || fault === "drop-midway") return { kind: "broken" };
      if (fault === "hang-before") return { kind: "silent" };
      if (fault === "slow-down") return { kind: "answered", response: errorOf(503, "SlowDown") };
      if (fault === "forbidden") return { kind: "answered", response: errorOf(403, "AccessDenied") };
      const deleted = isDelete(seen) ? keysOfDelete(request.body) : [];
      const partial = isDelete(seen) && fault === "partial-delete";
      const response = partial ? await deleteHalf(upstream, deleted) : await upstream.ask(request);
      if (response.status < 300 && seen.method === "PUT") store.shadow.set(seen.key, request.body);
      for (const gone of partial ? deleted.slice(Math.ceil(deleted.length / 2)) : deleted)
        store.shadow.delete(gone);
      if (isChange(seen)) store.changed(store.shadow);
      if (fault === "500-after") return { kind: "answered", response: errorOf(500, "InternalError") };
      if (fault === "drop-after") return { kind: "broken" };
      if (fault === "hang-after") return { kind: "silent" };
      if (fault === "hang-midway") return { kind: "silent", half: response };
      return { kind: "answered", response };
    },
  };
  return store;
}

async function bytesOf(body: Buffer | Readable | string | undefined): Promise<Buffer> {
  if (!(body instanceof Readable)) return Buffer.from(body ?? "");
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Gives half of a body, and never the rest. */
function stalling(body: Buffer, hung: () => void): Readable {
  let isGiven = false;
  return new Readable({
    read() {
      if (isGiven) return hung();
      isGiven = true;
      this.push(body.subarray(0, Math.ceil(body.length / 2)));
    },
  });
}

/** The store without a network: what a client sends through instead. */
export function connectFaulty(store: FaultyStore): Handler {
  return {
    async handle({ method, path: address, query, headers, body }) {
      const search = new URLSearchParams(query as Record<string, string>).toString();
      const path = search === "" ? address : `${address}?${search}`;
      const begun = store.begin(method, path);
      const fate = await store.finish(begun, { method, path, headers, body: await bytesOf(body) });
      if (fate.kind === "broken") throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      const response = fate.kind === "answered" ? fate.response : fate.half;
      if (response === undefined || (fate.kind === "silent" && response.body.length === 0)) {
        store.hung();
        return new Promise(() => undefined);
      }
      const stream =
        fate.kind === "silent" ? stalling(response.body, () => store.hung()) : Readable.from([response.body]);
      return { response: responseOf(response.status, response.headers, stream) };
    },
    destroy: () => undefined,
  };
}

/** As a handler of the SDK's gives it. */
export function responseOf(statusCode: number, headers: UpstreamResponse["headers"], body: Readable) {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { statusCode, headers: Object.fromEntries(texts), body } as Awaited<
    ReturnType<Handler["handle"]>
  >["response"];
}
