#!/usr/bin/env bash
# Debian packages and a .tar.gz of a built tree, in build/packages; checked by lintian, and installed, upgraded,
# used, removed and purged in a root that is thrown away (deploy/packages/root_test.sh says how).
#   deploy/package.sh [--make-only] [BUILD]     a built tree (build/release)
# Exit 77, the reason last, where packages cannot be made here; without lintian or without a root that can be thrown
# away what was not done stands in the last line.
# Last line: package: N debs, lintian 0 errors, installed and removed
set -euo pipefail
cd "$(dirname "$0")/.."
only_make=no
[ "${1:-}" != --make-only ] || { only_make=yes; shift; }
build="$(cd "${1:-build/release}" && pwd)"
out="$PWD/build/packages"
export WB_MAINTAINER="${WB_MAINTAINER:-WasmBurst maintainers <maintainers@wasmburst.dev>}"

leave_out() { echo "skipped: $1"; exit 77; }
[ "$(uname -s)" = Linux ] || leave_out "packages are Debian's"
for tool in dpkg-deb dpkg-shlibdeps cpack strip patchelf; do
  command -v $tool >/dev/null || leave_out "$tool is not installed"
done
[ -x "$build/scheduler/engine_host/wasmburst-clang" ] || leave_out "[$build] has no wasmburst-clang"
[ -n "$(find "$build/compiler" -type f -name wasmburst-mslcheck)" ] || leave_out "[$build] has no wasmburst-mslcheck"

rm -rf "$out"
mkdir -p "$out"
deploy/packages/stage.sh "$build" "$out/stage"
{
  cmake -S deploy/packages -B "$out/cpack" -DWB_STAGE="$out/stage" -DWB_MAINTAINER="$WB_MAINTAINER"
  (cd "$out/cpack" && cpack -G DEB -B "$out" && cpack -G TGZ -B "$out")
} >"$out/cpack.log" 2>&1 || { tail -n 20 "$out/cpack.log"; exit 1; }
rm -rf "$out/_CPack_Packages"
debs=("$out"/*.deb)
ls -sh "$out"/*.deb "$out"/*.tar.gz

# The archive has the programs of all packages.
listed="$(tar -tzf "$out"/*.tar.gz)"
for file in usr/sbin/wasmburstd usr/bin/wasmburstctl usr/libexec/wasmburst/wasmburst-mslcheck \
  usr/lib/python3/dist-packages/wasmburst/__init__.py etc/wasmburst/wasmburstd.toml; do
  grep -q "/$file\$" <<<"$listed" || { echo "package.sh: the archive lacks [$file]" >&2; exit 1; }
done

# The formula's syntax; it is never run, nor is the container file.
if command -v ruby >/dev/null; then ruby -c deploy/packages/wasmburst.rb; else echo "ruby is not installed: the formula was not read"; fi
[ $only_make = no ] || { echo "package: ${#debs[@]} debs"; exit 0; }

lint="lintian was not run (it is not installed)"
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error --suppress-tags initial-upload-closes-no-bugs "${debs[@]}" >"$out/lintian.log" 2>&1 ||
    { cat "$out/lintian.log"; exit 1; }
  grep -E '^W:' "$out/lintian.log" || true
  lint="lintian $(grep -c '^E:' "$out/lintian.log" || true) errors"
fi

status=0
deploy/packages/root_test.sh "$out" || status=$?
case $status in
  0) echo "package: ${#debs[@]} debs, $lint, installed and removed" ;;
  77) echo "package: ${#debs[@]} debs, $lint, not installed" ;;
  *) exit 1 ;;
esac
