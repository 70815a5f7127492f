#include "scheduler/devices/interpreter/lane_state.h"

#include <algorithm>
#include <cstring>

#include "compiler/abi/lane.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Zeros of so many bytes end a chunk.
constexpr uint64_t kLine = 256;

bool IsZero(ByteView bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

Status TooMuch(uint64_t max_bytes) {
  return Status(Reason::kLimitTooHigh,
                "What is not zero of the instance's memory and tables has more than " +
                    Quoted(max_bytes) + " bytes.",
                {{"maximum", std::to_string(max_bytes)}});
}

uint32_t PagesOf(const LoweredModule& module, uint32_t memory, std::span<const uint32_t> lane) {
  const ir::Memory& its = module.program.memories[memory];
  if (its.pages_global == ir::kNoGlobal) return lane[abi::LANE_PAGES];
  return lane[module.layout.globals_at + module.program.global_words[its.pages_global]];
}

// False: there is more than `left`.
bool TakeMemory(ByteView bytes, uint64_t* left, SeenMemory* to) {
  for (uint64_t at = 0; at < bytes.size(); at += kLine) {
    const ByteView line = bytes.subspan(at, std::min(kLine, bytes.size() - at));
    if (IsZero(line)) continue;
    if (line.size() > *left) return false;
    *left -= line.size();
    if (to->chunks.empty() || to->chunks.back().at + to->chunks.back().bytes.size() != at) {
      to->chunks.push_back({at, {}});
    }
    Bytes& chunk = to->chunks.back().bytes;
    chunk.insert(chunk.end(), line.begin(), line.end());
  }
  return true;
}

SeenValue GlobalValue(ValueType type, const uint32_t* words) {
  SeenValue value{type, words[0], 0};
  if (TypeWords(type) >= 2) value.low |= uint64_t{words[1]} << 32;
  if (TypeWords(type) == 4) value.high = words[2] | uint64_t{words[3]} << 32;
  return value;
}

SeenTable TableOf(const LoweredModule& module, const ir::Table& table,
                  std::span<const uint32_t> lane) {
  const uint32_t globals = module.layout.globals_at;
  uint32_t size = table.size;
  if (table.size_global != ir::kNoGlobal) {
    size = lane[globals + module.program.global_words[table.size_global]];
  }
  SeenTable seen;
  if (table.in_lane) {
    const auto words = lane.subspan(globals + table.at, size);
    seen.elements.assign(words.begin(), words.end());
  } else {
    seen.elements = table.elements;
    seen.elements.resize(size, SeenTable::kNull);
  }
  return seen;
}

}  // namespace

std::vector<ValueType> GlobalTypes(const LoweredModule& module) {
  std::vector<ValueType> types;
  const std::vector<Global>& globals = module.program.module->globals;
  for (size_t i = 0; i < globals.size(); ++i) {
    const size_t at = module.layout.globals_at + module.program.global_words[i];
    if (types.size() <= at) types.resize(at + 1, ValueType::kVoid);
    types[at] = globals[i].type;
  }
  return types;
}

Status TakeState(const LoweredModule& module, const DispatchShape& shape,
                 std::span<const uint32_t> lane, uint64_t max_bytes, Inspection* to) {
  const Module& wasm = *module.program.module;
  uint64_t left = max_bytes;
  for (uint32_t memory = 0; memory < module.program.memories.size(); ++memory) {
    SeenMemory& seen = to->memories.emplace_back();
    seen.pages = PagesOf(module, memory, lane);
    const auto words =
        lane.subspan(module.layout.MemoryAt(memory, shape.Reserve()), seen.pages * kWordsPerPage);
    const ByteView bytes(reinterpret_cast<const uint8_t*>(words.data()), words.size_bytes());
    if (!TakeMemory(bytes, &left, &seen)) return TooMuch(max_bytes);
  }
  for (size_t i = 0; i < wasm.globals.size(); ++i) {
    const uint32_t at = module.layout.globals_at + module.program.global_words[i];
    to->globals.push_back(GlobalValue(wasm.globals[i].type, lane.data() + at));
  }
  for (const ir::Table& table : module.program.tables) {
    SeenTable seen = TableOf(module, table, lane);
    const uint64_t bytes = seen.elements.size() * sizeof(uint32_t);
    if (bytes > left) return TooMuch(max_bytes);
    left -= bytes;
    to->tables.push_back(std::move(seen));
  }
  return {};
}

}  // namespace wb
