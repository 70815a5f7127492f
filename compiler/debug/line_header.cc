#include "compiler/debug/line_header.h"

#include "compiler/debug/byte_cursor.h"

namespace wb {
namespace {

constexpr uint32_t kLengthOf64Bits = 0xffffffff;

// What stands between the unit's length and its tables. `unit` ends with the unit.
bool ReadFields(ByteCursor* unit, LineHeader* header) {
  header->version = unit->U16();
  if (header->version < 2 || header->version > 5) return false;
  if (header->version == 5) unit->Take(2);  // sizes of an address and of a segment selector
  const uint64_t length = header->is_64_bit ? unit->U64() : unit->U32();
  const size_t counted_from = unit->at();
  if (!unit->ok() || length > header->end - counted_from) return false;
  header->program_at = counted_from + static_cast<size_t>(length);
  header->least_instruction = unit->U8();
  if (header->version >= 4) unit->U8();  // operations of an instruction: 1 where there is no VLIW
  unit->U8();                            // whether rows begin as statements
  header->line_base = static_cast<int8_t>(unit->U8());
  header->line_range = unit->U8();
  header->opcode_base = unit->U8();
  if (header->line_range == 0 || header->opcode_base == 0) return false;
  header->opcode_lengths = unit->Take(header->opcode_base - 1u);
  header->files_at = unit->at();
  return unit->ok() && header->files_at <= header->program_at;
}

}  // namespace

std::optional<LineHeader> ReadLineHeader(ByteView section, size_t at) {
  ByteCursor cursor(section, at);
  LineHeader header;
  uint64_t length = cursor.U32();
  header.is_64_bit = length == kLengthOf64Bits;
  if (header.is_64_bit) length = cursor.U64();
  const size_t begin = cursor.at();
  if (!cursor.ok() || length > section.size() - begin) return std::nullopt;
  header.end = begin + static_cast<size_t>(length);
  ByteCursor unit(section.first(header.end), begin);
  header.is_readable = ReadFields(&unit, &header);
  return header;
}

}  // namespace wb
