#pragma once

// How the decoder words what is wrong with a module.

#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/base/status.h"

namespace wb {

struct DecodePlace {
  uint64_t offset = 0;               // byte offset in the module
  std::optional<uint32_t> function;  // index, inside a body
};

// A full sentence with the place, and the details "offset" and (inside a body) "function".
// `what` is a clause such as "unable to read string: export item name"; long ones are shortened.
Status DecodeError(Reason reason, std::string_view what, const DecodePlace& place);

// wabt's binary reader also reports what the specification counts as validation, and proposals
// that are off. This is the reason that its message stands for, and the proposal's name.
struct ReaderVerdict {
  Reason reason = Reason::kWasmMalformed;
  std::string_view proposal;
};
ReaderVerdict VerdictOfReader(std::string_view message);

// The proposal that an operator beginning with this byte, or a type of this code, belongs to; empty
// for all that the proposals known here did not add.
std::string_view ProposalOfOperator(uint8_t first_byte);
std::string_view ProposalOfType(uint8_t code);

}  // namespace wb
