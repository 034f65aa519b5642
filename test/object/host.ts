/** The Worker with its object in workerd, a place in its bucket, and releases to publish there. */
import { createHmac } from "node:crypto";
import type { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { Response as Answer, Miniflare } from "miniflare";
import { OBJECT_WORKER_FILE } from "../../src/package.ts";
import type { Pointer, ReleaseRecord } from "../../src/publish/documents.ts";
import { releaseId } from "../../src/publish/documents.ts";
import { nameOfObject, objectKey } from "../../src/release/objects.ts";
import { encodeIndex, type ReleaseIndex } from "../../src/release/release-index.ts";
import { releaseOf } from "../support/memory-source.ts";
import { DEMO_CONFIG } from "../support/shop.ts";
import { until } from "../support/until.ts";

export const SECRET = "a secret of the test";

/** The used part of R2's interface; miniflare's own types need a whole Workers environment. */
interface BucketPort {
  put(key: string, bytes: Uint8Array | string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>;
}

export interface Release {
  readonly index: ReleaseIndex;
  readonly indexName: string;
  /** By name, unzipped; the index is one of them. */
  readonly objects: ReadonlyMap<string, Buffer>;
}

/** The release of a catalog file. `rows`: about so many records a partition. */
export function releaseFrom(catalogFile: string, rows = 100): Release {
  const { lists, objects, catalog } = releaseOf(catalogFile, rows);
  const index: ReleaseIndex = {
    format: 1,
    catalog: catalog as ReleaseIndex["catalog"],
    lists,
    manifest: [],
  };
  const content = encodeIndex(index);
  const indexName = nameOfObject(content);
  return { index, indexName, objects: new Map([...objects, [indexName, content]]) };
}

function recordOf({ index, indexName }: Release, generation: number): ReleaseRecord {
  return {
    id: releaseId(generation, index.catalog.digest),
    at: "2026-11-28T00:00:00Z",
    readAt: "2026-11-28T00:00:00Z",
    by: "test",
    files: 1,
    sizeBytes: 1,
    put: 1,
    deleted: 0,
    catalogDigest: index.catalog.digest,
    catalogFormat: index.catalog.format,
    index: indexName,
  };
}

export interface HostOptions {
  /** Where storage and bucket are kept; without it, in memory. */
  readonly folder?: string;
  readonly requests?: number;
  readonly hasCache?: boolean;
  readonly bindings?: Readonly<Record<string, string>>;
  /** The runtime's debugger listens here. */
  readonly inspectorPort?: number;
  /** The script of Pages, which is bound to the object. It has no files. */
  readonly pages?: string;
  /** Requests reach the Worker by its own socket, without miniflare's proxy. */
  readonly isDirect?: boolean;
}

export class ObjectHost implements AsyncDisposable {
  readonly miniflare: Miniflare;
  readonly #bucket: BucketPort;
  readonly address: URL;
  #generation: number;

  private constructor(miniflare: Miniflare, bucket: BucketPort, address: URL, generation: number) {
    this.miniflare = miniflare;
    this.#bucket = bucket;
    this.address = address;
    this.#generation = generation;
  }

  static async start({
    folder,
    requests = 1_000_000,
    bindings = {},
    hasCache = false,
    inspectorPort,
    isDirect = false,
    pages,
  }: HostOptions = {}): Promise<ObjectHost> {
    const worker = {
      name: "vitrine",
      modules: true,
      scriptPath: OBJECT_WORKER_FILE,
      compatibilityDate: "2026-04-01",
      compatibilityFlags: ["nodejs_compat"],
      r2Buckets: ["SITE"],
      durableObjects: { CATALOG: { className: "CatalogObject", useSQLite: true } },
      ratelimits: { RATE_LIMIT: { namespace_id: "1001", simple: { limit: requests, period: 60 } } },
      bindings: {
        CACHE_CONTROL: "public, max-age=60, s-maxage=300, stale-if-error=86400",
        ERROR_CACHE_CONTROL: "public, max-age=10",
        BASE_URL: DEMO_CONFIG.baseUrl,
        PAGES: `${DEMO_CONFIG.pages !== false}`,
        RATE_LIMIT_REQUESTS: String(requests),
        VITRINE_WEBHOOK_SECRET: SECRET,
        ...bindings,
      },
      // Answers that the location keeps would hide what the object answers now.
      cache: hasCache,
      ...(isDirect ? { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] } : {}),
    };
    const catalog = { className: "CatalogObject", scriptName: "vitrine", useSQLite: true };
    const miniflare = new Miniflare({
      workers: [
        worker,
        ...(pages === undefined
          ? []
          : [
              {
                name: "pages",
                modules: true,
                script: pages,
                compatibilityDate: "2026-04-01",
                durableObjects: { CATALOG: catalog },
                serviceBindings: { ASSETS: () => new Answer(null, { status: 404 }) },
              },
            ]),
      ],
      ...(folder === undefined
        ? {}
        : { durableObjectsPersist: `${folder}/objects`, r2Persist: `${folder}/bucket` }),
      // What the object logs is not about the tests.
      handleRuntimeStdio: (stdout: Readable, stderr: Readable) => void [stdout.resume(), stderr.resume()],
      cf: false,
      host: "127.0.0.1",
      port: 0,
      ...(inspectorPort === undefined ? {} : { inspectorPort }),
    });
    await miniflare.ready;
    const address = isDirect ? await miniflare.unsafeGetDirectURL() : await miniflare.ready;
    const bucket = (await miniflare.getR2Bucket("SITE")) as unknown as BucketPort;
    const pointer = await bucket.get(POINTER);
    const text = pointer === null ? "" : Buffer.from(await pointer.arrayBuffer()).toString();
    const generation = Number(/"generation":(\d+)/.exec(text)?.[1] ?? 0);
    return new ObjectHost(miniflare, bucket, address, generation);
  }

  /** Puts a release's objects, all or some of them. */
  async putObjects({ objects }: Release, isMeant: (name: string) => boolean = () => true): Promise<void> {
    const meant = [...objects].filter(([name]) => isMeant(name));
    for (let at = 0; at < meant.length; at += 64)
      await Promise.all(
        meant
          .slice(at, at + 64)
          .map(([name, content]) => this.#bucket.put(objectKey(name), gzipSync(content, { level: 3 }))),
      );
  }

  putObject(name: string, bytes: Uint8Array): Promise<unknown> {
    return this.#bucket.put(objectKey(name), bytes);
  }

  deleteObject(name: string): Promise<unknown> {
    return this.#bucket.delete(objectKey(name));
  }

  putFile(key: string, bytes: Uint8Array | string): Promise<unknown> {
    return this.#bucket.put(key, bytes);
  }

  /** Makes a release live, and returns its id. */
  async point(release: Release): Promise<string> {
    this.#generation += 1;
    const record = recordOf(release, this.#generation);
    const pointer: Pointer = {
      format: 1,
      generation: this.#generation,
      attempt: `attempt-${this.#generation}`,
      release: record.id,
      content: record.catalogDigest,
      headerPolicy: "test",
      conditions: "quoted",
      service: "test",
      releases: [record],
    };
    await this.#bucket.put(POINTER, JSON.stringify(pointer));
    return record.id;
  }

  async publish(release: Release): Promise<string> {
    await this.putObjects(release);
    return this.point(release);
  }

  /** Asks the Worker, as a reader does. */
  ask(target: string, init: RequestInit = {}): Promise<Response> {
    return fetch(new URL(target, this.address), { redirect: "manual", ...init });
  }

  /** Asks Pages, if it was started. */
  async askPages(
    target: string,
  ): Promise<{ readonly status: number; readonly text: string; readonly etag: string | null }> {
    const worker = (await this.miniflare.getWorker("pages")) as unknown as { fetch: typeof fetch };
    const answer = await worker.fetch(`http://pages${target}`);
    return { status: answer.status, text: await answer.text(), etag: answer.headers.get("etag") };
  }

  async ready(): Promise<{
    status: string;
    release: string | null;
    reason: string | null;
    partitions_of_next: number;
  }> {
    const headers = { Authorization: `Bearer ${SECRET}` };
    return (await (await this.ask("/_vitrine/readyz", { headers })).json()) as never;
  }

  /** Says that something was published, as the webhook of a publish does. */
  async notify(secret = SECRET): Promise<number> {
    const body = '{"purge":"everything"}';
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    const headers = { "X-Vitrine-Signature": signature };
    return (await this.ask("/_vitrine/published", { method: "POST", body, headers })).status;
  }

  /** Waits until it answers from a release. */
  async following(id: string): Promise<void> {
    await until(`the release ${id}`, async () => {
      await this.notify();
      return (await this.ready()).release === id;
    });
  }

  /** Ends the object as the runtime does if it needs the memory: its storage stays. */
  async evict(): Promise<void> {
    await this.miniflare.unsafeEvictDurableObject("vitrine", "CatalogObject", { name: "shop" });
  }

  async metrics(): Promise<string> {
    return (await this.ask("/_vitrine/metrics", { headers: { Authorization: `Bearer ${SECRET}` } })).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.miniflare.dispose();
  }
}

const POINTER = ".vitrine/current.json";
