#!/usr/bin/env bash
# `nohup node server.js &` ends with its terminal all the same. nohup starts a program with SIGHUP ignored, and a program that does nothing
# about signals stays so: Python, Perl and sleep live on. One would guess that nohup works for any program, but Node resets every signal to
# its default when it starts.
# A catalog API's small server, or what follows the shop and publishes, is often started so in a shell. It runs on after `exit`, and dies when
# the connection is lost or the window closed: the shell then sends SIGHUP to its jobs. `setsid` helps.
# Version: Node 20.19.5, 24.21.0 and 26.10.0; Python 3.11, Perl 5.36 and coreutils 9.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" node20@npm:node@20.19.5 node24@npm:node@24.21.0 node26@npm:node@26.10.0
cd "$dir"

# Says how a program that would wait for two seconds more ends after SIGHUP.
after_hup() {
  name=$1
  shift
  nohup "$@" > "$name.log" 2>&1 &
  pid=$!
  until grep -q ready "$name.log" || ! kill -0 $pid; do sleep 0.1; done 2> until.log
  kill -HUP $pid
  status=0
  wait $pid 2> wait.log || status=$?
  echo "seen: $name ends with $status" | tee -a seen.log
}

for version in 20 24 26; do
  node=node_modules/node$version/bin/node
  echo "node $($node --version)"
  after_hup "node$version" $node -e 'console.log("ready"); setTimeout(() => {}, 2000)'
done
python3 --version
after_hup python python3 -uc 'import time; print("ready"); time.sleep(2)'
perl -e 'print "perl $^V\n"'
after_hup perl perl -e '$| = 1; print "ready\n"; sleep 2'
sleep --version | head -n 1
after_hup sleep sh -c 'echo ready; exec sleep 2'

cat > expected.log <<'END'
seen: node20 ends with 129
seen: node24 ends with 129
seen: node26 ends with 129
seen: python ends with 0
seen: perl ends with 0
seen: sleep ends with 0
END
diff expected.log seen.log
