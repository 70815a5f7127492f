#include "scheduler/devices/cpu/cpu_compiler.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

#include "compiler/base/digest.h"
#include "compiler/emit/chunks.h"
#include "compiler/runtime/pruned_text.h"
#include "compiler/runtime/runtime.h"
#include "scheduler/devices/compile/chunk_builds.h"
#include "scheduler/devices/compile/compile_report.h"
#include "scheduler/devices/compile/own_program.h"

namespace wb {
namespace {

constexpr const char* kNames[] = {"clang++",    "clang++-19", "clang++-18", "clang++-17",
                                  "clang++-16", "clang++-15", "clang++-14", "g++"};

// The language and its arithmetic: no contraction (a fused multiply-add rounds once where wasm
// rounds twice), no aliasing by type (memory is words read as bytes). The object needs nothing but
// memcpy and its like and libm, which the process that loads it has.
constexpr const char* kFlags[] = {"-std=c++17",
                                  // A third to a half of clang's time on long functions, for code
                                  // that was no faster (bench/README.md, "Devices").
                                  "-fno-tree-slp-vectorize", "-ffp-contract=off", "-fno-math-errno",
                                  "-fno-strict-aliasing", "-fno-exceptions", "-fno-rtti",
                                  "-fno-asynchronous-unwind-tables", "-fno-stack-protector",
                                  "-fPIC", "-w"};

constexpr const char* kFullFlag = "-O2";
constexpr const char* kQuickFlag = "-O0";

// The compiler links what needs its helpers: those of baseline instruction sets, such as
// __popcountdi2. Else the system's linker does it, since clang takes longer to start than to
// compile a small text.
#ifdef __APPLE__
constexpr const char* kLinkFlags[] = {"-shared", "-nostdlib", "-Wl,-undefined,dynamic_lookup"};
constexpr const char* kHelpers = "-lSystem";
constexpr std::array<const char*, 0> kLinkers;
#else
constexpr const char* kLinkFlags[] = {"-shared", "-nostdlib"};
constexpr const char* kHelpers = "-lgcc";
constexpr std::array kLinkers = {"ld", "ld.lld"};
#endif

std::string InPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "/usr/bin:/bin";
  for (size_t at = 0; at <= folders.size();) {
    size_t end = folders.find(':', at);
    if (end == std::string::npos) end = folders.size();
    std::string candidate = folders.substr(at, end - at) + "/" + name;
    if (candidate[0] == '/' && access(candidate.c_str(), X_OK) == 0) return candidate;
    at = end + 1;
  }
  return {};
}

Result<std::string> FindProgram(const std::string& path) {
  if (path.empty()) {
    if (auto own = OwnProgram("wasmburst-clang")) return *std::move(own);
    for (const char* name : kNames) {
      if (std::string found = InPath(name); !found.empty()) return found;
    }
    return Status(Reason::kConfigInvalid,
                  "There is no wasmburst-clang beside this program, and no C++ compiler in PATH "
                  "(clang++, clang++-14 to -19, g++); install clang or set the compiler's path.",
                  {{"field", "compiler_path"}});
  }
  const std::string found = path.find('/') == std::string::npos ? InPath(path) : path;
  if (!found.empty() && access(found.c_str(), X_OK) == 0) return found;
  return Status(Reason::kConfigInvalid,
                "The compiler [" + path + "] does not exist or is not executable.",
                {{"field", "compiler_path"}});
}

// The linker that the builds need; empty: none besides the compiler. The compiler knows the first
// alone.
Result<std::string> FindLinker(bool compiler_links) {
  for (const char* name : kLinkers) {
    if (std::string found = InPath(name); !found.empty()) return found;
    if (compiler_links) break;
  }
  if (kLinkers.empty()) return std::string();
  return Status(Reason::kConfigInvalid,
                "There is no linker in PATH (ld" + std::string(compiler_links ? "" : ", ld.lld") +
                    "), which the builds for processors need; install " +
                    (compiler_links ? "binutils." : "binutils or lld."),
                {{"field", "compiler_path"}});
}

bool HasVectors(const std::string& text) {
  return text.find(RuntimeText(VectorTexts().front())) != std::string::npos;
}

std::string PreludeFor(const std::string& text) {
  std::string prelude(PreludeText("host/metal_stdlib"));
  if (HasVectors(text)) prelude += PreludeText("host/vectors");
  return prelude;
}

}  // namespace

