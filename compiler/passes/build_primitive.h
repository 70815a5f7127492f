#pragma once

// The function of a primitive: it puts its arguments into the stage, asks the engine, and returns
// the answer. It costs no stack; the engine pays for what the answer moves. That of an access to
// the group's memory has the access as a row, and does not ask.

#include <cstdint>

#include "compiler/ir/ir.h"

namespace wb {

// `index`: a function of the module whose body is a primitive. `program` as PlaceState leaves it.
ir::Function BuildPrimitive(const ir::Program& program, uint32_t index);

// Words of the stage that it uses.
uint32_t StageWordsOf(const ir::Function& primitive);

}  // namespace wb
