#!/bin/bash
# A one-box Ceph for tests and benchmarks: monitor, one OSD in memory, and the S3 gateway, all on 127.0.0.1, all in the
# foreground of this script and all below one folder. They end with this script.
#   scripts/ceph-one-box.sh FOLDER RGW_PORT MON_PORT MON_V1_PORT
# Prints "ready" once the gateway answers: key `test`, secret `testsecret`, region us-east-1, path style.
set -euo pipefail
folder=${1:?folder}; rgw_port=${2:-8480}; mon_port=${3:-3300}; mon_v1_port=${4:-6789}
mkdir -p "$folder"/{mon,osd,run,log,rgw}
fsid=$(cat /proc/sys/kernel/random/uuid)
monitors="[v2:127.0.0.1:$mon_port,v1:127.0.0.1:$mon_v1_port]"
conf=$folder/ceph.conf
# `ms mon client mode` must be crc: the gateway's default needs a key and hangs for five minutes without one.
# `tcp_nodelay` matters: without it each small answer takes 40 ms.
cat > "$conf" <<C
[global]
fsid = $fsid
mon host = $monitors
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
auth allow insecure global id reclaim = true
run dir = $folder/run
admin socket = $folder/run/\$cluster-\$name.asok
log file = $folder/log/\$name.log
mon cluster log file = $folder/log/cluster.log
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
osd objectstore = memstore
memstore device bytes = 4294967296
ms bind ipv6 = false
[mon.a]
mon data = $folder/mon
[osd.0]
osd data = $folder/osd
osd class update on start = true
[client.rgw.a]
ms mon client mode = crc
rgw data = $folder/rgw
rgw frontends = beast endpoint=127.0.0.1:$rgw_port tcp_nodelay=1
rgw thread pool size = 64
rgw enable usage log = false
rgw cache enabled = true
C
children=()
trap 'kill "${children[@]}" 2>/dev/null || true; wait' EXIT
trap 'exit 0' INT TERM
start() { "$@" >>"$folder/log/start.out" 2>&1 & children+=($!); }

monmaptool --create --fsid "$fsid" --addv a "$monitors" "$folder/monmap" >/dev/null
ceph-mon -c "$conf" --mkfs -i a --monmap "$folder/monmap" --mon-data "$folder/mon" >/dev/null 2>&1
start ceph-mon -c "$conf" -i a -f
until timeout 10 ceph -c "$conf" -s >/dev/null 2>&1; do sleep 0.2; done
osd_uuid=$(cat /proc/sys/kernel/random/uuid)
ceph -c "$conf" osd new "$osd_uuid" >/dev/null 2>&1
ceph-osd -c "$conf" -i 0 --mkfs --osd-uuid "$osd_uuid" --osd-data "$folder/osd" >/dev/null 2>&1
start ceph-osd -c "$conf" -i 0 -f
until ceph -c "$conf" osd stat -f json 2>/dev/null | grep -q '"num_up_osds":1'; do sleep 0.2; done
start radosgw -c "$conf" -n client.rgw.a -f
until (exec 3<>"/dev/tcp/127.0.0.1/$rgw_port") 2>/dev/null; do sleep 0.2; done
radosgw-admin -c "$conf" user create --uid=test --display-name=test --access-key=test --secret-key=testsecret >/dev/null 2>&1
echo ready
wait
