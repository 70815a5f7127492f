#include "compiler/debug/function_names.h"

#include <algorithm>

#include "compiler/debug/byte_cursor.h"
#include "compiler/debug/utf8.h"

namespace wb {
namespace {

constexpr uint8_t kFunctionNames = 1;  // a subsection

}  // namespace

FunctionNames::FunctionNames(ByteView section, const Module& module) {
  if (!ReadSection(section, module.functions.size())) names_.clear();
  AddExports(module);
}

bool FunctionNames::ReadSection(ByteView section, size_t functions) {
  ByteCursor cursor(section);
  while (cursor.ok() && !cursor.done()) {
    const uint8_t id = cursor.U8();
    const ByteView contents = cursor.Take(cursor.Unsigned());
    if (id == kFunctionNames && names_.empty() && !ReadFunctions(contents, functions)) return false;
  }
  return cursor.ok();
}

bool FunctionNames::ReadFunctions(ByteView names, size_t functions) {
  ByteCursor cursor(names);
  const uint64_t count = cursor.Unsigned();
  if (count > functions) return false;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t function = cursor.Unsigned();
    const std::string_view text = AsText(cursor.Take(cursor.Unsigned()));
    if (!cursor.ok() || function >= functions) return false;
    if (!names_.empty() && function <= names_.back().function) return false;
    if (names_.size() < kMost) names_.push_back({static_cast<uint32_t>(function), text});
  }
  return cursor.done();
}

void FunctionNames::AddExports(const Module& module) {
  std::vector<Name> exported;
  for (const Export& item : module.exports) {
    if (item.kind != ExternKind::kFunction || exported.size() == kMost) continue;
    exported.push_back({item.index, item.name});
  }
  const auto before = [](const Name& a, const Name& b) { return a.function < b.function; };
  std::stable_sort(exported.begin(), exported.end(), before);
  std::vector<Name> all;
  // Of equal functions those of the section come first, and the exports in their order.
  std::merge(names_.begin(), names_.end(), exported.begin(), exported.end(),
             std::back_inserter(all), before);
  const auto same = [](const Name& a, const Name& b) { return a.function == b.function; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  names_ = std::move(all);
}

std::string_view FunctionNames::Of(uint32_t function) const {
  const auto found =
      std::lower_bound(names_.begin(), names_.end(), function,
                       [](const Name& name, uint32_t wanted) { return name.function < wanted; });
  if (found == names_.end() || found->function != function || !IsUtf8(found->text)) return {};
  return found->text;
}

}  // namespace wb
