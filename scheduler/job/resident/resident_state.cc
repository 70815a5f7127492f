#include "scheduler/job/resident/resident_state.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "compiler/abi/lane.h"
#include "scheduler/base/quoted.h"
#include "scheduler/devices/migration/image_words.h"

namespace wb {
namespace {

constexpr uint32_t kFirstStep = 1;

// The blocks of one memory that are not all zeros.
using Blocks = std::map<uint64_t, std::vector<uint32_t>>;

Status NotSound(const std::string& why) {
  return Status(Reason::kInvalidArgument, "The state of an instance cannot be kept: " + why + ".");
}

// Where the memories lie; nullopt: the state is not as long as they say.
std::optional<std::vector<ResidentMemory>> FindMemories(const LoweredModule& module,
                                                        const std::vector<uint32_t>& state) {
  std::vector<ResidentMemory> memories;
  uint64_t at = 1 + ImageHeadWords(module);
  for (uint32_t m = 0; m < module.layout.MemoryCount(); ++m) {
    const ResidentMemory memory{at, ResidentPages(module, state, m)};
    if (memory.pages > kMostResidentPages) return std::nullopt;
    at += BitWords(memory.pages);
    if (at > state.size()) return std::nullopt;
    const uint32_t* bits = state.data() + memory.bits_at;
    for (uint64_t block = 0; block < memory.pages * kPageBlocks; ++block) {
      if (HasBlock(bits, block)) at += kBlockWords;
    }
    memories.push_back(memory);
  }
  if (at != state.size()) return std::nullopt;
  return memories;
}

Blocks BlocksOf(const ResidentState& resting, uint32_t memory) {
  const ResidentMemory& its = resting.memories[memory];
  const uint32_t* bits = resting.words().data() + its.bits_at;
  const uint32_t* from = bits + BitWords(its.pages);
  Blocks blocks;
  for (uint64_t block = 0; block < its.pages * kPageBlocks; ++block) {
    if (!HasBlock(bits, block)) continue;
    blocks[block].assign(from, from + kBlockWords);
    from += kBlockWords;
  }
  return blocks;
}

void PutBytes(Blocks& blocks, uint64_t address, ByteView bytes) {
  while (!bytes.empty()) {
    std::vector<uint32_t>& block = blocks[address / kBlockBytes];
    block.resize(kBlockWords);
    const uint64_t at = address % kBlockBytes;
    const uint64_t count = std::min<uint64_t>(bytes.size(), kBlockBytes - at);
    std::memcpy(reinterpret_cast<uint8_t*>(block.data()) + at, bytes.data(), count);
    address += count;
    bytes = bytes.subspan(count);
  }
}

void Append(const Blocks& blocks, uint32_t pages, std::vector<uint32_t>& state) {
  const size_t bits = state.size();
  state.resize(bits + BitWords(pages));
  for (const auto& [block, words] : blocks) {
    if (std::all_of(words.begin(), words.end(), [](uint32_t word) { return word == 0; })) continue;
    state[bits + block / 32] |= 1u << (block % 32);
    state.insert(state.end(), words.begin(), words.end());
  }
}

Status CheckBounds(const ResidentState& resting, uint32_t memory, uint64_t address,
                   uint64_t bytes) {
  if (memory >= resting.memories.size()) {
    return Status(Reason::kInvalidArgument,
                  "The instance has " + Quoted(resting.memories.size()) +
                      " memories, and none of the number " + Quoted(uint64_t{memory}) + ".",
                  {{"field", "memory"}});
  }
  const uint64_t has = uint64_t{resting.memories[memory].pages} * abi::PAGE_BYTES;
  if (address <= has && bytes <= has - address) return {};
  return Status(Reason::kInvalidArgument,
                "The " + Quoted(bytes) + " bytes at the address " + Quoted(address) +
                    " are not all in the instance's memory " + Quoted(uint64_t{memory}) +
                    ", which has " + Quoted(has) + " bytes.",
                {{"field", "address"}, {"maximum", std::to_string(has)}});
}

// Header, globals and tables of an instance that was never called.
std::vector<uint32_t> FreshHead(const LoweredModule& module) {
  const ir::Image& image = module.program.image;
  std::vector<uint32_t> state(1 + ImageHeadWords(module));
  const auto globals = state.begin() + 1 + module.layout.globals_at;
  state[1 + abi::LANE_STEP] = kFirstStep;
  if (!module.program.memories.empty()) state[1 + abi::LANE_PAGES] = image.min_pages;
  std::copy(image.globals.begin(), image.globals.end(), globals);
  for (const ir::TableImage& table : image.tables) {
    std::copy(table.words.begin(), table.words.end(), globals + table.at);
  }
  return state;
}

}  // namespace

uint32_t ResidentPages(const LoweredModule& module, std::span<const uint32_t> words,
                       uint32_t memory) {
  const auto& memories = module.program.memories;
  if (memories.empty()) return 0;
  if (memory == 0) return words[1 + abi::LANE_PAGES];
  const uint32_t global = memories[memory].pages_global;
  if (global == ir::kNoGlobal) return memories[memory].min_pages;
  return words[1 + module.layout.globals_at + module.program.global_words[global]];
}

Status RestHead(const LoweredModule& module, std::vector<uint32_t>& words) {
  const uint64_t head = ImageHeadWords(module);
  if (words.size() < 1 + head || words[0] != 0) {
    return NotSound("it is too short, or has frames");
  }
  for (uint32_t word = 0; word < module.layout.globals_at; ++word) {
    if (word != abi::LANE_PAGES) words[1 + word] = 0;
  }
  words[1 + abi::LANE_STEP] = kFirstStep;
  const auto behind = words.begin() + 1 + module.layout.globals_at + module.program.globals_size +
                      module.program.tables_size;
  std::fill(behind, words.begin() + 1 + static_cast<ptrdiff_t>(head), 0);
  return {};
}

Result<ResidentState> RestingStateOf(const LoweredModule& module, LaneImage image) {
  ResidentState resting;
  resting.state = std::move(image.state);
  WB_TRY(RestHead(module, resting.state));
  auto memories = FindMemories(module, resting.state);
  if (!memories) return NotSound("its memories are not as long as it says");
  resting.memories = *std::move(memories);
  return resting;
}

LaneImage StartOfCall(const Digest& form, const DispatchShape& shape, ResidentStateRef resting) {
  LaneImage image;
  image.form = form;
  image.record.resize(abi::RECORD_REGISTERS + shape.register_words);
  image.record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
  image.record[abi::RECORD_STEP] = kFirstStep;
  image.record[abi::RECORD_PAGES] = resting->words()[1 + abi::LANE_PAGES];
  image.lent.words = resting->words();
  if (resting->placed) {
    image.lent.shared = resting->placed->shared();
    image.lent.shared_at = resting->placed->at();
  }
  image.lent.owner = std::move(resting);
  return image;
}

Result<ResidentState> FreshState(const LoweredModule& module) {
  const ir::Image& image = module.program.image;
  if (module.program.module->start) {
    return Status(Reason::kInvalidArgument,
                  "The module has a start function, which runs in an instance's first call: call "
                  "a function of it before its memory is read or written.",
                  {{"field", "instance"}});
  }
  if (image.trap != Trap::kNone) {
    return Status(Reason::kInvalidArgument,
                  "The module has a segment that does not fit, so that its instances trap as "
                  "they begin and have no memory.",
                  {{"field", "instance"}});
  }
  ResidentState fresh;
  fresh.state = FreshHead(module);
  for (uint32_t m = 0; m < module.layout.MemoryCount(); ++m) {
    Blocks blocks;
    for (const ir::MemoryRange& range : image.memory) {
      if (range.memory == m) PutBytes(blocks, range.address, range.bytes);
    }
    Append(blocks, ResidentPages(module, fresh.state, m), fresh.state);
  }
  auto memories = FindMemories(module, fresh.state);
  if (!memories) return NotSound("its segments do not fit");
  fresh.memories = *std::move(memories);
  return fresh;
}

Result<Bytes> ReadResident(const ResidentState& resting, uint32_t memory, uint64_t address,
                           uint64_t bytes) {
  WB_TRY(CheckBounds(resting, memory, address, bytes));
  Bytes read(bytes);
  const ResidentMemory& its = resting.memories[memory];
  const uint32_t* bits = resting.words().data() + its.bits_at;
  const uint32_t* from = bits + BitWords(its.pages);
  for (uint64_t block = 0; block * kBlockBytes < address + bytes; ++block) {
    if (!HasBlock(bits, block)) continue;
    const uint64_t begin = std::max(address, block * kBlockBytes);
    const uint64_t end = std::min(address + bytes, (block + 1) * kBlockBytes);
    if (begin < end) {
      const auto* its_bytes = reinterpret_cast<const uint8_t*>(from);
      std::memcpy(read.data() + (begin - address), its_bytes + begin % kBlockBytes, end - begin);
    }
    from += kBlockWords;
  }
  return read;
}

Result<ResidentState> WriteResident(const ResidentState& resting, uint32_t memory, uint64_t address,
                                    ByteView bytes) {
  WB_TRY(CheckBounds(resting, memory, address, bytes.size()));
  ResidentState written;
  const std::span<const uint32_t> words = resting.words();
  written.state.assign(words.begin(),
                       words.begin() + static_cast<ptrdiff_t>(resting.memories[0].bits_at));
  for (uint32_t m = 0; m < resting.memories.size(); ++m) {
    Blocks blocks = BlocksOf(resting, m);
    if (m == memory) PutBytes(blocks, address, bytes);
    written.memories.push_back({written.state.size(), resting.memories[m].pages});
    Append(blocks, resting.memories[m].pages, written.state);
  }
  return written;
}

}  // namespace wb
