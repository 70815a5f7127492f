#pragma once

// What embed.cmake generates.

#include "compiler/base/bytes.h"

namespace wb {

ByteView BridgeBinary();  // bridge.wat
ByteView SystemBinary();  // wasi/

}  // namespace wb
