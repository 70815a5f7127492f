#!/usr/bin/env bash
# The guide, run as a reader does: every command of every page in an empty folder, with a daemon of its own, and
# what it prints compared with what the page prints (tests/guide/README.md).
#   deploy/guide.sh [--update] [BIN [PAGE...]]
#     BIN       a build tree (build/release), or a folder with bin/
#     PAGE      such as 01 or 03_programs; none: all
#     --update  writes what commands print into the pages; read what changed
# What cannot run on this machine is skipped, with the reason. Last line: guide: N passed, M failed, K skipped
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/platform.sh
update=""
if [ "${1:-}" = --update ]; then update=--update && shift; fi
case "${1:-}" in -*) echo "guide.sh: unknown argument [$1]; known is --update" >&2; exit 2 ;; esac
bin="${1:-build/$preset}"
[ $# = 0 ] || shift
# Else those of the system would run.
for program in wasmburstd wasmburstctl; do
  [ -n "$(find "$bin"/{daemon,client,bin,sbin} -maxdepth 1 -name $program 2>/dev/null)" ] ||
    { echo "guide.sh: there is no $program in [$bin]; build it, or name another folder" >&2; exit 2; }
done
command -v node >/dev/null 2>&1 || { echo "node is not installed"; exit 77; }
[ -z "$guest_path" ] || export PATH="$guest_path:$PATH"
# shellcheck disable=SC2086  # nothing, or one word
exec node tests/guide/run.mjs $update "$bin" deploy/guide "$@"
