# The service around the daemon: a configuration that is read again, other users on the socket, sockets
# that the service manager opens.

guest=$here/guest.wat
stop_daemon
cp "$work/config.toml" "$work/config.before"
write_service_config() { # FUEL
  cat >"$work/config.toml" <<TOML
version = 1
[limits]
fuel = $1
[log]
level = "info"
[burst]
policy = "seed"
[auth]
local_role = "viewer"
[[identity]]
user = "nobody"
tenant = "outside"
role = "$2"
[[listen]]
address = "unix://$socket"
mode = 0o666
[[listen]]
address = "tcp://127.0.0.1:0"
TOML
}
write_service_config 1000000 submitter
start_daemon

# --- policies
expect "the seeds' policy" 0 "policy +seed" ctl device get interpreter0
expect "as a flag" 0 "is valid" "$daemon" --config "$work/config.toml" --policy seed --check-config
expect "no other policy" 105 "no policy \[loud\]" "$daemon" --policy loud --check-config

# --- SIGHUP
fuel_of() { ctl job get "$1" -o json | grep -o '"max_fuel": *"\?[0-9]*' | grep -o '[0-9]*$'; }
before=$(ctl -q job submit "$guest" --call draw --arg 0..3 --arg 5)
write_service_config 2000000 submitter
echo 'colour = 1' >>"$work/config.toml"
kill -HUP "$daemon_pid"
await "a wrong configuration is named" grep -q 'reload_failed.*colour' "$work/log"
expect "the daemon goes on as it was" 0 "version" ctl server info
write_service_config 2000000 submitter
kill -HUP "$daemon_pid"
await "the configuration is read again" grep -q 'reloaded changed=limits.fuel' "$work/log"
after=$(ctl -q job submit "$guest" --call draw --arg 0..3 --arg 5)
[[ $(fuel_of "$before") == 1000000 && $(fuel_of "$after") == 2000000 ]] &&
  pass "jobs that come later have the new limit" ||
  fail "jobs that come later have the new limit" "$(fuel_of "$before") $(fuel_of "$after")"

# --- other users
expect "a listener without a role asks for a token" 4 "token" \
  ctl --addr "$tcp" server info
expect "whoami says who the daemon takes the caller for" 0 "admin" ctl whoami
if [[ $(id -u) == 0 ]] && command -v setpriv >/dev/null; then
  chmod 711 "$work"
  mkdir -p "$work/outside" && chown nobody "$work/outside"
  cp "$ctl_program" "$work/outside/ctl" && cp "$guest" "$work/outside/guest.wat"
  outside() {
    timeout 120 setpriv --reuid nobody --regid nogroup --clear-groups \
      env HOME="$work/outside" XDG_CONFIG_HOME="$work/outside" "$work/outside/ctl" "$@"
  }
  expect "a user is known by the socket" 0 "outside" outside whoami
  expect "another user's job does not exist" 3 "no job" outside job get "$before"
  expect "and neither does its module" 3 "no module" \
    outside job submit "$(ctl job get "$before" -o json | grep -o 'modules/sha256:[0-9a-f]*' | head -1)" --call draw --arg 0..3 --arg 5
  name=$(outside -q job submit "$work/outside/guest.wat" --call draw --arg 0..3 --arg 5)
  [[ -n $name ]] && pass "it runs jobs of its own" || fail "it runs jobs of its own"
  expect "they belong to its tenant" 0 'outside' ctl job get "$name" -o json
  expect "it may not close devices" 4 "needs the role \[operator\]" outside device cordon cpu0
  write_service_config 2000000 none
  kill -HUP "$daemon_pid"
  await "the rules are read again" grep -q 'reloaded changed=identity' "$work/log"
  expect "a role that was taken away is gone at once" 4 "needs the role" outside job get "$name"
else
  echo "skipped: other users on the socket: not root, or no setpriv"
fi
stop_daemon

# --- sockets of the service manager
if perl -MSocket -MPOSIX -e 1 2>/dev/null; then
  printf 'version = 1\n[[listen]]\naddress = "unix://%s"\n' "$work/activated.sock" >"$work/activated.toml"
  perl "$here/activate.pl" "$work/activated.sock" "$daemon" --config "$work/activated.toml" \
    2>"$work/log3" &
  activating=$!
  await "the socket is there" test -S "$work/activated.sock"
  expect "a daemon takes the socket that it was given" 0 "version" \
    ctl --addr "unix://$work/activated.sock" server info
  kill -TERM $activating
  wait $activating && pass "it ends well" || fail "it ends well" "$(tail -5 "$work/log3")"
  printf 'version = 1\n[[listen]]\naddress = "unix://%s"\n' "$work/other.sock" >"$work/activated.toml"
  expect "a socket that no listener names is refused" 2 "which no \[\[listen\]\]" \
    timeout 60 perl "$here/activate.pl" "$work/activated.sock" "$daemon" --config "$work/activated.toml"
else
  echo "skipped: sockets of the service manager: no perl"
fi
mv "$work/config.before" "$work/config.toml"
