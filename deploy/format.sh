#!/usr/bin/env bash
# Checks that every C++ file of ours is formatted as .clang-format says. --fix: formats them.
# Exit 77 (skipped) where clang-format is not version 14: others format differently.
set -euo pipefail
cd "$(dirname "$0")/.."
tool="$(command -v clang-format-14 || command -v clang-format || true)"
if [ -z "$tool" ] || ! "$tool" --version | grep -q 'version 14\.'; then
  echo "clang-format 14 is not installed"
  exit 77
fi
mode=(--dry-run -Werror)
[ "${1:-}" != --fix ] || mode=(-i)
git ls-files -z -- '*.cc' '*.h' '*.c' '*.mm' |
  xargs -0 -r "$tool" --style=file "${mode[@]}"
