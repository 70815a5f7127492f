#include "compiler/debug/debug_info.h"

#include <algorithm>
#include <utility>

#include "compiler/debug/utf8.h"

namespace wb {

DebugInfo::DebugInfo(std::shared_ptr<const Module> module)
    : module_(std::move(module)),
      sections_(FindDebugSections(module_->binary())),
      names_(sections_.names, *module_),
      lines_(sections_),
      source_map_(sections_.source_map) {}

std::string DebugInfo::FunctionName(uint32_t function) const {
  return std::string(Utf8Front(names_.Of(function), kLongestText));
}

SourceLine DebugInfo::LineAt(uint32_t offset) {
  if (offset < sections_.code_at) return {};
  SourceLine line = lines_.At(offset - sections_.code_at);
  if (line.line == 0) line = LineOfMap(offset);
  if (!IsUtf8(line.file)) return {};
  line.file = Utf8Front(line.file, kLongestText);
  return line;
}

// A mapping says nothing of the functions behind its own.
SourceLine DebugInfo::LineOfMap(uint32_t offset) const {
  const std::vector<Body>& bodies = module_->bodies;
  auto body =
      std::upper_bound(bodies.begin(), bodies.end(), offset,
                       [](uint32_t wanted, const Body& one) { return wanted < one.offset; });
  if (body == bodies.begin()) return {};
  --body;
  if (offset > body->end_offset) return {};
  return source_map_.At(body->offset, offset);
}

}  // namespace wb
