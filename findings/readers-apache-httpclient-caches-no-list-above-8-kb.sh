#!/usr/bin/env bash
# Apache's HttpClient for Java has a cache, CachingHttpClients.createMemoryBound(). It keeps an answer of 8,192 bytes with "max-age=60" and an ETag, and none of 8,193: such a list is asked for each time in full, without
# If-None-Match, with no word in the log. With gzip the smaller bytes count, so that 30 kB of a list are kept from a server that compresses, and not kept from one that does not.
# One would guess a bound on the whole memory, as other caches have, or a larger one for an answer: 8 kB are some ten products. (It is CacheConfig's maxObjectSize.)
# A program that reads a catalog through it keeps the store and each small product, so a test with one record shows a working cache; the lists, which are most of the bytes, go past it.
# Version: HttpClient 4.5.14 and 5.2.1 (Debian's packages libhttpclient-java, libhttpclient5-java and openjdk-17-jdk-headless).
set -euo pipefail
jars=/usr/share/java
for jar in httpclient httpclient-cache httpcore httpclient5 httpclient5-cache httpcore5 httpcore5-h2 commons-logging commons-codec slf4j-api; do [ -e "$jars/$jar.jar" ] || { echo "needs Debian's packages libhttpclient-java and libhttpclient5-java ($jar.jar)"; exit 1; }; done
command -v java > /dev/null || { echo "needs Debian's package openjdk-17-jdk-headless"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/Run.java" <<'JAVA'
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

public class Run {
  interface Get { void get(String url) throws Exception; }

  public static void main(String[] none) throws Exception {
    AtomicInteger count = new AtomicInteger();
    HttpServer shop = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    shop.createContext("/", exchange -> {
      count.incrementAndGet();
      String[] parts = exchange.getRequestURI().getPath().split("/");
      byte[] body = "m".repeat(Integer.parseInt(parts[2])).getBytes();
      if (parts[1].equals("gzip")) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) { out.write(body); }
        body = zipped.toByteArray();
        exchange.getResponseHeaders().add("Content-Encoding", "gzip");
      }
      exchange.getResponseHeaders().add("Cache-Control", "max-age=60");
      exchange.getResponseHeaders().add("ETag", "\"1\"");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    shop.start();
    var four = org.apache.http.impl.client.cache.CachingHttpClients.createMemoryBound();
    var five = org.apache.hc.client5.http.impl.cache.CachingHttpClients.createMemoryBound();
    Get[] clients = {
      url -> { try (var answer = four.execute(new org.apache.http.client.methods.HttpGet(url))) { org.apache.http.util.EntityUtils.consume(answer.getEntity()); } },
      url -> { try (var answer = five.execute(new org.apache.hc.client5.http.classic.methods.HttpGet(url))) { org.apache.hc.core5.http.io.entity.EntityUtils.consume(answer.getEntity()); } },
    };
    for (int client = 0; client < 2; client++) {
      for (String path : new String[] {"/plain/8192", "/plain/8193", "/gzip/30000"}) {
        count.set(0);
        for (int time = 0; time < 3; time++) clients[client].get("http://127.0.0.1:" + shop.getAddress().getPort() + path);
        System.out.println(4 + client + " " + path + ": asked " + count.get() + " of 3 times");
      }
    }
    System.exit(0);
  }
}
JAVA
seen=$(java -cp "$(printf "$jars/%s.jar:" httpclient httpclient-cache httpcore httpclient5 httpclient5-cache httpcore5 httpcore5-h2 commons-logging commons-codec slf4j-api)" "$dir/Run.java" 2> "$dir/said") || { cat "$dir/said"; exit 1; }
echo "HttpClient $(dpkg-query -W -f '${Version}' libhttpclient-java) and $(dpkg-query -W -f '${Version}' libhttpclient5-java)"
echo "seen: $seen"
[ "$seen" = '4 /plain/8192: asked 1 of 3 times
4 /plain/8193: asked 3 of 3 times
4 /gzip/30000: asked 1 of 3 times
5 /plain/8192: asked 1 of 3 times
5 /plain/8193: asked 3 of 3 times
5 /gzip/30000: asked 1 of 3 times' ]
