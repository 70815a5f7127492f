#!/usr/bin/env bash
# tests/first_hour/npm.sh FOLDER: Node's gRPC client, of fixed versions, into FOLDER/node_modules.
# Exit 77, the reason last, where npm is missing or cannot reach its registry.
set -euo pipefail
[ $# = 1 ] || { echo "use: npm.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
packages=(@grpc/grpc-js@1.14.4 @grpc/proto-loader@0.8.1)
[ "$(cat installed 2>/dev/null)" != "${packages[*]}" ] || exit 0
command -v npm >/dev/null 2>&1 || { echo "npm is not installed"; exit 77; }
echo '{"private": true}' >package.json
if ! timeout 120 npm install --no-save --no-package-lock --ignore-scripts --no-audit --no-fund \
  --fetch-retries 1 --fetch-timeout 20000 "${packages[@]}" >npm.log 2>&1; then
  echo "npm could not install the packages: $(grep -m 1 -E 'ERR!|error' npm.log || tail -n 1 npm.log)"
  exit 77
fi
echo "${packages[*]}" >installed
