#!/bin/bash
# `wasmburstctl top` as a user has it: in a terminal of tmux, over a daemon that works, goes away and comes back.
# usage: terminal.sh WASMBURSTD WASMBURSTCTL
# Exit 77, the reason last, without tmux or without ncurses in the program. Every wait is bounded by a minute.
set -uo pipefail
daemon_program=$1
ctl_program=$2
command -v tmux >/dev/null || { echo "tmux is not installed"; exit 77; }
work=$(mktemp -d /tmp/wb_top_XXXXXX)
export XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state WASMBURST_ADDR=unix://$work/daemon.sock
export LC_ALL=C.UTF-8
unset TMUX NO_COLOR
daemon=
tm() { tmux -S "$work/tmux" "$@"; }
clean_up() {
  tm kill-server 2>/dev/null
  [[ -z $daemon ]] || kill -TERM "$daemon" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
checks=0 failures=0
screen() { tm capture-pane -p; }
# check WORDS COMMAND...: it succeeds within a minute.
check() {
  local words=$1 end=$((SECONDS + 60))
  shift
  checks=$((checks + 1))
  until "$@"; do
    if ((SECONDS >= end)); then
      echo "FAILED: $words"
      screen 2>/dev/null
      failures=$((failures + 1))
      return
    fi
    sleep 0.1
  done
}
shows() { screen | grep -qE -- "$1"; }
hides() { ! shows "$1"; }
keys() { tm send-keys "$@"; }
serves() { "$ctl_program" server info >/dev/null 2>&1; }
printf 'version = 1\n[server]\ndrain_timeout = "1s"\n' >"$work/config.toml"
begin_daemon() {
  "$daemon_program" --config "$work/config.toml" --listen "$WASMBURST_ADDR" 2>>"$work/log" </dev/null &
  daemon=$!
  for _ in $(seq 300); do serves && return; sleep 0.1; done
  cat "$work/log"
  exit 1
}
ctl() { timeout 60 "$ctl_program" "$@"; }

begin_daemon
cat >"$work/spin.wat" <<'WAT'
(module (func (export "spin") (loop $l (br $l))) (func (export "trap") unreachable))
WAT
job=$(ctl -q job submit "$work/spin.wat" --call spin --fuel 4000000000000000000 --placement interpreter)
trapped=$(ctl -q job submit "$work/spin.wat" --call trap --placement interpreter)
id=${job#jobs/}

# --- without a terminal
# answers PATTERN ARGUMENT...: asks `top` anew, since the job is compiled before it runs.
answers() {
  local pattern=$1
  shift
  [[ $(ctl top "$@" 2>&1 </dev/null) =~ $pattern ]]
}
check "no terminal: tables" answers "^NAME .*JOB .*$id +RUNNING" --count 1
check "a line of JSON" answers "^\{\"time_unix_ms\":[0-9]+,\"devices\":\[.*\"jobs\":\[.*$job.*\"tenants\":.*\}$" \
  --json --count 1
check "not asked more than once a second" answers "INVALID_ARGUMENT: --interval \[10ms\] is too short" \
  --interval 10ms

# --- in a terminal: a shell, so that what top leaves behind can be seen
tm -f /dev/null new-session -d -x 120 -y 30 "env PS1='ready> ' bash --norc --noprofile -i"
check "a shell in tmux" shows 'ready>'
keys "stty -a >$work/before; TERM=dumb $ctl_program top; echo ended \$?" Enter
check "a dumb terminal is refused" shows 'ended 2'
if shows 'built without ncurses'; then
  echo "wasmburstctl was built without ncurses"
  exit 77
fi
check "with what to do" shows '^wasmburstctl: INVALID_ARGUMENT: The terminal .dumb..*'
keys "clear; $ctl_program top; echo ended \$?; stty -a >$work/after" Enter
check "the job is shown as it runs" shows "$id +RUNNING"
check "with its rate" shows "$id +RUNNING .* [0-9.]+ [kMG] .*interpreter"
check "and bars" shows '[▁▂▃▄▅▆▇█]'
keys d
check "d: the devices" shows BURSTS
check "with the one that works" shows '^interpreter0 +bursting|^interpreter.* [0-9]+ %'
keys t
check "t: the tenants" shows '^TENANT'
keys '?'
check "?: the keys" shows 'Enter +the page of the selected job'
keys Escape
keys j
check "j: the jobs again" shows '^JOBv'
keys /
keys -l FAILING
check "a filter" shows 'none that contains'
keys Escape
check "is left by Esc" shows "$id"
keys s r
check "sorted by the next column" shows 'STATE\^'
keys s s s s s s s s s s r
tm resize-window -x 60 -y 14
check "a small terminal: columns are left out" hides 'LAST MINUTES'
check "and the job stays" shows "^$id"
tm resize-window -x 30 -y 8
check "a smaller one says so" shows 'too small'
tm resize-window -x 120 -y 40
keys /
keys -l "$id"
keys Enter
check "the page needs the job" shows "\[$id\]"
keys Enter
check "Enter: its page" shows '^instructions +[0-9.]+ [kMG]'
keys Escape Escape /
keys -l "${trapped#jobs/}"
keys Enter Enter
check "a job that failed" shows '^trapped +1'
keys f
check "a question" shows 'count as read. y/n'
keys y
check "its first failure" shows '^instance 0 trapped: unreachable'
keys Escape Escape

# --- the daemon goes and comes back; the job goes on (state in its folder)
kill -TERM "$daemon"
wait "$daemon"
check "a lost daemon is told" shows '^not reachable since [0-9-]+ [0-9:]+ UTC'
check "and what was known stays" shows "$id"
begin_daemon
check "it is found again" hides '^not reachable'
check "with its jobs" shows "$id"

# --- cancel, pause, quit
keys /
keys -l "$id"
keys Enter c
check "c: a question" shows "Cancel $job\? y/n"
keys n
check "n: nothing" hides 'Cancel jobs'
keys c y
check "y: it is cancelled" shows "$id +CANCELLED"
keys p
check "p: paused" shows 'PAUSED'
keys q
check "q: the end" shows 'ended 0'
check "and the shell is there" shows '^ready>'
same_terminal() { [[ -s $work/after ]] && diff <(tail -n +2 "$work/before") <(tail -n +2 "$work/after") >/dev/null; }
check "the terminal is as it was" same_terminal
check "its cursor too" [ "$(tm display-message -p '#{cursor_flag}')" = 1 ]
check "and nothing is left on it" hides 'BURSTS|^JOB'

# --- signals
for signal in TERM INT HUP; do
  rm -f "$work/after"
  keys "clear; NO_COLOR=1 $ctl_program top; echo 'ended' \$?; stty -a >$work/after" Enter
  check "it runs again, without colours" shows '^JOBv'
  top=$(pgrep -P "$(tm display-message -p '#{pane_pid}')" -f 'wasmburstctl top' | head -1)
  kill -"$signal" "$top"
  check "SIG$signal ends it" shows '^ended 0'
  check "SIG$signal leaves the terminal as it was" same_terminal
done

if [[ $failures -gt 0 ]]; then
  echo "top: $failures of $checks failed"
  exit 1
fi
echo "top: $checks checks passed"
