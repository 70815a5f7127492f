#include "scheduler/devices/cuda/cuda_compiler.h"

#include <unistd.h>

#include <iterator>
#include <sstream>

#include "compiler/base/digest.h"
#include "compiler/base/own_folder.h"
#include "compiler/emit/chunks.h"
#include "compiler/runtime/runtime.h"
#include "scheduler/devices/compile/compile_report.h"
#include "scheduler/devices/cuda/cubins.h"

namespace wb {
namespace {

// No contraction: a fused multiply-add rounds once where wasm rounds twice. The text includes only
// the prelude, given by name; the warnings are about Metal's attributes.
constexpr const char* kFlags[] = {"-default-device", "-fmad=false", "-std=c++17", "-w"};
constexpr std::chrono::seconds kFindTime{20};

std::vector<std::string> LibraryPlaces(const std::string& path) {
  if (!path.empty()) return {path};
  std::vector<std::string> places;
  for (const std::string folder : {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/lib/"}) {
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
      places.push_back(folder + name);
    }
  }
  return places;
}

// The program's place is beside the program that runs; else where a build tree has it, seen from
// the engine host and from tests.
Result<std::string> FindProgram(const std::string& path) {
  std::vector<std::string> candidates = {path};
  if (path.empty()) {
    candidates.clear();
    for (const char* folder : {".", "../scheduler/engine_host", "../../scheduler/engine_host",
                               "../../../scheduler/engine_host"}) {
      candidates.push_back((OwnFolder() / folder / "wasmburst-nvrtc").lexically_normal().string());
    }
  }
  std::string looked;
  for (const std::string& candidate : candidates) {
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    looked += (looked.empty() ? "[" : ", [") + candidate + "]";
  }
  return Status(Reason::kConfigInvalid,
                "The program wasmburst-nvrtc, which holds NVIDIA's compiler, was not found; looked "
                "for " +
                    looked + ".");
}

}  // namespace

Result<CudaCompiler> CudaCompiler::Find(const NvrtcSettings& settings, uint32_t capability) {
  CudaCompiler compiler;
  compiler.settings_ = settings;
  WB_ASSIGN(compiler.settings_.program_path, FindProgram(settings.program_path));
  compiler.arch_ = "sm_" + std::to_string(capability);
  WB_TRY(compiler.Ask(LibraryPlaces(settings.library_path)));
  return compiler;
}

// The program opens the library, so that this process is safe from it even then.
Status CudaCompiler::Ask(const std::vector<std::string>& places) {
  WB_ASSIGN(const PrivateFolder folder, PrivateFolder::Create(settings_.work_directory));
  ChildLimits limits = settings_.limits;
  limits.max_time = kFindTime;
  std::vector<std::string> argv = {settings_.program_path, "find"};
  argv.insert(argv.end(), places.begin(), places.end());
  WB_ASSIGN(const ChildReport report, RunChild(argv, folder.path(), limits));
  if (report.timed_out || report.signal != 0 || report.exit_code != 0) {
    const std::string said = report.message.empty() ? "" : ": " + FirstLines(report.message, 2);
    return Status(Reason::kConfigInvalid, "The program [" + settings_.program_path + "] " +
                                              HowItEnded(report) +
                                              " when asked for NVIDIA's compiler NVRTC" + said);
  }
  WB_ASSIGN(const Bytes found, folder.Read("found.txt"));
  std::istringstream text(std::string(found.begin(), found.end()));
  std::getline(text, library_);
  std::getline(text, version_);
  std::getline(text, linker_);
  std::getline(text, linker_version_);
  return {};
}

std::string CudaCompiler::target() const {
  std::string target = "cuda nvrtc-" + version_ + " " + arch_;
  for (const char* flag : kFlags) target += std::string(" ") + flag;
  target += " chunks-" + std::to_string(settings_.chunk_bytes);
  if (!linker_.empty()) target += " nvjitlink-" + linker_version_;
  return target + " " +
         DigestBuilder()
             .Add(PreludeText("cuda/metal_stdlib"))
             .Add(CudaEpilogue(settings_.resident))
             .Finish()
             .Hex();
}

std::vector<std::string> CudaCompiler::Arguments(Floats floats) const {
  std::vector<std::string> argv = {settings_.program_path, "build", library_, version_,
                                   "-arch=" + arch_};
  argv.insert(argv.end(), std::begin(kFlags), std::end(kFlags));
  // As on a Mac, which is what these floats are for.
  if (floats != Floats::kNative) argv.push_back("-ftz=true");
  return argv;
}

Result<PrivateFolder> CudaCompiler::FolderOf(const std::string& parent,
                                             std::string_view text) const {
  WB_ASSIGN(PrivateFolder folder, PrivateFolder::Create(parent));
  WB_TRY(folder.Write("metal_stdlib", PreludeText("cuda/metal_stdlib")));
  WB_TRY(folder.Write("kernel.metal", text));
  return folder;
}

Result<Bytes> CudaCompiler::BuildChunks(const std::vector<std::string>& chunks, size_t text_bytes,
                                        std::vector<std::string> argv) const {
  argv.push_back("-rdc=true");
  ChunkBuilds builds(settings_.limits);
  for (const std::string& chunk : chunks) {
    WB_ASSIGN(PrivateFolder folder, FolderOf(settings_.work_directory, chunk));
    builds.Add(std::move(folder), argv);
  }
  WB_ASSIGN(const ChildReport report, builds.Run());
  WB_TRY(StatusOf(report, "NVRTC " + version_, text_bytes, settings_.limits));
  if (!linker_.empty()) return LinkChunks(builds, text_bytes);
  std::vector<Bytes> cubins;
  for (size_t i = 0; i < builds.size(); ++i) {
    WB_ASSIGN(Bytes cubin, builds.folder(i).Read("kernel.cubin"));
    cubins.push_back(std::move(cubin));
  }
  return JoinCubins(cubins);
}

Result<Bytes> CudaCompiler::LinkChunks(const ChunkBuilds& builds, size_t text_bytes) const {
  WB_ASSIGN(const PrivateFolder folder, PrivateFolder::Create(settings_.work_directory));
  std::vector<std::string> argv = {settings_.program_path, "link", linker_, arch_};
  for (size_t i = 0; i < builds.size(); ++i) {
    argv.push_back(builds.folder(i).path() + "/kernel.cubin");
  }
  WB_ASSIGN(const ChildReport report, builds.RunLast(folder.path(), argv));
  WB_TRY(StatusOf(report, "nvJitLink " + linker_version_, text_bytes, settings_.limits));
  return folder.Read("kernel.cubin");
}

Result<Bytes> CudaCompiler::Build(const KernelSource& source) const {
  std::vector<std::string> chunks = ChunksOf(source.text, settings_.chunk_bytes);
  chunks.back() += CudaEpilogue(settings_.resident);
  const std::vector<std::string> argv = Arguments(source.options.floats);
  if (chunks.size() > 1) return BuildChunks(chunks, source.text.size(), argv);
  WB_ASSIGN(const PrivateFolder folder, FolderOf(settings_.work_directory, chunks[0]));
  WB_ASSIGN(const ChildReport report, RunChild(argv, folder.path(), settings_.limits));
  WB_TRY(StatusOf(report, "NVRTC " + version_, chunks[0].size(), settings_.limits));
  return folder.Read("kernel.cubin");
}

}  // namespace wb
