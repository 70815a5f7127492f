#pragma once

// LaneImage: all of an instance that was left midway, in one form for every device. What one device
// exports another imports. It names no address of the dispatch that it came from, so reserves,
// layout and the number of lanes may differ.
//
// The module, the compiler's version, the lane program and the record shape it. CompileOptions do
// not: `layout` is how words are found, and `floats` is how numbers are computed. Frames hold the
// bits of numbers, with canonical NaNs, in every form. Flattening, copies and inlining change no
// frame. But a kernel with floats kFast32 computes something else, which a device cannot see. The
// caller that moves lanes keeps those apart from exact ones (InstanceRef::moved).
//
// Words of `state`:
//   words of frames behind the memory (recursive modules; else 0)
//   the lane from its base up to the memory: header, stage, globals, tables, and the frames of a
//     module without recursion. Words of the header that belong to a dispatch are zero. Rooms, here
//     and in links, are as of a stack reserve of kMaxStackSlots
//   the frames behind the memory
//   per memory, from the first one on: a bit for each 4 KiB of its current size, 32 to a word, and
//     then those of the 4 KiB that are not all zeros

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/devices/shape.h"

namespace wb {

// Words that whoever moves lanes keeps, and a device reads where they are.
struct LentWords {
  std::span<const uint32_t> words;
  std::shared_ptr<const void> owner;  // of the memory
  int shared = -1;                    // of memory that other processes may map, to read only
  uint64_t shared_at = 0;             // where the words begin there, in bytes
};

struct LaneImage {
  Digest form;                   // of what it fits: FormOf
  std::vector<uint32_t> record;  // of its seat, the output as far as it is written
  std::vector<uint32_t> state;
  LentWords lent;  // not empty: they stand for `state`, which is empty then
  // A number for a lane that an instance has ended in and the words that it left there, no other's;
  // 0: none. An export gives it, and the lane has it until another launch runs there, also after
  // its dispatch if the device keeps the lanes. Put into a lane that has it, the words are there.
  uint64_t left_as = 0;
  // `state` has, of each memory, a second set of bits behind the first: those of the blocks that
  // are not as in the words with which the instance began. Of these alone the blocks are there.
  bool is_change = false;

  std::span<const uint32_t> words() const { return lent.words.empty() ? state : lent.words; }
  uint64_t bytes() const { return (record.size() + words().size()) * sizeof(uint32_t); }
};

Digest FormOf(const LoweredModule& module, const DispatchShape& shape);

// The most bytes that the image of an instance with this record can have, between launches.
uint64_t MostImageBytes(const LaneLayout& layout, const DispatchShape& shape,
                        std::span<const uint32_t> record);

// Words of a lane that lie in its image before the frames behind the memory.
uint64_t ImageHeadWords(const LoweredModule& module);
// The word of an image's state behind which its memories lie.
uint64_t ImageMemoriesAt(const LoweredModule& module, const LaneImage& image);

}  // namespace wb
