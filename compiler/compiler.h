#pragma once

// The compiler's front door. Pure: no threads, files, devices or network; same input, same output.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "compiler/imports.h"
#include "compiler/ir/ir.h"
#include "compiler/wasm/module.h"

namespace wb {

enum class Floats : uint8_t {
  kNative,  // the device computes in IEEE 754 itself
  kMetal,   // it has no double and flushes subnormals: f32 guarded, f64 in software
  kFast32,  // as kMetal, but arithmetic of f32 may flush subnormals: only where a job allows it
};
enum class MemoryLayout : uint8_t {
  kContiguous,   // a lane's words follow one another (CPUs)
  kInterleaved,  // word w of the 32 lanes of a group lie side by side (GPUs)
};
std::string_view FloatsName(Floats floats);        // "native", "metal", "fast32"
std::string_view LayoutName(MemoryLayout layout);  // "contiguous"

// Which control structure becomes a loop around a switch rather than braces within braces. Results,
// fuel, traps and frames are the same.
enum class Flattening : uint8_t {
  kWhereNeeded,  // nests too deep for compilers, wide tables
  kAlways,       // tests only: whole functions
  kMixed,        // tests only: some constructs by their numbers, regions within regions
};

struct CompileOptions {
  Floats floats = Floats::kNative;
  MemoryLayout layout = MemoryLayout::kContiguous;
  // Copies of a recursive function beside the resumable one, and rows of all copies of those that
  // call each other in a cycle, at most (emit/native_calls.h). What the text does, frames included,
  // is the same with any numbers.
  uint32_t most_copies = 12;
  uint32_t most_copied_rows = 800;
  // Rows that a function may come to and still be copied into its callers; 0: none is. Less where
  // the whole text would grow too long (emit/inline_plan.h).
  uint32_t most_inlined_rows = 1000;
  Flattening flattening = Flattening::kWhereNeeded;
  bool operator==(const CompileOptions&) const = default;
};

// The highest stack budget of an instance, in 8-byte slots. Fuel paid on the way back through a
// whole stack must fit the counter (CheckFuelRange).
inline constexpr uint32_t kMaxStackSlots = 32768;

// Where things lie in a lane's state, in 32-bit words from its base (abi/lane.def for the header).
// Frames of a module without recursion lie before its memory, in a room of the right size. With
// recursion their room is a reserve that the engine chooses, and lies behind the memory reserve.
struct LaneLayout {
  uint32_t stage_at = 0;
  uint32_t globals_at = 0;    // globals, then tables
  uint32_t frames_at = 0;     // 0: behind the memory reserve
  uint32_t frames_words = 0;  // what they need at most, besides what the next line says
  uint32_t frame_words_per_1024_slots = 0;  // of the stack; 0: no recursion
  uint32_t memory_at = 0;  // multiple of 1,024 words: a lane's memory begins on a 4 KiB boundary
  uint32_t memories = 1;   // one behind the other, each with the same reserve
  // Writes to the first memory are noted by spans of 2^span_shift bytes: 32 of them hold what a
  // module starts with, those behind share their notes (abi::LANE_KEPT).
  uint32_t span_shift = 11;
  bool operator==(const LaneLayout&) const = default;

  bool recursive() const { return frame_words_per_1024_slots != 0; }
  uint64_t FramesAt(uint32_t pages) const {
    return recursive() ? memory_at + MemoryWords(pages) : frames_at;
  }
  uint64_t FramesWords(uint32_t slots) const {
    return frames_words + (uint64_t{slots} * frame_words_per_1024_slots + 1023) / 1024;
  }
  // Of all memories' reserves, where each is `pages`.
  uint64_t MemoryWords(uint32_t pages) const { return uint64_t{pages} * 16384 * memories; }
  // Words of a lane with room for `pages` of each memory and, with recursion, for `slots` of stack.
  uint64_t LaneWords(uint32_t pages, uint32_t slots) const {
    const uint64_t behind = recursive() ? (FramesWords(slots) + 1023) / 1024 * 1024 : 0;
    return memory_at + MemoryWords(pages) + behind;
  }
};

// A module in the form that every engine runs: IR after all passes, and where lane state lies.
// Immutable and shareable.
struct LoweredModule {
  ir::Program program;
  LaneLayout layout;
};

// Asked between functions whether to leave off; then the error is COMPILE_TIMEOUT. Empty: never. So
// that a caller may bound the time of the work, whose result it does not change.
using Stop = std::function<bool()>;
Status CheckStop(const Stop& stop);  // COMPILE_TIMEOUT if it says so

// Decoded module -> IR after all passes. Errors: WASM_UNSUPPORTED_FEATURE, IMPORT_NOT_PROVIDED,
// by name and offset.
Result<std::shared_ptr<const LoweredModule>> Lower(std::shared_ptr<const Module> module,
                                                   const Imports& imports = {},
                                                   const Stop& stop = {});

// What a device's own compiler gets.
struct KernelSource {
  std::string text;  // the whole kernel text; `wb_main` is its one kernel
  LaneLayout layout;
  CompileOptions options;
  Digest digest;  // of all that shaped the text: module, options, compiler, runtime text
};

// The kernel text of a lowered module. Errors: WASM_UNSUPPORTED_FEATURE for what only the
// interpreter runs so far (by name).
Result<KernelSource> EmitKernel(const LoweredModule& module, const CompileOptions& options,
                                const Stop& stop = {});

// The initial image as the kernel's `image` buffer takes it (words); the same on every device.
// Format: word 0 min pages, 1 global words, 2 memory ranges, 3 trap, 4 trap offset, 5 start
// function + 1 or 0, 6 tables in the lane, 7 zero or, with several memories, where they are
// described; then the global words; then per range of memory 0: address, bytes, and the bytes
// padded to words; then per table: word of element 0 from the globals' base, elements, how many of
// them follow (the others are null), and those. Several memories: how many, then for each its
// pages, ranges and those (none for memory 0, whose stand above); word 0 is then the largest's.
std::vector<uint32_t> EncodeImage(const LoweredModule& module);

// Changes whenever the meaning of emitted text or lane state changes; part of every cache key.
std::string_view CompilerVersion();

}  // namespace wb
