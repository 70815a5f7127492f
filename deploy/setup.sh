#!/usr/bin/env bash
# Installs what building, testing and the demo need. Nothing happens when all of it is there.
#   deploy/setup.sh [--check] [--also PACKAGE]
#     --check    only says what is missing, exit 1 if anything is
#     --also     that one as well (Debian's name)
# Debian 12: tested. Ubuntu 24.04 and macOS (Homebrew): by best effort, UNTESTED.
set -euo pipefail

check_only=no
also=()
while [ $# -gt 0 ]; do
  case "$1" in
    --check) check_only=yes ;;
    --also) also+=("${2:?setup.sh: --also needs a package}"); shift ;;
    *) echo "setup.sh: unknown argument [$1]; known are --check and --also" >&2; exit 2 ;;
  esac
  shift
done

# Libraries; then compilers (clang, lld and wabt make the system layer's WebAssembly; at run time the
# CPU device and the demo use clang and lld); then tools of the tests and benches (node: real modules and benches; npm is not installed for them).
debian_packages=(
  wabt libasio-dev libspdlog-dev nlohmann-json3-dev libprotobuf-dev protobuf-compiler
  protobuf-compiler-grpc libgrpc++-dev libabsl-dev libcli11-dev libtomlplusplus-dev libsqlite3-dev libxxhash-dev
  libcurl4-openssl-dev
  libpq-dev # store.postgres
  prometheus-cpp-dev
  libssl-dev
  libncurses-dev # wasmburstctl top
  libpng-dev libgtest-dev libbenchmark-dev
  g++ cmake ninja-build git
  clang lld
  clang-format clang-tidy nodejs patchelf dpkg-dev
  # client/python: what it runs on; what pip builds it with; its types are checked
  python3-grpcio python3-protobuf python3-numpy
  python3-pip python3-setuptools python3-wheel
  mypy
)
# The metal device's tests over a stand-in; a checker of packages; a terminal for the test of wasmburstctl top; a browser
# for those of the live page, and npm, which builds it; a PostgreSQL server for those of the store; Slurm for its batch
# script. Without them CMake leaves out the stand-in and the page, and the other tests are skipped.
optional_packages=(libgnustep-base-dev libblocksruntime-dev lintian tmux chromium postgresql-15 slurm-wlm)
command -v npm >/dev/null 2>&1 || optional_packages+=(npm)
# One LLVM for all on Debian 12; elsewhere the distribution's own.
debian12_packages=(
  libclang-14-dev llvm-14-dev libclang-rt-14-dev
  wasi-libc libclang-rt-14-dev-wasm32 # programs with main, as in the README
)
# Apple's command line tools have the compiler; llvm and lld make the demo's WebAssembly, bash and
# coreutils (timeout) are for the tests.
brew_packages=(
  wabt asio spdlog nlohmann-json protobuf grpc abseil cli11 tomlplusplus prometheus-cpp sqlite xxhash openssl@3 curl libpng
  googletest google-benchmark cmake ninja llvm lld node bash coreutils
)

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    echo "setup.sh: packages are missing and neither root nor sudo is at hand; run as root: $*" >&2
    exit 1
  fi
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

setup_debian() {
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} = 0 ]; then
    echo "setup: all packages are installed"
    return
  fi
  echo "setup: missing: ${missing[*]}"
  [ "$check_only" = no ] || exit 1
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# Tried once a day at most; what cannot be had is left out.
setup_optional() {
  local missing=() package tried
  tried="$(dirname "$0")/../build/setup-optional-tried"
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} != 0 ] && [ "$check_only" = no ] && [ "$(id -u)" = 0 ] || return 0
  [ -z "$(find "$tried" -mtime -1 2>/dev/null)" ] || return 0
  mkdir -p "$(dirname "$tried")"
  touch "$tried"
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
    --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1 ||
    echo "setup: left out, could not be installed: ${missing[*]}"
}

setup_mac() {
  command -v brew >/dev/null 2>&1 || {
    echo "setup.sh: Homebrew is not installed; it is the only way supported on macOS" >&2
    exit 1
  }
  local missing=() package
  for package in "${brew_packages[@]}" ${also[@]+"${also[@]}"}; do
    brew list --versions "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} != 0 ] || { echo "setup: all packages are installed"; return; }
  echo "setup: missing: ${missing[*]}"
  [ "$check_only" = no ] || exit 1
  brew install "${missing[@]}"
}

system="$(uname -s)"
if [ "$system" = Darwin ]; then
  echo "setup: macOS: by best effort, UNTESTED" >&2
  setup_mac
elif [ -r /etc/os-release ] && command -v apt-get >/dev/null 2>&1; then
  distribution="$(. /etc/os-release && echo "${ID:-unknown} ${VERSION_ID:-}")"
  case "$distribution" in
    "debian 12") setup_debian "${debian_packages[@]}" "${debian12_packages[@]}" \
      ${also[@]+"${also[@]}"} ;;
    *)
      echo "setup: $distribution: by best effort, UNTESTED" >&2
      setup_debian "${debian_packages[@]}" ${also[@]+"${also[@]}"}
      ;;
  esac
  setup_optional "${optional_packages[@]}"
else
  echo "setup.sh: this system [$system] has neither apt-get nor Homebrew; install by hand:" \
    "${debian_packages[*]}" >&2
  exit 1
fi
