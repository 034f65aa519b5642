#!/usr/bin/env bash
# Node's os.cpus() is an empty list in a service with systemd's ProcSubset=pid, which `systemd-analyze security` asks for. One would guess the
# processors of the machine, as nproc and os.availableParallelism() say there: nothing takes one away. But Node reads /proc/cpuinfo, which that
# setting hides with /proc/sys and /proc/meminfo, and takes the missing file for a machine without processors.
# An API that starts a worker for each processor starts none: throng's first process then ends with exit code 0, so systemd calls the service
# successful, Restart=on-failure does not start it again, and every request of a catalog's readers is refused since the unit was hardened. Count
# by os.availableParallelism(), or leave ProcSubset out. (Docker and Kubernetes hide other files of /proc, and not this one.)
# Version: Node 24.21 and 20.20, throng@5.0.0; Linux 5.8 or newer. A namespace with the mount that systemd makes stands for the service.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent throng@5.0.0 > /dev/null 2>&1
cd "$dir"
cat > run.cjs <<'J'
const { createServer } = require("node:http");
const os = require("node:os");
const throng = require("throng");
// The first worker ends the run: what is to be seen is whether there is one.
throng({
  master: () => console.log(os.cpus().length === 0 ? "cpus() has none," : "cpus() has some,", os.availableParallelism() === 0 ? "none" : "some", "available"),
  worker: () => createServer().listen(0, "127.0.0.1", () => console.log("a worker listens") ?? process.kill(process.ppid, "SIGKILL")),
});
J
# A namespace of processes and mounts, in which /proc may be mounted, with root's rights or without.
in_service() { unshare --user --map-root-user --mount --pid --fork --mount-proc sh -c "$1"' && { timeout 20 node run.cjs; echo "exit $?"; }' 2> err | sort -u | tr '\n' ' '; }
seen="as it is: $(in_service true | sed 's/exit 1[0-9]* //'); ProcSubset=pid: $(in_service 'mount -t proc -o subset=pid proc /proc')"
echo "throng 5.0.0, Node $(node --version), Linux $(uname -r)"
echo "seen: $seen"
[ "$seen" = 'as it is: a worker listens cpus() has some, some available ; ProcSubset=pid: cpus() has none, some available exit 0 ' ]
