#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/abi/lane_layout.h"
#include "scheduler/devices/kept_input.h"

namespace wb {

// All that a dispatch needs besides its inputs. Sizes are in 32-bit words unless named otherwise.
struct DispatchShape {
  uint32_t lanes = 0;
  // 0: as many as lanes, and lane i runs seat i. Otherwise at least as many as lanes: a lane that
  // has ended its instance takes the next seat that is to start, within the launch.
  uint32_t seats = 0;
  uint32_t capacity_pages = 0;  // reserve of memory 0 per lane
  // Reserve of each other memory, beyond what it begins with. ~0: all that it may have.
  uint32_t further_pages = ~0u;
  // Not 0, where info().maps_memory: the reserve is addresses. So many pages of it are memory at
  // first, and a lane gets more when it waits for it. 0: all of the reserve is memory at once.
  uint32_t mapped_pages = 0;
  // A part of memory 0 that lanes hold in place of `capacity_pages`, which are then all that it may
  // have. Only where the text has a WindowForm for it. An instance that comes to other bytes ends
  // NEEDS_MEMORY, to start again elsewhere. Its lanes do not move.
  MemoryWindow window;
  uint32_t max_pages = 0;         // memory.grow succeeds up to here; >= capacity_pages
  uint32_t max_stack = 32768;     // 8-byte slots
  uint32_t capacity_stack = ~0u;  // stack reserve per lane with recursion; max_stack is enough
  uint64_t max_fuel = ~uint64_t{0};
  std::vector<uint32_t> program;  // encoded lane program (scheduler/job/lane_program.h)
  uint32_t steps = 0;
  uint32_t column_words = 0;  // words of column input per instance
  uint64_t blob_bytes = 0;    // capacity for byte inputs, all lanes together
  uint32_t register_words = 0;
  uint32_t output_bytes = 0;  // limit of an instance's output
  // Bytes of it that a record has room for, at least abi::LEAST_BUFFER; the limit is enough. With
  // less an instance whose write does not fit is left midway. It goes on once the host has taken
  // the bytes of its record and has set RECORD_OUT_BYTES to 0.
  uint32_t output_buffer = ~0u;
  KeptInputRef kept;  // of this device; null: the program reads none

  uint32_t Seats() const { return seats != 0 ? seats : lanes; }
  uint32_t FirstPages() const { return mapped_pages != 0 ? mapped_pages : capacity_pages; }
  MemoryReserve Reserve() const { return {capacity_pages, further_pages, max_pages, window}; }
  // What lanes begin with is all that limits allow.
  bool ReservesAll() const { return FirstPages() >= max_pages && further_pages >= max_pages; }
  uint32_t StackReserve() const { return std::min(capacity_stack, max_stack); }
  uint32_t OutputBuffer() const { return std::min(output_buffer, output_bytes); }
  uint32_t RecordWords() const {
    return abi::RECORD_REGISTERS + register_words + (OutputBuffer() + 3) / 4;
  }
};

}  // namespace wb
