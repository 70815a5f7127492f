#include "compiler/emit/constant_arrays.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "compiler/base/bytes.h"
#include "compiler/emit/text/data_copy.h"
#include "compiler/emit/text/names.h"

namespace wb {
namespace {

using ir::Op;

struct Named {
  std::set<uint32_t> data;      // segments
  std::set<uint32_t> elements;  // segments
  std::set<uint32_t> tables;    // constant ones
  // Of data that loops and loads read: address and words.
  std::set<std::pair<uint32_t, uint32_t>> data_words;
  bool numbers = false;
  bool slots = false;
};

void Note(const ir::Program& program, const ir::Function& function, const ir::Inst& inst,
          Named& named) {
  switch (inst.op) {
    case Op::kMemoryInitChunk: named.data.insert(static_cast<uint32_t>(inst.imm)); break;
    case Op::kTableInitChunk: named.elements.insert(function.table_inits[inst.imm].segment); break;
    case Op::kTableLookup: {
      const uint32_t table = function.table_lookups[inst.imm].table;
      if (program.tables[table].in_lane) {
        named.numbers = true;
      } else {
        named.tables.insert(table);
      }
      break;
    }
    case Op::kCheckRoom: named.slots = true; break;
    default: break;
  }
}

void NoteCopies(const ir::Program& program, const ir::Function& function, Named& named) {
  for (const ir::Function::AccessRange& range : function.ranges) {
    const auto* piece = PieceOf(program, function, function.insts[range.row], range.row);
    if (piece != nullptr) named.data_words.insert({piece->from, (piece->end - piece->from) / 4});
  }
}

void WriteWords(std::string_view name, const std::vector<uint32_t>& words, Text& text) {
  constexpr size_t kPerLine = 16;
  if (words.empty()) return;
  text.Open("constant uint ", name, "[", words.size(), "] =");
  for (size_t i = 0; i < words.size(); i += kPerLine) {
    std::string line;
    for (size_t k = i; k < std::min(i + kPerLine, words.size()); ++k) {
      line += std::to_string(words[k]) + "u,";
    }
    text.Line(line);
  }
  text.Close(";");
}

std::vector<uint32_t> NumbersOf(const ir::Program& program, const ir::Table& table) {
  std::vector<uint32_t> numbers;
  for (uint32_t element : table.elements) {
    numbers.push_back(element == ir::kNullReference ? 0 : program.callee_numbers[element - 1]);
  }
  return numbers;
}

std::vector<uint32_t> ElementsOf(const ElementSegment& segment) {
  std::vector<uint32_t> words;
  for (const ConstExpr& element : segment.elements) {
    words.push_back(static_cast<uint32_t>(*ir::ConstantOf(element)));
  }
  return words;
}

// As memory 0 begins.
std::vector<uint32_t> WordsOf(const ir::Image& image, uint32_t address, uint32_t count) {
  const uint64_t end = uint64_t{address} + uint64_t{count} * 4;
  Bytes bytes(uint64_t{count} * 4);
  for (const ir::MemoryRange& range : image.memory) {
    if (range.memory != 0) continue;
    const uint64_t from = std::max(range.address, address);
    const uint64_t to = std::min(uint64_t{range.address} + range.bytes.size(), end);
    for (uint64_t at = from; at < to; ++at) bytes[at - address] = range.bytes[at - range.address];
  }
  return PackWords(bytes);
}

}  // namespace

void WriteConstantArrays(const ir::Program& program, const std::vector<bool>& printed, Text& text) {
  Named named;
  for (size_t i = 0; i < printed.size(); ++i) {
    if (!printed[i]) continue;
    for (const ir::Inst& inst : program.functions[i].insts)
      Note(program, program.functions[i], inst, named);
    for (const ir::CountedLoop& loop : program.functions[i].counted_loops) {
      for (const ir::LoopData& data : loop.data)
        named.data_words.insert({data.address, data.words});
    }
    NoteCopies(program, program.functions[i], named);
  }
  const Module& module = *program.module;
  for (uint32_t i : named.data) WriteWords(DataText(i), PackWords(module.data[i].bytes), text);
  for (uint32_t i : named.elements)
    WriteWords(ElementsText(i), ElementsOf(module.elements[i]), text);
  for (const auto& [address, words] : named.data_words) {
    WriteWords(LoopDataText(address, words), WordsOf(program.image, address, words), text);
  }
  for (uint32_t i : named.tables) {
    WriteWords(TableText(i), NumbersOf(program, program.tables[i]), text);
  }
  if (named.numbers) WriteWords(kNumbersText, program.callee_numbers, text);
  if (named.slots) WriteWords(kSlotsText, ir::SlotsByNumber(program), text);
}

}  // namespace wb
