/**
 * PUT of a small object with little ado. For thousands of small files the middleware of the SDK's client costs more
 * than the upload: here the client's own signer and its own connections are used without it, on the way that the
 * client itself took before.
 */
import { hash } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import type { ObjectHeaders } from "../bucket.ts";
import { encodePath, type Route, routeOf } from "./s3-client.ts";

export interface SmallPut {
  /** The whole key, prefix and all. */
  readonly key: string;
  readonly body: Buffer;
  readonly headers: ObjectHeaders;
  /** SHA-256 of the body where it is known already. */
  readonly digest: string | undefined;
}

function requestOf({ protocol, hostname, port, base }: Route, { key, body, headers, digest }: SmallPut) {
  return {
    ...{ method: "PUT", protocol, hostname, path: base + encodePath(key), query: {}, body },
    ...(port === undefined ? {} : { port }),
    headers: {
      "cache-control": headers.cacheControl,
      "content-length": String(body.length),
      "content-md5": hash("md5", body, "base64"),
      "content-type": headers.contentType,
      host: port === undefined ? hostname : `${hostname}:${port}`,
      "x-amz-content-sha256": digest ?? hash("sha256", body, "hex"),
      ...Object.fromEntries(
        Object.entries(headers.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]),
      ),
    },
  };
}

/** An answer's body as text; answers to a PUT are empty or a short error. */
async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** An error as the SDK throws it: S3's code as its name. */
function failureOf(status: number, text: string): Error {
  const name = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? "UnknownError";
  const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] || "UnknownError";
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });
}

/**
 * Makes the way of putting small objects, each once; it answers false where the SDK has not shown the way yet, and
 * fails as the SDK does. The signer is kept: it asks for the credentials each time, so they may change under it.
 */
export function createSmallPut(client: S3Client): (put: SmallPut) => Promise<boolean> {
  let signer: ReturnType<S3Client["config"]["signer"]> | undefined;
  return async ({ key, body, headers, digest }) => {
    const route = routeOf(client);
    if (route === null) return false;
    signer ??= client.config.signer();
    const request = requestOf(route, { key, body, headers, digest });
    const signingDate = new Date(Date.now() + client.config.systemClockOffset);
    const signed = await (await signer).sign(request, { signingDate });
    const { response } = await client.config.requestHandler.handle(
      signed as Parameters<typeof client.config.requestHandler.handle>[0],
    );
    const text = await textOf(response.body as AsyncIterable<Buffer>);
    if (response.statusCode >= 300) throw failureOf(response.statusCode, text);
    return true;
  };
}
