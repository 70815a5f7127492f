# Sourced by what shows the live page to a browser. need_page: ends with 77 and the reason where there is none;
# else sets WASMBURST_CHROMIUM and WASMBURST_PAGE_PACKAGES. Needs `build` (bench/own_daemon.sh).
need_page() {
  local program
  for program in node wat2wasm; do command -v $program >/dev/null || { echo "$program is not installed"; exit 77; }; done
  WASMBURST_CHROMIUM="$(command -v chromium || command -v chromium-browser || true)"
  [ -n "$WASMBURST_CHROMIUM" ] || { echo "chromium is not installed"; exit 77; }
  WASMBURST_PAGE_PACKAGES="$build/daemon/page/web/node_modules"
  [ -f "$WASMBURST_PAGE_PACKAGES/playwright-core/index.mjs" ] ||
    { echo "the daemon is built without its page (node or npm was not there, or had no network)"; exit 77; }
  export WASMBURST_CHROMIUM WASMBURST_PAGE_PACKAGES WASMBURST_ROOT="$PWD"
}
