#pragma once

// DebugInfo: what a module tells of its source. Names of functions are those of the name section,
// or of exports; lines are those of DWARF, else of a source map. All of it comes from whoever made
// the module: it may lie, and costs no more than its bytes. Not for several threads at once.

#include <memory>
#include <string>

#include "compiler/debug/custom_sections.h"
#include "compiler/debug/function_names.h"
#include "compiler/debug/line_table.h"
#include "compiler/debug/source_map.h"
#include "compiler/wasm/module.h"

namespace wb {

class DebugInfo {
 public:
  static constexpr size_t kLongestText = 1024;  // bytes; longer ones are cut

  // Takes time linear in the binary. `module`: of one binary, not linked.
  explicit DebugInfo(std::shared_ptr<const Module> module);

  // UTF-8. Empty: not known.
  std::string FunctionName(uint32_t function) const;
  // `offset`: of an operator, in bytes from the binary's begin. The file is UTF-8.
  SourceLine LineAt(uint32_t offset);

 private:
  SourceLine LineOfMap(uint32_t offset) const;

  const std::shared_ptr<const Module> module_;
  const DebugSections sections_;
  const FunctionNames names_;
  LineTable lines_;
  const SourceMap source_map_;
};

}  // namespace wb
