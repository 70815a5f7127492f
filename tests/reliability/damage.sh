# Sourced by deploy/reliability.sh: files that are damaged under the daemon, a disk that is full, and
# disks that lose what was not flushed.

# No daemon: its parts over a simulated disk (tests/daemon/disk).
power_cuts() {
  WASMBURST_POWER_CUTS="$cuts" "$build/$power_test" --gtest_filter='PowerLossTest.*:IoErrorTest.*' >"$work/cuts" 2>&1 &&
    pass "$cuts cuts of the power lost nothing that was acknowledged" ||
    fail "cuts of the power" "$(grep -v database_migrated "$work/cuts" | grep -A 20 Failure)"
}

# Turns a bit of each file's byte in the middle.
damage() { # FILE...
  local file size
  for file in "$@"; do
    size="$(stat -c %s "$file" 2>/dev/null || stat -f %z "$file")"
    chmod u+w "$file"
    printf '\x5a' | dd of="$file" bs=1 seek=$((size / 2)) conv=notrunc status=none
  done
}

damaged_files() {
  local name file
  name="$(cut -d' ' -f2 "$work/acknowledged" | tail -n 1)"
  [ -n "$name" ] || { fail "there is a job to damage"; return; }

  # Kernels: compiled again, and the results are the same.
  end_daemon TERM
  find "$XDG_CACHE_HOME" -type f -size +1k >"$work/files"
  while read -r file; do damage "$file"; done <"$work/files"
  start_daemon
  [ "$(ctl -q job run "${job_arguments[@]}" --placement cpu -o jsonl | in_order)" = "$(cat "$work/right")" ] &&
    pass "damaged cache entries ($(wc -l <"$work/files") files) are compiled again" || fail "damaged cache entries"

  # A module: put aside by name; the same upload brings it back.
  end_daemon TERM
  find "$state/modules" -type f >"$work/files"
  while read -r file; do damage "$file"; done <"$work/files"
  start_daemon
  grep -q "module_not_restored.*damaged" "$work/log" && [ -n "$(ls "$state/modules/quarantine" 2>/dev/null)" ] &&
    pass "a damaged module is put aside" || fail "a damaged module is put aside" "$(tail -n 5 "$work/log")"
  [ "$(ctl -q job run "${job_arguments[@]}" -o jsonl | in_order)" = "$(cat "$work/right")" ] &&
    pass "the next upload brings it back" || fail "the next upload brings it back"

  # Pages of the database: every read is right or refused.
  end_daemon TERM
  damage "$state/state.db"
  "$build/daemon/wasmburstd" --config "$work/config.toml" 2>>"$work/log" </dev/null &
  daemon=$!
  for _ in $(seq 200); do
    ctl server info >/dev/null 2>&1 && break
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.05
  done
  if ! kill -0 "$daemon" 2>/dev/null; then
    wait "$daemon"
    daemon=""
    pass "a damaged database is refused"
  else
    look_for_wrong_results
  fi
  [ -z "$daemon" ] || end_daemon TERM
}

# A byte in the middle may lie in a page that nothing uses, or in results.
look_for_wrong_results() {
  local request name wrong=0 refused=0
  while read -r request name; do
    if ! ctl -q job results "$name" --follow -o jsonl >"$work/results" 2>/dev/null; then
      refused=$((refused + 1))
    elif ! in_order <"$work/results" | cmp -s - "$work/right"; then
      wrong=$((wrong + 1))
      echo "wrong results: $request $name"
    fi
  done <"$work/acknowledged"
  [ $wrong -eq 0 ] && pass "of a damaged database nothing wrong is served ($refused jobs are refused)" ||
    fail "$wrong jobs of a damaged database are served wrongly"
}

# Whether the daemon shows an alarm within a while, or none.
alarm_is() { # on|off
  local shown
  for _ in $(seq 100); do
    shown=off
    [[ "$(ctl server info)" != *"alarm: disk"* ]] || shown=on
    [ "$shown" != "$1" ] || return 0
    sleep 0.1
  done
  return 1
}

# The state lies on a file system of its own that is filled: nearly, then to the last byte.
full_disk() {
  local small="$work/small" name other
  mkdir -p "$small"
  if [ "$(uname)" != Linux ] || ! mount -t tmpfs -o size=6m tmpfs "$small" 2>/dev/null; then
    echo "skipped: a full disk (no small file system can be mounted here)"
    return
  fi
  MIN_FREE_BYTES=1MiB XDG_STATE_HOME="$small" start_daemon
  name="$(ctl -q job submit "${job_arguments[@]}")"
  other="$(ctl -q job submit "${job_arguments[@]}")"
  ctl -q job watch "$name" >/dev/null
  ctl -q job watch "$other" >/dev/null
  alarm_is off && pass "a disk with space raises no alarm" || fail "a disk with space raises no alarm" "$(ctl server info)"
  nearly_full "$small" "$other"
  dd if=/dev/zero of="$small/filler2" bs=64k status=none 2>/dev/null
  for _ in $(seq 400); do ctl job submit "${job_arguments[@]}" >/dev/null 2>"$work/error" || break; done
  grep -q "NOSPACE" "$work/error" && pass "a full disk refuses new jobs" || fail "a full disk refuses new jobs" "$(cat "$work/error")"
  ctl -q job results "$name" -o jsonl | in_order | cmp -s - "$work/right" && pass "reads go on" || fail "reads go on"
  rm "$small/filler" "$small/filler2"
  alarm_is off && pass "the alarm clears itself" || fail "the alarm clears itself" "$(ctl server info)"
  ctl job submit "${job_arguments[@]}" >/dev/null && pass "with room again jobs are taken" || fail "with room again jobs are taken"
  end_daemon TERM
  umount "$small"
}

# Less than server.min_free_bytes is left, and nobody writes.
nearly_full() { # FOLDER JOB
  local free
  free="$(df -k --output=avail "$1" | tail -n 1)"
  dd if=/dev/zero of="$1/filler" bs=1k count=$((free - 600)) status=none
  alarm_is on && pass "a disk that is nearly full raises an alarm" || fail "a disk that is nearly full raises an alarm" "$(ctl server info)"
  [[ "$(ctl doctor 2>/dev/null)" == *wrong*alarms*"disk since"* ]] && pass "doctor says so" ||
    fail "doctor says so" "$(ctl doctor 2>&1)"
  ctl job submit "${job_arguments[@]}" >/dev/null 2>"$work/error"
  grep -q "NOSPACE" "$work/error" && grep -q "Try again in 30 s" "$work/error" &&
    pass "new jobs are refused, and told when to come again" || fail "new jobs are refused" "$(cat "$work/error")"
  ctl -q job rm "$2" >/dev/null && pass "deletions go on" || fail "deletions go on"
}
