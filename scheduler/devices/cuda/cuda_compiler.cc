#include "scheduler/devices/cuda/cuda_compiler.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <iterator>
#include <sstream>
#include <system_error>

#include "compiler/base/digest.h"
#include "compiler/emit/chunks.h"
#include "compiler/runtime/number_macros.h"
#include "compiler/runtime/pruned_text.h"
#include "compiler/runtime/runtime.h"
#include "scheduler/devices/compile/compile_report.h"
#include "scheduler/devices/compile/own_program.h"
#include "scheduler/devices/cuda/cubins.h"
#include "scheduler/devices/cuda/hot_block.h"

namespace wb {
namespace {

// No contraction: a fused multiply-add rounds once where wasm rounds twice. The text includes only
// the prelude, given by name; the warnings are about Metal's attributes.
constexpr const char* kFlags[] = {"-default-device", "-fmad=false", "-std=c++17", "-w"};
// This bound cost none of the kernels and programs that were measured anything, and with it a
// quicksort takes three quarters of its time (bench/docs/gpu_kernels.md). Parts that are linked
// need the same one.
constexpr uint32_t kRegisters = 128;
// Which of two bounds is quicker depends on the module: 64 takes a shell sort to two thirds of its
// time, and a matrix product to 1.4 times. So a launch chooses (Occupancy::few_registers). A
// larger text takes a compiler too long for two; where it keeps a GPU busy it gets the second with
// its best build.
constexpr uint32_t kFewRegisters = 64;
const Occupancy kFew = {.few_registers = true};
constexpr uint64_t kTwoKernelsBelow = uint64_t{192} << 10;
constexpr uint64_t kQuickTextBelow = uint64_t{32} << 20;
// Of the module's functions in a text of a quick build. A compiler spends as long on what stands
// before the functions as on the least; it spends more on each byte of much more than the most.
constexpr size_t kLeastQuickChunk = size_t{4} << 10;
constexpr size_t kMostQuickChunk = size_t{64} << 10;
// Of the module's functions in a text of a full build, where only cold calls are cut. That takes no
// less of the processors, and so pays where there are many.
constexpr size_t kColdChunk = size_t{20} << 10;
constexpr uint32_t kColdChunksFrom = 8;
constexpr uint64_t kBestTextBelow = uint64_t{1} << 20;  // those that are one are shorter
constexpr int kLastNiceness = 19;
// Where processors are left beside the chunks of a build, each takes a sixth less so. A whole text
// has other code so, in some kernels with more registers or stack. NVRTC 12 was not tried.
constexpr const char* kQuickSplitFlag = "-split-compile=2";
constexpr const char* kFullSplitFlag = "-split-compile=4";
constexpr int kSplitsFrom = 13;
constexpr std::chrono::seconds kFindTime{20};
// For the kernel by itself. A quick build may wait for it before its own time begins, and whoever
// waits for the build has patience for so much (EngineHostSettings::patience).
constexpr std::chrono::milliseconds kKernelTime{30'000};

// As many as are compiled at once, where that makes sense.
std::vector<std::string> QuickChunks(const std::string& text) {
  const size_t share = BytesOfFunctions(text) / ChunkBuilds::MostOfFew() + 1;
  return ChunksOf(text, std::clamp(share, kLeastQuickChunk, kMostQuickChunk));
}

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

// A link reads cubins in the folders of other compiles.
std::vector<std::string> ReadBeside(const NvrtcSettings& settings) {
  std::error_code error;
  std::vector<std::string> folders = {settings.work_directory};
  if (folders[0].empty()) folders[0] = std::filesystem::temp_directory_path(error).string();
  const std::filesystem::path library = settings.library_path;
  if (library.has_parent_path()) {
    folders.push_back(library.parent_path().string());
    folders.push_back(std::filesystem::weakly_canonical(library, error).parent_path().string());
  }
  return folders;
}

Result<std::string> FindProgram(const std::string& path) {
  std::string looked;
  if (!path.empty()) {
    if (access(path.c_str(), X_OK) == 0) return path;
    looked = "[" + path + "]";
  } else if (auto found = OwnProgram("wasmburst-nvrtc", &looked)) {
    return *std::move(found);
  }
  return Status(Reason::kConfigInvalid,
                "The program wasmburst-nvrtc, which holds NVIDIA's compiler, was not found; looked "
                "for " +
                    looked + ".");
}

// Some function of the module does.
bool ReachesMemory(const KernelSource& source) {
  const std::string_view text = source.text;
  const size_t own = text.find(LineText(kModuleFile));
  if (own == std::string_view::npos) return false;
  return text.substr(own, text.find("#line 1 \"wasmburst/", own) - own).find("wb_mem M") !=
         std::string_view::npos;
}

}  // namespace

Result<CudaCompiler> CudaCompiler::Find(const NvrtcSettings& settings, uint32_t capability) {
  CudaCompiler compiler;
  compiler.settings_ = settings;
  compiler.settings_.limits.reads = ReadBeside(settings);
  WB_ASSIGN(compiler.settings_.program_path, FindProgram(settings.program_path));
  compiler.capability_ = capability;
  compiler.arch_ = "sm_" + std::to_string(capability);
  WB_TRY(compiler.Ask(LibraryPlaces(settings.library_path)));
  compiler.splits_ = std::atoi(compiler.version_.c_str()) >= kSplitsFrom &&
                     settings.processors >= 2 * ChunkBuilds::MostOfFew();
  std::vector<std::string> wait = {compiler.settings_.program_path, "wait", compiler.library_,
                                   compiler.linker_};
  for (std::string& flag : compiler.Flags(Floats::kNative, kRegisters))
    wait.push_back(std::move(flag));
  // A full build begins as the quick one ends.
  const size_t builds = settings.processors >= kColdChunksFrom ? 2 : 1;
  compiler.warm_ =
      WarmProcesses::Create({.argv = std::move(wait),
                             .parent = settings.work_directory,
                             .limits = compiler.settings_.limits,
                             .most = builds * (ChunkBuilds::MostOfFew() + 1),  // one links
                             .beside = ChunkBuilds::MostOfFew() / 4});
  if (!compiler.linker_.empty()) {
    // Of a copy without kernels, so that those do not own themselves.
    CudaCompiler own = compiler;
    own.settings_.limits.max_time = std::min(settings.limits.max_time, kKernelTime);
    auto build = [own](const std::string& text) {
      std::vector<std::string> argv = own.Arguments(Floats::kNative, kRegisters);
      argv.push_back("-rdc=true");
      return own.BuildWhole(text, std::move(argv));
    };
    compiler.kernels_ = std::make_shared<KernelCubins>(settings.resident, std::move(build));
  }
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
  target += " registers-" + std::to_string(kRegisters);
  if (has_two_kernels()) target += "-" + std::to_string(kFewRegisters);
  if (splits_) target += " split";
  target += " chunks-" + std::to_string(settings_.chunk_bytes);
  if (CutsColdCalls()) target += " cold-" + std::to_string(kColdChunk);
  if (!linker_.empty()) target += " nvjitlink-" + linker_version_;
  return target + " " +
         DigestBuilder()
             .Add(PreludeText("cuda/metal_stdlib"))
             .Add(CudaEpilogue(settings_.resident))
             .Add(PreludeText("cuda/module_constants.cu"))
             .Add(PreludeText("cuda/module_call.cu"))
             .Add(PreludeText("cuda/module_epilogue.cu"))
             .Add(PreludeText("cuda/reorder.cu"))
             .Finish()
             .Hex();
}

std::vector<std::string> CudaCompiler::Flags(Floats floats, uint32_t registers) const {
  std::vector<std::string> flags = {"-arch=" + arch_, "-maxrregcount=" + std::to_string(registers)};
  flags.insert(flags.end(), std::begin(kFlags), std::end(kFlags));
  // As on a Mac, which is what these floats are for.
  if (floats != Floats::kNative) flags.push_back("-ftz=true");
  return flags;
}

std::vector<std::string> CudaCompiler::Arguments(Floats floats, uint32_t registers) const {
  std::vector<std::string> argv = {settings_.program_path, "build", library_, version_};
  const std::vector<std::string> flags = Flags(floats, registers);
  argv.insert(argv.end(), flags.begin(), flags.end());
  return argv;
}

Status CudaCompiler::WriteText(const PrivateFolder& folder, std::string_view text) {
  WB_TRY(folder.Write("metal_stdlib", PreludeText("cuda/metal_stdlib")));
  return folder.Write("kernel.metal", WithNumbersAsMacros(PrunedText(text)));
}

Result<Bytes> CudaCompiler::BuildChunks(const std::vector<std::string>& chunks, size_t text_bytes,
                                        std::vector<std::string> argv, const Bytes* kernel) const {
  argv.push_back("-rdc=true");
  ChunkBuilds builds(settings_.limits);
  for (const std::string& chunk : chunks) {
    WB_ASSIGN(OneCompile compile, Begin());
    WB_TRY(WriteText(compile.folder(), chunk));
    builds.Add(std::move(compile), argv);
  }
  WB_ASSIGN(const ChildReport report, builds.Run());
  WB_TRY(StatusOf(report, "NVRTC " + version_, text_bytes, settings_.limits));
  if (!linker_.empty()) return LinkChunks(builds, text_bytes, kernel);
  std::vector<Bytes> cubins;
  for (size_t i = 0; i < builds.size(); ++i) {
    WB_ASSIGN(Bytes cubin, builds.folder(i).Read("kernel.cubin"));
    cubins.push_back(std::move(cubin));
  }
  return JoinCubins(cubins);
}

Result<Bytes> CudaCompiler::LinkChunks(const ChunkBuilds& builds, size_t text_bytes,
                                       const Bytes* kernel) const {
  WB_ASSIGN(OneCompile link, Begin());
  std::vector<std::string> argv = {settings_.program_path, "link", linker_, arch_};
  for (size_t i = 0; i < builds.size(); ++i) {
    argv.push_back(builds.folder(i).path() + "/kernel.cubin");
  }
  if (kernel != nullptr) {
    WB_TRY(link.folder().Write("entry.cubin", AsText(*kernel)));
    argv.emplace_back("entry.cubin");
  }
  WB_ASSIGN(const ChildReport report, link.Run(argv, builds.LimitsOfLast()));
  WB_TRY(StatusOf(report, "nvJitLink " + linker_version_, text_bytes, settings_.limits));
  return link.folder().Read("kernel.cubin");
}

Result<Bytes> CudaCompiler::BuildWhole(const std::string& text,
                                       std::vector<std::string> argv) const {
  WB_ASSIGN(OneCompile compile, Begin());
  WB_TRY(WriteText(compile.folder(), text));
  WB_ASSIGN(const ChildReport report, compile.Run(argv, settings_.limits));
  WB_TRY(StatusOf(report, "NVRTC " + version_, text.size(), settings_.limits));
  return compile.folder().Read("kernel.cubin");
}

uint64_t CudaCompiler::quick_text_below() const {
  return kernels_ != nullptr ? kQuickTextBelow : 0;
}

uint64_t CudaCompiler::best_text_below() const {
  return CutsColdCalls() || has_two_kernels() ? kBestTextBelow : 0;
}

void CudaCompiler::BeginKernel() const {
  if (kernels_ != nullptr) kernels_->Begin(MemoryLayout::kInterleaved, KernelForm::kPlain);
}

std::optional<Result<Bytes>> CudaCompiler::BuildQuick(const KernelSource& source) const {
  const std::optional<KernelForm> form = KernelFormOf(source.text);
  if (kernels_ == nullptr || !form) return std::nullopt;
  const auto kernel = kernels_->Of(source.options.layout, *form);
  if (!kernel.ok()) return std::nullopt;
  const std::string text = CudaTextWithoutKernel(source.text);
  const std::vector<std::string> chunks = QuickChunks(text);
  if (chunks.size() == 1) return BuildPart(text, **kernel, source.options.floats);
  std::vector<std::string> argv = Arguments(source.options.floats, kRegisters);
  if (Splits(chunks.size())) argv.emplace_back(kQuickSplitFlag);
  return BuildChunks(chunks, text.size(), std::move(argv), &**kernel);
}

// In the process that compiles it, it is linked as well.
Result<Bytes> CudaCompiler::BuildPart(const std::string& text, const Bytes& kernel,
                                      Floats floats) const {
  WB_ASSIGN(OneCompile compile, Begin());
  WB_TRY(WriteText(compile.folder(), text));
  WB_TRY(compile.folder().Write("entry.cubin", AsText(kernel)));
  std::vector<std::string> argv = {
      settings_.program_path, "part", library_, version_, linker_, arch_, "entry.cubin"};
  const std::vector<std::string> flags = Flags(floats, kRegisters);
  argv.insert(argv.end(), flags.begin(), flags.end());
  argv.push_back("-rdc=true");
  WB_ASSIGN(const ChildReport report, compile.Run(argv, settings_.limits));
  WB_TRY(StatusOf(report, "NVRTC " + version_, text.size(), settings_.limits));
  return compile.folder().Read("kernel.cubin");
}

Result<Bytes> CudaCompiler::Build(const KernelSource& source, Effort effort) const {
  if (effort == Effort::kQuick && source.text.size() < quick_text_below()) {
    // Where the part does not compile or link the whole text may, and says best what is wrong.
    std::optional<Result<Bytes>> built = BuildQuick(source);
    if (built && built->status().reason() != Reason::kCompileFailed) return *std::move(built);
  }
  return effort == Effort::kBest ? BuildBest(source) : BuildFull(source);
}

Result<Bytes> CudaCompiler::BuildFull(const KernelSource& source) const {
  const std::vector<std::string> chunks = ChunksOf(source.text, settings_.chunk_bytes);
  if (chunks.size() > 1) return BuildKernel(chunks, source, {});
  std::vector<Occupancy> further;
  if (has_two_kernels() && source.text.size() < kTwoKernelsBelow) further = {kFew};
  if (CutsColdCalls()) {
    const std::vector<std::string> cold = ColdChunksOf(source.text, kColdChunk);
    Result<Bytes> built = BuildKernels(cold, source, further);
    if (cold.size() == 1 || built.status().reason() != Reason::kCompileFailed) return built;
  }
  return BuildKernels(chunks, source, further);
}

// A full build in chunks has more registers, and a stack where calls go from one to another: here
// the text is whole. A long one has a kernel of few registers. Tiled ones are for all that reach
// memory: which order of words is quicker, launches find.
Result<Bytes> CudaCompiler::BuildBest(const KernelSource& source) const {
  const bool is_large = ChunksOf(source.text, settings_.chunk_bytes).size() > 1;
  const bool is_cut = CutsColdCalls() && ColdChunksOf(source.text, kColdChunk).size() > 1;
  const bool lacks_kernel =
      has_two_kernels() && (ReachesMemory(source) || source.text.size() >= kTwoKernelsBelow);
  if (is_large || !(is_cut || lacks_kernel)) return Bytes();
  CudaCompiler last = *this;
  last.settings_.limits.niceness = kLastNiceness;
  last.warm_ = nullptr;  // those that wait are for builds that jobs wait for
  std::vector<Occupancy> further;
  if (has_two_kernels()) further = {kFew};
  if (has_two_kernels() && ReachesMemory(source)) {
    further.push_back({.tiled = true});
    further.push_back({.few_registers = true, .tiled = true});
    further.push_back({.hot = true});
  }
  return last.BuildKernels({source.text}, source, further);
}

Result<OneCompile> CudaCompiler::Begin() const {
  if (warm_ != nullptr) return warm_->Begin();
  WB_ASSIGN(PrivateFolder folder, PrivateFolder::Create(settings_.work_directory));
  return OneCompile(std::move(folder));
}

Result<Bytes> CudaCompiler::BuildKernel(std::vector<std::string> chunks, const KernelSource& source,
                                        const Occupancy& occupancy) const {
  if (occupancy.tiled || occupancy.hot) {
    for (std::string& chunk : chunks) {
      std::string other = occupancy.hot ? HotText(chunk) : TiledText(chunk);
      if (other == chunk)
        return Status(Reason::kCompileFailed, "The text's layout is another one.");
      chunk = std::move(other);
    }
  }
  chunks.back() += CudaEpilogue(settings_.resident);
  if (occupancy.tiled) chunks.back() += PreludeText("cuda/reorder.cu");
  std::vector<std::string> argv =
      Arguments(source.options.floats, occupancy.few_registers ? kFewRegisters : kRegisters);
  if (occupancy.hot) AppendFlags(HotBlockOf(HotBytesIn(source.text), capability_), argv);
  if (chunks.size() == 1) return BuildWhole(chunks[0], std::move(argv));
  if (Splits(chunks.size())) argv.emplace_back(kFullSplitFlag);
  return BuildChunks(chunks, source.text.size(), std::move(argv), nullptr);
}

// Side by side. Only the first one is needed.
Result<Bytes> CudaCompiler::BuildKernels(const std::vector<std::string>& chunks,
                                         const KernelSource& source,
                                         const std::vector<Occupancy>& further) const {
  std::vector<std::future<Result<Bytes>>> builds;
  for (const Occupancy& occupancy : further) {
    builds.push_back(std::async(std::launch::async,
                                [&, occupancy] { return BuildKernel(chunks, source, occupancy); }));
  }
  Result<Bytes> kernel = BuildKernel(chunks, source, {});
  std::vector<Bytes> kernels(1 + further.size());
  for (size_t i = 0; i < builds.size(); ++i) {
    Result<Bytes> other = builds[i].get();
    if (other.ok()) kernels[KernelOf(further[i])] = *std::move(other);
  }
  if (!kernel.ok()) return kernel;
  kernels[0] = *std::move(kernel);
  while (kernels.back().empty()) kernels.pop_back();
  return JoinKernels(kernels);
}

bool CudaCompiler::CutsColdCalls() const {
  return !linker_.empty() && settings_.processors >= kColdChunksFrom;
}

bool CudaCompiler::Splits(size_t texts) const {
  return splits_ && ChunkBuilds::AtOnce(texts) <= ChunkBuilds::MostOfFew();
}

}  // namespace wb
