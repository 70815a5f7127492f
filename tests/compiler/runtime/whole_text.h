#pragma once

// A whole kernel text around tiny_module.metal, as the emitter would join it.

#include <string>

namespace wb {

// `layout`: "contiguous", "interleaved" or "tiled"; `floats`: "native", "metal" or "fast32".
// `module` is the path of a text with wb_call.
std::string WholeText(const std::string& layout, const std::string& floats,
                      const std::string& module);

}  // namespace wb
