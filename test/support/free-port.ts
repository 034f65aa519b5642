/**
 * Ports for servers of other programs, which need a port number. A port that the system names and that is closed again may
 * be anybody's before the server has started: another test's nginx then answers in its place.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below 32,768 the system gives no ports by itself, neither to servers nor to clients. */
const FIRST = 10_240;
const COUNT = 22_000;

/** True where this process holds the port from now on. UDP's port of that number is the claim: it ends with the process. */
async function claim(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  try {
    socket.bind({ port, address: "127.0.0.1", exclusive: true });
    await once(socket, "listening");
    return true;
  } catch {
    socket.close();
    return false;
  }
}

async function isListenedOn(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return false;
  } catch {
    return true;
  }
}

/** A free port that no other test gets as long as this process lives. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if ((await claim(port)) && !(await isListenedOn(port))) return port;
  }
}
