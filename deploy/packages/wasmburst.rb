# Homebrew formula, as a text: neither built nor installed on a Mac so far. `ruby -c` reads it in deploy/package.sh
# where there is a ruby. URL and sha256 are of a release's source archive.
class Wasmburst < Formula
  desc "Runs WebAssembly many thousand times side by side, on processors and GPUs"
  homepage "https://wasmburst.dev"
  url "https://wasmburst.dev/releases/wasmburst-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "asio" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "abseil"
  depends_on "curl"
  depends_on "grpc"
  depends_on "llvm"
  depends_on "ncurses"
  depends_on "openssl@3"
  depends_on "prometheus-cpp"
  depends_on "protobuf"
  depends_on "spdlog"
  depends_on "sqlite"
  depends_on "tomlplusplus"
  depends_on "wabt"
  depends_on "xxhash"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
           "-DWB_BUILD_TESTS=OFF", "-DWB_BUILD_BENCHES=OFF", "-DWB_WERROR=OFF",
           "-DCMAKE_INSTALL_SYSCONFDIR=#{etc}", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  service do
    run [opt_sbin/"wasmburstd", "--config", etc/"wasmburst/wasmburstd.toml"]
    keep_alive true
    log_path var/"log/wasmburstd.log"
    error_log_path var/"log/wasmburstd.log"
    environment_variables STATE_DIRECTORY: var/"lib/wasmburst", CACHE_DIRECTORY: var/"cache/wasmburst"
  end

  test do
    (testpath/"add.wat").write <<~WAT
      (module (func (export "add") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1))))
    WAT
    address = "unix://#{testpath}/daemon.sock"
    daemon = spawn sbin/"wasmburstd", "--listen", address
    sleep 2
    begin
      said = shell_output("#{bin}/wasmburstctl --addr #{address} job run add.wat --call add --arg 41 -o csv")
      assert_match ",42", said
    ensure
      Process.kill "TERM", daemon
      Process.wait daemon
    end
  end
end
