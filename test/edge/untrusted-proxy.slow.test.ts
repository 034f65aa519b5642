/** Readers behind a proxy are one client until nginx trusts it; nginx's log then says what to do. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { freePort } from "../support/free-port.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { type Running, startFallback, startNginx } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { type Reply, send, sendAll } from "./support/wire.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("small");
const READERS = 140;
const target = `${API_PATH}/store`;

/** A shop's plain proxy at this address, which appends the reader's address. */
async function startProxy(name: string, edge: Running, address: string): Promise<Running> {
  const port = await freePort();
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(
    join(home, "nginx.conf"),
    `pid nginx.pid;
    error_log stderr;
    events {}
    http {
      access_log off;
      ${["client_body", "proxy", "fastcgi", "scgi", "uwsgi"].map((kind) => `${kind}_temp_path ${kind};`).join("\n")}
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_bind ${address};
          proxy_pass http://127.0.0.1:${edge.port};
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        }
      }
    }`,
  );
  const flags = process.getuid?.() === 0 ? "daemon off; user root;" : "daemon off;";
  const child: ChildProcess = spawn("nginx", ["-p", home, "-c", "nginx.conf", "-g", flags]);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await until("the proxy", () => send({ port }, { target: "/up" }).catch(() => undefined));
  return {
    port,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

describeWith(["nginx"], "140 readers behind a proxy", () => {
  const running: Running[] = [];
  let fallback: Running;
  beforeAll(async () => {
    fallback = await startFallback(join(out, "catalog.sqlite"));
    running.push(fallback);
  });
  afterAll(async () => {
    for (const one of running.toReversed()) await one.stop();
  });

  const start = async (name: string, trusted: readonly string[]) => {
    const options = { folder: join(folder, name), site: join(out, "site"), fallbackPort: fallback.port };
    const edge = await startNginx({ ...options, trusted });
    running.push(edge);
    const advices = () =>
      until("the log", () => {
        const lines = readFileSync(join(options.folder, "access.log"), "utf8").trim().split("\n");
        return lines.length > READERS && lines.map((line) => JSON.parse(line) as { advice: string });
      }).then((lines) => new Set(lines.map(({ advice }) => advice)));
    return { edge, advices };
  };
  const readAll = async (port: number, readers: readonly string[]): Promise<Reply[]> => {
    const replies: Reply[] = [];
    for (const from of readers) replies.push(await send({ port, from }, { target }));
    return replies;
  };
  const refused = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 429).length;
  const readers = Array.from({ length: READERS }, (_, at) => `127.0.2.${at + 1}`);

  it("are refused, with advice that names the proxy, until nginx trusts it", async () => {
    const { edge, advices } = await start("unnamed", []);
    const proxy = await startProxy("unnamed-proxy", edge, "127.0.3.1");
    running.push(proxy);
    expect(refused(await readAll(proxy.port, readers))).toBeGreaterThan(0);
    expect([...(await advices())].toSorted()).toEqual([
      "",
      expect.stringMatching(
        /^127\.0\.3\.1 sends X-Forwarded-For: if it is a cache, .* vitrine edge nginx --trust 127\.0\.3\.1,/,
      ),
    ]);
  });

  it("are counted one by one once nginx trusts it", async () => {
    const { edge, advices } = await start("named", ["127.0.3.1"]);
    const proxy = await startProxy("named-proxy", edge, "127.0.3.1");
    running.push(proxy);
    expect(refused(await readAll(proxy.port, readers))).toBe(0);
    expect([...(await advices())]).toEqual([""]);
  });

  it("get advice that names a second proxy in front of the trusted one", async () => {
    const { edge, advices } = await start("second", ["127.0.3.1"]);
    const proxy = await startProxy("second-proxy", edge, "127.0.3.1");
    running.push(proxy);
    const requests = readers.map((reader) => ({ target, headers: { "X-Forwarded-For": reader } }));
    await sendAll({ port: proxy.port, from: "127.0.4.1" }, requests);
    expect([...(await advices())].toSorted()).toEqual(["", expect.stringContaining("--trust 127.0.4.1")]);
  });

  it.each([
    ["on the proxy's machine", "127.0.3.1", ["127.0.3.1"]],
    ["on another machine that nginx trusts, too", "127.0.4.1", ["127.0.3.0/24", "127.0.4.0/24"]],
  ])(
    "get advice that says who names no reader: a TLS program %s that adds no header",
    async (name, from, trusted) => {
      const { edge, advices } = await start(`silent ${from}`, trusted);
      const proxy = await startProxy(`silent-proxy ${name}`, edge, "127.0.3.1");
      running.push(proxy);
      await sendAll(
        { port: proxy.port, from },
        readers.map(() => ({ target })),
      );
      const said = [...(await advices())].toSorted();
      expect(said).toEqual([
        "",
        expect.stringMatching(new RegExp(`^${from} is trusted, and names no reader: `)),
      ]);
      expect(said[1]).not.toContain("vitrine edge");
    },
  );

  it("are no advice for a reader who asks too often alone", async () => {
    const { edge, advices } = await start("alone", []);
    const requests = readers.map(() => ({ target }));
    expect(refused(await sendAll({ port: edge.port, from: "127.0.5.1" }, requests))).toBeGreaterThan(0);
    expect([...(await advices())]).toEqual([""]);
  });
});
