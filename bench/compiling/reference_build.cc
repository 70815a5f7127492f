#include "bench/compiling/reference_build.h"

#include "scheduler/devices/compile/compile_process.h"
#include "scheduler/devices/compile/private_folder.h"
#include "scheduler/devices/cpu/cpu_compiler.h"

namespace wb::bench {
namespace {

// Of this many functions; some three tenths of a second.
constexpr int kReferenceFunctions = 40;

std::string Text() {
  std::string text;
  for (int f = 0; f < kReferenceFunctions; ++f) {
    const std::string number = std::to_string(f);
    text += "unsigned f" + number + "(unsigned *m, unsigned n) {\n  unsigned a = " + number +
            "u;\n"
            "  for (unsigned i = 0; i < n; ++i) {\n"
            "    unsigned b = m[(a + i) % 64u];\n"
            "    switch (b % 5u) {\n"
            "      case 0: a += b << 3u; break;\n"
            "      case 1: m[i % 64u] = a ^ b; break;\n"
            "      case 2: for (unsigned k = 0; k < b % 7u; ++k) a = a * 31u + m[k]; break;\n"
            "      case 3: a = b > a ? b - a : a / (b | 1u); break;\n"
            "      default: m[(a >> 2u) % 64u] += b; a ^= m[(b >> 1u) % 64u];\n"
            "    }\n"
            "  }\n"
            "  return a;\n}\n";
  }
  return text;
}

}  // namespace

Result<ReferenceBuild> ReferenceBuild::Find() {
  ReferenceBuild reference;
  for (const char* name : {"clang++-14", "clang++"}) {
    if (!reference.path_.empty()) continue;
    const auto compiler = CpuCompiler::Find(name, "", {});
    if (compiler.ok()) reference.path_ = compiler->path();
  }
  if (reference.path_.empty()) {
    return Status(Reason::kConfigInvalid,
                  "Builds are compared with one of clang++, and there is none in PATH. Install "
                  "clang.");
  }
  WB_ASSIGN(const PrivateFolder folder, PrivateFolder::Create(""));
  WB_TRY(folder.Write("version.cc", "wb_version __clang_major__\n"));
  WB_ASSIGN(const ChildReport report,
            RunChild({reference.path_, "-E", "-P", "version.cc", "-o", "version.txt"},
                     folder.path(), {}));
  if (report.exit_code != 0) {
    return Status(Reason::kConfigInvalid, reference.path_ + " does not run: " + report.message);
  }
  WB_ASSIGN(const Bytes text, folder.Read("version.txt"));
  const std::string words(text.begin(), text.end());
  const size_t at = words.rfind("wb_version ");
  reference.version_ = "clang " + words.substr(at + 11, words.find('\n', at) - at - 11);
  return reference;
}

Result<BuildTime> ReferenceBuild::Run() const {
  WB_ASSIGN(const PrivateFolder folder, PrivateFolder::Create(""));
  WB_TRY(folder.Write("reference.cc", Text()));
  const auto begin = std::chrono::steady_clock::now();
  WB_ASSIGN(const ChildReport report,
            RunChild({path_, "-O2", "-c", "reference.cc", "-o", "reference.o"}, folder.path(), {}));
  const double wall =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (report.exit_code != 0) return Status(Reason::kCompileFailed, report.message);
  return BuildTime{wall, static_cast<double>(report.processor_time.count()) / 1e3};
}

}  // namespace wb::bench
