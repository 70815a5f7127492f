#!/usr/bin/env bash
# What a pod's containers do, in namespaces on this machine: the init container's command, the daemon as the first
# process of its own, probes, preStop and the end; with the pod's user, group, mounts and empty set of capabilities,
# over a root that is read-only, beside a PostgreSQL with TLS. No cluster, no container engine, no filter of calls of
# theirs (seccompProfile): for these see deploy/kubernetes/README.md.
#   tests/clusters/pod.sh BUILD RENDERED      what `kubectl kustomize` printed, of an installation without a GPU
# Exit 77, the reason last, where that cannot be. Last line: N checks of a pod
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build="$(cd "$1" && pwd)" rendered="$2"
here=tests/clusters
leave_out() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || leave_out "only root may make the namespaces of a pod"
. tests/shell/own_postgres.sh
[ -n "$pg_bin" ] || leave_out "there is no PostgreSQL server (Debian: postgresql-15)"
# A network, a table of mounts and of processes of its own; all end with this script.
if [ -z "${WB_POD:-}" ]; then
  unshare --mount --net --pid --fork true 2>/dev/null || leave_out "namespaces cannot be made here"
  WB_POD=in exec unshare --mount --net --pid --fork --kill-child --mount-proc bash "$0" "$@"
fi
ip link set lo up
work="$(mktemp -d)"
mount --make-rprivate / && mount -t tmpfs tmpfs "$work" && chmod 755 "$work" || leave_out "nothing can be mounted here"
trap 'umount -l "$work" && rmdir "$work"' EXIT

. tests/shell/checks.sh

plan="$work/plan"
node $here/pod_plan.mjs "$rendered" "$plan" || exit 1
read -r user group fs_group <"$plan/user"

# The image: this system, with the programs where the packages put them (deploy/packages/stage.sh).
root="$work/root"
mkdir "$work/upper" "$work/layers" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/layers" "$root" ||
  leave_out "an overlay cannot be mounted here"
install -D -t "$root/usr/sbin" "$build/daemon/wasmburstd"
install -D -t "$root/usr/bin" "$build/client/wasmburstctl"
install -D -t "$root/usr/libexec/wasmburst" "$build"/scheduler/engine_host/wasmburst-{engine,clang}
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
printf '127.0.0.1 localhost postgres.wasmburst.svc wasmburst.wasmburst.svc\n' >"$root/etc/hosts"
cp "$root/etc/hosts" "$work/hosts" && mount --bind "$work/hosts" /etc/hosts

