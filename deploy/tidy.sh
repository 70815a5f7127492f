#!/usr/bin/env bash
# clang-tidy over our C++ files with the committed .clang-tidy.
#   deploy/tidy.sh [--since COMMIT | --only "FOLDER..."] [BUILD]
#     BUILD    a configured and built tree (build/release)
#     --since  only files that differ from COMMIT
#     --only   only files under these folders
# Exit 77 (skipped) without clang-tidy.
set -euo pipefail
cd "$(dirname "$0")/.."
since=""
only="."
if [ "${1:-}" = --since ]; then
  since="$2"
  shift 2
elif [ "${1:-}" = --only ]; then
  only="$2"
  shift 2
fi
build="${1:-build/release}"
tool="$(command -v clang-tidy-14 || command -v clang-tidy || true)"
if [ -z "$tool" ]; then
  echo "clang-tidy is not installed"
  exit 77
fi
[ -f "$build/compile_commands.json" ] || {
  echo "tidy.sh: [$build] has no compile_commands.json; configure it first" >&2
  exit 1
}
list() {
  if [ -n "$since" ]; then
    git diff --name-only --diff-filter=d "$since" -- '*.cc'
  else
    # shellcheck disable=SC2086  # several folders
    git ls-files $only | grep '\.cc$'
  fi
}
# Commands of single files: the build itself joins some, and has g++ precompile headers. What it
# generated is included from there.
cmake -S . -B "$build/tidy" -DCMAKE_BUILD_TYPE=Release -DWB_JOIN_FILES=OFF >/dev/null
build_path="$(cd "$build" && pwd)"
sed -i "s#$build_path/tidy#$build_path#g" "$build/tidy/compile_commands.json"
# Only files that the build compiles have a command to be checked with.
files=()
while read -r file; do
  ! grep -q "\"file\": \".*/$file\"" "$build/tidy/compile_commands.json" || files+=("$file")
done < <(list)
if [ ${#files[@]} = 0 ]; then
  echo "no file to check"
  exit 0
fi
echo "checking ${#files[@]} files"
printf '%s\n' "${files[@]}" |
  xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 2 \
    "$tool" -p "$build/tidy" --quiet --extra-arg=-Wno-unknown-warning-option 2>&1 |
  { grep -v -E '^[0-9]+ warnings? (and [0-9]+ errors? )?generated' || true; }
