#!/usr/bin/env bash
# gulp-awspublish sends of the headers that it is given those alone whose name, in camel case, is a parameter of the AWS SDK: Cache-Control and
# x-amz-acl arrive, x-amz-meta-…, x-amz-tagging, x-amz-storage-class and x-amz-website-redirect-location do not, and there is no error: the SDK
# passes over parameters that it does not know (XAmzMetaCacheTag). One would guess that a "hash of headers to add" is sent, and the file's
# s3.headers in the stream, which the reporter and later steps see, say that it was.
# The old address of a renamed product, put as an empty object that redirects, answers 200 with nothing. An edge that purges by the tag in an
# object's metadata purges none. Files are compared by digest, so a later correction puts none of them again: use `force` once.
# Version: gulp-awspublish@9.0.0 with @aws-sdk/client-s3@3.1175.0 and vinyl@3.0.1, seen on Node 24.21 and 20.20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent gulp-awspublish@9.0.0 @aws-sdk/client-s3@3.1175.0 vinyl@3.0.1 > /dev/null 2>&1
cd "$dir"
cat > run.mjs <<'J'
import { createServer } from "node:http";
import { Readable } from "node:stream";
import awspublish from "gulp-awspublish";
import Vinyl from "vinyl";
let arrived;
const bucket = createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.method === "PUT") arrived = request.headers;
    response.writeHead(request.method === "PUT" ? 200 : 404, { ETag: '"x"' }).end();
  });
});
await new Promise((done) => bucket.listen(0, "127.0.0.1", done));
const endpoint = `http://127.0.0.1:${bucket.address().port}`;
const credentials = { accessKeyId: "a", secretAccessKey: "s" };
const publisher = awspublish.create({ region: "us-east-1", params: { Bucket: "shop" }, endpoint, forcePathStyle: true, credentials });
const headers = {
  "Cache-Control": "max-age=60",
  "Content-Language": "de",
  "Content-Disposition": "inline",
  "x-amz-acl": "private",
  "x-amz-meta-cache-tag": "products",
  "x-amz-tagging": "kind=product",
  "x-amz-storage-class": "STANDARD_IA",
  "x-amz-website-redirect-location": "/product/new-mug",
};
const file = new Vinyl({ cwd: "/", base: "/site", path: "/site/product/mug.html", contents: Buffer.from(" ") });
const files = await Readable.from([file]).pipe(publisher.publish(headers)).toArray();
const names = Object.keys(headers).map((name) => name.toLowerCase());
console.log(`state ${files[0].s3.state}; arrived: ${names.filter((name) => name in arrived).join(", ")}; not: ${names.filter((name) => !(name in arrived)).join(", ")}`);
bucket.close();
bucket.closeAllConnections();
J
seen=$(node run.mjs 2> err) || { cat err; exit 1; }
echo "gulp-awspublish 9.0.0, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'state create; arrived: cache-control, content-language, content-disposition, x-amz-acl; not: x-amz-meta-cache-tag, x-amz-tagging, x-amz-storage-class, x-amz-website-redirect-location' ]
