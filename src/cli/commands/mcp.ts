/** `vitrine mcp` */
import { API_PATH } from "../../api/endpoints.ts";
import type { Status } from "../../api/records/status.ts";
import { messageOf, VitrineError } from "../../base/error.ts";
import { parseShallowJson } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import type { McpPorts } from "../../mcp/server.ts";
import { TOOL_VERSION } from "../../package.ts";
import { findOutFolder, OUT_FLAGS } from "../inputs.ts";
import { commandOf, type Flags, text } from "../options.ts";
import { untilStopped } from "../stop.ts";
import { terminalLog } from "../terminal.ts";

const FLAGS = {
  ...OUT_FLAGS,
  catalog: { ...text("<file>", "instead of the snapshot, a catalog file"), conflicts: "from" },
  from: text("<address>", "instead, ask the API at an address like https://shop.example/api/v1"),
};

/** The longest time for an answer of an API. */
const ASK_MILLISECONDS = 20_000;

async function askApi(url: string): Promise<{ status: number; body: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ASK_MILLISECONDS), redirect: "error" });
  const { MAX_READ_BYTES } = await import("../../mcp/tools.ts");
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  // An answer that is too long is refused, and not read to its end.
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes > MAX_READ_BYTES) break;
  }
  return { status: response.status, body: Buffer.concat(pieces).toString("utf8") };
}

/** The tools' way to the API at an address. @throws VitrineError usage */
async function portsOfApi(base: string, failed: McpPorts["failed"]): Promise<McpPorts> {
  const address = base.replace(/\/$/, "");
  if (!/^https?:\/\//.test(address)) {
    throw new VitrineError("usage", `--from takes an address like https://shop.example/api/v1, not ${base}.`);
  }
  try {
    const { body } = await askApi(address);
    const { endpoints } = (parseShallowJson(body) as { data: Status }).data;
    const paths = endpoints.filter(({ enabled }) => enabled).map(({ path }) => path.replace(/^\//, ""));
    const ask = (target: string) => askApi(address + target.slice(API_PATH.length));
    return { version: TOOL_VERSION, endpoints: () => paths, ask, failed };
  } catch (error) {
    throw new VitrineError("usage", `${base} does not answer like this API: ${messageOf(error)}`);
  }
}

/** Answers from a catalog file and its successors until the client has gone. */
async function serveFile(flags: Flags<typeof FLAGS>, log: Log, failed: McpPorts["failed"]): Promise<void> {
  const [
    { temporaryFolder },
    { CatalogCopy },
    { fileSource },
    { LiveCatalog },
    { mcpPorts },
    { serveMcpOnStdio },
  ] = await Promise.all([
    import("../../base/temporary-folder.ts"),
    import("../../serve/catalog-copy.ts"),
    import("../../serve/catalog-source.ts"),
    import("../../serve/live-catalog.ts"),
    import("../../serve/mcp.ts"),
    import("../../mcp/server.ts"),
  ]);
  const file = flags.catalog ?? (await findOutFolder(flags)).catalog;
  await using home = await temporaryFolder();
  await using copy = await CatalogCopy.open(fileSource(file), home.path, { log });
  using catalog = await LiveCatalog.open(copy.file, log);
  copy.follow(catalog);
  const ports = mcpPorts(() => catalog.current, TOOL_VERSION, failed);
  await serveMcpOnStdio(ports, untilStopped());
}

export const addMcp = commandOf(
  {
    name: "mcp",
    does: "answer an agent by the Model Context Protocol (MCP)",
    flags: FLAGS,
    examples: ["vitrine mcp", "vitrine mcp --from https://shop.example/api/v1"],
  },
  async (flags) => {
    // Standard output belongs to the agent.
    const log = terminalLog(false);
    const failed = (error: unknown) => log.warn(messageOf(error));
    if (flags.from === undefined) return serveFile(flags, log, failed);
    const ports = await portsOfApi(flags.from, failed);
    const { serveMcpOnStdio } = await import("../../mcp/server.ts");
    await serveMcpOnStdio(ports, untilStopped());
  },
);
