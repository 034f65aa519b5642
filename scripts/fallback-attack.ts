/** Clients that send many requests at once and never read an answer, in a separate process: `PORT CONNECTIONS`. */
import { connect } from "node:net";

const [port, connections] = process.argv.slice(2).map(Number);
/** One write of 64 kB: 1,163 requests for the largest page. */
const FLOOD = "GET /api/v1/products?per_page=100 HTTP/1.1\r\nHost:x\r\n\r\n".repeat(1163);

const ROUND_MILLISECONDS = 10_000;

/** Floods on one connection; reconnects one round after the server closes it. */
function attack(): void {
  const socket = connect({ port: port ?? 0, host: "127.0.0.1" }, () => socket.write(FLOOD));
  socket.pause();
  socket.on("error", () => {});
  socket.on("close", () => setTimeout(attack, ROUND_MILLISECONDS));
  // A client that never reads does not notice the server's end of the connection either.
  setTimeout(() => socket.destroy(), ROUND_MILLISECONDS);
}

const count = connections ?? 0;
for (let at = 0; at < count; at++) setTimeout(attack, (at * ROUND_MILLISECONDS) / count);