# Volumes as the kubelet makes them: the group's.
volume() { mkdir -p "$work/volumes/$1" && chown "0:$fs_group" "$work/volumes/$1" && chmod 2777 "$work/volumes/$1"; }
cut -d' ' -f2 "$plan"/*.mounts | sort -u | while read -r name; do volume "$name"; done
cp "$plan"/settings/* "$work/volumes/settings"
"$build/client/wasmburstctl" -q tls init "$work/tls" --host wasmburst.wasmburst.svc --host postgres.wasmburst.svc >/dev/null
secret() { install -m 440 -g "$fs_group" "$1" "$work/volumes/secrets/$2"; }
printf 'postgres.wasmburst.svc:5432:wasmburst:wasmburst:sesame\n' >"$work/pgpass"
secret "$work/tls/server.pem" tls.crt
secret "$work/tls/server.key" tls.key
secret "$work/tls/ca.pem" postgres-ca.pem
secret "$work/pgpass" pgpass
cut -d' ' -f1 "$plan"/*.mounts | while read -r folder; do mkdir -p "$root$folder"; done
mount -o remount,ro "$root"

# container NAME COMMAND...: in the pod's root, with the mounts of that container (init, daemon). With `namespaces`
# as its first process.
namespaces=""
container() {
  local name="$1"
  shift
  # shellcheck disable=SC2086  # several
  unshare --mount $namespaces bash -c '
    root="$1" volumes="$2" mounts="$3"; shift 3
    mount -t proc proc "$root/proc"
    while read -r folder volume mode; do
      mount --bind "$volumes/$volume" "$root$folder" && mount -o "remount,bind,$mode" "$root$folder" || exit 1
    done <"$mounts"
    exec chroot "$root" "$@"' bash "$root" "$work/volumes" "$plan/$name.mounts" \
    setpriv --reuid "$user" --regid "$group" --groups "$fs_group" --inh-caps=-all --bounding-set=-all --no-new-privs \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin WASMBURST_ADDR=unix:///run/wasmburst/wasmburstd.sock "$@"
}
run_words() { # CONTAINER WORDS [MORE...]: the command that the plan has under that name
  local name="$1" words
  mapfile -d '' -t words <"$plan/$2"
  shift 2
  container "$name" "${words[@]}" "$@"
}

# Only with TLS and the password from elsewhere than its own socket.
with_tls() {
  make_postgres "$work/pg" || return 1
  install -m 600 -o "$(pg_user)" -t "$work/pg/data" "$work/tls/server.key" "$work/tls/server.pem"
  printf 'local all all trust\nhostssl all wasmburst 127.0.0.1/32 scram-sha-256\n' >"$work/pg/data/pg_hba.conf"
  start_postgres -c listen_addresses=127.0.0.1 -c ssl=on -c ssl_cert_file=server.pem -c ssl_key_file=server.key
}
need "PostgreSQL starts" with_tls || exit 1

# --- what the init container leaves
check "the init container's command" run_words init init
private() { [ "$(stat -c '%a %u' "$work/volumes/run/$1")" = "600 $user" ]; }
for file in tls.key pgpass wasmburstd.toml; do check "$file is the daemon's alone" private $file; done
check "a second time" run_words init init
check "the daemon takes the settings" run_words daemon daemon --check-config
check "the root is read-only" eval '! container daemon touch /etc/here'

# --- the daemon; here a drain takes a second at most
sed -i 's/^drain_timeout = .*/drain_timeout = "1s"/' "$work/volumes/run/wasmburstd.toml"
namespaces="--pid --fork" run_words daemon daemon 2>"$work/log" &
parent=$!
begun() { ! kill -0 "$parent" 2>/dev/null || run_words daemon startup; }
within 20 begun
check "the startup probe succeeds" run_words daemon startup
# Below the shell that waits for it, and unshare.
first="$(pgrep -P "$(pgrep -P "$parent")")" || { cat "$work/log"; exit 1; }
check "the liveness probe succeeds" run_words daemon liveness
check "the readiness probe succeeds" run_words daemon readiness
fact() { sed -n "s/^$1:[[:space:]]*//p" "/proc/$first/status"; }
check "the daemon is the first process" [ "$(fact NSpid | awk '{ print $NF }')" = 1 ]
check "and the pod's user" [ "$(fact Uid | cut -f1)" = "$user" ]
check "without capabilities" [ "$(fact CapEff)$(fact CapBnd)$(fact NoNewPrivs)" = "000000000000000000000000000000001" ]
check "its engine hosts are isolated" within 20 grep -q 'isolated by: seccomp, Landlock' "$work/log"

# --- a client elsewhere
cat >"$work/guest.wat" <<'WAT'
(module
  (func (export "add") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func (export "spin") (loop $l (br $l))))
WAT
check "an administrator in the pod makes a token" container daemon \
  wasmburstctl token create --tenant render --role submitter --out /tmp/render.token
install -m 600 "$work/volumes/temporary/render.token" "$work/token"
client() {
  "$build/client/wasmburstctl" --addr tls://wasmburst.wasmburst.svc:7443 --ca "$work/tls/ca.pem" --token-file "$work/token" "$@"
}
adds() { client job run "$work/guest.wat" --call add --arg 41 --placement "$1" -o csv | grep -q ',42,'; }
check "a job runs on the interpreter" adds interpreter
check "a job is compiled, and runs on the processors" adds cpu
check "it is called as its pod" eval 'client device list | grep -q "^devices/wasmburst-0/cpu0 "'
check "results lie in the database" eval '[ "$(sql wasmburst "SELECT sum(count) FROM wasmburst.blocks")" -ge 2 ]'
check "no child is left unreaped" eval '! ps -o stat= --ppid "$first" | grep -q Z'

# --- the end, while a job runs
check "a job goes on" client -q job submit "$work/guest.wat" --call spin --fuel 4000000000000000000
check "preStop is a program of the image" eval 'mapfile -d "" -t words <"$plan/prestop"; container daemon test -x "${words[0]}"'
kill -TERM "$first"
not_ready() { ! run_words daemon readiness; }
check "readiness fails while it drains" within 1 not_ready
ended=no
wait_end() { wait "$parent" && ended=yes; }
began=$SECONDS
wait_end
check "it ends by itself, well" [ $ended = yes ]
check "in the time of the settings" [ $((SECONDS - began)) -le 25 ]
check "it has drained" grep -q drained "$work/log"

[ $failures = 0 ] || { tail -n 20 "$work/log"; exit 1; }
echo "$checks checks of a pod"
