#!/usr/bin/env bash
# That layers.sh fails where it should: over a made-up tree of three files.
#   deploy/layers_test.sh
# Every check that fails is printed; exit 0 only when none did.
set -euo pipefail
cd "$(dirname "$0")/.."
stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/deploy" "$stage/compiler/base" "$stage/scheduler/job" "$stage/scheduler/run/seats"
cp deploy/layers.sh "$stage/deploy"

checks=0
failures=0
# check WORDS STATUS LAST-LINE
check() {
  local status=0 said
  said="$("$stage/deploy/layers.sh" --quiet)" || status=$?
  checks=$((checks + 1))
  [ $status = "$2" ] && [ "$(tail -n 1 <<<"$said")" = "layers: $3" ] && return
  echo "failed: $1: status $status"
  echo "$said"
  failures=$((failures + 1))
}
# includes FILE TARGET...
includes() {
  local file="$stage/$1"
  shift
  printf '#include "%s"\n' "$@" >"$file"
}

includes compiler/base/status.h vector
includes scheduler/job/job.h compiler/base/status.h
includes scheduler/run/seats/seat.h scheduler/job/job.h
check "a tree in order" 0 "3 folders, at most 1 files, 0 upward, 0 cycles"
includes compiler/base/status.h scheduler/job/job.h
check "an upward include, and so a cycle" 1 "3 folders, at most 1 files, 1 upward, 1 cycles"
includes compiler/base/status.h vector
includes scheduler/run/loop.h scheduler/job/job.h
includes scheduler/run/seats/seat.h scheduler/run/loop.h
check "a folder within another is below it" 1 "4 folders, at most 1 files, 1 upward, 0 cycles"
includes scheduler/run/seats/seat.h scheduler/job/job.h
includes scheduler/job/job.cc scheduler/job/plan.h
includes scheduler/job/plan.h scheduler/job/job.h
check "two units of one folder that include each other" 1 "4 folders, at most 3 files, 0 upward, 1 cycles"
rm "$stage/scheduler/job/plan.h"
for i in $(seq 41); do echo >"$stage/scheduler/job/part$i.h"; done
includes scheduler/job/job.cc vector
check "too many files" 1 "4 folders, at most 43 files, 0 upward, 0 cycles"

[ $failures = 0 ] || exit 1
echo "$checks checks of layers.sh"
