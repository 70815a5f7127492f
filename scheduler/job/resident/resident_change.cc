#include "scheduler/job/resident/resident_change.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "scheduler/devices/migration/image_words.h"

namespace wb {
namespace {

Status NotSound() {
  return Status(Reason::kInvalidArgument,
                "The change of an instance's state cannot be kept: its memories are not as they "
                "say.");
}

// One memory of a base and of its change, block by block.
class BlockPairs {
 public:
  BlockPairs(const ResidentState& base, const ResidentChange& change, uint32_t memory)
      : pages_(change.memories[memory].pages),
        base_blocks_(uint64_t{base.memories[memory].pages} * kPageBlocks),
        base_bits_(base.words().data() + base.memories[memory].bits_at),
        base_(base_bits_ + BitWords(base.memories[memory].pages)),
        bits_(change.words.data() + change.memories[memory].bits_at),
        changed_bits_(bits_ + BitWords(pages_)),
        changed_(changed_bits_ + BitWords(pages_)) {}

  struct Pair {
    const uint32_t* before = nullptr;   // null: zeros
    const uint32_t* changed = nullptr;  // null: as before, or zeros
    bool is_zero = false;               // now
  };
  uint64_t blocks() const { return pages_ * kPageBlocks; }
  // Of the blocks from the first one on.
  Pair Next() {
    const uint64_t block = block_++;
    Pair pair;
    if (block < base_blocks_ && HasBlock(base_bits_, block)) {
      pair.before = base_;
      base_ += kBlockWords;
    }
    pair.is_zero = !HasBlock(bits_, block);
    if (HasBlock(changed_bits_, block)) {
      pair.changed = changed_;
      changed_ += kBlockWords;
    }
    return pair;
  }

 private:
  const uint64_t pages_;
  const uint64_t base_blocks_;
  const uint32_t* const base_bits_;
  const uint32_t* base_;
  const uint32_t* const bits_;
  const uint32_t* const changed_bits_;
  const uint32_t* changed_;
  uint64_t block_ = 0;
};

uint64_t CountBits(const uint32_t* bits, uint64_t words) {
  uint64_t count = 0;
  for (uint64_t w = 0; w < words; ++w) count += static_cast<uint64_t>(std::popcount(bits[w]));
  return count;
}

// Each block that is not zero is changed, or one that the base has.
bool IsSound(const ResidentState& base, const ResidentChange& change, uint32_t memory) {
  BlockPairs pairs(base, change, memory);
  for (uint64_t block = 0; block < pairs.blocks(); ++block) {
    const BlockPairs::Pair pair = pairs.Next();
    if (pair.is_zero ? pair.changed != nullptr : !pair.changed && !pair.before) return false;
  }
  return true;
}

}  // namespace

Result<ResidentChange> ChangeOf(const LoweredModule& module, const ResidentState& base,
                                LaneImage image) {
  ResidentChange change;
  change.words = std::move(image.state);
  WB_TRY(RestHead(module, change.words));
  uint64_t at = 1 + ImageHeadWords(module);
  for (uint32_t m = 0; m < module.layout.MemoryCount(); ++m) {
    const ResidentMemory memory{at, ResidentPages(module, change.words, m)};
    const uint64_t bits = BitWords(memory.pages);
    if (memory.pages > kMostResidentPages || change.words.size() - at < 2 * bits) return NotSound();
    const uint64_t blocks = CountBits(change.words.data() + at + bits, bits);
    at += 2 * bits;
    if ((change.words.size() - at) / kBlockWords < blocks) return NotSound();
    at += blocks * kBlockWords;
    change.memories.push_back(memory);
  }
  if (at != change.words.size()) return NotSound();
  for (uint32_t m = 0; m < module.layout.MemoryCount(); ++m) {
    if (!IsSound(base, change, m)) return NotSound();
  }
  return change;
}

bool FitsInto(const ResidentState& base, const ResidentChange& change) {
  for (size_t m = 0; m < base.memories.size(); ++m) {
    const ResidentMemory& was = base.memories[m];
    const ResidentMemory& now = change.memories[m];
    if (was.pages != now.pages) return false;
    const uint32_t* before = base.words().data() + was.bits_at;
    const uint32_t* bits = change.words.data() + now.bits_at;
    if (!std::equal(bits, bits + BitWords(now.pages), before)) return false;
  }
  return true;
}

void ChangeInPlace(const ResidentState& base, const ResidentChange& change,
                   std::span<uint32_t> words) {
  const uint64_t head = base.memories[0].bits_at;
  std::copy_n(change.words.begin(), head, words.begin());
  for (uint32_t m = 0; m < base.memories.size(); ++m) {
    BlockPairs pairs(base, change, m);
    for (uint64_t block = 0; block < pairs.blocks(); ++block) {
      const BlockPairs::Pair pair = pairs.Next();
      if (pair.changed == nullptr) continue;
      std::copy_n(pair.changed, kBlockWords, words.data() + (pair.before - base.words().data()));
    }
  }
}

ResidentState Changed(const ResidentState& base, const ResidentChange& change) {
  ResidentState state;
  const auto head = static_cast<ptrdiff_t>(change.memories[0].bits_at);
  state.state.assign(change.words.begin(), change.words.begin() + head);
  for (uint32_t m = 0; m < change.memories.size(); ++m) {
    const ResidentMemory& now = change.memories[m];
    state.memories.push_back({state.state.size(), now.pages});
    const auto bits = change.words.begin() + static_cast<ptrdiff_t>(now.bits_at);
    const auto bit_words = static_cast<ptrdiff_t>(BitWords(now.pages));
    state.state.insert(state.state.end(), bits, bits + bit_words);
    BlockPairs pairs(base, change, m);
    for (uint64_t block = 0; block < pairs.blocks(); ++block) {
      const BlockPairs::Pair pair = pairs.Next();
      if (pair.is_zero) continue;
      const uint32_t* from = pair.changed != nullptr ? pair.changed : pair.before;
      state.state.insert(state.state.end(), from, from + kBlockWords);
    }
  }
  return state;
}

}  // namespace wb
