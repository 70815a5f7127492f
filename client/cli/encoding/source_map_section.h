#pragma once

// A source map put into a module, where the daemon looks for it. Pure.

#include <string>

#include "compiler/base/status.h"

namespace wb::cli {

// `wasm` with a section sourceMappingURL behind its others, which holds what `map` (JSON, version
// 3) says of lines; sources' contents and names are left out. The map may be an indexed one, of
// sections (ECMA-426). `file`: the map's, for errors.
// INVALID_ARGUMENT where one is no binary or the other no such map.
Result<std::string> WithSourceMap(std::string wasm, const std::string& map,
                                  const std::string& file);

}  // namespace wb::cli
