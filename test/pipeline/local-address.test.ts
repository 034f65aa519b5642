/** Addresses that the public cannot reach. */
import { expect, it } from "vitest";
import { guardAddresses } from "../../src/pipeline/policies.ts";

const PUBLIC = "https://shop.example";

function guard(origin: string, to = "s3://shop", site = PUBLIC): () => void {
  return () => guardAddresses({ baseUrl: `${origin}/api/v1`, siteUrl: site }, { to });
}

it.each([
  "http://127.0.0.1:8080",
  "http://127.1",
  "http://0x7f000001",
  "http://0.0.0.0:8080",
  "https://10.1.2.3",
  "https://172.16.0.1",
  "https://172.31.255.255",
  "https://192.168.1.2",
  "https://169.254.1.1",
  "http://[::1]:8080",
  "http://[::]",
  "http://[::ffff:192.168.1.2]",
  "http://[fd00::1]",
  "http://[fe80::1]",
  "http://localhost:8080",
  "http://LOCALHOST.",
  "http://shop.localhost",
  "http://shop",
  "http://shop.local",
  "http://shop.internal",
  "http://shop.lan",
  "http://shop.home.arpa",
])("a snapshot for %s may only go to folders", (origin) => {
  const refused = {
    code: "guard_refused",
    exitCode: 6,
    message: expect.stringContaining(`baseUrl ${origin}/api/v1`),
    hint: expect.stringContaining("docs/configuration.md"),
  };
  expect(guard(origin)).toThrow(expect.objectContaining(refused));
  expect(guard(PUBLIC, "s3://shop", origin)).toThrow(/siteUrl .*Set siteUrl in the configuration/s);
  expect(guard(origin, "s3://shop", origin)).toThrow(/Set baseUrl and siteUrl/);
  expect(guard(origin, "file:///srv/www")).not.toThrow();
});

it.each([
  "https://api.shop.example",
  "https://8.8.8.8",
  "https://172.32.0.1",
  "https://172.15.0.1",
  "https://100.com",
  "https://localhost.example",
  "https://[2001:db8::1]",
])("a snapshot for %s may go anywhere", (origin) => {
  expect(guard(origin)).not.toThrow();
});
