/** The page of services, made from what the tests play: services with their quirks, and replies that were seen. */
import { fileURLToPath } from "node:url";
import { explainSeen, REPLIES, UNREACHABLE } from "../../test/support/replies.ts";
import { hasConditions, SERVICES, type Service } from "../../test/support/services.ts";

/** Absolute path of the page. */
export const SERVICES_FILE = fileURLToPath(new URL("../../docs/s3-services.md", import.meta.url));

const NEEDS = `# Services and their replies

What each S3-compatible service needs, and what its replies mean; [Publish](publish.md) has the steps. Made by \`npm run docs:services\`
from what the tests play.

## What each service needs
`;

const TRIED = `"Played" is a server in the tests that behaves as the source says (\`test/publish/services.slow.test.ts\`); none was tried at a
provider.

The first publish tries conditional writes on a scratch key and remembers the result, also whether they want the ETag without quotes.
Requests carry \`Content-MD5\` and a signed SHA-256, deletions too, and none of the SDK's newer checksums: recent services require the
first, older ones refuse the second. Ceph 16.2 ignores \`If-None-Match\` in a bucket with versioning and refuses every \`If-Match\`; once
versioning is suspended, a deleted key counts as existing.

## Servers that were tried

At each server ran, with the example shop cut to 213 files: first publish, check, a price, rollback, resume, a killed publish, two
publishers at once, \`check --repair\`, erase.

| server | right | lacks | option |
| --- | --- | --- | --- |
| Ceph radosgw 16.2.15 (Debian) | all | nothing | none |
| miniflare 4.20260730.0's R2, \`/cdn-cgi/local/r2/s3\` | all | nothing | \`--region auto\` |
| OpenStack Swift 2.30.1 (Debian): s3api, tempauth, one replica; also with 2,987 files, whose listing has several pages | all | conditions: 501 to \`If-None-Match\`, and to the right \`If-Match\` | \`--single-publisher\` |
| s3rver 3.7.1, an emulator | all but a listing of several pages (500 on a current Node), so nothing of a larger shop can be erased | conditions: it ignores them; lists by folder | \`--single-publisher\` |
| fauxqs 2.4.1, an emulator | all but a listing of several pages: it skips keys, so a larger shop cannot be checked for foreign objects | conditions | \`--single-publisher\` |
| a folder, copied by \`rsync -a --delete\` | the copy passes \`check --to\` before and after a price, and can be published to itself | while rsync copies, pages may name what comes later: use the copy as a backup | none |

## What services reply

A refused request ends a publish with exit code 5. The command says what came and what it means, as below, and what to do.
\`test/publish/replies.slow.test.ts\` plays each row.

| what comes | means |
| --- | --- |`;

const WAITS = `
While a service says \`SlowDown\`, half as many requests are under way, and more again as it recovers. A listing without a token or an
end, or with a key twice, is refused: nothing is put, and you ask the service itself, past its proxy.

A request that has not moved for 20 s (\`--timeout\`) is given up and sent again, 8 times in all and no later than 2 minutes
after the first failure. A body must move at 16 kB a second, and a large upload gets up to a minute more for what is in
buffers. The public address is asked 3 times. A CDN has 30 s for a response, and a \`Retry-After\` is respected.

**Through a proxy**: \`HTTPS_PROXY=http://proxy.example:3128 NODE_USE_ENV_PROXY=1 vitrine publish …\` sends all requests through it, to the
service, CDNs and public addresses, except to hosts of \`NO_PROXY\`; Node does so from 24.5 and 22.21 on, and nothing without the second
variable. A private authority is named by \`NODE_EXTRA_CA_CERTS\`; \`AWS_CA_BUNDLE\` is not read. Tried with Squid 5.7, also by CONNECT.
`;

function needsOf(service: Service): string {
  const needs = [hasConditions(service) ? "" : "`--single-publisher`", service.needs ?? ""];
  return needs.filter((need) => need !== "").join("; ") || "nothing";
}

function knownOf({ known, quirks }: Service): string {
  if (known.startsWith("tried")) return known;
  return `${known}${quirks === undefined ? "" : "; played"}`;
}

/** A cell is one line without a bar. */
const cell = (text: string) => text.replaceAll("|", "\\|");

function replyRows(): string[] {
  const seen = [...REPLIES.map(explainSeen), ...UNREACHABLE.map((code) => explainSeen({ status: 0, code }))];
  const meanings = [...new Set(seen.map(({ means }) => means))];
  return meanings.map((means) => {
    const comes = seen.filter((reply) => reply.means === means).map((reply) => cell(reply.comes));
    return `| ${[...new Set(comes)].join(", ")} | ${cell(means)} |`;
  });
}

export function makeServicesPage(): string {
  const services = SERVICES.map(
    (service) => `| ${cell(service.name)} | ${needsOf(service)} | ${knownOf(service)} |`,
  );
  return [
    NEEDS,
    "| service | needs | how that is known |",
    "| --- | --- | --- |",
    ...services,
    "",
    TRIED,
    ...replyRows(),
    WAITS,
  ].join("\n");
}
