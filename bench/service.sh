# What benches of a daemon share: sourced with `bin`, a folder with wasmburstd and wasmburstctl, and `me`, the
# bench's name. Needs nothing but a shell and awk. Daemons have names; each has a socket and a cache of its own in
# $work, which goes at the end, as they do. WASMBURST_ENGINE_HOST names another engine host.
refuse() { echo "$me: $1" >&2; exit 2; }
for program in wasmburstd wasmburstctl; do
  [ -x "$bin/$program" ] || refuse "[$bin/$program] is not there or not executable"
done
work="$(mktemp -d)"
declare -A daemons=()
end_daemon() {
  if [ -n "${daemons[$1]:-}" ] && kill "${daemons[$1]}" 2>/dev/null; then wait "${daemons[$1]}" 2>/dev/null || true; fi
  unset "daemons[$1]"
}
clean_up() {
  trap - EXIT
  for name in "${!daemons[@]}"; do end_daemon "$name"; done
  rm -rf "$work"
}
trap clean_up EXIT

need_module() { [ -r "$1" ] || refuse "the module [$1] cannot be read"; }
# need_number WORDS NUMBER...: each a whole number from 1 on.
need_number() {
  local words="$1" number
  shift
  for number in "$@"; do
    [[ $number =~ ^[1-9][0-9]{0,11}$ ]] || refuse "[$number] is not a number of $words"
  done
}

ctl() { local name="$1"; shift; "$bin/wasmburstctl" --addr "unix://$work/$name.sock" "$@"; }
# begin NAME [LINE...]: a daemon that must have a GPU, unless cuda_enabled is "auto"; lines are more settings of [cuda].
begin() {
  local name="$1"
  shift
  {
    cat <<TOML
version = 1
[server]
state_directory = "$work/$name-state"
[[listen]]
address = "unix://$work/$name.sock"
[cache]
directory = "$work/$name-cache"
[results]
max_total_bytes = "64GiB"
max_job_bytes = "32GiB"
[engine]
host_path = "${WASMBURST_ENGINE_HOST:-}"
[cuda]
enabled = "${cuda_enabled:-on}"
TOML
    printf '%s\n' "$@"
  } >"$work/$name.toml"
  "$bin/wasmburstd" --config "$work/$name.toml" 2>>"$work/$name.log" </dev/null &
  daemons[$name]=$!
  for _ in $(seq 300); do
    ctl "$name" server info >/dev/null 2>&1 && return
    kill -0 "${daemons[$name]}" 2>/dev/null || { cat "$work/$name.log" >&2; exit 1; }
    sleep 0.1
  done
  refuse "the daemon does not answer"
}

# job NAME ARGUMENTS...: runs it to its end; what it came to is in $work/report.json.
job() {
  local name="$1"
  shift
  ctl "$name" job run "$@" --no-results --report "$work/report.json" >/dev/null 2>"$work/ctl.log" ||
    { cat "$work/ctl.log" >&2; exit 1; }
}
number_of() { sed -n "s/^  \"$1\": \"\{0,1\}\([0-9.]*\).*/\1/p" "$work/report.json" | head -n 1; }
seconds_of() { date -d "$(sed -n "s/^ \"$1\": \"\(.*\)\",*$/\1/p" "$work/report.json")" +%s.%N; }
took() { awk -v s="$(seconds_of start_time)" -v e="$(seconds_of end_time)" 'BEGIN { print e - s }'; }

# Processor seconds so far: of processes, of which those that have ended count nothing, and of a daemon's engine hosts
# together.
processor_seconds() {
  cat "${@/%//stat}" 2>/dev/null |
    awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); all += ($12 + $13) / hz } END { print all + 0 }' || true
}
host_seconds() {
  local hosts
  mapfile -t hosts < <(pgrep -P "${daemons[$1]}" | sed 's,^,/proc/,')
  processor_seconds "${hosts[@]}"
}

# descendants PID: what it has started, and what those have.
descendants() {
  local pid
  for pid in $(pgrep -P "$1"); do
    echo "/proc/$pid"
    descendants "$pid"
  done
}
# await_quiet NAME: until the daemon and all that it has started use less than a tenth of a processor, three seconds
# in a row: what it compiles beside jobs is done. After three minutes it is waited for no longer, which is said.
most_unquiet=180
await_quiet() {
  local before=-1 now quiet=0 end=$((SECONDS + most_unquiet)) processes
  while [ $quiet -lt 3 ] && [ $SECONDS -lt $end ]; do
    mapfile -t processes < <(descendants "${daemons[$1]}")
    now="$(processor_seconds "/proc/${daemons[$1]}" "${processes[@]}")"
    # The time of a process that ended is gone from the sum.
    if awk -v a="$before" -v b="$now" 'BEGIN { exit !(a >= 0 && b >= a && b - a < 0.1) }'; then
      quiet=$((quiet + 1))
    else
      quiet=0
    fi
    before="$now"
    sleep 1
  done
  [ $quiet = 3 ] || echo "$me: the daemon still works after $most_unquiet s; what it compiles is beside what follows" >&2
}

median() { sort -g | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
spread() { sort -g | awk 'NR == 1 { low = $1 } { high = $1 } END { printf "%.4g .. %.4g", low, high }'; }
heading() { printf '%-57s %10s %-7s %22s   %s\n' what median "" "lowest .. highest" aim; }
# row WHAT UNIT AIM: of the numbers it reads.
row() {
  local values
  values="$(cat)"
  printf '%-57s %10.4g %-7s %22s   %s\n' "$1" "$(median <<<"$values")" "$2" "$(spread <<<"$values")" "$3"
}
column() { cut -d' ' -f"$2" "$work/$1"; }
