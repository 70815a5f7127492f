# Sourced by tests of clusters: daemons over one PostgreSQL whose devices compute nothing, but take the time of some that
# finish so many instances a second (tests/daemon/fake_daemon.cc). Needs the folders $work and $build. A host's files lie
# in $work/hostN: config.toml, sock, state, addresses, log, pid. Their guest is $work/guest.wat, whose instances tell of
# their number.
host_lease=2  # seconds
mkfifo "$work/open"
exec 9<>"$work/open"  # what they read, which never ends
echo '(module (func (export "identity") (param i32) (result i32) (local.get 0)))' >"$work/guest.wat"

# configure_host HOST ADDRESS [LINE...]: ADDRESS is the database's; LINEs are further settings of the store.
configure_host() {
  local folder="$work/host$1" host="$1" address="$2"
  shift 2
  mkdir -p "$folder"
  cat >"$folder/config.toml" <<TOML
version = 1
[[listen]]
address = "unix://$folder/sock"
[server]
state_directory = "$folder/state"
[store]
postgres = "$address"
$(printf '%s\n' "$@")
[cluster]
host = "host$host"
lease = "${host_lease}s"
[page]
enabled = false
TOML
}
# run_host HOST RATE [WORD...]: WORDs go before the program, such as nsenter's. Does not wait until it serves.
run_host() {
  local folder="$work/host$1" rate="$2"
  shift 2
  (exec "$@" "$build/tests/daemon/wb_fake_daemon" --config "$folder/config.toml" --rate "$rate" >"$folder/addresses" \
    2>>"$folder/log" <&9) &
  disown
  echo $! >"$folder/pid"
}
ctl() { "$build/client/wasmburstctl" --addr "unix://$work/host$1/sock" -q "${@:2}"; }  # HOST ARGUMENT...
serves() { ctl "$1" server info; }
# results_of SECONDS HOST JOB [FLAG...]: a line for each result, as HOST tells of it: "INSTANCE VALUE".
results_of() {
  timeout "$1" "$build/client/wasmburstctl" --addr "unix://$work/host$2/sock" -q job results "${@:3}" -o jsonl |
    sed 's/.*"instance":\([0-9]*\).*"values":\[\([-0-9]*\)\].*/\1 \2/'
}
