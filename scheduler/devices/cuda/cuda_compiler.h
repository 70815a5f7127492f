#pragma once

// Kernel text to machine code for one kind of NVIDIA GPU, by NVRTC. That library is opened at run
// time, in a child process (the program wasmburst-nvrtc), within bounds of time and memory.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/devices/compile/child_process.h"
#include "scheduler/devices/compile/chunk_builds.h"
#include "scheduler/devices/compile/private_folder.h"
#include "scheduler/devices/compile/warm_processes.h"
#include "scheduler/devices/cuda/kernel_cubins.h"
#include "scheduler/devices/device.h"

namespace wb {

struct NvrtcSettings {
  std::string library_path;    // empty: the loader's own search, then the usual folders of CUDA
  std::string program_path;    // wasmburst-nvrtc; empty: beside this program, or in a build tree
  std::string work_directory;  // takes the private folders; empty: the system's
  // A text with more bytes of functions is compiled as several, side by side (emit/chunks.h).
  uint64_t chunk_bytes = uint64_t{128} << 10;
  ChildLimits limits;
  uint32_t processors = std::thread::hardware_concurrency();
  bool resident = false;  // the kernel is `wb_resident`, which gets its launches from a board
};

class CudaCompiler {
 public:
  // `capability`: 90 for compute capability 9.0. CONFIG_INVALID with every place looked at.
  static Result<CudaCompiler> Find(const NvrtcSettings& settings, uint32_t capability);

  // All that shapes the code besides the text: NVRTC's version, GPU, flags, prelude.
  std::string target() const;

  // Makes a pipeline's binary (cubins.h): a kernel of several cubins where there is no linker for
  // chunks, two kernels where has_two_kernels() says so. A kernel is `wb_entry` or `wb_resident`.
  // COMPILE_FAILED with the compiler's first lines, COMPILE_TIMEOUT. Any thread.
  // The quick way compiles only the module's part of the text and links it with a kernel that is
  // there already, in chunks side by side; where that fails it is the full one. Functions in
  // different chunks are not inlined into one another (bench/docs/gpu_kernels.md, "chunks"). The
  // best way yields to all other work of the machine.
  Result<Bytes> Build(const KernelSource& source, Effort effort = Effort::kFull) const;

  // Full builds of all but large texts, and best builds, have a second kernel, of few registers;
  // best builds have further ones (Occupancy). A kernel that stays on the GPU has none: it would
  // have to leave for another.
  bool has_two_kernels() const { return kernels_ != nullptr && !settings_.resident; }
  // Texts with fewer bytes have a quick way that pays; 0: there is no linker, so none has.
  uint64_t quick_text_below() const;
  // Texts with fewer bytes may have a best build that is not the full one; 0: none has.
  uint64_t best_text_below() const;
  // Begins to build the kernel that most quick builds need.
  void BeginKernel() const;

 private:
  std::vector<std::string> Flags(Floats floats, uint32_t registers) const;
  // Arguments that compile the text in a folder.
  std::vector<std::string> Arguments(Floats floats, uint32_t registers) const;
  static Status WriteText(const PrivateFolder& folder, std::string_view text);
  // nullopt: the text has no kernel, or the kernel by itself could not be built.
  std::optional<Result<Bytes>> BuildQuick(const KernelSource& source) const;
  Result<Bytes> BuildPart(const std::string& text, const Bytes& kernel, Floats floats) const;
  Result<Bytes> BuildWhole(const std::string& text, std::vector<std::string> argv) const;
  Result<Bytes> BuildFull(const KernelSource& source) const;
  // What takes longer than a full build may, and pays where launches keep a GPU busy.
  Result<Bytes> BuildBest(const KernelSource& source) const;
  Result<OneCompile> Begin() const;  // a compile, in a folder of its own
  // The kernel of a text in these chunks, or the one that it is, for such launches.
  Result<Bytes> BuildKernel(std::vector<std::string> chunks, const KernelSource& source,
                            const Occupancy& occupancy) const;
  // The kernel for all launches, and those for such ones that can be built.
  Result<Bytes> BuildKernels(const std::vector<std::string>& chunks, const KernelSource& source,
                             const std::vector<Occupancy>& further) const;
  Result<Bytes> BuildChunks(const std::vector<std::string>& chunks, size_t text_bytes,
                            std::vector<std::string> argv, const Bytes* kernel) const;
  // `kernel`: linked to them; null: they hold it.
  Result<Bytes> LinkChunks(const ChunkBuilds& builds, size_t text_bytes, const Bytes* kernel) const;
  // Whether a full build of a text that is not large has several chunks.
  bool CutsColdCalls() const;
  // Whether processors are left for more threads in each compiler of so many texts.
  bool Splits(size_t texts) const;
  Status Ask(const std::vector<std::string>& places);

  NvrtcSettings settings_;
  std::string library_;  // where it was found
  std::string version_;  // "13.0"
  // NVIDIA's linker. It runs in the same child process, since it may not end where it is shown many
  // calls (devices/docs/nvrtc.md, "Linking"), and a driver must not do that in an engine host.
  // Empty: there is no linker, and the driver links when the kernel is loaded.
  std::string linker_;
  std::string linker_version_;
  uint32_t capability_ = 0;              // 90
  std::string arch_;                     // "sm_90"
  bool splits_ = false;                  // a compiler may use several processors
  std::shared_ptr<WarmProcesses> warm_;  // shared by copies; null: no process waits for this one
  // Shared by copies. Null: there is no linker.
  std::shared_ptr<KernelCubins> kernels_;
};

}  // namespace wb
