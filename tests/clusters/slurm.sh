#!/usr/bin/env bash
# deploy/slurm/wasmburst.sbatch under a Slurm of one node, which runs on this machine in namespaces of its own: two
# tasks become hosts over one PostgreSQL, one is told that its time is over, one is cancelled.
#   tests/clusters/slurm.sh BUILD [--limit]     --limit: time really ends, which takes a minute more
# Exit 77, the reason last, where that cannot be. Last line: N checks of Slurm's batch script
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build="$(cd "$1" && pwd)" limit="${2:-}"
leave_out() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || leave_out "only root may start a Slurm of its own"
for program in munged slurmctld slurmd sbatch; do
  command -v $program >/dev/null || leave_out "$program is not installed (Debian: slurm-wlm)"
done
. tests/shell/own_postgres.sh
[ -n "$pg_bin" ] || leave_out "there is no PostgreSQL server (Debian: postgresql-15)"
# A network and a table of processes of its own; all end with this script.
if [ -z "${WB_SLURM:-}" ]; then
  unshare --mount --net --pid --fork true 2>/dev/null || leave_out "namespaces cannot be made here"
  WB_SLURM=in exec unshare --mount --net --pid --fork --kill-child --mount-proc bash "$0" "$@"
fi
# Slurm looks names up only where there is an address beside the loopback's.
ip link set lo up && ip address add 192.0.2.1/32 dev lo || leave_out "a network of its own cannot be set up here"
work="$(mktemp -d)"
chmod 755 "$work"
slurm_parts=()
end_slurm() {
  [ ${#slurm_parts[@]} = 0 ] || { kill -KILL "${slurm_parts[@]}"; wait "${slurm_parts[@]}"; } 2>/dev/null
  rm -rf "$work"
}
trap end_slurm EXIT
. tests/shell/checks.sh

# --- Slurm: the node of a made-up size, and two files in place of GPUs
slurm="$work/slurm" node="$(uname -n)"
mkdir -p "$slurm/state" "$slurm/spool"
touch "$slurm/gpu0" "$slurm/gpu1"
head -c 1024 /dev/urandom >"$slurm/key"
chmod 400 "$slurm/key"
cat >"$slurm/slurm.conf" <<CONF
ClusterName=trial
SlurmctldHost=$node(127.0.0.1)
AuthInfo=socket=$slurm/munge.sock
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MpiDefault=none
GresTypes=gpu
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=8 RealMemory=16000 Gres=gpu:2
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
echo "NodeName=$node Name=gpu File=$slurm/gpu[0-1]" >"$slurm/gres.conf"
export SLURM_CONF="$slurm/slurm.conf"
idle() { [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]; }
start_slurm() {
  munged --foreground --force --socket="$slurm/munge.sock" --key-file="$slurm/key" --log-file="$slurm/munged.log" \
    --pid-file="$slurm/munged.pid" --seed-file="$slurm/munged.seed" >"$slurm/munged.out" 2>&1 &
  slurm_parts+=($!)
  within 5 test -S "$slurm/munge.sock" || return 1
  slurmctld -D >"$slurm/slurmctld.out" 2>&1 &
  slurm_parts+=($!)
  slurmd -D >"$slurm/slurmd.out" 2>&1 &
  slurm_parts+=($!)
  within 20 idle
}
need "Slurm starts" start_slurm || { tail -n 5 "$slurm"/*.out; exit 1; }
need "PostgreSQL starts" eval 'make_postgres "$work/pg" && start_postgres' || exit 1

# --- a user's home, and settings with another database
export HOME="$work/home" TMPDIR="$work/temporary" PATH="$build/daemon:$build/client:$PATH"
mkdir -p "$HOME/.config" "$TMPDIR" "$work/jobs"
wasmburstctl -q tls init "$HOME/.config/wasmburst" --host wasmburst >/dev/null
sed "s|^postgres = .*|postgres = \"postgresql:///wasmburst?host=$work/pg\&user=wasmburst\"|" deploy/slurm/wasmburstd.toml \
  >"$work/jobs/wasmburstd.toml"
script="$PWD/deploy/slurm/wasmburst.sbatch"
submit() { (cd "$work/jobs" && sbatch --parsable --cpus-per-task=2 --mem=3000 "$@" "$script"); }
state() { squeue -h -r -j "$1" -o %T 2>/dev/null || true; }
said() { cat "$work/jobs/wasmburst-$1.log" 2>/dev/null; }

# --- two daemons without GPUs
array="$(submit --array=0-1 --gres=none)"
serves() { said "${array}_$1" | grep -q "address=tls://0.0.0.0:$((7443 + $1))"; }
for task in 0 1; do check "task $task serves" within 20 serves $task; done
[ $failures = 0 ] || { said "${array}_0"; tail -n 5 "$slurm"/*.out; exit 1; }
folder_of() { grep -l "slurm-$array-$1" "$TMPDIR"/*/wasmburstd.toml | xargs dirname; }
first="$(folder_of 0)" second="$(folder_of 1)"
check "its files are the user's alone" [ "$(stat -c %a "$first" "$first/wasmburstd.toml" | xargs)" = "700 600" ]
check "it has the memory and processors of its task" grep -q -x -E 'memory_bytes = "1000MiB"|threads = 2' "$first/wasmburstd.toml"
wasmburstctl -q --addr "unix://$first/wasmburstd.sock" token create --tenant render --role submitter --out "$work/token" >/dev/null
client() { # TASK ...
  wasmburstctl --addr "tls://127.0.0.1:$((7443 + $1))" --server-name wasmburst --ca "$HOME/.config/wasmburst/ca.pem" \
    --token-file "$work/token" "${@:2}"
}
cat >"$work/guest.wat" <<'WAT'
(module
  (func (export "fac") (param i32) (result i64)
    (local $p i64) (local.set $p (i64.const 1))
    (loop $l
      (local.set $p (i64.mul (local.get $p) (i64.extend_i32_u (local.get 0))))
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (br_if $l (i32.gt_s (local.get 0) (i32.const 1))))
    (local.get $p))
  ;; A million steps that no compiler shortens; then its argument.
  (func (export "work") (param i32) (result i32)
    (local $n i32) (local $x i32)
    (local.set $n (i32.const 1000000))
    (local.set $x (local.get 0))
    (loop $l
      (local.set $x (i32.xor (i32.mul (local.get $x) (i32.const 1664525)) (i32.shr_u (local.get $x) (i32.const 13))))
      (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (i32.add (i32.and (i32.popcnt (local.get $x)) (i32.const 64)) (local.get 0))))
WAT
runs() { client "$1" job run "$work/guest.wat" --call fac --arg 5 -o csv | grep -q ',120,'; }
# The other host hears of the token within a part of its lease.
for task in 0 1; do check "task $task runs a job of the user's" within 10 runs $task; done

# --- the time of one is over, while both work on a job
job="$(client 1 -q job submit "$work/guest.wat" --call work --arg 0..2500)"
works() { wasmburstctl --addr "unix://$1/wasmburstd.sock" -o json device list | grep -q '"job_count": "[1-9]'; }
both_work() { works "$first" && works "$second"; }
check "both work on it" within 60 both_work
over() { # what Slurm sends then, or its end of time itself
  [ "$limit" = --limit ] || { scancel --batch --signal=USR1 "${array}_0"; return; }
  scontrol update jobid="${array}_0" timelimit=1
}
check "its time ends" over
drained() { said "${array}_0" | grep -q ' drained'; }
check "then it drains" within "$([ "$limit" = --limit ] && echo 90 || echo 10)" drained
waits_again() { [ "$(state "${array}_0")" = PENDING ]; }
check "and waits for its next turn" within 10 waits_again
check "Slurm has counted that" eval 'scontrol show job "${array}_0" | grep -q "Restarts=1"'
check "its files are gone" test ! -e "$first"
check "the other goes on" runs 1
whole() {
  client 1 -q job results "$job" --follow -o jsonl | sed 's/.*"instance":\([0-9]*\).*"values":\[\([-0-9]*\)\].*/\1 \2/' |
    sort -n | cmp - <(seq 0 2499 | awk '{ print $1, $1 }')
}
check "and each result of the job is there once" whole
serves_again() {
  [ "$(said "${array}_0" | grep -c 'address=tls://0.0.0.0:7443')" = 2 ] && return
  scontrol update jobid="${array}_0" starttime=now  # Slurm lets it wait for two minutes
  return 1
}
check "it comes back" within 20 serves_again

# --- cancelled: for good
scancel "$array"
gone() { [ -z "$(state "$array")" ]; }
check "cancelled, both end" within 20 gone
check "without a next turn" eval '[ "$(said "${array}_1" | grep -c address=tls)" = 1 ]'
check "by a drain" eval 'said "${array}_1" | grep -q " drained"'
check "and leave nothing" within 5 test ! -e "$second"

# --- as it stands, with GPUs; these are none
gpus="$(submit --array=0)"
failed() { scontrol show job "$gpus" | grep -q 'JobState=FAILED'; }
check "a task whose GPU does not work fails" within 20 failed
check "it was given one" eval 'scontrol show job "$gpus" | grep -q "gres:gpu:1"'
check "and says what is wrong" eval 'said "${gpus}_0" | grep -q -E "NVIDIA driver|CUDA driver"'

[ $failures = 0 ] || { tail -n 20 "$work"/jobs/*.log; exit 1; }
echo "$checks checks of Slurm's batch script"
