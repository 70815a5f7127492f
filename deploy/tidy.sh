#!/usr/bin/env bash
# clang-tidy over our C++ files with the committed .clang-tidy.
#   deploy/tidy.sh [--deep] [--since COMMIT | --only "FOLDER..."] [BUILD]
#     BUILD    a configured and built tree (build/release)
#     --since  only files that differ from COMMIT
#     --only   only files under these folders
#     --deep   the analyzer's own bound of work for a function, 225,000 nodes, instead of 4,000: it takes
#              four times as long
# Most of the time goes into headers, so files of a part that are compiled with the same options are checked
# sixty at a time, as one text. A group with a finding, or that does not compile as one, is checked again in
# halves, down to single files; that takes several times as long, so the last line counts such groups.
# Exit 77 (skipped) without clang-tidy.
set -euo pipefail
cd "$(dirname "$0")/.."
since=""
only="."
deep=no
if [ "${1:-}" = --deep ]; then
  deep=yes
  shift
fi
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

bound=""
[ $deep = yes ] ||
  bound="--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=4000"
check() {
  # shellcheck disable=SC2086  # several words, or none
  "$tool" -p "$build/tidy" --config-file=.clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option $bound "$@" 2>&1
}
# check_group NAME FILE...: as one text; then its halves, if that does not do.
check_group() {
  local name="$1" file joined="$build/tidy/joined/$1.cc" half=$(($# / 2)) status=0
  shift
  if [ $# = 1 ]; then
    check "$1" | { grep -v -E '^[0-9]+ warnings? (and [0-9]+ errors? )?generated' || true; }
    return "${PIPESTATUS[0]}"
  fi
  for file in "$@"; do
    echo "#line 1 \"$file\""
    cat "$file"
  done >"$joined"
  if check "$joined" >"$joined.log"; then return 0; fi
  # Few files are what a finding has come down to.
  [ "$half" -lt 5 ] || echo "$name, $# files: $(grep -m 1 'error: ' "$joined.log" || true)" >>"$build/tidy/halved"
  check_group "$name" "${@:1:half}" || status=$?
  check_group "$name" "${@:half+1}" || status=$?
  return $status
}
# commands_of_joined: the database again, and for each group an entry with its first file's command.
commands_of_joined() {
  awk -v groups="$build/tidy/groups" -v root="$PWD/" -v joined="$build_path/tidy/joined/" '
    BEGIN {
      while ((getline line < groups) > 0) {
        split(line, words, " ")
        group_of[root words[2]] = words[1]
      }
    }
    /^\]/ { printf "%s", added; print; next }
    /^\{/ { entry = ""; file = "" }
    { print; entry = entry $0 "\n" }
    /"file": / { file = $0; sub(/.*"file": "/, "", file); sub(/".*/, "", file) }
    /^\}/ && file in group_of {
      from = file
      gsub(/[.+]/, "[&]", from)
      gsub(from, joined group_of[file] ".cc", entry)
      sub(/\}\n$/, "}", entry)
      added = added ",\n" entry "\n"
    }' "$build/tidy/compile_commands.json" >"$build/tidy/commands" &&
    mv "$build/tidy/commands" "$build/tidy/compile_commands.json"
}

rm -rf "$build/tidy/joined" "$build/tidy/halved"
mkdir -p "$build/tidy/joined"
# options_of_files: "options FILE OPTIONS..." of each file of the database, without its own names.
options_of_files() {
  sed -n -E "s#^ *\"command\": \"([^ ]*) (.*) -o .* -c $PWD/([^ ]*)\",?\$#options \\3 \\2#p" \
    "$build/tidy/compile_commands.json"
}
# Texts that make keywords of words are checked alone.
{
  options_of_files
  grep -l '^#include <metal_stdlib>' "${files[@]}" | sed 's/^/alone /' || true
  printf 'file %s\n' "${files[@]}"
} | awk '
  $1 == "options" { file = $2; $1 = $2 = ""; options[file] = $0; next }
  $1 == "alone" { alone[$2] = 1; next }
  alone[$2] { print "group-" ++groups " " $2; next }
  {
    part = $2
    sub(/\/.*$/, "", part)
    kind = part options[$2]
    line[kind] = line[kind] " " $2
    if (++count[kind] == 60) { print "group-" ++groups line[kind]; line[kind] = ""; count[kind] = 0 }
  }
  END { for (kind in line) if (line[kind] != "") print "group-" ++groups line[kind] }' >"$build/tidy/groups"
commands_of_joined
export tool build bound
export -f check check_group
echo "checking ${#files[@]} files"
# shellcheck disable=SC2016  # expanded by each bash
status=0
xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 bash -c 'check_group "$@"' check_group <"$build/tidy/groups" || status=$?
halved=0
if [ -s "$build/tidy/halved" ]; then
  echo "checked again in halves:"
  cat "$build/tidy/halved"
  halved=$(cut -d , -f 1 "$build/tidy/halved" | sort -u | wc -l)
fi
echo "${#files[@]} files, $(wc -l <"$build/tidy/groups") groups, of which $halved were checked again in halves"
exit $status
