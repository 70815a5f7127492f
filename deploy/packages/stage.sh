#!/usr/bin/env bash
# Puts what the packages hold where it is to lie below /: a folder for each package.
#   deploy/packages/stage.sh BUILD STAGE     a built tree; a folder that is made anew
# The daemon and the client are asked for their configuration, completions and manual pages.
set -euo pipefail
cd "$(dirname "$0")/../.."
build="$1" stage="$2"
version="$(sed -n 's/^project(wasmburst VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
date="$(git log -1 --format=%aD 2>/dev/null || date -R)"
maintainer="${WB_MAINTAINER:?}"
rm -rf "$stage"

# put FILE PLACE [MODE]
put() { install -D -m "${3:-644}" "$1" "$stage/$2"; }
# program FILE PLACE: without symbols, as packages have them.
program() {
  put "$1" "$2" 755
  strip --strip-unneeded --remove-section=.comment --remove-section=.note "$stage/$2"
}
text() { mkdir -p "$(dirname "$stage/$1")" && cat >"$stage/$1"; }
packed() { gzip -9n "$stage/$1"; }

# What a program says of itself, as a manual page: page PROGRAM SECTION PLACE
page() {
  local name="${1##*/}"
  {
    echo ".TH ${name^^} $2 \"\" \"WasmBurst $version\""
    "$1" --help | awk -v name="$name" '
      { gsub(/\\/, "\\e"); gsub(/-/, "\\-") }
      NR == 1 { first = $0; sub(/\.$/, "", first); sub(/^[a-z\\-]+ /, "", first)
                print ".SH NAME\n" name " \\- " first "\n.SH DESCRIPTION"; next }
      /^Usage:/ { sub(/^Usage: [^ ]*/, ""); print ".SH SYNOPSIS\n\\fB" name "\\fR" $0; next }
      /^[A-Z][a-z]+:$/ { sub(/:/, ""); print ".SH " toupper($0); next }
      match($0, /^  [^ ]([^ ]| [^ ])*  +/) { flag = substr($0, 3, RLENGTH - 2); sub(/ +$/, "", flag)
                print ".TP\n.B " flag "\n\\&" substr($0, RLENGTH + 1); next }
      NF > 0 { print "\\&" $0 "\n.br" }'
    echo ".SH SEE ALSO"
    echo "wasmburstctl(1), wasmburstd(8)"
  } | text "$3"
  packed "$3"
}

# documents PACKAGE NAME LIBRARY...: the changelog, the licence, and those of archives that are linked in.
documents() {
  local part="$1" name="$2" library
  shift 2
  put deploy/packages/debian/copyright "$part/usr/share/doc/$name/copyright"
  printf '%s (%s) stable; urgency=medium\n\n  * Packages of WasmBurst %s.\n\n -- %s  %s\n' \
    "$name" "$version" "$version" "$maintainer" "$date" | text "$part/usr/share/doc/$name/changelog"
  packed "$part/usr/share/doc/$name/changelog"
  for library in "$@"; do
    [ ! -e "/usr/share/doc/$library/copyright" ] ||
      put "/usr/share/doc/$library/copyright" "$part/usr/share/doc/$name/linked/$library"
  done
}

stage_daemon() {
  local unit
  program "$build/daemon/wasmburstd" daemon/usr/sbin/wasmburstd
  program "$build/daemon/wasmburst-util" daemon/usr/bin/wasmburst-util
  for unit in engine clang nvrtc; do
    program "$build/scheduler/engine_host/wasmburst-$unit" "daemon/usr/libexec/wasmburst/wasmburst-$unit"
  done
  for unit in service socket; do
    sed 's|@CMAKE_INSTALL_FULL_SBINDIR@|/usr/sbin|; s|@WB_CONFIG_FILE@|/etc/wasmburst/wasmburstd.toml|' \
      "deploy/wasmburstd.$unit.in" | text "daemon/lib/systemd/system/wasmburstd.$unit"
  done
  put deploy/wasmburst.sysusers.conf daemon/usr/lib/sysusers.d/wasmburst.conf
  put deploy/packages/wasmburst.tmpfiles.conf daemon/usr/lib/tmpfiles.d/wasmburst.conf
  "$build/daemon/wasmburstd" --print-default-config | text daemon/etc/wasmburst/wasmburstd.toml
  put deploy/monitoring/grafana.json daemon/usr/share/wasmburst/grafana.json
  put deploy/monitoring/alerts.yml daemon/usr/share/wasmburst/alerts.yml
  page "$build/daemon/wasmburstd" 8 daemon/usr/share/man/man8/wasmburstd.8
  page "$build/daemon/wasmburst-util" 1 daemon/usr/share/man/man1/wasmburst-util.1
  documents daemon wasmburst-daemon libasio-dev libcli11-dev nlohmann-json3-dev libxxhash-dev wabt llvm-14-dev \
    libclang-14-dev
}
stage_client() {
  local ctl="$build/client/wasmburstctl"
  program "$ctl" client/usr/bin/wasmburstctl
  program "$build/compiler/tool/wasmburst-compile" client/usr/libexec/wasmburst/wasmburst-compile
  "$ctl" completion bash | text client/usr/share/bash-completion/completions/wasmburstctl
  "$ctl" completion zsh | text client/usr/share/zsh/vendor-completions/_wasmburstctl
  "$ctl" completion fish | text client/usr/share/fish/vendor_completions.d/wasmburstctl.fish
  "$ctl" completion man | text client/usr/share/man/man1/wasmburstctl.1
  packed client/usr/share/man/man1/wasmburstctl.1
  # What docs there are: the guide, and the reference that the build has made.
  local guide="$stage/client/usr/share/doc/wasmburst-client/guide"
  mkdir -p "$guide/reference"
  cp -r deploy/guide/*.md deploy/guide/gallery "$guide"
  cp "$build"/deploy/reference/pages/*.md "$guide/reference"
  mkdir -p "$stage/client/usr/share/wasmburst/proto"
  (cd proto && find wasmburst google -name '*.proto' -exec cp --parents {} "$stage/client/usr/share/wasmburst/proto" \;)
  documents client wasmburst-client libgrpc-dev libprotobuf-dev libabsl-dev libre2-dev libcli11-dev \
    nlohmann-json3-dev wabt
}
# Apart from the client, since it needs libclang, of a hundred megabytes.
stage_mslcheck() {
  local to=mslcheck/usr/libexec/wasmburst/wasmburst-mslcheck
  program "$(find "$build/compiler" -type f -name wasmburst-mslcheck | head -n 1)" $to
  patchelf --remove-rpath "$stage/$to"
  documents mslcheck wasmburst-mslcheck
}
stage_python() {
  local to="$stage/python/usr/lib/python3/dist-packages"
  mkdir -p "$to"
  "${WASMBURST_PYTHON:-/usr/bin/python3}" -m pip install -q --no-build-isolation --no-index --no-deps --no-compile \
    --root-user-action ignore --target "$to" client/python
  find "$to" -name __pycache__ -prune -exec rm -rf {} \;
  # Of pip, which knows nothing of it.
  rm -f "$to"/*.dist-info/{RECORD,INSTALLER,REQUESTED,direct_url.json}
  chmod -R u=rwX,go=rX "$to"
  documents python python3-wasmburst
}
umask 022
stage_daemon
stage_client
stage_mslcheck
stage_python
