# Sourced by the scripts here: what differs between the systems that they run on. They are written for
# bash 3.2, which is macOS's own, and for the tools of both.
#   preset      CMake's, and the folder's name under build/
#   guest_path  where clang and wasm-ld are that make WebAssembly; empty: in PATH
# shellcheck disable=SC2034  # used by those who source it
case "$(uname -s)" in
  Darwin)
    preset=macos
    # Apple's own clang has no back end for WebAssembly; Homebrew's is not in PATH by itself.
    brew_folder="$(brew --prefix 2>/dev/null || echo /opt/homebrew)"
    guest_path="$brew_folder/opt/llvm/bin:$brew_folder/opt/lld/bin:$brew_folder/bin"
    ;;
  *)
    preset=release
    guest_path=
    ;;
esac
