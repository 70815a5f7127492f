#pragma once

// What embed.cmake generates: every text of compiler/runtime and compiler/prelude.

#include <span>
#include <string_view>

namespace wb {

struct EmbeddedFile {
  std::string_view folder;  // "runtime" or "prelude"
  std::string_view name;    // path within the folder
  std::string_view text;
};

std::span<const EmbeddedFile> EmbeddedFiles();

}  // namespace wb
