#!/usr/bin/env bash
# njs lets a js_header_filter set `r.status`, and for a file nginx then sends that status. For an answer that came by proxy_pass it sends
# the origin's "200 OK" all the same, while everything else follows the new status. One guesses that the filter works alike for both.
# An edge that makes its own 304 for a proxied answer (an ETag that another server changed) tells the reader "200" without the headers
# that the filter removed: and the log shows nothing, as nginx logs the status that was set.
# Version: nginx 1.22.1 with njs 0.7.9 (Debian 12's nginx and libnginx-mod-http-js).
set -euo pipefail
dir=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free)
origin=$(free)
mkdir "$dir/www" "$dir/temp"
chmod 755 "$dir" "$dir/www"
echo '{"title":"Invoice kit"}' > "$dir/www/a.json"
cat > "$dir/t.js" << 'JS'
export default { gone: function (r) { r.status = 410; } };
JS
cat > "$dir/nginx.conf" << EOT
load_module /usr/lib/nginx/modules/ngx_http_js_module.so;
pid $dir/pid; error_log $dir/error.log; daemon off; master_process off;
events {}
http {
  js_import t from $dir/t.js;
  log_format own "\$request_uri \$status";
  access_log $dir/access.log own;
  client_body_temp_path $dir/temp/b; proxy_temp_path $dir/temp/p; fastcgi_temp_path $dir/temp/f; uwsgi_temp_path $dir/temp/u; scgi_temp_path $dir/temp/s;
  server { listen 127.0.0.1:$origin; root $dir/www; access_log off; }
  server {
    listen 127.0.0.1:$port;
    location /file/ { js_header_filter t.gone; alias $dir/www/; }
    location /proxied/ { js_header_filter t.gone; proxy_pass http://127.0.0.1:$origin/; }
  }
}
EOT
nginx -v 2>&1
dpkg-query -W -f '${Package} ${Version}\n' libnginx-mod-http-js
nginx -p "$dir" -c "$dir/nginx.conf" 2> "$dir/start.log" &
pid=$!
for _ in $(seq 50); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
status() { curl -s -m 5 -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/$1/a.json"; }
file=$(status file)
proxied=$(status proxied)
for _ in $(seq 50); do grep -q '^/proxied' "$dir/access.log" && break; sleep 0.1; done
logged=$(awk '/^\/proxied/{print $2}' "$dir/access.log")
echo "seen: the filter sets 410; the file's reader gets $file, the proxied answer's reader gets $proxied, and the log says $logged"
[ "$file" = 410 ] && [ "$proxied" = 200 ]
