/** A request that never comes to its end: what HAProxy says of it where it is asked for its own words. */
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/shop.ts";
import { startHaproxy } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";

describeWith(["nginx", "haproxy"], "HAProxy", () => {
  it("answers a request that never ends as serve does", async () => {
    const folder = temporaryFolder();
    // A head that never ends is refused by HAProxy's parser, which has pages of its own: so it waits for a body here.
    const change = (name: string, text: string) =>
      name === "haproxy.cfg"
        ? text.replace("http-request lua", "http-request wait-for-body time 200ms\n    http-request lua")
        : text;
    const edge = await startHaproxy({ folder: join(folder, "edge"), site: folder, fallbackPort: 9, change });
    try {
      const socket = connect(edge.port, "127.0.0.1");
      let said = "";
      socket.on("data", (chunk) => {
        said += chunk.toString();
      });
      socket.write("POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 9\r\n\r\n");
      await once(socket, "close");
      const [head = "", body] = said.split("\r\n\r\n");
      expect(head.toLowerCase().split("\r\n")).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^http\/1\.1 408 /),
          "content-type: application/json; charset=utf-8",
          "cache-control: public, max-age=10",
          "access-control-allow-origin: *",
        ]),
      );
      expect(body).toBe(
        '{"success":false,"error":{"code":"request_timeout","message":"The request did not come to its end in time."}}',
      );
    } finally {
      await edge.stop();
    }
  });
});
