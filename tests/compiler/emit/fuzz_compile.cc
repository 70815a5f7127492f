// Any bytes, of a module or a bundle of modules, must give a kernel text or a reason why not,
// however it is printed. libFuzzer's entry; with WB_FUZZ=ON.

#include <cstddef>
#include <cstdint>

#include "compiler/base/check.h"
#include "compiler/compiler.h"
#include "compiler/link/bundle.h"

namespace {

// The size chooses, so that what is found is found again.
wb::CompileOptions OptionsOf(size_t size) {
  constexpr wb::Flattening kFlattenings[] = {wb::Flattening::kWhereNeeded, wb::Flattening::kAlways,
                                             wb::Flattening::kMixed};
  wb::CompileOptions options;
  options.flattening = kFlattenings[size % 3];
  options.floats = size / 3 % 2 == 0 ? wb::Floats::kNative : wb::Floats::kMetal;
  options.most_copies = static_cast<uint32_t>(size / 6 % 3);
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  wb::Result<std::shared_ptr<const wb::Module>> module = wb::LoadModule({data, size});
  if (!module.ok()) return 0;
  wb::Result<std::shared_ptr<const wb::LoweredModule>> lowered = wb::Lower(*module);
  if (!lowered.ok()) {
    WB_CHECK(!lowered.status().details().empty());
    return 0;
  }
  for (const wb::ir::Function& function : (*lowered)->program.functions) {
    WB_CHECK(!wb::ir::Dump(function).empty());
    // A trampoline of tail calls never leaves itself.
    WB_CHECK(function.bounded == (function.safepoints == 0) || function.synthetic);
    WB_CHECK(function.safepoints == 0 || function.frame_words != 0);
  }
  wb::EncodeImage(**lowered);
  wb::Result<wb::KernelSource> source = wb::EmitKernel(**lowered, OptionsOf(size));
  WB_CHECK(source.ok() || source.status().reason() == wb::Reason::kWasmUnsupportedFeature);
  return 0;
}
