#include "tests/compiler/runtime/whole_text.h"

#include <fstream>
#include <sstream>

#include "compiler/base/check.h"
#include "compiler/runtime/runtime.h"

namespace wb {

std::string WholeText(const std::string& layout, const std::string& floats,
                      const std::string& module) {
  std::ifstream file(module);
  WB_CHECK(file.good());
  std::ostringstream text;
  const RuntimeForm form = {.floats = floats == "metal"    ? Floats::kMetal
                                      : floats == "fast32" ? Floats::kFast32
                                                           : Floats::kNative,
                            .layout = layout == "contiguous" ? MemoryLayout::kContiguous
                                      : layout == "tiled"    ? MemoryLayout::kTiled
                                                             : MemoryLayout::kInterleaved,
                            .vectors = true,
                            .folds = true,
                            .group_memory = true};
  text << OpeningText(
              form,
              "constant uint WB_GLOBALS_AT = 40u;\nconstant uint WB_GLOBALS_SIZE = 0u;\n"
              "constant uint WB_MEMORY_AT = 1024u;\nconstant uint WB_RECURSIVE = 0u;\n"
              "constant uint WB_PRIMITIVES = 1u;\nconstant uint WB_COLLECTIVES = 1u;\n"
              "constant uint WB_LOCKSTEP = 1u;\nconstant uint WB_WINDOWED = 0u;\n"
              "constant uint WB_GROUP_AT = 30u;\nconstant uint WB_GROUP_MEMORY_AT = 64u;\n\n")
       << file.rdbuf() << ClosingText(KernelForm::kMeets);
  return text.str();
}

}  // namespace wb
