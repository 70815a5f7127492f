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
  text << RuntimeText("head.metal") << ConstantsText() << ParamsText()
       << "constant uint WB_GLOBALS_AT = 28u;\nconstant uint WB_GLOBALS_SIZE = 0u;\n"
          "constant uint WB_MEMORY_AT = 1024u;\nconstant uint WB_RECURSIVE = 0u;\n\n"
       << RuntimeText("layout_" + layout + ".metal");
  for (const char* part : {"lanes.metal", "calls.metal", "memory.metal", "memories.metal",
                           "tables.metal", "ints.metal"}) {
    text << RuntimeText(part);
  }
  const auto parts = floats == "metal"    ? MetalFloatParts()
                     : floats == "fast32" ? Fast32FloatParts()
                                          : NativeFloatParts();
  for (std::string_view part : parts) text << RuntimeText(part);
  for (std::string_view part : VectorTexts()) text << RuntimeText(part);
  text << file.rdbuf();
  for (std::string_view part : KernelTexts()) text << RuntimeText(part);
  return text.str();
}

}  // namespace wb
