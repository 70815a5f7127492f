#pragma once

// LaneWatch: what is seen of one lane while the interpreter runs it: its calls and operators, the
// frames of a trap, and whether it has come to an operator where it is to stop.
//
// Threads: the one that runs the lane.

#include <cstdint>
#include <deque>
#include <vector>

#include "scheduler/devices/inspection.h"
#include "scheduler/devices/interpreter/bytecode.h"
#include "scheduler/devices/interpreter/machine.h"

namespace wb {

class LaneWatch {
 public:
  // `globals`: their types, by the lane word where each lies. The request outlives the watch.
  LaneWatch(const InspectionRequest& request, std::vector<ValueType> globals)
      : request_(request), globals_(std::move(globals)) {}

  // A step of the lane program calls the machine's outermost function.
  void Enter(const Machine& machine, const uint64_t* slots);
  // Before an instruction of the innermost activation. True: the lane is to stop here, once.
  bool Before(const Machine& machine, const ByteFunction& function, size_t at,
              const uint64_t* slots, const uint32_t* lane);
  // The instruction traps, or is where the lane stops.
  void Stopped(const Machine& machine, size_t at);

  bool reached() const { return reached_; }
  // Moves what was seen: frames and lines.
  void Take(Inspection* to);

 private:
  bool IsWhereToStop(const ByteFunction& function, uint32_t offset) const;
  void NoteCall(const Machine& machine, const ByteFunction& function, const ByteCode& code,
                uint32_t offset, const uint64_t* slots);
  void NoteReturn(const ByteFunction& function, const uint64_t* slots);
  void NoteOperator(const ByteFunction& function, const ByteCode& code, uint32_t offset,
                    const uint64_t* slots, const uint32_t* lane);
  void NoteResult(const uint64_t* slots);
  SeenLine& Add(SeenLine line);
  ValueType GlobalAt(uint64_t word) const {
    return word < globals_.size() ? globals_[word] : ValueType::kVoid;
  }

  const InspectionRequest& request_;
  const std::vector<ValueType> globals_;
  bool reached_ = false;
  bool is_final_ = false;  // the frames are those where the lane stopped
  uint32_t depth_ = 0;     // activations of the module's own functions
  std::vector<SeenFrame> frames_;
  std::deque<SeenLine> lines_;
  uint64_t line_count_ = 0;
  // The last line is of an operator whose result is not there yet.
  ValueType awaited_ = ValueType::kVoid;
  uint32_t awaited_slot_ = 0;
};

}  // namespace wb
