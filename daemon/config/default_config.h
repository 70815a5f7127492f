#pragma once

// The configuration without a file. Nothing else has defaults.

#include <string>

#include "daemon/config/config.h"

namespace wb {

// What holds without a file: the defaults, and one listener, unix:///run/wasmburst/wasmburstd.sock.
Config DefaultConfig();

// A commented file with every setting at its default; ParseConfig takes it.
std::string DefaultConfigText();

}  // namespace wb
