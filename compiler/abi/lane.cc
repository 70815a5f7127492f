#include "compiler/abi/lane.h"

namespace wb {

std::string_view TrapWords(Trap trap) {
  switch (trap) {
    case Trap::kNone: return "";
#define WB_TRAP(name, upper, number, words) \
  case Trap::k##name:                       \
    return words;
#include "compiler/abi/trap.def"
#undef WB_TRAP
  }
  return "unknown trap";
}

std::string_view TrapName(Trap trap) {
  switch (trap) {
    case Trap::kNone: return "NONE";
#define WB_TRAP(name, upper, number, words) \
  case Trap::k##name:                       \
    return #upper;
#include "compiler/abi/trap.def"
#undef WB_TRAP
  }
  return "UNKNOWN";
}

bool IsTrap(uint32_t number) {
#define WB_TRAP(name, upper, value, words) \
  if (number == (value)) return true;
#include "compiler/abi/trap.def"
#undef WB_TRAP
  return false;
}

std::string_view EndName(End end) {
  switch (end) {
#define WB_END(name, upper, number) \
  case End::k##name:                \
    return #upper;
#include "compiler/abi/end.def"
#undef WB_END
  }
  return "UNKNOWN";
}

}  // namespace wb
