# `run`: programs with main. Exit codes, streams, files; what programs do wrong ends them alone.
program=$here/program.wat
mkdir -p "$work/run" && printf 'one\n' >"$work/run/a" && printf 'two\n' >"$work/run/b"

# run_is NAME CODE OUT ERR COMMAND...: the command ends so; both streams match these patterns.
run_is() {
  local name=$1 code=$2 out=$3 err=$4 ended
  shift 4
  "$@" >"$work/run/out" 2>"$work/run/err" </dev/null
  ended=$?
  if [[ $ended -ne $code ]]; then
    fail "$name (exit code $ended, not $code)" "$(cat "$work/run/err")"
  elif ! [[ $(cat "$work/run/out") =~ $out && $(cat "$work/run/err") =~ $err ]]; then
    fail "$name" "$(cat "$work/run/out" "$work/run/err")"
  else
    pass "$name"
  fi
}

for placement in cpu interpreter; do
  place=(--placement $placement)
  run_is "a program's streams and exit code are ours on $placement" 7 '^one$' '^to the error stream$' \
    ctl run "${place[@]}" "$program" --stdin "$work/run/a" -- echo
  run_is "a trap is 134 on $placement, and what was written before it is there" 134 '^yes$' \
    'The program trapped: unreachable' ctl run "${place[@]}" "$program" -- trap
  run_is "pointers outside memory are errors of the program's on $placement: EFAULT, twice 21" 42 '^$' '^$' \
    ctl run "${place[@]}" "$program" -- pointers
  run_is "output without end ends the program on $placement" 1 '^(yes.){1000}' \
    'wrote more than its limit; --output-limit' \
    ctl run "${place[@]}" --output-limit 4096 "$program" -- yes
done

run_is "a file goes in and one comes out" 0 '^yes$' '^$' ctl run "$program" \
  --file "in.txt=$work/run/a" --output-file out.txt --output-to "$work/run/copied" -- copy
[[ $(cat "$work/run/copied") == one ]] && pass "it holds what was read" ||
  fail "it holds what was read" "$(ls -la "$work/run")"
run_is "a file that is not there is ENOENT, 44" 144 '^$' '^$' ctl run "$program" -- copy

run_is "an instance for each file" 1 '^$' 'exit codes: 2 times 7' ctl run "$program" \
  --each-file "$work/run/[ab]" --stdin-from {} --stdout-to "$work/run/{/}.out" -- echo
[[ $(cat "$work/run/a.out" "$work/run/b.out") == $'one\ntwo' ]] &&
  pass "each wrote a file of its own" || fail "each wrote a file of its own" "$(ls "$work/run")"
run_is "traps are counted, and the first ones shown" 1 '' '[[]0[]] trapped: unreachable.*4 trapped' \
  ctl run "$program" -n 4 -- trap

ctl run "$program" -n 300000 -- x 2>"$work/run/err" </dev/null | head -n 2 >"$work/run/out"
codes=("${PIPESTATUS[@]}")
[[ "${codes[0]} $(wc -l <"$work/run/out") $(wc -c <"$work/run/err")" == "8 2 0" ]] &&
  pass "a reader that leaves ends the run without a word" ||
  fail "a reader that leaves (exit code ${codes[0]})" "$(cat "$work/run/err")"
expect "its job is cancelled" 0 "CANCELL" ctl job list --limit 1
