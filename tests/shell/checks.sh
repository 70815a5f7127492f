# Sourced by test scripts: counts checks. Needs the folder $work. Reads with bash 3.2, which is macOS's.
checks=0 failures=0
# check WORDS COMMAND...: a command that fails is told of with the end of what it said, and the script goes on.
check() {
  local words="$1"
  shift
  checks=$((checks + 1))
  "$@" >"$work/said" 2>&1 && return
  echo "failed: $words"
  tail -n 15 "$work/said"
  failures=$((failures + 1))
}
# need WORDS COMMAND...: a check that the next ones rest upon; fails as the command does.
need() {
  local before=$failures
  check "$@"
  [ $failures = $before ]
}
within() { # SECONDS COMMAND...: it succeeds by then
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}
