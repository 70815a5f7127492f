#!/usr/bin/env bash
# The pictures of deploy/guide/gallery.md: each example of deploy/examples/gallery is built, run by a daemon with
# default settings, compared with what the same program computes on this machine or what must come out, and drawn.
#   deploy/gallery.sh [--quick] [BUILD [OUT [PICTURE...]]]     such as lexing (default: build/release, build/gallery, all)
#     --quick    fewer passwords, and fewer files of the corpus
# A picture whose compiler cannot be had is skipped, with the reason.
# Last line: gallery: N of N pictures
set -uo pipefail
cd "$(dirname "$0")/.."
. deploy/platform.sh
root="$PWD"
export WASMBURST_GALLERY_QUICK=
if [ "${1:-}" = --quick ]; then WASMBURST_GALLERY_QUICK=yes && shift; fi
case "${1:-}" in -*) echo "gallery.sh: unknown argument [$1]; known is --quick" >&2; exit 2 ;; esac
build="$(cd "${1:-build/$preset}" && pwd)" || exit 1
out="${2:-$root/build/gallery}"
mkdir -p "$out" && out="$(cd "$out" && pwd)" || exit 1
WASMBURST_BUILD="$build"
. bench/own_daemon.sh
. deploy/examples/compilers.sh
trap 'exit 130' INT
trap 'exit 143' TERM

# Debian's compilers, not those that may be first in PATH; and its Python.
export PATH="${guest_path:+$guest_path:}/usr/bin:$build/client:$PATH"
export PYTHONDONTWRITEBYTECODE=1 WASMBURST_GALLERY_WORK="$work/made"
mkdir "$WASMBURST_GALLERY_WORK"
begin_daemon

has_compiler() {
  case "$1" in
    arm64_lanes) install_arm64 ;;
    password_strength | lexing) install_c ;;
  esac
}

pictures=("${@:3}")
[ $# -gt 2 ] || pictures=(mandelbrot monte_carlo parameter_sweep password_strength lexing arm64_lanes)
made=0 failed=0
for picture in "${pictures[@]}"; do
  if ! has_compiler "$picture"; then
    echo "skipped: $picture: $(tail -n 1 "$work/setup.log")"
  elif said="$(python3 "deploy/examples/gallery/$picture.py" "$out/$picture.svg" 2>&1 </dev/null)"; then
    made=$((made + 1))
    echo "ok: $picture: $said"
  else
    failed=$((failed + 1))
    echo "FAILED: $picture: $said"
  fi
done
echo "gallery: $made of ${#pictures[@]} pictures"
[ $failed = 0 ]