Result<CpuCompiler> CpuCompiler::Find(const std::string& path, const std::string& work_directory,
                                      const ChildLimits& limits, uint64_t chunk_bytes) {
  CpuCompiler compiler;
  WB_ASSIGN(compiler.path_, FindProgram(path));
  compiler.work_directory_ = work_directory;
  compiler.limits_ = limits;
  compiler.chunk_bytes_ = chunk_bytes;
  compiler.isa_ = DetectIsa();
  const bool needs_helpers = !compiler.isa_.name.starts_with("x86-64-v");
  WB_ASSIGN(std::string linker, FindLinker(needs_helpers));
  if (!needs_helpers) compiler.linker_ = std::move(linker);

  WB_ASSIGN(const PrivateFolder folder, PrivateFolder::Create(work_directory));
  ChildLimits asking = limits;
  asking.max_time = std::chrono::seconds(20);
  WB_ASSIGN(const ChildReport report,
            RunChild({compiler.path_, "--version"}, folder.path(), asking));
  if (report.timed_out || report.signal != 0 || report.exit_code != 0) {
    return Status(Reason::kConfigInvalid,
                  "The compiler [" + compiler.path_ + "] does not run: it " + HowItEnded(report) +
                      " when asked for its version.",
                  {{"field", "compiler_path"}});
  }
  DigestBuilder how;
  for (const char* flag : kFlags) how.Add(flag);
  how.Add(kFullFlag).Add(kQuickFlag).Add(std::to_string(chunk_bytes));
  for (const char* flag : kLinkFlags) how.Add(flag);
  how.Add(compiler.linker_.empty()               ? "linked by the compiler"
          : compiler.linker_.ends_with("ld.lld") ? "linked by ld.lld"
                                                 : "linked by ld");
  how.Add(PreludeText("host/metal_stdlib")).Add(PreludeText("host/vectors"));
  how.Add(PreludeText("host/epilogue"));
  compiler.target_ = FirstLines(report.message, 1) + " / " + how.Finish().Hex().substr(0, 16) +
                     " / " + compiler.isa_.name;
  return compiler;
}

std::vector<std::string> CpuCompiler::Arguments(const std::string& include, Effort effort) const {
  std::vector<std::string> argv = {path_, effort == Effort::kQuick ? kQuickFlag : kFullFlag};
  argv.insert(argv.end(), std::begin(kFlags), std::end(kFlags));
  if (!isa_.flag.empty()) argv.push_back(isa_.flag);
  argv.push_back("-I" + include);
  return argv;
}

std::vector<std::string> CpuCompiler::LinkArguments() const {
  std::vector<std::string> argv = {linker_.empty() ? path_ : linker_};
  argv.insert(argv.end(), std::begin(kLinkFlags), std::end(kLinkFlags));
  return argv;
}

Result<ChildReport> CpuCompiler::BuildObject(const PrivateFolder& folder,
                                             const std::vector<std::string>& chunks,
                                             const std::vector<std::string>& argv) const {
  ChildLimits limits = limits_;
  limits.reads = {folder.path()};  // the prelude, which all chunks include
  ChunkBuilds builds(limits);
  std::vector<std::string> link = LinkArguments();
  for (const std::string& chunk : chunks) {
    WB_ASSIGN(PrivateFolder own, PrivateFolder::Create(folder.path()));
    WB_TRY(own.Write("kernel.metal", PrunedText(chunk)));
    const std::string name = own.path() + "/kernel";
    std::vector<std::string> compile = argv;
    compile.insert(compile.end(),
                   {"-fvisibility=hidden", "-c", "-x", "c++", name + ".metal", "-o", name + ".o"});
    link.push_back(name + ".o");
    builds.Add(OneCompile(std::move(own)), std::move(compile));
  }
  WB_ASSIGN(const ChildReport report, builds.Run());
  if (!Succeeded(report)) return report;
  link.insert(link.end(), {"-o", folder.path() + "/kernel.so"});
  if (linker_.empty()) link.push_back(kHelpers);
  return RunChild(link, folder.path(), builds.LimitsOfLast());
}

Result<Bytes> CpuCompiler::Build(const KernelSource& source, Effort effort) const {
  WB_ASSIGN(const PrivateFolder folder, PrivateFolder::Create(work_directory_));
  WB_TRY(folder.Write("metal_stdlib", PreludeFor(source.text)));
  std::vector<std::string> argv = Arguments(folder.path(), effort);
  // Lanes of 32 and 64 bits are written one by one.
  if (HasVectors(source.text)) argv.push_back("-ftree-slp-vectorize");
  const std::vector<std::string> chunks = ChunksOf(source.text, chunk_bytes_);
  WB_ASSIGN(const ChildReport report, BuildObject(folder, chunks, argv));
  WB_TRY(StatusOf(report, path_, source.text.size(), limits_));
  return folder.Read("kernel.so");
}

}  // namespace wb
