#pragma once

// FunctionNames: what a module calls its functions. The name section counts before the exports. A
// name section that does not parse is ignored, as the specification says. Pure; immutable.

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/wasm/module.h"

namespace wb {

class FunctionNames {
 public:
  static constexpr size_t kMost = size_t{1} << 19;  // names kept; those of later functions are not

  // `section`: the contents of the name section, which lies in the module's binary. The names are
  // parts of the module, which must outlive them.
  FunctionNames(ByteView section, const Module& module);

  // Empty: the function has no name, or one that is not UTF-8.
  std::string_view Of(uint32_t function) const;

 private:
  struct Name {
    uint32_t function = 0;
    std::string_view text;
  };

  // False: the section does not parse.
  bool ReadSection(ByteView section, size_t functions);
  bool ReadFunctions(ByteView names, size_t functions);
  void AddExports(const Module& module);

  std::vector<Name> names_;  // by function
};

}  // namespace wb
