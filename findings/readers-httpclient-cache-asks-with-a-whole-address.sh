#!/usr/bin/env bash
# Apache HttpClient's cache has a German answer with Vary: Accept-Language and is asked for the English one: its request to the server is "GET http://shop.example/store.json HTTP/1.1", the form that is meant for proxies, without a proxy being there.
# One would guess "GET /store.json", as in all its other requests, the first one and those that ask again after max-age among them. The form is allowed (RFC 9112 §3.2.2), but no browser sends it to a server.
# A server or an edge that matches the target's beginning with /api/v1 gives a 404 to the second language only; so does Accept-Encoding, by which every zipped catalog varies. Read the path of the parsed target instead.
# Version: Apache HttpClient 4.5.14 (Debian's packages libhttpclient-java and default-jdk-headless), seen with a server on Node 20.
set -euo pipefail
[ -f /usr/share/java/httpclient-cache.jar ] && command -v javac > /dev/null || { echo "needs Debian's packages libhttpclient-java and default-jdk-headless"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
cat > server.cjs <<'JS'
const server = require("node:http").createServer((request, response) => {
  require("node:fs").appendFileSync("asked", `${request.url.replace(/127[^/]*/, "HOST")} `);
  const language = request.headers["accept-language"];
  const headers = { "cache-control": "max-age=60", vary: "Accept-Language", etag: `"${language}"`, date: new Date().toUTCString() };
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(language));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
cat > Reader.java <<'JAVA'
import org.apache.http.client.methods.*;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.cache.CachingHttpClients;
import org.apache.http.util.EntityUtils;

public class Reader {
  public static void main(String[] arguments) throws Exception {
    try (CloseableHttpClient client = CachingHttpClients.createMemoryBound()) {
      for (String language : new String[] {"de", "de", "en", "de"}) {
        HttpGet get = new HttpGet(arguments[0] + "/store.json");
        get.addHeader("Accept-Language", language);
        try (CloseableHttpResponse response = client.execute(get)) {
          System.out.print(EntityUtils.toString(response.getEntity()) + " ");
        }
      }
    }
  }
}
JAVA
jars=/usr/share/java; class_path=.:$jars/httpclient.jar:$jars/httpclient-cache.jar:$jars/httpcore.jar:$jars/commons-logging.jar:$jars/commons-codec.jar
javac -cp "$class_path" Reader.java
node server.cjs > port & server=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
seen="$(java -cp "$class_path" Reader "http://127.0.0.1:$(cat port)")/ $(cat asked)"
echo "HttpClient $(dpkg-query -W -f '${Version}' libhttpclient-java)"
echo "seen: $seen"
[ "$seen" = '"de" "de" "en" "de" / /store.json http://HOST/store.json ' ]
