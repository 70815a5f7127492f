#include "bench/race/built_kernels.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "bench/cuda/hand_kernels.h"
#include "bench/race/race_work.h"
#include "compiler/base/digest.h"
#include "scheduler/devices/cuda/cuda_builder.h"

namespace wb::bench {
namespace {

constexpr std::string_view kArchitecture = "sm_90";

std::string KernelFile(const RaceKernel& kernel, const RaceSettings& settings) {
  return settings.built + "/" + kernel.name + ".kernel";
}
std::string HandFile(const RaceKernel& kernel, const RaceSettings& settings) {
  return settings.built + "/" + kernel.name + ".cuda";
}

void Keep(const std::string& path, const Digest& made_of, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << made_of.Hex() << bytes;
  file.close();
  if (file) return;
  std::fprintf(stderr, "%s cannot be written\n", path.c_str());
  std::exit(1);
}

std::string Kept(const std::string& path, const Digest& made_of) {
  const std::string hex = made_of.Hex();
  std::string bytes = FileContents(path);
  if (bytes.starts_with(hex)) return bytes.substr(hex.size());
  std::fprintf(stderr, "%s was built of another text: run race_kernels build again\n",
               path.c_str());
  std::exit(1);
}

// As a GPU's texts are emitted; a text that is emitted in another way is found by its digest.
CompileOptions OptionsOfGpu() {
  CompileOptions options;
  options.layout = MemoryLayout::kInterleaved;
  options.windows = CudaSettings().windows;
  options.native_group_memory = true;
  return options;
}

std::string HandText(const RaceKernel& kernel, const RaceSettings& settings) {
  return FileContents(settings.folder + "/" + kernel.text);
}

std::string_view Text(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

nlohmann::ordered_json BuildAhead(const RaceKernel& kernel, const RaceSettings& settings) {
  std::filesystem::create_directories(settings.built);
  const auto begin = std::chrono::steady_clock::now();
  const auto device =
      Must(CreateCudaBuilder("cuda", NvrtcOf(CudaSettings()), kArchitecture), "compiler");
  const Work work = WorkOf(kernel, settings.folder, 1);
  const auto source = Must(EmitKernel(*work.module, OptionsOfGpu()), "emit");
  Keep(KernelFile(kernel, settings), source.digest, Text(BestBuild(*device, *work.module, source)));
  const std::string text = HandText(kernel, settings);
  Keep(HandFile(kernel, settings), Sha256(AsBytes(text)),
       HandKernels::Compile(text, settings.folder));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {{"kernel", kernel.name}, {"seconds", took.count()}};
}

Bytes PipelineOf(const RaceKernel& kernel, const RaceSettings& settings, Device& device,
                 const LoweredModule& module) {
  const auto source = Must(EmitKernel(module, device.info().options), "emit");
  if (settings.built.empty()) return BestBuild(device, module, source);
  const std::string binary = Kept(KernelFile(kernel, settings), source.digest);
  const ByteView bytes = AsBytes(binary);
  return {bytes.begin(), bytes.end()};
}

std::string HandCodeOf(const RaceKernel& kernel, const RaceSettings& settings) {
  const std::string text = HandText(kernel, settings);
  if (settings.built.empty()) return HandKernels::Compile(text, settings.folder);
  return Kept(HandFile(kernel, settings), Sha256(AsBytes(text)));
}

}  // namespace wb::bench
