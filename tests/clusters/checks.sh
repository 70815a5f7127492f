# Sourced by tests of clusters; needs the folder $work.
checks=0 failures=0
check() { # WORDS COMMAND...
  local words="$1"
  shift
  checks=$((checks + 1))
  "$@" >"$work/said" 2>&1 && return
  echo "failed: $words"
  tail -n 5 "$work/said"
  failures=$((failures + 1))
  return 1
}
within() { # SECONDS COMMAND...: it succeeds by then
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}
