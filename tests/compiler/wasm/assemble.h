#pragma once

// Test only: WebAssembly text to binary, by wabt.

#include <string_view>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"

namespace wb::test {

// The binary of a module in the text format. Names are resolved and wabt's default and experimental
// features are all read; nothing is validated, so that invalid modules can be made too.
// Error: WAT_INVALID with wabt's first message, its line and its column.
Result<Bytes> Assemble(std::string_view wat);

// The same; stops the process with the message where the text is wrong.
Bytes MustAssemble(std::string_view wat);

}  // namespace wb::test
