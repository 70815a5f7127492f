#!/usr/bin/env bash
# The daemon's live page in Debian's Chromium, by Playwright: each view in both themes and on a narrow screen,
# keys, a job from a dropped module, a running one, a daemon that dies and comes back.
#   deploy/page_test.sh
# Needs a release build (deploy/test.sh makes one), or WASMBURST_BUILD=FOLDER. Screenshots: build/page.
# Exit 77, the reason last, where chromium or node is not there, or the daemon has no page.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/page/browser.sh
. bench/own_daemon.sh
need_page
export WASMBURST_BUILD="$build" WASMBURST_WORK="$work" WASMBURST_SHOTS="$PWD/build/page" WASMBURST_GUEST="$work/guest.wasm"
rm -rf "$WASMBURST_SHOTS"
mkdir -p "$WASMBURST_SHOTS"
wat2wasm tests/page/guest.wat -o "$WASMBURST_GUEST"
(cd "$build/daemon/page/web" && node node_modules/typescript/bin/tsc --noEmit) || { echo "types of the page are wrong"; exit 1; }
status=0
timeout -k 5 180 node tests/page/page_test.mjs 2>"$work/errors" || status=$?
[ $status = 0 ] || { { grep -v " info " "$work/errors" || true; } | tail -n 40; [ $status != 124 ] || echo "page: it took longer than 180 s"; exit 1; }
