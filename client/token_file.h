#pragma once

// Tokens: the texts that daemons know their callers by. Errors never hold the text itself.

#include <string>

#include "compiler/base/status.h"

namespace wb {

// The token that a file holds, without the white space around it. IO_ERROR: the file cannot be
// read, or others may read it too. INVALID_ARGUMENT: it holds no token.
Result<std::string> ReadTokenFile(const std::string& path);

// A token's text without the white space around it; INVALID_ARGUMENT. `where` it stands is named in
// the error: "The file [x]".
Result<std::string> TokenFromText(const std::string& text, const std::string& where);

}  // namespace wb
