#include "daemon/services/kernel_texts.h"

#include <cstring>
#include <filesystem>
#include <limits>
#include <sstream>
#include <utility>

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/system/system_layer.h"
#include "scheduler/devices/compile/compile_process.h"
#include "scheduler/devices/compile/private_folder.h"

namespace wb {
namespace {

constexpr const char* kTextFile = "text.metal";

// The checker is our own program: its time is bounded, its memory is not.
ChildLimits CheckerLimits(Isolation isolation) {
  ChildLimits limits;
  limits.max_time = std::chrono::seconds(30);
  limits.max_memory_bytes = std::numeric_limits<uint64_t>::max();
  limits.max_message_bytes = 1 << 20;
  limits.isolation = isolation;
  return limits;
}

// "-" where the checker names the file, as for a text that has none.
std::string FindingOf(std::string line) {
  if (line.starts_with(kTextFile)) line.replace(0, std::strlen(kTextFile), "-");
  return line;
}

// The checker writes one finding per line. Exit code 0: none, 1: some.
Status Check(const TextChecker& checker, KernelText* text) {
  WB_ASSIGN(const PrivateFolder folder, PrivateFolder::Create(""));
  WB_TRY(folder.Write(kTextFile, text->text));
  const std::string program = std::filesystem::absolute(checker.path).string();
  WB_ASSIGN(const ChildReport report,
            RunChild({program, kTextFile}, folder.path(), CheckerLimits(checker.isolation)));
  if (report.timed_out) {
    return Status(Reason::kDeadlineExceeded,
                  "The program [" + program + "] took too long and was stopped.");
  }
  if (report.signal != 0 || report.exit_code > 1) {
    return Status(Reason::kIoError,
                  "The subset checker [" + program + "] failed: " + report.message.substr(0, 500));
  }
  text->checked = true;
  std::istringstream lines(report.message);
  for (std::string line; report.exit_code == 1 && std::getline(lines, line);) {
    if (!line.empty()) text->findings.push_back(FindingOf(std::move(line)));
  }
  return {};
}

std::string DumpAll(const ir::Program& program) {
  std::string text;
  for (const ir::Function& function : program.functions) text += ir::Dump(function) + "\n";
  return text;
}

Stop StopAfter(std::chrono::nanoseconds max_time) {
  return [end = std::chrono::steady_clock::now() + max_time] {
    return std::chrono::steady_clock::now() > end;
  };
}

Result<KernelText> Compile(const TextChecker& checker, LoweredModules& modules,
                           std::chrono::nanoseconds max_time, const KernelTextRequest& request) {
  const Stop stop = [is_late = StopAfter(max_time), &request] {
    return is_late() || (request.is_unwanted && request.is_unwanted());
  };
  auto start = std::chrono::steady_clock::now();
  KernelText text;
  text.compiler_version = std::string(CompilerVersion());
  WB_ASSIGN(auto whole, WholeProgram(request.module));
  WB_ASSIGN(auto lowered, modules.Get(std::move(whole), stop));
  if (request.ir) {
    text.text = DumpAll(lowered->program);
  } else {
    CompileOptions options;
    options.floats = request.floats;
    options.layout = request.layout;
    WB_ASSIGN(KernelSource source, EmitKernel(*lowered, options, stop));
    text.text = std::move(source.text);
  }
  text.compile_time = std::chrono::steady_clock::now() - start;
  if (request.check) WB_TRY(Check(checker, &text));
  return text;
}

}  // namespace

ModuleCheck CompilerModuleCheck(std::shared_ptr<LoweredModules> modules,
                                std::chrono::nanoseconds max_time) {
  return [modules = std::move(modules), max_time](std::shared_ptr<const Module> module) {
    return modules->Get(std::move(module), StopAfter(max_time)).status();
  };
}

KernelTexts CompilerKernelTexts(TextChecker checker, std::shared_ptr<LoweredModules> modules,
                                std::chrono::nanoseconds max_time) {
  return [checker = std::move(checker), modules = std::move(modules),
          max_time](const KernelTextRequest& request) {
    return Compile(checker, *modules, max_time, request);
  };
}

}  // namespace wb
