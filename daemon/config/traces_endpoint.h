#pragma once

// Where spans are sent to.

#include <string_view>

#include "compiler/base/status.h"

namespace wb {

// "http://HOST:PORT" or "https://...", perhaps with a path. CONFIG_INVALID for anything else, and
// where it holds a name and a password: those belong into the file of headers.
Status CheckTracesEndpoint(std::string_view text);

}  // namespace wb
