# Engine hosts and compilers run with the calls, files and rights that they need and no others.
# Linux alone; a daemon with a sanitizer isolates nothing.
hosts_of() { # PID: its engine hosts
  local status
  for status in /proc/[0-9]*/status; do
    grep -qs "^PPid:[[:space:]]*$1\$" "$status" && grep -qs "^Name:[[:space:]]*wasmburst-engi" "$status" &&
      basename "$(dirname "$status")"
  done
}
fact_of() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"; } # PID NAME

# expect_facts MODE SECCOMP: of every host. no_new_privs is there in any mode.
expect_facts() {
  local host seen=0
  for host in $(hosts_of "$daemon_pid"); do
    seen=$((seen + 1))
    if [[ $(fact_of "$host" Seccomp) == "$2" && $(fact_of "$host" NoNewPrivs) == 1 ]]; then
      pass "isolation $1: a host's seccomp is $2"
    else
      fail "isolation $1: a host's seccomp is $2" "$(cat "/proc/$host/status")"
    fi
    [[ $1 == off ]] && continue
    if [[ $(fact_of "$host" CapEff)$(fact_of "$host" CapBnd) =~ ^0+$ || $(id -u) != 0 ]]; then
      pass "isolation $1: a host has no capabilities"
    else
      fail "isolation $1: a host has no capabilities" "$(cat "/proc/$host/status")"
    fi
  done
  ((seen >= 2)) && pass "isolation $1: hosts run" || fail "isolation $1: hosts run" "$seen"
}

# A constant of its own makes a module that no cache has, so that it is compiled here.
run_isolated() { # MODE
  sed "s/(module/(module (func (export \"mode\") (result i32) (i32.const ${#1}))/" "$here/guest.wat" \
    >"$work/isolated.wat"
  for placement in cpu interpreter; do
    expect "isolation $1: a job on $placement" 0 '"values":\[120\]' \
      ctl job run "$work/isolated.wat" --call fac --arg 5 --placement "$placement" -o jsonl
  done
  expect "isolation $1: a backtrace" 0 "TRAPPED.*integer divide by zero in div" \
    ctl job run "$work/isolated.wat" --call div --arg 1 --arg "[0]"
  expect "isolation $1: the checker" 0 "." ctl module compile "$work/isolated.wat" --emit msl --check
}

# A device of the processor has one host that compiles and one that runs. The loss of either is made good.
lose_hosts() { # MODE
  local host
  for host in $(hosts_of "$daemon_pid"); do kill -9 "$host" 2>/dev/null; done
  for placement in cpu interpreter; do
    expect "isolation $1: a job on $placement after its hosts were killed" 0 '"values":\[720\]' \
      ctl job run "$work/isolated.wat" --call fac --arg 6 --placement "$placement" -o jsonl
  done
  # The host that compiles alone: it is the one that has a folder to write.
  for host in $(hosts_of "$daemon_pid"); do
    tr '\0' '\n' <"/proc/$host/cmdline" | grep -qx builder && kill -9 "$host" 2>/dev/null
  done
  sed 's/(module/(module (func (export "lost") (result i32) (i32.const 1))/' "$here/guest.wat" >"$work/lost.wat"
  expect "isolation $1: a compile after its host was killed" 0 '"values":\[720\]' \
    ctl job run "$work/lost.wat" --call fac --arg 6 --placement cpu -o jsonl
}

left_folders() { find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'wasmburst-??????' 2>/dev/null | wc -l; }

isolation_cases() {
  local mode before
  local -x TMPDIR="$work/tmp"  # other tests have folders, too
  mkdir "$TMPDIR"
  stop_daemon
  cp "$work/config.toml" "$work/config.before"
  before=$(left_folders)
  for mode in auto required off; do
    { cat "$work/config.before"; printf '[engine]\nisolation = "%s"\n' $mode; } >"$work/config.toml"
    start_daemon
    if [[ $mode == auto ]] && ! grep -q "is isolated by: seccomp, Landlock" "$work/log"; then
      echo "skipped: isolation: $(grep -o 'is isolated by: [^"]*' "$work/log" | head -1)"
      break
    fi
    if [[ $mode == off ]]; then expect_facts off 0; else expect_facts $mode 2; fi
    run_isolated $mode
    [[ $mode == auto ]] && lose_hosts $mode
    stop_daemon
  done
  if (($(left_folders) <= before)); then
    pass "isolation: no folder is left"
  else
    fail "isolation: no folder is left" "$(left_folders), before $before"
  fi
  stop_daemon
  mv "$work/config.before" "$work/config.toml"
}

if [[ $(uname) == Linux ]]; then isolation_cases; else echo "skipped: isolation: $(uname)"; fi
