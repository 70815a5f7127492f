#!/usr/bin/env bash
# A function called for each row, from the C++ library, the Python and the Node package: the time from the call
# until all values are there.
#   bench/clients.sh [ROWS [ROUNDS]]     1000000 and 7
# The clients take turns, each in a process that calls twice and counts the second time. Rows are given as a range
# (a rule) and as a list of i64 (8 MB); "iterate": values are taken one by one as numbers of the language.
# Needs wb_map_rows of a release build, and what deploy/clients_test.sh builds.
# Last line: clients: of the C++ client's speed Python A by a range, B by a list; Node C by a range, D by a list
set -euo pipefail
cd "$(dirname "$0")/.."
rows="${1:-1000000}" rounds="${2:-7}"
[[ $rows =~ ^[1-9][0-9]{0,9}$ ]] || { echo "clients.sh: [$rows] is not a number of rows" >&2; exit 2; }
. bench/own_daemon.sh
need_rounds "$rounds"
wat2wasm tests/client/guest.wat -o "$work/guest.wasm"
begin_daemon
python="${WASMBURST_PYTHON:-/usr/bin/python3}"
clients=(cpp python)
[ ! -d build/clients/node/node_modules ] || clients+=(node)
map_rows() { # CLIENT FORM: two lines "SECONDS SUM PROCESSOR_SECONDS"
  case "$1" in
    cpp) "$build/bench/wb_map_rows" "$WASMBURST_ADDR" "$work/guest.wasm" steps "$rows" "$2" 2 ;;
    python) PYTHONPATH=build/clients/python "$python" bench/map_rows.py "$work/guest.wasm" steps "$rows" "$2" 2 ;;
    node) node bench/map_rows.mjs "$work/guest.wasm" steps "$rows" "$2" 2 ;;
  esac
}
for ((round = 0; round < rounds; ++round)); do
  for form in range list iterate; do
    for client in "${clients[@]}"; do
      [ "$client $form" != "cpp iterate" ] || continue
      map_rows "$client" "$form" >"$work/said"
      tail -1 "$work/said" | cut -d' ' -f1 >>"$work/$client.$form"
      tail -1 "$work/said" | cut -d' ' -f3 >>"$work/$client.$form.used"
      cut -d' ' -f2 "$work/said" >>"$work/sums"
    done
  done
done
[ "$(sort -u "$work/sums" | wc -l)" = 1 ] || { echo "clients.sh: sums differ" >&2; exit 1; }
for client in "${clients[@]}"; do
  for form in range list iterate; do
    [ ! -e "$work/$client.$form" ] || echo "$client, $form, s: $(spread %.3f <"$work/$client.$form")," \
      "of the client's processor $(spread %.3f <"$work/$client.$form.used")"
  done
done
share() { # CLIENT FORM: the C++ client's median over the client's
  [ -e "$work/$1.$2" ] || { echo "-"; return; }
  awk -v a="$(median <"$work/cpp.$2")" -v b="$(median <"$work/$1.$2")" 'BEGIN { printf "%.2f\n", a / b }'
}
echo "clients: of the C++ client's speed Python $(share python range) by a range, $(share python list) by a list;" \
  "Node $(share node range) by a range, $(share node list) by a list"
