# Each NVIDIA GPU has two engine hosts where they are isolated: one runs kernels and starts nothing, the
# other compiles. Over the fake GPU, and as it stands on a machine with a real one:
#   e2e.sh WASMBURSTD WASMBURSTCTL WASMBURST-ENGINE gpu_hosts
guest=$here/guest.wat
cp "$work/config.toml" "$work/config.before"
cat >"$work/config.toml" <<TOML
version = 1
[[listen]]
address = "unix://$socket"
[[listen]]
address = "tcp://127.0.0.1:0"
role = "admin"
[cache]
directory = "$work/cache-of-hosts"
[cuda]
enabled = "on"
cooldown = "0s"
[engine]
host_path = "$engine_program"
memory_bytes = "256MiB"
TOML
same() { # NAME WANTED GOT
  if [[ -n $2 && $2 == "$3" ]]; then pass "$1"; else fail "$1" "$(diff <(echo "$2") <(echo "$3") | head)"; fi
}
# hosts_with DEVICE POLICY: the daemon's children of that device with that policy of scheduler/sandbox.
hosts_with() {
  local line
  for line in /proc/[0-9]*/cmdline; do
    grep -qs "^PPid:[[:space:]]*$daemon_pid\$" "${line%cmdline}status" &&
      [[ " $(tr '\0' ' ' <"$line" 2>/dev/null)" == *" $1 $daemon_pid "*" $2 "* ]] && basename "${line%/cmdline}"
  done
}
fact() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"; } # PID NAME
# fresh NUMBER: a module that no cache has, so that it is compiled here.
fresh() {
  sed "s/(module/(module (func (export \"fresh\") (result i32) (i32.const $1))/" "$guest" >"$work/fresh.wat"
}
draw() { ctl -q job run "$work/fresh.wat" --call draw --arg 0..500 --arg 2000 --placement "$1" -o jsonl; }
values() { sed 's/,"attempt".*//' | sort; }

expect_two_hosts() { # WHEN
  local runner builder
  runner=$(hosts_with cuda0 gpu)
  builder=$(hosts_with cuda0 builder)
  same "$1: one host runs" "$(field cuda0 host_pid)" "$runner"
  same "$1: one host compiles" 1 "$(wc -w <<<"$builder")"
  same "$1: what runs has started nothing" ":" ":$(cat "/proc/$runner/task/"*/children)"
  same "$1: its calls are filtered" "2 1" "$(fact "$runner" Seccomp) $(fact "$runner" NoNewPrivs)"
}
# lose POLICY NUMBER: the host dies, both are replaced, and the next module is compiled and run.
lose() {
  local restarts
  restarts=$(field cuda0 restarts)
  kill -KILL "$(hosts_with cuda0 "$1")"
  is_replaced() { (($(field cuda0 restarts) > restarts)) && [[ $(field cuda0 healthy) == true ]]; }
  await "the $1 host that died is replaced" is_replaced
  fresh "$2"
  same "after the death of the $1 host a job is right" "$right" "$(draw gpu | values)"
  expect_two_hosts "after the death of the $1 host"
}

gpu_hosts_cases() {
  expect_two_hosts "at the start"
  fresh 1
  right=$(draw interpreter | values)
  same "a job is right" "$right" "$(draw gpu | values)"
  expect_two_hosts "after a job"
  lose builder 2
  lose gpu 3
}

stop_daemon
start_daemon
if grep -q "is isolated by: seccomp, Landlock" "$work/log"; then
  gpu_hosts_cases
else
  echo "skipped: hosts of GPUs: $(grep -o 'is isolated by: [^"]*' "$work/log" | head -1)"
fi
stop_daemon
mv "$work/config.before" "$work/config.toml"
