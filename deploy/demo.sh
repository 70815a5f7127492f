#!/usr/bin/env bash
# The main job from nothing: set-up, build, a daemon of its own on a Unix socket, and the Mandelbrot
# set, 1024 x 1024, one row per instance, as a picture.
#   deploy/demo.sh [PICTURE.png]     (default build/mandelbrot.png)
# On a GPU, NVIDIA's or a Mac's, where there is one; else on the CPU device. Where Node is installed, its V8
# computes the rows, too, on all processors.
# Last line: demo: 1024 instances, SPEEDUPx over the interpreter, [SPEEDUPx over V8 on N processors, ]picture PATH
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/platform.sh
picture="${1:-$PWD/build/mandelbrot.png}"

work="$(mktemp -d)"
daemon=""
clean_up() {
  trap - EXIT
  if [ -n "$daemon" ] && kill "$daemon" 2>/dev/null; then
    wait "$daemon" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

quietly() {
  "$@" >"$work/log" 2>&1 </dev/null || {
    cat "$work/log" >&2
    echo "demo.sh: failed: $*" >&2
    exit 1
  }
}

deploy/setup.sh
echo "building (the first time takes some minutes)"
quietly cmake --preset "$preset"
quietly cmake --build --preset "$preset" --target wasmburstd wasmburstctl wasmburst-engine \
  wasmburst-mslcheck wb_demo_png wb_demo_report
build="$PWD/build/$preset"

quietly deploy/demo/build_wasm.sh "$work/mandelbrot.wasm"
echo "module: $(wc -c <"$work/mandelbrot.wasm") bytes of WebAssembly from deploy/demo/mandelbrot.c"

address="unix://$work/wasmburstd.sock"
cat >"$work/wasmburstd.toml" <<TOML
version = 1
[server]
state_directory = "$work/state"
[[listen]]
address = "$address"
[cache]
directory = "$work/cache"
TOML
"$build/daemon/wasmburstd" --config "$work/wasmburstd.toml" 2>"$work/daemon.log" </dev/null &
daemon=$!

ctl() { "$build/client/wasmburstctl" --addr "$address" "$@"; }
ready=no
for _ in $(seq 100); do
  if ctl server info >/dev/null 2>&1; then
    ready=yes
    break
  fi
  kill -0 "$daemon" 2>/dev/null || break
  sleep 0.1
done
if [ $ready = no ]; then
  cat "$work/daemon.log" >&2
  echo "demo.sh: wasmburstd did not answer on [$address]" >&2
  exit 1
fi

# run NAME ROWS PLACEMENT: an instance for each row; leaves NAME.json and NAME.rows.
run() {
  ctl job run "$work/mandelbrot.wasm" --call row --arg "$2" --read row=8192 --placement "$3" \
    --no-results --concat "row=$work/$1.rows" --report "$work/$1.json"
}
placement=cpu
! ctl device list | grep -qE '^devices/(metal|cuda)[0-9]+ ' || placement=gpu
echo "the whole picture: 1,024 instances ($placement)"
run picture 0..1024 "$placement"
echo "a sample of its rows on the interpreter"
run sample 32..1024:64 interpreter

# The engines must agree to the last bit: the sample's rows are rows of the picture.
row=0
for y in $(seq 32 64 1023); do
  cmp -s <(tail -c +$((y * 8192 + 1)) "$work/picture.rows" | head -c 8192) \
    <(tail -c +$((row * 8192 + 1)) "$work/sample.rows" | head -c 8192) || {
    echo "demo.sh: row $y differs between $placement and the interpreter" >&2
    exit 1
  }
  row=$((row + 1))
done

v8=()
if command -v node >/dev/null 2>&1; then
  echo "the whole picture in Node's V8"
  if seconds="$(node deploy/demo/v8.mjs "$work/mandelbrot.wasm" 1024 8192 "$work/v8.rows" 2>"$work/v8.log")"; then
    cmp "$work/picture.rows" "$work/v8.rows" >&2 ||
      { echo "demo.sh: the picture differs between $placement and V8" >&2; exit 1; }
    read -ra v8 <<<"$seconds"
  else
    echo "demo.sh: Node did not run it: $(tail -n 1 "$work/v8.log")" >&2
  fi
fi

mkdir -p "$(dirname "$picture")"
"$build/deploy/wb_demo_png" "$work/picture.rows" "$picture"
"$build/deploy/wb_demo_report" "$placement" "$work/picture.json" "$work/sample.json" "$picture" ${v8[@]+"${v8[@]}"}
