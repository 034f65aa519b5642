/** nginx's own responses, and its one cached copy of the fallback's answers for all clients, in a real nginx. */
import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { makeCertificate } from "./support/certificate.ts";
import { type Running, startFallback, startNginx } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { type Reply, send, sendAll } from "./support/wire.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("demo");

/** Sends raw bytes; returns everything that comes back. */
function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

describeWith(["nginx", "curl"], "nginx", () => {
  let edge: Running;
  let fallback: Running;
  const asked: string[] = [];
  beforeAll(async () => {
    fallback = await startFallback(join(out, "catalog.sqlite"), { seen: (target) => asked.push(target) });
    edge = await startNginx({
      folder: join(folder, "nginx"),
      site: join(out, "site"),
      fallbackPort: fallback.port,
      exempt: ["127.0.0.0/8"],
    });
  });
  afterAll(() => edge.stop());

  it.each([
    ["HTTP/2.0 in an HTTP/1 line", "GET /api/v1/store HTTP/2.0\r\nHost: x\r\n\r\n"],
    ["an unknown Transfer-Encoding", "GET /api/v1/store HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x\r\n\r\n"],
    ["not HTTP at all", "hello\r\n\r\n"],
  ])("answers %s as serve does: 400 with the envelope", async (_, bytes) => {
    const text = await sendBytes(edge.port, bytes);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain("Content-Type: application/json; charset=utf-8\r\n");
    expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({
      success: false,
      error: { code: "invalid_parameter" },
    });
  });

  it("sends no body after HEAD, because a client would read it as the connection's next response", async () => {
    const targets = ["/", "/nothing", "/.vitrine/current.json", `/${"x".repeat(9000)}`];
    const requests = targets.flatMap((target) => [
      { target, method: "HEAD" },
      { target: `${API_PATH}/store` },
    ]);
    const replies = await sendAll({ port: edge.port }, requests);
    expect(replies.map(({ status }) => status)).toEqual([302, 200, 404, 200, 404, 200, 414, 200]);
  });

  it.each([`${API_PATH}/store`, `${API_PATH}/products?search=kit`])(
    "answers 412 with the envelope if If-Match names another ETag for %s",
    async (target) => {
      const { status, headers, body } = await send(
        { port: edge.port },
        { target, headers: { "If-Match": '"x"' } },
      );
      expect([status, JSON.parse(body)]).toMatchObject([412, { error: { code: "precondition_failed" } }]);
      expect(headers).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
      });
      expect((await send({ port: edge.port }, { target, headers: { "If-Match": "*" } })).status).toBe(200);
    },
  );

  // The fallback's answers have no date, so clients send none.
  it.each([`${API_PATH}/products`, `${API_PATH}/products/`])(
    "lets If-None-Match decide over any If-Modified-Since: %s",
    async (target) => {
      const to = { port: edge.port };
      const first = await send(to, { target });
      const etag = first.headers["etag"] ?? "";
      for (const date of ["Thu, 01 Jan 2015 00:00:00 GMT", "Thu, 01 Jan 2099 00:00:00 GMT", "nonsense"]) {
        const ask = (tag: string) =>
          send(to, { target, headers: { "If-None-Match": tag, "If-Modified-Since": date } });
        for (const known of [etag, `"a", ${etag}`, `W/${etag.replace("W/", "")}`, "*"]) {
          const { status, body, headers } = await ask(known);
          expect([status, body, headers["content-type"]]).toEqual([304, "", undefined]);
        }
        const other = await ask('"another"');
        expect([other.status, other.body]).toEqual([200, first.body]);
      }
    },
  );

  it("asks the fallback for a miss even if a client sends a date", async () => {
    const headers = { "If-Modified-Since": "Thu, 01 Jan 2015 00:00:00 GMT" };
    for (const target of [`${API_PATH}/products?search=theme`, `${API_PATH}/products/?search=theme`]) {
      expect((await send({ port: edge.port }, { target, headers })).status).toBe(200);
    }
    const unknown = await send({ port: edge.port }, { target: "/nothing", headers });
    expect([unknown.status, JSON.parse(unknown.body)]).toMatchObject([
      404,
      { error: { code: "unknown_endpoint" } },
    ]);
  });

  it("stores one copy of an answer for all encodings, and serves it while the fallback is down", async () => {
    const target = `${API_PATH}/products?search=plugin`;
    const ask = async (encoding: string) => {
      const flags = ["-s", "-D", "-", "-o", "-", "-H", `Accept-Encoding: ${encoding}`];
      const url = `http://127.0.0.1:${edge.port}${target}`;
      const { stdout } = await promisify(execFile)("curl", [...flags, url], { encoding: "buffer" });
      const end = stdout.indexOf("\r\n\r\n") + 4;
      const body = stdout.subarray(end);
      const head = stdout.subarray(0, end).toString();
      return { head, body: (/^content-encoding: gzip/im.test(head) ? gunzipSync(body) : body).toString() };
    };
    const first = await ask("identity");
    expect(first.head).toMatch(/^HTTP\/1\.1 200 /);
    expect(first.head).toMatch(/^vary: Accept-Encoding/im);
    const spellings = ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "*", ""];
    for (const encoding of spellings) expect((await ask(encoding)).body).toBe(first.body);
    expect(asked.filter((seen) => seen === target)).toHaveLength(1);
    await fallback.stop();
    for (const encoding of [...spellings, "zstd", "deflate"])
      expect((await ask(encoding)).body).toBe(first.body);
  });
});

describeWith(["nginx", "curl"], "nginx with ports for HTTP and HTTPS", () => {
  let edge: Running;
  beforeAll(async () => {
    edge = await startNginx({
      folder: join(folder, "tls"),
      site: join(out, "site"),
      fallbackPort: 9,
      certificate: makeCertificate(folder),
    });
  });
  afterAll(() => edge.stop());

  it("answers plain HTTP on the port for HTTPS with the envelope, and says what to do", async () => {
    const reply: Reply = await send({ port: edge.port }, { target: `${API_PATH}/store` });
    expect(reply.status).toBe(400);
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(JSON.parse(reply.body)).toMatchObject({
      error: { code: "invalid_parameter", message: expect.stringContaining("https://") },
    });
  });

  it("accepts both in one file", () => {
    const both = join(folder, "both");
    const flags = ["edge", "nginx", "--into", both, "--listen", "8080", "--listen-tls", "8443", "[::]:8443"];
    const command = ["src/cli/main.ts", ...flags, "--certificate", join(folder, "both.pem")];
    execFileSync(process.execPath, command, { stdio: "ignore" });
    const conf = readFileSync(join(both, "vitrine.conf"), "utf8");
    expect(conf.match(/^ +listen .*$/gm)?.map((line) => line.trim())).toEqual([
      "listen 8080;",
      "listen 8443 ssl http2;",
      "listen [::]:8443 ssl http2;",
    ]);
    writeFileSync(join(both, "error.log"), "");
    execFileSync("nginx", ["-t", "-q", "-p", both, "-c", "nginx.conf", "-g", "user root;"]);
  });
});
