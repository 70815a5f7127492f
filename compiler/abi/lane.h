#pragma once

// The C++ view of lane.def, params.def, trap.def and end.def.

#include <cstdint>
#include <string_view>

namespace wb {

namespace abi {
enum Number : uint32_t {
#define WB_ABI(name, value, meaning) name = value,
#include "compiler/abi/lane.def"
#undef WB_ABI
};

// What the host passes to a launch, as the kernel text's `struct WbParams` declares it
// (ParamsText). params.def says what each field is.
struct Params {
#define WB_PARAM(name, initial, meaning) uint32_t name = initial;
#include "compiler/abi/params.def"
#undef WB_PARAM
};

// Which word of Params each field is.
struct ParamWords {
  enum Word : uint32_t {
#define WB_PARAM(name, initial, meaning) name,
#include "compiler/abi/params.def"
#undef WB_PARAM
    kCount
  };
};
static_assert(sizeof(Params) == ParamWords::kCount * sizeof(uint32_t));
}  // namespace abi

enum class Trap : uint8_t {
  kNone = 0,
#define WB_TRAP(name, upper, number, words) k##name = number,
#include "compiler/abi/trap.def"
#undef WB_TRAP
};
std::string_view TrapWords(Trap trap);  // "integer divide by zero"; "" for kNone
std::string_view TrapName(Trap trap);   // "DIVIDE_BY_ZERO"
bool IsTrap(uint32_t number);           // a number of the list

// What a module asks of the engine.
enum class Primitive : uint8_t {
  kNone = 0,
#define WB_PRIMITIVE(name, upper, number, import, results, params, memory) k##name = number,
#include "compiler/abi/primitive.def"
#undef WB_PRIMITIVE
};

enum class End : uint8_t {
#define WB_END(name, upper, number) k##name = number,
#include "compiler/abi/end.def"
#undef WB_END
};
inline constexpr uint32_t kEnds = 0
#define WB_END(name, upper, number) +1
#include "compiler/abi/end.def"
#undef WB_END
    ;                               // that there are, numbered from 0
std::string_view EndName(End end);  // "OUT_OF_FUEL"

}  // namespace wb
