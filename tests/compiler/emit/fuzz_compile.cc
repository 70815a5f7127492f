// Any bytes must give a kernel text or a reason why not. libFuzzer's entry; with WB_FUZZ=ON.

#include <cstddef>
#include <cstdint>

#include "compiler/base/check.h"
#include "compiler/compiler.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  wb::Result<std::shared_ptr<const wb::Module>> module = wb::Module::Decode({data, size});
  if (!module.ok()) return 0;
  wb::Result<std::shared_ptr<const wb::LoweredModule>> lowered = wb::Lower(*module);
  if (!lowered.ok()) {
    WB_CHECK(!lowered.status().details().empty());
    return 0;
  }
  for (const wb::ir::Function& function : (*lowered)->program.functions) {
    WB_CHECK(!wb::ir::Dump(function).empty());
    WB_CHECK(function.bounded == (function.safepoints == 0));
    WB_CHECK(function.bounded || function.frame_words != 0);
  }
  wb::EncodeImage(**lowered);
  wb::Result<wb::KernelSource> source = wb::EmitKernel(**lowered, {});
  WB_CHECK(source.ok() || source.status().reason() == wb::Reason::kWasmUnsupportedFeature);
  return 0;
}
