#include "compiler/debug/debug_info.h"

#include <utility>

#include "compiler/debug/utf8.h"

namespace wb {

DebugInfo::DebugInfo(std::shared_ptr<const Module> module)
    : module_(std::move(module)),
      sections_(FindDebugSections(module_->binary())),
      names_(sections_.names, *module_),
      lines_(sections_) {}

std::string DebugInfo::FunctionName(uint32_t function) const {
  return std::string(Utf8Front(names_.Of(function), kLongestText));
}

SourceLine DebugInfo::LineAt(uint32_t offset) {
  if (offset < sections_.code_at) return {};
  SourceLine line = lines_.At(offset - sections_.code_at);
  if (!IsUtf8(line.file)) return {};
  line.file = Utf8Front(line.file, kLongestText);
  return line;
}

}  // namespace wb
