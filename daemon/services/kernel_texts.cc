#include "daemon/services/kernel_texts.h"

#include <algorithm>
#include <utility>

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "daemon/services/child.h"

namespace wb {
namespace {

// The checker reads the text from its input and writes one finding per line; 0: none, 1: some.
Status Check(const std::string& checker_path, KernelText* text) {
  RunLimits limits;
  limits.max_output = 1 << 20;
  WB_ASSIGN(ChildOutcome outcome, RunChild({checker_path, "-"}, text->text, limits));
  if (outcome.exit_code != 0 && outcome.exit_code != 1) {
    return Status(Reason::kIoError, "The subset checker [" + checker_path +
                                        "] failed: " + outcome.output.substr(0, 500));
  }
  text->checked = true;
  size_t at = 0;
  while (at < outcome.output.size()) {
    size_t end = std::min(outcome.output.find('\n', at), outcome.output.size());
    if (end > at && outcome.exit_code == 1) {
      text->findings.push_back(outcome.output.substr(at, end - at));
    }
    at = end + 1;
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

Result<KernelText> Compile(const std::string& checker_path, std::chrono::nanoseconds max_time,
                           const KernelTextRequest& request) {
  const Stop stop = [is_late = StopAfter(max_time), &request] {
    return is_late() || (request.is_unwanted && request.is_unwanted());
  };
  auto start = std::chrono::steady_clock::now();
  KernelText text;
  text.compiler_version = std::string(CompilerVersion());
  WB_ASSIGN(auto lowered, Lower(request.module, {}, stop));
  if (request.ir) {
    text.text = DumpAll(lowered->program);
  } else {
    CompileOptions options;
    if (request.interleaved) options.layout = MemoryLayout::kInterleaved;
    WB_ASSIGN(KernelSource source, EmitKernel(*lowered, options, stop));
    text.text = std::move(source.text);
  }
  text.compile_time = std::chrono::steady_clock::now() - start;
  if (request.check) WB_TRY(Check(checker_path, &text));
  return text;
}

}  // namespace

ModuleCheck CompilerModuleCheck(std::chrono::nanoseconds max_time) {
  return [max_time](std::shared_ptr<const Module> module) {
    return Lower(std::move(module), {}, StopAfter(max_time)).status();
  };
}

KernelTexts CompilerKernelTexts(std::string checker_path, std::chrono::nanoseconds max_time) {
  return [path = std::move(checker_path), max_time](const KernelTextRequest& request) {
    return Compile(path, max_time, request);
  };
}

}  // namespace wb
