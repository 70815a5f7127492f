# Sourced by deploy/examples.sh and deploy/gallery.sh: installs what compiles their programs. What setup.sh says is in
# $work/setup.log.
installs() { # PACKAGE...
  local arguments=() package
  for package in "$@"; do arguments+=(--also "$package"); done
  deploy/setup.sh "${arguments[@]}" >"$work/setup.log" 2>&1
}
install_c() { installs wasi-libc libclang-rt-14-dev-wasm32 "$@"; }
install_arm64() { install_c gcc-aarch64-linux-gnu libc6-dev-arm64-cross; }
