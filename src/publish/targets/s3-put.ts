/**
 * PUT of a small object with little ado. The SDK's client does everything else; for thousands of small files its
 * middleware costs more than the upload, so this signs (AWS Signature Version 4) and sends on its own, with the SDK's
 * credentials, region and clock, to the address that the SDK itself used before.
 */
import { createHash, createHmac } from "node:crypto";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { S3Client } from "@aws-sdk/client-s3";
import type { ObjectHeaders } from "../bucket.ts";
import { encodePath, type Route, routeOf } from "./s3-client.ts";

const TIMEOUT_MILLISECONDS = 60_000;

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

export interface Identity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Keys to sign with, one for each day, region and identity. */
function createKeyRing(): (identity: Identity, day: string, region: string) => Buffer {
  let name = "";
  let key: Buffer = Buffer.alloc(0);
  return ({ secretAccessKey }, day, region) => {
    const wanted = `${secretAccessKey} ${day} ${region}`;
    if (wanted === name) return key;
    name = wanted;
    key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), "s3"), "aws4_request");
    return key;
  };
}

export interface SigningInputs {
  readonly identity: Identity;
  readonly region: string;
  readonly date: Date;
  readonly path: string;
  /** Lower-case names; all are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyDigest: string;
}

/** The `authorization` header of a PUT (S3 API reference, "Authenticating Requests: Using the Authorization Header"). */
export function signPut(inputs: SigningInputs, keyOf = createKeyRing()): string {
  const { identity, region, date, path, headers, bodyDigest } = inputs;
  const moment = date.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = moment.slice(0, 8);
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join("");
  const canonical = `PUT\n${path}\n\n${lines}\n${names.join(";")}\n${bodyDigest}`;
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${sha256(canonical)}`;
  const signature = hmac(keyOf(identity, day, region), text).toString("hex");
  return `AWS4-HMAC-SHA256 Credential=${identity.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
}

async function failureOf(answer: IncomingMessage): Promise<Error> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  const name = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? "UnknownError";
  const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] || "UnknownError";
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode: answer.statusCode } });
}

type Send = (route: Route, path: string, headers: Record<string, string>, body: Buffer) => Promise<void>;

function createSender(concurrency: number): Send {
  const options = { keepAlive: true, maxSockets: concurrency + 8 };
  const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
  return ({ protocol, hostname, port }, path, headers, body) =>
    new Promise((resolve, reject) => {
      const send = protocol === "https:" ? requestHttps : requestHttp;
      const outgoing = send(
        { method: "PUT", hostname, port, path, headers, agent: agents[protocol] },
        (answer) => {
          const ok = (answer.statusCode ?? 500) < 300;
          answer.on("error", reject);
          if (!ok) failureOf(answer).then(reject, reject);
          else answer.on("end", resolve).resume();
        },
      );
      outgoing.setTimeout(TIMEOUT_MILLISECONDS, () => {
        outgoing.destroy(Object.assign(new Error("no answer"), { name: "TimeoutError" }));
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
}

export interface SmallPut {
  readonly client: S3Client;
  /** The whole key, prefix and all. */
  readonly key: string;
  readonly body: Buffer;
  readonly headers: ObjectHeaders;
  /** SHA-256 of the body where it is known already. */
  readonly digest: string | undefined;
}

/** Puts one object, once; false where the SDK has not shown the way yet. Fails as the SDK does. */
export function createSmallPut(concurrency: number): (put: SmallPut) => Promise<boolean> {
  const send = createSender(concurrency);
  const keyOf = createKeyRing();
  return async ({ client, key, body, headers, digest }) => {
    const route = routeOf(client);
    if (route === null) return false;
    const [identity, region] = await Promise.all([client.config.credentials(), client.config.region()]);
    const date = new Date(Date.now() + client.config.systemClockOffset);
    const path = route.base + encodePath(key);
    const bodyDigest = digest ?? sha256(body);
    const signed: Record<string, string> = {
      "cache-control": headers.cacheControl,
      "content-md5": createHash("md5").update(body).digest("base64"),
      "content-type": headers.contentType,
      host: route.port === undefined ? route.hostname : `${route.hostname}:${route.port}`,
      "x-amz-content-sha256": bodyDigest,
      "x-amz-date": date.toISOString().replace(/[-:]|\.\d+/g, ""),
      ...(identity.sessionToken === undefined ? {} : { "x-amz-security-token": identity.sessionToken }),
    };
    for (const [name, value] of Object.entries(headers.metadata)) signed[`x-amz-meta-${name}`] = value;
    const authorization = signPut({ identity, region, date, path, headers: signed, bodyDigest }, keyOf);
    await send(route, path, { ...signed, authorization, "content-length": String(body.length) }, body);
    return true;
  };
}
