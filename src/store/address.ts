/**
 * The address of a store on a server: `postgres://shop@db.example:5432/shop?sslmode=verify-full`. An address has no password,
 * so that printing, storing or comparing addresses cannot reveal one.
 */
import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { messageOf, VitrineError } from "../base/error.ts";

type ServerKind = "postgres" | "mysql";

export interface ServerAddress {
  readonly kind: ServerKind;
  /** For messages: without parameters. */
  readonly shown: string;
  /** A host name, an IP address, or the path of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Null: not encrypted. */
  readonly tls: ConnectionOptions | null;
  /** True if texts were written over a connection declared as latin1 while they were UTF-8, as with some DB_CHARSET of WordPress. */
  readonly isEncodedTwice: boolean;
  readonly connectSeconds: number;
  /** How long to wait for the next rows. */
  readonly readSeconds: number;
}

const SCHEMES: Readonly<Record<string, { readonly kind: ServerKind; readonly port: number }>> = {
  "postgres:": { kind: "postgres", port: 5432 },
  "postgresql:": { kind: "postgres", port: 5432 },
  "mysql:": { kind: "mysql", port: 3306 },
  "mariadb:": { kind: "mysql", port: 3306 },
};

const PARAMETERS = [
  "host",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "charset",
  "connect_timeout",
  "read_timeout",
];
const SSL_MODES = ["disable", "require", "verify-full"];
const CONNECT_SECONDS = 10;
const READ_SECONDS = 600;
const MAX_SECONDS = 86_400;

/** Environment variables for the only secret. */
const PASSWORD = "VITRINE_STORE_PASSWORD";
const PASSWORD_FILE = `${PASSWORD}_FILE`;
export const PASSWORD_PLACES = `${PASSWORD}, or in the file that ${PASSWORD_FILE} names`;

type Parameters = ReadonlyMap<string, string>;

/** Patterns that match addresses and no file path: a mistyped address is refused, and not printed like a file's name. */
const ADDRESSES = [
  /^[a-z]+:\/\//i,
  /^(?:postgres(?:ql)?|mysql|mariadb)(?::|\/\/)/i,
  /(?:^|[\s;&?])(?:host|hostaddr|server|user|username|uid|password|passwd|pwd|dbname|database)\s*=/i,
  /^[^/\\\s]*:[^/\\]*@/,
];

/** True for a server's address, even a wrong one; otherwise it is the path of a file. */
export function isServerAddress(store: string): boolean {
  return ADDRESSES.some((address) => address.test(store));
}

const HAS_PASSWORD = `has a password in it. Take it out, and give it as ${PASSWORD_PLACES}.`;

function invalid(problem: string): VitrineError {
  return new VitrineError("config_invalid", `The store's address ${problem}`);
}

/** Error messages never quote the address: it may contain a password. @throws VitrineError config_invalid */
export function parseServerAddress(store: string): ServerAddress {
  // URL.parse needs a host, which the address of a socket lacks.
  const url = URL.parse(store.replace(/^([a-z]+:\/\/[^/?@]*@)\//i, "$1localhost/"));
  const scheme = SCHEMES[url?.protocol ?? ""];
  if (url === null || scheme === undefined)
    throw invalid(
      "must be the path of an SQLite file, postgres://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE.",
    );
  if (url.password !== "") throw invalid(HAS_PASSWORD);
  const parameters = parametersOf(url);
  const host = parameters.get("host") ?? url.hostname.replace(/^\[(.*)\]$/, "$1");
  const [user, database] = [url.username, url.pathname.slice(1)].map(decoded);
  if (user?.includes(":")) throw invalid(HAS_PASSWORD);
  if (!host || !user || !database) throw invalid(`must name user, host and database: USER@HOST/DATABASE.`);
  const port = url.port === "" ? scheme.port : Number(url.port);
  const place = host.startsWith("/") ? host : `${url.hostname}${port === scheme.port ? "" : `:${port}`}`;
  return {
    kind: scheme.kind,
    host,
    port,
    user,
    database,
    tls: tlsOf(host, parameters),
    isEncodedTwice: isLatin1(scheme.kind, parameters),
    shown: `${scheme.kind}://${url.username}@${place}/${database}`,
    connectSeconds: secondsOf(parameters, "connect_timeout", CONNECT_SECONDS),
    readSeconds: secondsOf(parameters, "read_timeout", READ_SECONDS),
  };
}

/** Percent-decoded text; the text itself if an escape is broken. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape.
    return text;
  }
}

function parametersOf(url: URL): Parameters {
  for (const name of url.searchParams.keys()) {
    if (/pass|pwd/i.test(name)) throw invalid(HAS_PASSWORD);
    // Its name is not shown: after a mistyped address it is part of the password.
    if (!PARAMETERS.includes(name))
      throw invalid(`has a parameter that is not known. Known: ${PARAMETERS.join(", ")}.`);
  }
  return new Map(url.searchParams);
}

function secondsOf(parameters: Parameters, name: string, otherwise: number): number {
  const text = parameters.get(name) ?? String(otherwise);
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
  throw invalid(`must give ${name} in whole seconds, from 1 to ${MAX_SECONDS}.`);
}

function isLatin1(kind: ServerKind, parameters: Parameters): boolean {
  const charset = parameters.get("charset");
  if (charset === undefined) return false;
  if (kind === "mysql" && ["latin1", "utf8mb4"].includes(charset)) return charset === "latin1";
  throw invalid("may give charset as latin1 or utf8mb4, and only for MySQL or MariaDB.");
}

function isLocalHost(host: string): boolean {
  return host.startsWith("/") || host === "localhost" || host === "::1" || /^127\./.test(host);
}

/** As libpq's `sslmode`, except that the default for another machine is verify-full: no clear text unless it is asked for. */
function tlsOf(host: string, parameters: Parameters): ConnectionOptions | null {
  const mode = parameters.get("sslmode") ?? (isLocalHost(host) ? "disable" : "verify-full");
  if (!SSL_MODES.includes(mode)) throw invalid(`must give sslmode as ${SSL_MODES.join(", ")}.`);
  if (mode === "disable") return null;
  const file = (name: string) => {
    const path = parameters.get(name);
    return path === undefined ? undefined : readText(path, `${name} of the store's address`);
  };
  const [ca, cert, key] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  return {
    rejectUnauthorized: mode === "verify-full",
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new VitrineError("config_invalid", `Cannot read ${what}: ${messageOf(error)}.`, { cause: error });
  }
}

/** The password from the file that is named, or from the variable, without the line break that `echo` puts behind it; empty without either. */
export function storePassword(env: Readonly<Record<string, string | undefined>>): string {
  const file = env[PASSWORD_FILE];
  const text = file === undefined ? (env[PASSWORD] ?? "") : readText(file, PASSWORD_FILE);
  return text.replace(/\r?\n$/, "");
}
