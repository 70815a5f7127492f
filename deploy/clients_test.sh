#!/usr/bin/env bash
# The Python and the Node package: built, typed, and used against a daemon of their own.
#   deploy/clients_test.sh python|node
# Needs a release build (deploy/test.sh makes one), or WASMBURST_BUILD=FOLDER.
# Exit 77, the reason last, where the language or its gRPC is not there.
# Last line: clients: N tests of LANGUAGE
set -euo pipefail
cd "$(dirname "$0")/.."
language="${1:-}"
python="${WASMBURST_PYTHON:-/usr/bin/python3}"  # Debian's own, whose packages these are
case "$language" in
  python)
    "$python" -c 'import grpc, google.protobuf, numpy, setuptools, wheel, pip' 2>/dev/null ||
      { echo "python3-grpcio, python3-protobuf, python3-numpy or python3-pip is not installed"; exit 77; }
    command -v grpc_python_plugin >/dev/null || { echo "protobuf-compiler-grpc is not installed"; exit 77; }
    ;;
  node)
    for program in node npm; do command -v $program >/dev/null || { echo "$program is not installed"; exit 77; }; done
    ;;
  *) echo "clients_test.sh: unknown language [$language]; known are python and node" >&2; exit 2 ;;
esac
. bench/own_daemon.sh
out="$PWD/build/clients"
mkdir -p "$out"
export WASMBURST_CTL="$build/client/wasmburstctl" WASMBURST_GUESTS="$work/guests"
mkdir "$WASMBURST_GUESTS"
for guest in tests/client/guest tests/client/caller tests/e2e/program; do
  wat2wasm "$guest.wat" -o "$WASMBURST_GUESTS/${guest##*/}.wasm"
done

# A daemon of two listeners; small messages, so that streams have many.
begin_tests() {
  ctl -q tls init "$work/tls" --host localhost --host 127.0.0.1 >/dev/null
  cat >"$work/config.toml" <<TOML
version = 1
[results]
message_bytes = 16384
heartbeat = "100ms"
[tls]
certificate = "$work/tls/server.pem"
key = "$work/tls/server.key"
[[listen]]
address = "$WASMBURST_ADDR"
[[listen]]
address = "tls://127.0.0.1:0"
TOML
  "$build/daemon/wasmburstd" --config "$work/config.toml" 2>"$work/log" </dev/null &
  daemon=$!
  for _ in $(seq 300); do ! ctl server info >/dev/null 2>&1 || break; sleep 0.1; done
  WASMBURST_TLS="$(sed -n 's/.*address=\(tls:[^ ]*\).*/\1/p' "$work/log" | head -1)"
  export WASMBURST_TLS WASMBURST_CA="$work/tls/ca.pem"
  [ -n "$WASMBURST_TLS" ] || { cat "$work/log"; exit 1; }
}
test_python() {
  "$python" -m pip install -q --no-build-isolation --no-index --no-deps --upgrade --root-user-action ignore \
    --target "$out/python" client/python
  if command -v mypy >/dev/null; then
    (cd client/python && mypy --python-executable "$python" --cache-dir "$out/mypy" wasmburst)
  else
    echo "mypy is not installed: types are not checked"
  fi
  begin_tests
  PYTHONPATH="$out/python:$PWD/tests/client/python" timeout 300 \
    "$python" -W error::ResourceWarning -m unittest discover -s tests/client/python 2>&1 | tee "$work/said"
  echo "clients: $(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' "$work/said") tests of python"
}
# The packages that the lock file names are installed once.
install_node() {
  mkdir -p "$out/node"
  cp -R client/node/. "$out/node"
  node "$out/node/build.js" "$PWD"
  cmp -s "$out/node/package-lock.json" "$out/node/node_modules/installed.json" && return
  if ! (cd "$out/node" && timeout 120 npm ci --ignore-scripts --fetch-retries 1 --fetch-timeout 20000) >"$work/npm.log" 2>&1; then
    echo "npm could not install the packages: $(grep -m 1 -E 'ERR!|error' "$work/npm.log" || tail -n 1 "$work/npm.log")"
    exit 77
  fi
  cp "$out/node/package-lock.json" "$out/node/node_modules/installed.json"
}
test_node() {
  install_node
  begin_tests
  # The compiler of the page: it reads the package's types.
  WASMBURST_TYPESCRIPT="$build/daemon/page/web/node_modules/typescript/lib/typescript.js" \
    WASMBURST_NODE="$out/node" WASMBURST_ERRORS="$PWD/compiler/base/errors.def" timeout 300 \
    node --test --test-reporter=tap tests/client/node/*.test.mjs 2>&1 | tee "$work/said"
  echo "clients: $(sed -n 's/^# pass //p' "$work/said") tests of node"
}
"test_$language"
