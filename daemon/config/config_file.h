#pragma once

// The configuration from a TOML file, checked row by row. Nothing else reads the file.

#include <string>
#include <string_view>

#include "compiler/base/status.h"
#include "daemon/config/config.h"

namespace wb {

// `text` is the file's content, `file` its name for messages. CONFIG_INVALID with "FILE:LINE" for
// what is not TOML, an unknown section or key, a value of the wrong kind, unit or range. `version`
// must be 1.
Result<Config> ParseConfig(std::string_view text, std::string_view file);

// IO_ERROR if it cannot be read; else as ParseConfig.
Result<Config> LoadConfig(const std::string& file);

}  // namespace wb
