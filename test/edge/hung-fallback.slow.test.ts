/** A single fallback that accepts connections and never answers; and nginx with a certificate. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { freePort } from "../support/free-port.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { DEMO_CONFIG, temporaryFolder } from "../support/shop.ts";
import { makeCertificate } from "./support/certificate.ts";
import { type Running, startNginx, startWorker } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { send } from "./support/wire.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("demo");
let hung: Server;
let port = 0;
let asked = 0;
const sockets: Socket[] = [];

beforeAll(async () => {
  port = await freePort();
  hung = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", () => {
      asked += 1;
    });
    socket.on("error", () => socket.destroy());
  }).listen(port, "127.0.0.1");
});
afterAll(() => {
  hung.close();
  for (const socket of sockets) socket.destroy();
});

const miss = (at: number) => ({ target: `${API_PATH}/products?min_price=${at + 1}` });

describeWith(["nginx"], "nginx with a fallback that hangs", () => {
  let edge: Running;
  beforeAll(async () => {
    const options = { folder: join(folder, "nginx"), site: join(out, "site"), fallbackPort: port };
    edge = await startNginx({ ...options, exempt: ["127.0.0.0/8"], timeouts: "shipped" });
  });
  afterAll(() => edge.stop());

  it("asks it a few times, then refuses without asking, in JSON with Retry-After", async () => {
    const before = asked;
    const statuses = new Set<number>();
    for (let at = 0; at < 200; at++) {
      const { status, headers, body } = await send({ port: edge.port }, miss(at));
      statuses.add(status);
      expect(JSON.parse(body)).toMatchObject({ error: { code: "service_unavailable" } });
      expect(headers).toMatchObject({ "retry-after": "5", "cache-control": "no-store" });
    }
    expect([...statuses]).toEqual([503]);
    expect(asked - before).toBeLessThan(100);
  });

  it("serves files normally, without a limit for exempt networks", async () => {
    const limit = DEMO_CONFIG.rateLimit.requests;
    for (let at = 0; at < limit + 20; at++) {
      expect((await send({ port: edge.port }, { target: `${API_PATH}/store` })).status).toBe(200);
    }
  });
});

describe("the Worker with a fallback that hangs", () => {
  it("answers 503 in the end", async () => {
    const worker = await startWorker({ site: join(out, "site"), fallbackPort: port }, []);
    const { status, body } = await send({ port: worker.port }, miss(0));
    await worker.stop();
    expect([status, JSON.parse(body)]).toMatchObject([503, { error: { code: "service_unavailable" } }]);
  });
});

describeWith(["nginx", "curl", "brotli"], "nginx with a certificate and compressed files", () => {
  const site = join(folder, "site");
  const file = join(site, "api/v1/products/page=1.json");
  let edge: Running;
  beforeAll(async () => {
    cpSync(join(out, "site/api/v1/products/page=1.json"), file, { recursive: true });
    writeFileSync(`${file}.gz`, gzipSync("made beforehand"));
    const options = {
      folder: join(folder, "tls"),
      site,
      fallbackPort: port,
      certificate: makeCertificate(folder),
    };
    edge = await startNginx({ ...options, brotli: true });
  });
  afterAll(() => edge.stop());

  function curl(encoding: string): { version: string; body: Buffer } {
    const url = `https://127.0.0.1:${edge.port}${API_PATH}/products`;
    const flags = ["-sk", "--http2", "-H", `Accept-Encoding: ${encoding}`, "-w", "%{stderr}%{http_version}"];
    const { stdout, stderr } = spawnSync("curl", [...flags, url]);
    return { version: stderr.toString(), body: stdout };
  }

  it("speaks HTTP/2, sends files that were compressed beforehand, and compresses the rest", () => {
    expect(curl("identity")).toEqual({ version: "2", body: readFileSync(file) });
    expect(gunzipSync(curl("gzip").body).toString()).toBe("made beforehand");
    expect(brotliDecompressSync(curl("br").body)).toEqual(readFileSync(file));
  });
});
