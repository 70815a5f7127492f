#pragma once

// Types and constants of a module that is made. Pure.
// Source: WebAssembly core specification 2.0, 5.3 (types) and 5.4.9 (constant expressions).

#include <cstdint>
#include <vector>

#include "compiler/base/binary_writer.h"
#include "compiler/link/binding.h"

namespace wb {

uint8_t TypeCode(ValueType type);

void PutTypes(const std::vector<ValueType>& types, BinaryWriter& to);

// The operator that gives the value; of a reference it is null.
void PutConstant(const BoundValue& value, BinaryWriter& to);

}  // namespace wb
