#pragma once

// What the compiler makes of a module, as text, for people (wasmburstctl module compile).

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "compiler/wasm/module.h"
#include "scheduler/base/lowered_modules.h"
#include "scheduler/sandbox/policy.h"

namespace wb {

struct KernelTextRequest {
  std::shared_ptr<const Module> module;
  bool ir = false;  // the intermediate form instead of the kernel text
  Floats floats = Floats::kNative;
  MemoryLayout layout = MemoryLayout::kContiguous;
  bool check = false;                 // pass the kernel text through the subset checker
  std::function<bool()> is_unwanted;  // asked now and then: no client waits for it any more
};

struct KernelText {
  std::string text;
  std::string compiler_version;
  std::chrono::nanoseconds compile_time{};
  bool checked = false;
  std::vector<std::string> findings;
};

// Given to the Modules service, so that it needs neither compiler nor checker to be tested.
using KernelTexts = std::function<Result<KernelText>(const KernelTextRequest&)>;

// Whether jobs can use a module at all: IMPORT_NOT_PROVIDED, WASM_UNSUPPORTED_FEATURE. Asked once,
// when the module is stored, so that jobs are refused at once and by name. COMPILE_TIMEOUT after
// `max_time`, which says nothing of other times. `modules` remembers what was lowered for later
// jobs.
using ModuleCheck = std::function<Status(std::shared_ptr<const Module>)>;
ModuleCheck CompilerModuleCheck(std::shared_ptr<LoweredModules> modules,
                                std::chrono::nanoseconds max_time);

// The program that checks kernel texts, and how far it is shut in.
struct TextChecker {
  std::string path;
  Isolation isolation = Isolation::kOff;
};

// By the compiler and the checker. Errors: Lower's and EmitKernel's;
// COMPILE_TIMEOUT after `max_time`; IO_ERROR when the checker cannot be run.
KernelTexts CompilerKernelTexts(TextChecker checker, std::shared_ptr<LoweredModules> modules,
                                std::chrono::nanoseconds max_time);

}  // namespace wb
