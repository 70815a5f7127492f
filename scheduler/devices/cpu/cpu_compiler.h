#pragma once

// CpuCompiler: kernel text to a shared object, by the clang++ or g++ of this machine.

#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/devices/compile/compile_process.h"
#include "scheduler/devices/compile/private_folder.h"
#include "scheduler/devices/cpu/cpu_isa.h"
#include "scheduler/devices/device.h"

namespace wb {

class CpuCompiler {
 public:
  static constexpr uint64_t kChunkBytes = uint64_t{1} << 20;  // of functions in one text

  // `path`: a program, by path or by name in PATH. Empty: the first of clang++, clang++-19 ...
  // clang++-14, g++ in PATH. `work_directory`: takes the private folders; empty: the system's
  // temporary directory. CONFIG_INVALID when there is no such program or it does not run, and where
  // there is no linker.
  static Result<CpuCompiler> Find(const std::string& path, const std::string& work_directory,
                                  const ChildLimits& limits, uint64_t chunk_bytes = kChunkBytes);

  // All that shapes Build's result besides the text: compiler version, digest of flags and prelude,
  // instruction set.
  const std::string& target() const { return target_; }
  const std::string& path() const { return path_; }

  // Compiles a text. One of many functions is compiled as several side by side, all within the
  // limits. Any thread. COMPILE_FAILED with the compiler's first lines, COMPILE_TIMEOUT.
  Result<Bytes> Build(const KernelSource& source, Effort effort = Effort::kFull) const;

 private:
  // Arguments of every run of the compiler; `include` holds the prelude.
  std::vector<std::string> Arguments(const std::string& include, Effort effort) const;
  std::vector<std::string> LinkArguments() const;
  // To kernel.so in `folder`.
  Result<ChildReport> BuildObject(const PrivateFolder& folder,
                                  const std::vector<std::string>& chunks,
                                  const std::vector<std::string>& argv) const;

  std::string path_;
  std::string linker_;  // empty: the compiler links
  std::string work_directory_;
  ChildLimits limits_;
  uint64_t chunk_bytes_ = 0;
  CpuIsa isa_;
  std::string target_;
};

}  // namespace wb
