# Engines that start once and never again: those who wait for results get heartbeats, and neither
# they nor the daemon spend the time spinning.
cat >"$work/engine.sh" <<SH
#!/bin/bash
[[ -e $work/engines_start ]] && exec "$engine_program" "\$@"
exit 1
SH
chmod +x "$work/engine.sh"
: >"$work/engines_start"
printf '[engine]\nhost_path = "%s"\n' "$work/engine.sh" >>"$work/config.toml"
start_daemon
rm "$work/engines_start"
for host in $(ctl device list -o json | sed -n 's/.*"host_pid": *"\([0-9]*\)".*/\1/p'); do
  kill -KILL "$host"
done

# cpu_ms COMMAND...: the processor time of three seconds of it.
cpu_ms() {
  local TIMEFORMAT='%U %S'
  { time timeout --signal INT 3 "$@" >/dev/null 2>&1; } 2>&1 |
    awk '{ print int(1000 * ($1 + $2)) }'
}
daemon_ticks() { awk '{ print $14 + $15 }' "/proc/$daemon_pid/stat" 2>/dev/null || echo 0; }

job=$(ctl job submit "$guest" --call spin --instances 8)
before=$(daemon_ticks)
waits="$(cpu_ms "$ctl_program" job watch "$job") $(cpu_ms "$ctl_program" job results "$job" --follow)"
ticks=$(($(daemon_ticks) - before))
for spent in $waits; do
  ((spent < 1000)) && pass "waiting without engines costs $spent ms in 3 s" ||
    fail "waiting without engines costs $spent ms of 3 s"
done
((ticks < 200)) && pass "the daemon waits too ($ticks ticks in 6 s)" ||
  fail "the daemon spins without engines ($ticks ticks in 6 s)"
expect "the job says what it waits for" 0 "cpu0|interpreter0" ctl job get "$job"
ctl -q job cancel "$job"
stop_daemon
