#include "compiler/debug/line_program.h"

namespace wb {
namespace {

enum Standard : uint8_t {
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};

enum Extended : uint8_t { kEndSequence = 1, kSetAddress = 2 };

}  // namespace

LineProgram::LineProgram(ByteView section, const LineHeader& header, size_t at)
    : header_(header), cursor_(section.first(header.end), at) {}

bool LineProgram::Next(LineRow* row) {
  if (state_.ends) state_ = {};
  while (cursor_.ok() && !cursor_.done()) {
    const uint8_t opcode = cursor_.U8();
    const bool made = opcode >= header_.opcode_base ? RunSpecial(opcode)
                      : opcode == 0                 ? RunExtended()
                                                    : RunStandard(opcode);
    if (!made || !cursor_.ok()) continue;
    *row = state_;
    return true;
  }
  return false;
}

void LineProgram::Advance(uint64_t operations) {
  state_.address += operations * header_.least_instruction;
}

bool LineProgram::RunSpecial(uint8_t opcode) {
  const uint32_t adjusted = opcode - uint32_t{header_.opcode_base};
  Advance(adjusted / header_.line_range);
  state_.line += static_cast<uint32_t>(header_.line_base) + adjusted % header_.line_range;
  return true;
}

bool LineProgram::RunStandard(uint8_t opcode) {
  switch (opcode) {
    case kCopy: return true;
    case kAdvancePc: Advance(cursor_.Unsigned()); return false;
    case kAdvanceLine: state_.line += static_cast<uint32_t>(cursor_.Signed()); return false;
    case kSetFile: state_.file = static_cast<uint32_t>(cursor_.Unsigned()); return false;
    case kConstAddPc: Advance((255u - header_.opcode_base) / header_.line_range); return false;
    case kFixedAdvancePc: state_.address += cursor_.U16(); return false;
    default: break;
  }
  // Columns and the like, and what later versions may add.
  for (uint8_t i = 0; i < header_.opcode_lengths[opcode - 1u]; ++i) cursor_.Unsigned();
  return false;
}

bool LineProgram::RunExtended() {
  ByteCursor body(cursor_.Take(cursor_.Unsigned()));
  if (body.done()) return false;
  const uint8_t opcode = body.U8();
  if (opcode == kSetAddress) {
    const ByteView address = body.Take(body.done() ? 0 : 4);
    state_.address = ByteCursor(address).Fixed(address.size());
  }
  state_.ends = opcode == kEndSequence;
  return state_.ends;
}

}  // namespace wb
