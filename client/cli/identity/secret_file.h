#pragma once

// Files that only their owner reads and writes (mode 0600).

#include <string>
#include <string_view>

#include "compiler/base/status.h"

namespace wb::cli {

// A new file; one that is there is left alone, and is an error. IO_ERROR leaves nothing behind.
Status CreateSecretFile(const std::string& path, std::string_view bytes);

// The file is either as before or holds all the bytes. Makes the folder (mode 0700). IO_ERROR.
Status ReplaceSecretFile(const std::string& path, std::string_view bytes);

}  // namespace wb::cli
